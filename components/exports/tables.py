"""The numbers of a figure as text: CSV, Markdown, and lines of cells between tabs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from csv import QUOTE_NONNUMERIC

import numpy as np
import pandas as pd

DIGITS = 4
"""Significant digits of numbers in tables to read; CSV holds them all."""

ALIGNED = 2
"""Digits behind the point that numbers of a column have where one needs them: 43.00 beside 39.66."""

LARGE = 10.0
"""A quantity that reaches this is told in hundredths at most."""

BEYOND = 1e15
"""Numbers from here on are written with powers of ten."""

NOISE = 2.0**-23
"""Share of the largest number of its column below which a number is an error of rounding: of float32."""

NOTHING = 1e-14
"""What no number of a table means, whatever its column: an error of rounding of float64."""

FORMULAS = "=+-@\t\r\n＝＋－＠"
"""Characters with which a cell begins that a spreadsheet calculates; wide signs are read as narrow ones."""

_CELL_OF_LINE = re.compile(r"(?<=[,;])(\s*\"?)([^,;]+)")
"""What a spreadsheet takes for a further cell of a line of text: what it begins with, and the rest."""

_NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")

_WRITTEN = re.compile(r"[+\-−]?((0|[1-9][0-9]{0,14})(\.[0-9]{0,17})?|\.[0-9]{1,17})([eE][+-]?[0-9]{1,3})?")
"""A number as it is written; 007 and numbers of many digits are names."""


def csv(head: Iterable[str], numbers: pd.DataFrame, meanings: Iterable[str] = ()) -> bytes:
    """The numbers after comment lines; readable by spreadsheets, which calculate nothing of it.

    ``meanings`` are lines on columns, after those of the caption.
    A text that a spreadsheet would take for a formula, such as ``=1+1``, stands after an apostrophe, and so
    does one behind a comma or semicolon of a comment line. A carriage return in a text has all quoted.
    """
    comments = "".join(f"# {_no_formula_in(line)}\n" for line in caption_lines((*head, *meanings)))
    plain = numbers.rename(columns=_no_formula).map(_no_formula)
    text = plain.to_csv(index=False)
    if "\r" in text:  # which ends a row unless it is quoted
        text = plain.to_csv(index=False, quoting=QUOTE_NONNUMERIC)
    return (comments + text).encode("utf-8-sig")


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
    return "".join(f"\\{c}" if c in "\\|*_`<>[]#" else c for c in re.sub(r"[\r\n]", " ", text))


def caption_lines(head: Iterable[str]) -> list[str]:
    """Each line of a caption without breaks inside it."""
    return [text for line in head if (text := " ".join(line.split()))]


def _no_formula(cell: object) -> object:
    """A text that begins as formulas do behind an apostrophe; numbers, and one sign alone, as they are."""
    if not isinstance(cell, str) or len(cell) < 2 or cell[0] not in FORMULAS:
        return cell
    return cell if _NUMBER.fullmatch(cell) else f"'{cell}"


def _no_formula_in(line: str) -> str:
    """A line of text of which a spreadsheet that cuts it into cells calculates none."""
    return _CELL_OF_LINE.sub(lambda cell: f"{cell[1]}{_no_formula(cell[2])}", line)


def hold_numbers(numbers: pd.DataFrame) -> list[bool]:
    """Which columns hold numbers, or texts that are written as numbers, and nothing else."""
    return [_hold_numbers(numbers.iloc[:, place]) for place in range(numbers.shape[1])]


def _hold_numbers(column: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(column.dtype):
        return not pd.api.types.is_bool_dtype(column.dtype)
    held = [cell for cell in column if not (cell is None or cell is pd.NA or cell == "" or cell != cell)]
    return bool(held) and all(map(_is_number, held))


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return _WRITTEN.fullmatch(cell) is not None
    return isinstance(cell, int | float | np.number) and not isinstance(cell, bool)


def cells_of(numbers: pd.DataFrame) -> tuple[list[str], list[Sequence[str]]]:
    """The names of the columns, and the cells of each row as they are read."""
    named = [str(name) for name in numbers.columns]
    columns = as_read(named, [numbers.iloc[:, place].array for place in range(numbers.shape[1])])
    rows: list[Sequence[str]] = list(zip(*columns, strict=True))
    return named, rows or [()] * len(numbers)


def as_read(names: Sequence[str], columns: Iterable[Iterable[object]]) -> list[list[str]]:
    """The cells of columns as they are read: numbers in :data:`DIGITS`, nothing where there is none.

    A number that is zero but for rounding is 0; see :data:`NOISE` and :data:`NOTHING`. The others of a
    column have as many digits behind the point, and so have those of its interval (:func:`quantities`).
    """
    cells, leasts, shown = [list(column) for column in columns], list[float](), dict[int, list[float]]()
    whose = quantities(names)
    for column, of in zip(cells, whose, strict=True):
        numbers = _finite(column)
        leasts.append(least := _least(numbers))
        shown.setdefault(of, []).extend(number for number in numbers if abs(number) >= least)
    forms = {of: _form(numbers) for of, numbers in shown.items()}
    return [
        [_as_read(cell, least, forms[of]) for cell in column]
        for column, least, of in zip(cells, leasts, whose, strict=True)
    ]


def quantities(names: Sequence[str]) -> list[int]:
    """For each column the place of that which it is of: ``low`` and ``high`` are of the one before them.

    So are ``gain, low`` and ``gain, high`` of ``gain``, wherever it stands.
    """
    found: list[int] = []
    for place, name in enumerate(names):
        of, _, end = name.rpartition(", ")
        bound = end in ("low", "high") and of in names
        follows = place and (
            (name == "low" and [*names[place + 1 : place + 2]] == ["high"])
            or (name == "high" and names[place - 1] == "low")
        )
        found.append(names.index(of) if bound else found[-1] if follows else place)
    return found


def _form(numbers: Sequence[float]) -> str:
    """How the numbers of a quantity are written: with as many digits behind the point as one needs.

    The largest needs no more than :data:`DIGITS` in all, or :data:`ALIGNED` behind the point. Where that
    would hide the small ones of a quantity up to :data:`LARGE`, each has digits of its own.
    """
    short = [f"{number:.{DIGITS}g}" for number in numbers]
    largest = max(map(abs, numbers), default=1.0)
    if largest >= BEYOND or (largest < LARGE and any("e-" in text for text in short)):
        return f".{DIGITS}g"
    needed = max((len(text.partition(".")[2]) for text in short if "e" not in text), default=0)
    most = max(ALIGNED, DIGITS - 1 - math.floor(math.log10(largest)))
    return f".{min(needed, most)}f"


def _finite(cells: Iterable[object]) -> list[float]:
    """The fractions of a column that are finite."""
    return [float(cell) for cell in cells if isinstance(cell, float | np.floating) and np.isfinite(cell)]


def _least(numbers: Sequence[float]) -> float:
    """The size from which on a number of a column is not an error of rounding."""
    return max(NOTHING, NOISE * max(map(abs, numbers), default=0.0))


def _as_read(value: object, least: float, form: str) -> str:
    if not isinstance(value, float | np.floating):
        return "" if value is None or value is pd.NA else str(value)
    if not np.isfinite(value):
        return ""
    text = format(value, form) if abs(value) >= least else "0"
    return text.removeprefix("-") if not text.strip("-0.") else text
