"""Figures of papers that set one figure of many recipes against another, as two rules for each recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from core.evaluation.tasks.groups import Member
from core.literature.rules.finding import rule_of
from core.literature.rules.rule import Rule
from core.literature.tables import find_table
from core.literature.tables.catalogue import OF_CLUSTERING, OF_SIMILARITY

WIKITEXT_SENTENCES = (Member("WikiText-2", ("wikitext-2(unit=sentence)",), "isotropy(metric=isoscore)"),)
"""The sentences whose IsoScore paper 000 takes, those under ten characters left out."""


@dataclass(frozen=True)
class Dot:
    """A recipe: what gives its place across and upwards, and what is printed of the latter."""

    across: Rule
    upwards: Rule
    printed: float


@dataclass(frozen=True)
class Relation:
    """A figure of a paper.

    Attributes
    ----------
    paper, name
        Where it stands: the paper's number, and what the paper calls the figure.
    title
        What it shows.
    across, upwards
        What its axes are.
    panels
        The recipes of each model, by their row in the paper's tables.
    """

    paper: str
    name: str
    title: str
    across: str
    upwards: str
    panels: Mapping[str, Mapping[str, Dot]]


def _panels(group: str) -> dict[str, dict[str, Dot]]:
    """The cells of Tables 4 and 5 under a heading by column and row; whitening is left out, as there."""
    panels: dict[str, dict[str, Dot]] = {}
    for name in ("4", "5"):
        table = find_table("000", name)
        for cell in table.cells:
            found = rule_of(table, cell)
            if cell.group != group or cell.value is None or "whiten" in cell.row or cell.column == "SimCSE":
                continue
            if isinstance(found, Rule):
                across = replace(found, tasks=WIKITEXT_SENTENCES, metric="isoscore")
                panels.setdefault(cell.column, {})[cell.row] = Dot(across, found, cell.value)
    return panels


@cache
def relations() -> tuple[Relation, ...]:
    """The figures in the order of the papers; their rules are made when they are first asked for."""
    return (
        Relation(
            "000",
            "Figure 1",
            "IsoScore of WikiText-2 against the mean score on similarity",
            "IsoScore × 100",
            "mean Spearman × 100",
            _panels(OF_SIMILARITY),
        ),
        Relation(
            "000",
            "Figure 2",
            "IsoScore of WikiText-2 against the mean accuracy of clustering",
            "IsoScore × 100",
            "mean accuracy (%)",
            _panels(OF_CLUSTERING),
        ),
    )


def relations_of(paper: str) -> tuple[Relation, ...]:
    """The figures of the paper of this number."""
    return tuple(relation for relation in relations() if relation.paper == paper)
