"""Published scores, each with the setting of its measurement.

The aggregate, the correlation, the text form of the corpus and the meaning of "first layer" each change the
score of one method by several points; a score without its setting cannot be compared. Values are × 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.evaluation.sts import Aggregate

AVERAGE = "STS avg."
"""The mean over the tasks of a table row; ``where`` names the tasks when they are not the seven."""

SEVEN = ("STS12", "STS13", "STS14", "STS15", "STS16", "STS-B", "SICK-R")
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
    """

    corpus: str
    value: float
    model: str
    aggregate: Aggregate
    metric: Correlation
    where: str


def row(
    values: str,
    model: str,
    where: str,
    *,
    aggregate: Aggregate = "all",
    metric: Correlation = "Spearman",
    corpora: tuple[str, ...] = (*SEVEN, AVERAGE),
) -> tuple[PublishedScore, ...]:
    """The scores of one table row; ``-`` stands for a missing score."""
    return tuple(
        PublishedScore(corpus, float(value), model, "all" if corpus in WHOLE else aggregate, metric, where)
        for corpus, value in zip(corpora, values.split(), strict=True)
        if value != "-"
    )


def stankevicius(values: str, printed: str, model: str = "bert-base-uncased") -> tuple[PublishedScore, ...]:
    """A row of Tables 6 to 13 of Stankevičius & Lukoševičius (2025), one task each, then their mean.

    ``printed`` is the row's label in the paper. The mean is over eight tasks; it is in Table 5 for plain
    averages of tokens, else in Table 4, and ``-`` when it is in neither.
    """
    paper = "Stankevičius & Lukoševičius 2025"
    scores: list[PublishedScore] = []
    for number, (task, value) in enumerate(zip((*SEVEN, "STR", AVERAGE), values.split(), strict=True), 6):
        where = f"{paper}, Table {number} ({printed})"
        if task == AVERAGE:
            number = 5 if printed.startswith("avg.") else 4
            where = f"{paper}, Table {number} ({printed}; eight tasks, with STR)"
        scores += row(value, model, where, corpora=(task,))
    return tuple(scores)


def ditto(values: str, model: str = "bert-base-uncased", by: str = "") -> tuple[PublishedScore, ...]:
    """A row of Table 6 of Chen et al. (2023); ``by`` is the paper that the table cites for it."""
    return row(values, model, "Chen et al. 2023, Table 6" + (f", after {by}" if by else ""))


def board(values: str, model: str) -> tuple[PublishedScore, ...]:
    """A row of the scoreboard that opens the slides of Lu (2023)."""
    return row(values, model, "Lu 2023, first scoreboard")


def whitening(values: str, model: str, printed: str, by: str) -> tuple[PublishedScore, ...]:
    """A row of the whitening results in the slides of Lu (2023), subsets weighted by their sizes.

    ``by`` is the paper that the slide cites for the row.
    """
    corpora = ("STS-B", "STS12", "STS13", "STS14", "STS15", "STS16", "SICK-R")
    aggregate: Aggregate = "all" if by.startswith("Reimers") else "wmean"
    where = f"Lu 2023, whitening results ({printed}), from {by}"
    return row(values, model, where, aggregate=aggregate, corpora=corpora)


def wang(values: str, model: str, where: str) -> tuple[PublishedScore, ...]:
    """A row of the tables of Wang & Kuo (2020) and Wang et al. (2020): Pearson, mean over subsets."""
    return row(values, model, where, aggregate="mean", metric="Pearson")
