"""What is here for each cell of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.papers import computing
from components.papers.computing import Computed
from core.literature.rules import rule_of
from core.literature.rules.running import Reproduction
from core.literature.tables import Table
from core.literature.tables.table import Cell
from core.pipeline.engine import Engine

SCOPES = ("cell", "row", "column", "table")
"""What one press computes."""


@dataclass(frozen=True, eq=False)
class CellHere:
    """A printed figure, and what is here of it."""

    cell: Cell
    here: Computed

    @property
    def difference(self) -> float:
        """Here minus printed; NaN where there is no figure here."""
        if self.here.measured is None or self.cell.value is None:
            return float("nan")
        return self.here.measured.value - self.cell.value * self.cell.scale

    @property
    def is_met(self) -> bool:
        """Whether the interval here holds the printed figure, and nothing is known to differ."""
        return self.here.is_same and self.here.measured is not None and self.here.measured.holds(self.cell)


States = Mapping[Cell, CellHere]


def states(rules: Reproduction, table: Table) -> dict[Cell, CellHere]:
    """Every cell with what is kept of it; nothing is computed."""
    return {cell: CellHere(cell, computing.outcome(rules, rule_of(table, cell))) for cell in table.cells}


def computed(engine: Engine, table: Table, there: States) -> dict[Cell, CellHere]:
    """The states with what has been computed meanwhile; a panel shows what goes on."""
    outcomes = {cell: one.here for cell, one in there.items()}
    found = computing.computed(engine, _name(table), outcomes, "papers")
    return {cell: CellHere(cell, one) for cell, one in found.items()}


def button(engine: Engine, table: Table, there: States, chosen: Cell, scope: str) -> None:
    """The button that computes what the scope holds."""
    inside = {cell: there[cell].here for cell in in_scope(table, chosen, scope)}
    computing.button(engine, _name(table), inside, "papers")


def in_scope(table: Table, chosen: Cell, scope: str) -> list[Cell]:
    """The cells of the scope that hold results, in the order of print."""
    inside: dict[str, Callable[[Cell], bool]] = {
        "cell": lambda cell: cell == chosen,
        "row": lambda cell: (cell.group, cell.row) == (chosen.group, chosen.row),
        "column": lambda cell: cell.column == chosen.column,
        "table": lambda cell: True,
    }
    return [cell for cell in table.cells if cell.is_result and inside[scope](cell)]


def _name(table: Table) -> str:
    return f"{table.paper.number} {table.name}"
