"""The numbers of a figure as text: CSV, Markdown, and lines of cells between tabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

DIGITS = 4
"""Significant digits of numbers in tables to read; CSV holds them all."""

FORMULAS = "=+-@\t\r"
"""Characters with which a cell begins that a spreadsheet calculates."""

_NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")


def csv(head: Iterable[str], numbers: pd.DataFrame) -> bytes:
    """The numbers after comment lines; readable by spreadsheets, which calculate nothing of it.

    A text that a spreadsheet would take for a formula, such as ``=1+1``, stands after an apostrophe.
    """
    comments = "".join(f"# {line}\n" for line in caption_lines(head))
    plain = numbers.rename(columns=_no_formula).map(_no_formula)
    return (comments + plain.to_csv(index=False)).encode("utf-8-sig")


def markdown(head: Iterable[str], numbers: pd.DataFrame) -> bytes:
    """A table of Markdown under its caption."""
    columns, rows = cells_of(numbers)
    rule = ["---:" if right else "---" for right in hold_numbers(numbers)]
    table = [[escape_markdown(cell) for cell in row] for row in (columns, *rows)]
    lines = [f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:])]
    caption = "  \n".join(escape_markdown(line) for line in caption_lines(head))
    return f"{caption}\n\n{chr(10).join(lines)}\n".encode()


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
    """The names of the columns, and the cells of each row, numbers in :data:`DIGITS`."""
    rows = [[_cell(value) for value in row] for row in numbers.itertuples(index=False, name=None)]
    return [str(name) for name in numbers.columns], rows


def _cell(value: object) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.{DIGITS}g}" if np.isfinite(value) else ""
    return "" if value is None or value is pd.NA else str(value)
