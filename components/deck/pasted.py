"""A table that a visitor pastes: lines of cells."""

from __future__ import annotations

import csv
import io
import math
import re

from components.deck.document import Cell, DeckError, Table

_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]{0,14})")
_NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]{0,14})(\.[0-9]{0,17})?|\.[0-9]{1,17})([eE][+-]?[0-9]{1,3})?")


def table(text: str) -> Table:
    """The table of some lines, whose first names the columns; cells stand between tabs, else commas.

    Raises DeckError for no table: fewer than two lines, lines of different lengths, or too many cells.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = "\t" if any("\t" in line for line in lines) else ","
    try:
        rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator))
    except csv.Error as error:
        raise DeckError(f"The table cannot be read: {error}.") from error
    if len(rows) < 2:
        raise DeckError("A table has a line with the names of its columns, and at least one line below it.")
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise DeckError(
            f"The lines of the table have {lengths[0]} to {lengths[-1]} cells; allowed is one number."
        )
    head, *body = rows
    return Table(tuple(cell.strip() for cell in head), tuple(tuple(map(_cell, row)) for row in body))


def _cell(text: str) -> Cell:
    """A cell as a number where it is written as one; 007 and numbers of many digits are names."""
    text = text.strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    number = float(text) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text
