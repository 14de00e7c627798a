"""The row of a table that a visitor chooses, by a click on any of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

MODE: Literal["single-cell"] = "single-cell"
"""How such a table is chosen from: rows themselves are chosen by a box at their left alone."""


def chosen(state: Mapping[str, Any], rows: int) -> int | None:
    """The number of the chosen row of a table of so many; None where there is none, or no longer.

    ``state`` is what ``st.dataframe`` gives, or keeps under the table's key.
    """
    cells = state["selection"]["cells"]
    return int(cells[0][0]) if cells and cells[0][0] < rows else None


def start(row: int | None, column: str) -> dict[str, Any]:
    """The ``selection_default`` of a table that shows a row as chosen."""
    return {"selection": {"cells": [] if row is None else [(row, column)]}}
