"""Published scores, each with the setting of its measurement.

The aggregate, the correlation, the text form of the corpus and the meaning of "first layer" each change the
score of one method by several points; a score without its setting cannot be compared. Values are × 100.
They are read from the papers' tables (``core/literature/tables``): a preset names a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.evaluation.sts import Aggregate
from core.literature.tables import Table, find_table
from core.literature.tables.catalogue import OF_SIMILARITY, SIMILARITY, SINGLE_TASKS
from core.literature.tables.slips import mean_of_row, task
from core.literature.tables.table import DIMENSIONS, Cell

AVERAGE = "STS avg."
"""The mean over the tasks of a table row; ``where`` names the tasks when they are not the seven."""

YEARS = ("STS12", "STS13", "STS14", "STS15", "STS16")
"""The yearly tasks of SemEval."""

SEVEN = (*YEARS, "STS-B", "SICK-R")
"""The tasks of SimCSE's evaluation, in its order."""

WHOLE = ("STS-B", "SICK-R", "STR")
"""Tasks that papers score as one list of pairs, whatever aggregate they use for STS12 to STS16."""

Correlation = Literal["Spearman", "Pearson"]


@dataclass(frozen=True)
class PublishedScore:
    """One score of one table.

    Attributes
    ----------
    corpus
        The task (``STS12`` … ``STS16``, ``STS-B``, ``SICK-R``, ``STR``) or :data:`AVERAGE`.
    value
        Correlation × 100.
    model
        The model or the vectors, as named in the paper.
    aggregate
        The aggregate over the subsets of a task (``core/evaluation/sts.py``).
    metric
        The correlation.
    where
        The paper and the table, and whatever else identifies the score there.
    cell
        Its cell in that table.
    """

    corpus: str
    value: float
    model: str
    aggregate: Aggregate
    metric: Correlation
    where: str
    cell: Cell


NEAR = 0.1
"""An average as far from the mean of its row is left out; rounding alone moves it less."""

_AVERAGES = ("Avg.", "STS avg.", "Avg. STS results")
"""What tables call the column of averages."""


def published(
    cell: Cell | None,
    model: str,
    where: str,
    *,
    aggregate: Aggregate = "all",
    corpus: str = "",
) -> tuple[PublishedScore, ...]:
    """The score of one cell; nothing for a dash and for a cell that is not there.

    ``corpus`` is the task where the cell's column does not say it.
    """
    if cell is None or cell.value is None or cell.unit == DIMENSIONS:
        return ()
    named = corpus or (AVERAGE if cell.column in _AVERAGES else task(cell.column))
    metric: Correlation = "Pearson" if cell.unit.startswith("Pearson") else "Spearman"
    over = "all" if named in WHOLE else aggregate
    return (PublishedScore(named, cell.value, model, over, metric, where, cell),)


def row(
    table: Table,
    label: str,
    model: str,
    where: str,
    *,
    group: str | None = None,
    aggregate: Aggregate = "all",
) -> tuple[PublishedScore, ...]:
    """The scores of one table row; an average that is not near the mean of its row is left out."""
    mean = mean_of_row(table, label, group)
    return tuple(
        score
        for cell in table.of_row(label, group)
        if cell.column != "Avg." or cell.value is None or mean is None or abs(cell.value - mean[0]) < NEAR
        for score in published(cell, model, where, aggregate=aggregate)
    )


def stankevicius(
    label: str, column: str = "BERT", model: str = "bert-base-uncased"
) -> tuple[PublishedScore, ...]:
    """A row of Tables 6 to 13 of Stankevičius & Lukoševičius (2025), one task each, then their mean.

    The mean is over eight tasks; it is in Table 5 for plain averages of tokens, else in Table 4. What a
    table does not have is left out.
    """
    paper = "Stankevičius & Lukoševičius 2025"
    printed = label if column == "BERT" else f"{label}, {column}"
    scores: list[PublishedScore] = []
    for number, name in SINGLE_TASKS.items():
        if name in SIMILARITY:
            cell = find_table("000", number).get(label, column, "")
            scores += published(cell, model, f"{paper}, Table {number} ({printed})", corpus=name)
    means = find_table("000", "5" if label.startswith("avg.") else "4")
    cell = means.get(label, column, OF_SIMILARITY)
    where = f"{paper}, {means.label} ({printed}; eight tasks, with STR)"
    return (*scores, *published(cell, model, where, corpus=AVERAGE))


def ditto(label: str, model: str = "bert-base-uncased") -> tuple[PublishedScore, ...]:
    """A row of Table 6 of Chen et al. (2023), with the paper that the table cites for it."""
    table = find_table("002", "6")
    cited = table.of_row(label)[0].note.partition("cited from ")[2]
    by = cited.replace(" and ", " & ").replace(",", "")
    return row(table, label, model, "Chen et al. 2023, Table 6" + (f", after {by}" if by else ""))


def ditto_models(label: str, column: str, model: str) -> tuple[PublishedScore, ...]:
    """A cell of Table 2 of Chen et al. (2023), averages of three encoders."""
    cell = find_table("002", "2").get(label, column)
    return published(cell, model, "Chen et al. 2023, Table 2", corpus=AVERAGE)


def board(label: str, model: str) -> tuple[PublishedScore, ...]:
    """A row of the scoreboard that opens the slides of Lu (2023)."""
    return row(find_table("004", "scoreboard"), label, model, "Lu 2023, first scoreboard")


_IMPLEMENTED = {"Our": "Su et al. 2021", "(Li": "Li et al. 2020", "(Rei": "Reimers & Gurevych 2019"}
"""The paper of each heading of the whitening results, by a part of the heading."""


def whitening(*labels: str) -> tuple[PublishedScore, ...]:
    """Rows of the whitening results in the slides of Lu (2023), subsets weighted by their sizes."""
    table = find_table("004", "whitening")
    scores: list[PublishedScore] = []
    for label in labels:
        for group in (group for group, named in table.rows if named == label):
            (by,) = (paper for part, paper in _IMPLEMENTED.items() if part in group)
            size, _, printed = re.sub(r"^BERT_(base|large)-", r"\1|", label).rpartition("|")
            printed = printed.replace("whitening", "BERT-whitening")
            model = f"bert-{size}" if size else "BERT"
            where = f"Lu 2023, whitening results ({printed}), from {by}"
            aggregate: Aggregate = "all" if by.startswith("Reimers") else "wmean"
            scores += row(table, label, model, where, group=group, aggregate=aggregate)
    return tuple(scores)


def sbert_wk(label: str, model: str) -> tuple[PublishedScore, ...]:
    """A row of Table III of Wang & Kuo (2020): Pearson, mean over subsets."""
    return row(find_table("001", "III"), label, model, "Wang & Kuo 2020, Table III", aggregate="mean")


def sbert_wk_part(label: str) -> tuple[PublishedScore, ...]:
    """A row of Table VII of Wang & Kuo (2020): the mean over six tasks of a part of SBERT-WK."""
    where = "Wang & Kuo 2020, Table VII (six tasks, without SICK-R)"
    return row(find_table("001", "VII"), label, "SBERT", where, aggregate="mean")


def subspaces(label: str, model: str, told: str = "") -> tuple[PublishedScore, ...]:
    """A row of Table I of Wang et al. (2020): Pearson, mean over subsets."""
    where = "Wang et al. 2020, Table I" + (f" ({told})" if told else "")
    return row(find_table("003", "I"), label, model, where, aggregate="mean")
