"""Whether the first line of a table names its columns, or is a row like those under it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from core.corpora.columns import KNOWN, cell_text, repeated
from core.corpora.numbers import has_decimal_commas, numbers_of

NO_NAMES = "Read without names of columns: the first line is a row."
"""The note on a table of which every line is a row."""

NAME_THEM = " Its first line looks like a row: put a line before it that names the columns."
"""What to do with such a table where nobody can say which column is what."""

LOOKED_AT = 200
"""Rows by which a column's kind is guessed."""

_TWO_WORDS = re.compile(r"\S+\s+\S+\s")
_ENDS = ".!…"
"""What ends a sentence; with a question mark, which may end what a column of answers is called."""

_YEAR = re.compile(r"(19|20)[0-9]{2}")
_FEW_WORDS, _ENOUGH_ROWS, _NEARLY_ALL, _ENOUGH_NUMBERS = 3, 5, 0.9, 3
_DIGITS = 9  # of a number that may count; more are cut, since Python reads no more than 4,300


@dataclass(frozen=True)
class FirstLine:
    """What the first line of a table is; not ``sure`` where whoever brings the table is asked."""

    names: bool
    sure: bool


NAMES = FirstLine(names=True, sure=True)


def judge(first: Iterable[object], rows: pd.DataFrame) -> FirstLine:
    """What the line ``first`` is, by the rows under it.

    A row has numbers where they have numbers, texts where they have texts, and a number, a cell that comes
    again under it or beside it, or a sentence over sentences. A year over other numbers makes it names all
    the same, as do few words over sentences, a known name, and 1, 2, 3 over rows that do not count. Other
    whole numbers over numbers may be what items are called, or what was answered: they are taken for a
    row. Without rows under it a line is names, and not surely so where no name is known, or where it has a
    number.
    """
    cells = [cell_text(cell) for cell in first]
    columns = [rows.iloc[:, i].map(cell_text) for i in range(len(cells))]
    pairs = [(cell, column) for cell, column in zip(cells, columns, strict=True) if cell]
    known = any(cell.lower() in KNOWN and cell not in set(column) for cell, column in pairs)
    if not len(rows):
        return FirstLine(names=True, sure=known and not any(_is_number(*one) for one in pairs))
    same = all(_same_kind(*one) for one in pairs)
    like = same and (repeated(cells) != "" or any(_is_row(*one) for one in pairs))
    named = _counts(cells) and not any(_counts(row) for row in zip(*columns, strict=True))
    names = known or not like or named or any(_is_name(*one) for one in pairs)
    return FirstLine(names=names, sure=known and not like)


def _same_kind(cell: str, column: pd.Series) -> bool:
    return _is_number(cell, column) == is_numeric(column)


def _is_row(cell: str, column: pd.Series) -> bool:
    """Whether a cell is one of its column, which holds the same kind."""
    if is_numeric(column) or cell in set(column):
        return True
    return _is_sentence(cell) and bool(column.map(_is_sentence).mean() > 0.5)


def _is_name(cell: str, column: pd.Series) -> bool:
    """Whether a cell can hardly be one of its column: a year over no years, few words over sentences."""
    if cell in set(column):
        return False
    if is_numeric(column):
        return _YEAR.fullmatch(cell) is not None and bool(column.str.fullmatch(_YEAR).mean() <= 0.5)
    short = len(cell.split()) <= _FEW_WORDS and not _is_ended(cell)
    filled = column[column != ""]
    enough = len(filled) >= _ENOUGH_ROWS
    return short and enough and bool(filled.map(_is_ended).mean() >= _NEARLY_ALL)


def _is_sentence(cell: str) -> bool:
    """Whether a cell has three words or more and the end of a sentence."""
    begun = _TWO_WORDS.match(cell)
    return begun is not None and _is_ended(cell[begun.end() :], _ENDS)


def _is_ended(cell: str, ends: str = f"{_ENDS}?") -> bool:
    """Whether an end stands behind the last word; from the back, as a cell may be of any length."""
    behind = itertools.takewhile(lambda sign: not (sign.isalnum() or sign == "_"), reversed(cell))
    return any(sign in ends for sign in behind)


def _counts(cells: Iterable[str]) -> bool:
    """Whether the numbers among a line's cells are 1, 2, 3 and so on, or from 0 on: three or more."""
    numbers = [int(cell[:_DIGITS]) for cell in cells if cell.isdecimal()]
    return len(numbers) >= _ENOUGH_NUMBERS and any(
        numbers == [*range(start, start + len(numbers))] for start in (0, 1)
    )


def is_numeric(column: pd.Series) -> bool:
    """Whether most of a column's cells are numbers, but for empty ones."""
    cells = column[column.astype(str).str.strip() != ""]
    return len(cells) > 0 and bool(numbers_of(cells).notna().mean() > 0.8)


def _is_number(cell: str, column: pd.Series) -> bool:
    """Whether a cell is a number as its column writes them."""
    return bool(numbers_of(pd.Series([cell]), commas=has_decimal_commas(column)).notna().all())
