"""Where in its file each row of a table begins, and rows that hold nothing."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Bool

from core.corpora.opened import opened

LINE = "line in its file"
"""The name of an index that holds where in its file each row begins; and of the column that keeps it."""

_NAMED_ROWS = 5


def empty_lines(path: Path) -> int:
    """How many lines before a table's header are empty."""
    with opened(path) as file:
        return sum(1 for _ in takewhile(lambda line: not line.strip(b"\r\n"), file))


def with_lines(table: pd.DataFrame, before: int, *, names: bool = True) -> pd.DataFrame:
    """The table with the line of each row, the first of several, as its index; no empty rows at the end.

    ``before`` empty lines stand before its first one, which has the ``names`` of the columns or is a row.
    """
    breaks = np.zeros(len(table), int)
    for column in table.columns:
        breaks += table[column].astype(str).str.count("\n").to_numpy(int)
    header = 1 + sum(str(column).count("\n") for column in table.columns) if names else 0
    first = before + header + 1 + np.arange(len(table)) + np.cumsum(breaks) - breaks
    filled = np.flatnonzero(~_is_blank(table))
    end = int(filled[-1]) + 1 if len(filled) else 0
    return table.set_index(pd.Index(first, name=LINE)).iloc[:end]


def _is_blank(table: pd.DataFrame) -> Bool[np.ndarray, " row"]:
    """Rows of which no cell holds anything."""
    blank = np.ones(len(table), bool)
    for column in table.columns:
        cells = table[column].iloc[rows := np.flatnonzero(blank)]
        blank[rows] = (cells.isna() | (cells.astype(str).str.strip() == "")).to_numpy(bool)
    return blank


def filled_rows(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows of a table that hold something, each by its line in the file, and a note on the others."""
    if table.index.name != LINE:
        table = table.set_index(pd.RangeIndex(2, len(table) + 2, name=LINE))
    blank = pd.Series(_is_blank(table), table.index)
    many = int(blank.sum())
    what = "1 empty line" if many == 1 else f"{many:,} empty lines"
    return table[~blank], [f"{what} ({_numbers(blank)}): left out."] if many else []


def lines_of(problem: pd.Series) -> str:
    """``lines 3, 7, 12 …``: where the rows of a problem begin in the file."""
    return f"{'line' if problem.sum() == 1 else 'lines'} {_numbers(problem)}"


def _numbers(problem: pd.Series) -> str:
    """``3, 7, 12 …``: line numbers in the file, where a row of several begins."""
    rows = problem.index[problem.to_numpy()][: _NAMED_ROWS + 1]
    shown = ", ".join(str(int(row)) for row in rows[:_NAMED_ROWS])
    return shown + (", …" if len(rows) > _NAMED_ROWS else "")
