"""Systems of a paper's tables that no recipe stands for, with the reason."""

from __future__ import annotations

from dataclasses import dataclass

from core.literature.rules.finding import rule_of
from core.literature.tables import Paper, Table, tables
from core.literature.tables.table import Cell


@dataclass(frozen=True)
class Without:
    """A row of a table of which no figure has a recipe.

    Attributes
    ----------
    table, row
        Where it stands.
    cells
        Its results in the order of print.
    reason
        Why none of them has a recipe.
    """

    table: Table
    row: str
    cells: tuple[Cell, ...]
    reason: str


def systems_without(paper: Paper) -> tuple[Without, ...]:
    """The rows of the paper's tables that have results and no recipe for any of them, in order of print."""
    found = []
    for table in tables(paper.number):
        for group, row in table.rows:
            cells = tuple(cell for cell in table.of_row(row, group) if cell.is_result and cell.is_placed)
            reasons = [each for each in (rule_of(table, cell) for cell in cells) if isinstance(each, str)]
            if cells and len(reasons) == len(cells):
                found.append(Without(table, row, cells, reasons[0]))
    return tuple(found)
