"""The numbers of a figure as text: CSV, Markdown, and lines of cells between tabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

DIGITS = 4
"""Significant digits of numbers in tables to read; CSV holds them all."""

ALIGNED = 3
"""Digits behind the point up to which all numbers of a column have as many: 43.00 beside 39.66."""

NOISE = 2.0**-23
"""Share of the largest number of its column below which a number is an error of rounding: of float32."""

NOTHING = 1e-14
"""What no number of a table means, whatever its column: an error of rounding of float64."""

FORMULAS = "=+-@\t\r"
"""Characters with which a cell begins that a spreadsheet calculates."""

_NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")


def csv(head: Iterable[str], numbers: pd.DataFrame, meanings: Iterable[str] = ()) -> bytes:
    """The numbers after comment lines; readable by spreadsheets, which calculate nothing of it.

    ``meanings`` are lines on columns, after those of the caption.
    A text that a spreadsheet would take for a formula, such as ``=1+1``, stands after an apostrophe.
    """
    comments = "".join(f"# {line}\n" for line in caption_lines((*head, *meanings)))
    plain = numbers.rename(columns=_no_formula).map(_no_formula)
    return (comments + plain.to_csv(index=False)).encode("utf-8-sig")


def markdown(head: Iterable[str], numbers: pd.DataFrame, meanings: Iterable[str] = ()) -> bytes:
    """A table of Markdown under its caption, and under it what columns mean."""
    columns, rows = cells_of(numbers)
    rule = ["---:" if right else "---" for right in hold_numbers(numbers)]
    table = [[escape_markdown(cell) for cell in row] for row in (columns, *rows)]
    lines = [f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:])]
    caption = "  \n".join(escape_markdown(line) for line in caption_lines(head))
    told = "".join(f"* {escape_markdown(line)}\n" for line in caption_lines(meanings))
    return f"{caption}\n\n{chr(10).join(lines)}\n{told and chr(10)}{told}".encode()


def tabbed(numbers: pd.DataFrame) -> str:
    """Lines of cells between tabs, which spreadsheets and slides take from the clipboard."""
    columns, rows = cells_of(numbers)
    return "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in (columns, *rows))


def escape_markdown(text: str) -> str:
    """``text`` on one line as Markdown shows it."""
    return "".join(f"\\{c}" if c in "\\|*_`<>[]#" else c for c in text.replace("\n", " "))


def caption_lines(head: Iterable[str]) -> list[str]:
    """Each line of a caption without breaks inside it."""
    return [text for line in head if (text := " ".join(line.split()))]


def _no_formula(cell: object) -> object:
    """A text that begins as formulas do behind an apostrophe; numbers, and one sign alone, as they are."""
    if not isinstance(cell, str) or len(cell) < 2 or cell[0] not in FORMULAS:
        return cell
    return cell if _NUMBER.fullmatch(cell) else f"'{cell}"


def hold_numbers(numbers: pd.DataFrame) -> list[bool]:
    """Which columns hold numbers."""
    return [
        pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)
        for kind in numbers.dtypes
    ]


def cells_of(numbers: pd.DataFrame) -> tuple[list[str], list[Sequence[str]]]:
    """The names of the columns, and the cells of each row as they are read."""
    columns = [as_read(numbers.iloc[:, place].array) for place in range(numbers.shape[1])]
    rows: list[Sequence[str]] = list(zip(*columns, strict=True))
    return [str(name) for name in numbers.columns], rows or [()] * len(numbers)


def as_read(column: Iterable[object]) -> list[str]:
    """The cells of a column as they are read: numbers in :data:`DIGITS`, nothing where there is none.

    A number that is zero but for rounding is 0; see :data:`NOISE` and :data:`NOTHING`. The others have as
    many digits behind the point as the one with most, where that is :data:`ALIGNED` at most.
    """
    cells = list(column)
    numbers = [cell for cell in cells if isinstance(cell, float | np.floating) and np.isfinite(cell)]
    least = max(NOTHING, NOISE * float(max(map(abs, numbers), default=0.0)))
    short = [f"{number:.{DIGITS}g}" for number in numbers if abs(number) >= least]
    behind = max((len(text.partition(".")[2]) for text in short), default=0)
    aligned = behind <= ALIGNED and not any("e" in text for text in short)
    return [_as_read(cell, least, f".{behind}f" if aligned else f".{DIGITS}g") for cell in cells]


def _as_read(value: object, least: float, form: str) -> str:
    if not isinstance(value, float | np.floating):
        return "" if value is None or value is pd.NA else str(value)
    if not np.isfinite(value):
        return ""
    return format(value, form) if abs(value) >= least else "0"
