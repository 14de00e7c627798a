"""The rule of a printed figure, by the paper that prints it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.literature.rules import averaged_tokens, ditto, sbert_wk, slides, subspaces
from core.literature.rules.rule import Method
from core.literature.tables import Table
from core.literature.tables.table import DIMENSIONS, Cell

_OF_PAPER: Mapping[str, Callable[[Table, Cell], Method]] = {
    "000": averaged_tokens.rule,
    "001": sbert_wk.rule,
    "002": ditto.rule,
    "003": subspaces.rule,
    "004": slides.rule,
}


def rule_of(table: Table, cell: Cell) -> Method:
    """What gives the figure of a cell here, or in a sentence why nothing does."""
    if cell.unit == DIMENSIONS:
        return "The length of the vectors; it is no result."
    if cell.value is None:
        return "The paper prints no figure here."
    if not cell.is_placed:
        return "The text at hand has lost the column of this figure."
    return _OF_PAPER[table.paper.number](table, cell)
