"""What is here for each cell of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.papers import computing
from components.papers.computing import Computed
from core.evaluation.wording import between
from core.literature.rules import rule_of
from core.literature.rules.running import Reproduction
from core.literature.tables import Table
from core.literature.tables.table import Cell
from core.pipeline.engine import Engine

SCOPES = ("cell", "row", "column", "table")
"""What one press computes."""

NOTED = "Of the printed figure: "
"""What stands before a note on a cell, such as ``cited from …``."""


@dataclass(frozen=True, eq=False)
class CellHere:
    """A printed figure, and what is here of it, in the unit of print."""

    cell: Cell
    here: Computed

    @property
    def value(self) -> float:
        """The figure here; NaN where there is none."""
        return self.here.measured.value / self.cell.scale if self.here.measured else float("nan")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of its 95 % interval; NaN where there is none."""
        low, high = self.here.measured.bounds if self.here.measured else (float("nan"), float("nan"))
        return low / self.cell.scale, high / self.cell.scale

    @property
    def difference(self) -> float:
        """Here minus printed; NaN where there is no figure here."""
        return float("nan") if self.cell.value is None else self.value - self.cell.value

    @property
    def interval(self) -> str:
        """``95 %: 53.1 to 55.0``, or ``95 %: 0.838 to 0.851``."""
        return between(*self.bounds, self.cell.digits if self.cell.scale > 1 else None)

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
    found = computing.computed(engine, table.place, outcomes, "papers")
    return {cell: CellHere(cell, one) for cell, one in found.items()}


def button(engine: Engine, table: Table, there: States, chosen: Cell, scope: str) -> None:
    """The button that computes what the scope holds."""
    inside = {cell: there[cell].here for cell in in_scope(table, chosen, scope)}
    computing.button(engine, table.place, inside, "papers")


def in_scope(table: Table, chosen: Cell, scope: str) -> list[Cell]:
    """The cells of the scope that hold results, in the order of print."""
    inside: dict[str, Callable[[Cell], bool]] = {
        "cell": lambda cell: cell == chosen,
        "row": lambda cell: (cell.group, cell.row) == (chosen.group, chosen.row),
        "column": lambda cell: cell.column == chosen.column,
        "table": lambda cell: True,
    }
    return [cell for cell in table.cells if cell.is_result and inside[scope](cell)]
