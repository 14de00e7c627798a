"""Scores as papers print them, each with what it was measured by.

Two scores of one method differ by several points through the aggregate, the correlation, the text form of
the corpus or the meaning of "first layer" alone; a figure without these is no figure to compare with.
Values are × 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.evaluation.sts import Aggregate

AVERAGE = "STS avg."
"""The mean over the tasks of one row of a table; ``where`` names the tasks when they are not the seven."""

SEVEN = ("STS12", "STS13", "STS14", "STS15", "STS16", "STS-B", "SICK-R")
"""The tasks of SimCSE's evaluation, in its order."""

WHOLE = ("STS-B", "SICK-R", "STR")
"""Tasks that papers score as one list of pairs, whatever they do for the years 2012 to 2016."""

Metric = Literal["Spearman", "Pearson"]


@dataclass(frozen=True)
class Published:
    """One figure of one table.

    Attributes
    ----------
    corpus
        The task (``STS12`` … ``STS16``, ``STS-B``, ``SICK-R``, ``STR``) or :data:`AVERAGE`.
    value
        Correlation × 100.
    model
        The model or the vectors, as the paper names them.
    aggregate
        How subsets of a task were put together (``core/evaluation/sts.py``).
    metric
        Which correlation.
    where
        Paper and table, and what else tells the figure from others there.
    """

    corpus: str
    value: float
    model: str
    aggregate: Aggregate
    metric: Metric
    where: str


def row(
    values: str,
    model: str,
    where: str,
    *,
    aggregate: Aggregate = "all",
    metric: Metric = "Spearman",
    corpora: tuple[str, ...] = (*SEVEN, AVERAGE),
) -> tuple[Published, ...]:
    """The figures of one row of a table, ``-`` where it has none."""
    return tuple(
        Published(corpus, float(value), model, "all" if corpus in WHOLE else aggregate, metric, where)
        for corpus, value in zip(corpora, values.split(), strict=True)
        if value != "-"
    )


def stankevicius(values: str, printed: str, model: str = "bert-base-uncased") -> tuple[Published, ...]:
    """A row of Tables 6 to 13 of Stankevičius & Lukoševičius (2025), one task each, then their mean.

    ``printed`` is the row's label there. The mean is of eight tasks and stands in Table 5 for plain
    averages of tokens, else in Table 4; ``-`` where in neither.
    """
    paper = "Stankevičius & Lukoševičius 2025"
    found: list[Published] = []
    for number, (task, value) in enumerate(zip((*SEVEN, "STR", AVERAGE), values.split(), strict=True), 6):
        where = f"{paper}, Table {number} ({printed})"
        if task == AVERAGE:
            number = 5 if printed.startswith("avg.") else 4
            where = f"{paper}, Table {number} ({printed}; eight tasks, with STR)"
        found += row(value, model, where, corpora=(task,))
    return tuple(found)


def ditto(values: str, model: str = "bert-base-uncased", by: str = "") -> tuple[Published, ...]:
    """A row of Table 6 of Chen et al. (2023); ``by`` is the paper that the table names for it."""
    return row(values, model, "Chen et al. 2023, Table 6" + (f", after {by}" if by else ""))


def board(values: str, model: str) -> tuple[Published, ...]:
    """A row of the scoreboard that opens the slides of Lu (2023)."""
    return row(values, model, "Lu 2023, first scoreboard")


def whitening(values: str, model: str, printed: str, by: str) -> tuple[Published, ...]:
    """A row of the whitening results in the slides of Lu (2023), subsets weighted by their sizes.

    ``by`` is the paper that the slide has the row from.
    """
    corpora = ("STS-B", "STS12", "STS13", "STS14", "STS15", "STS16", "SICK-R")
    aggregate: Aggregate = "all" if by.startswith("Reimers") else "wmean"
    where = f"Lu 2023, whitening results ({printed}), from {by}"
    return row(values, model, where, aggregate=aggregate, corpora=corpora)


def wang(values: str, model: str, where: str) -> tuple[Published, ...]:
    """A row of the tables of Wang & Kuo (2020) and Wang et al. (2020): Pearson, subsets alike."""
    return row(values, model, where, aggregate="mean", metric="Pearson")
