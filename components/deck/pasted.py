"""A table that a visitor pastes: lines of cells, on as many slides as they can be read on."""

from __future__ import annotations

import csv
import io
import itertools
import math

from components.deck.document import MOST_ROWS, DeckError, Slide, Table, new_id

MOST_PARTS = 4
"""Slides of one table; a longer table stays whole on one."""


def table(text: str) -> Table:
    """The table of some lines, whose first names the columns; cells stand between tabs, else commas.

    Cells stay as they are written: 46.0 has a digit behind its point.

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
    head, *body = (tuple(cell.strip() for cell in row) for row in rows)
    return Table(head, tuple(body))


def slides(title: str, table: Table) -> list[Slide]:
    """A table on one slide, or its rows shared out to several: ``title (1 of 2)``."""
    rows, parts = table.rows, math.ceil(len(table.rows) / MOST_ROWS)
    if not 1 < parts <= MOST_PARTS:
        return [Slide(new_id(), title, table=table)]
    ends = [round(len(rows) * part / parts) for part in range(parts + 1)]
    return [
        Slide(new_id(), f"{title} ({part} of {parts})", table=Table(table.columns, rows[begin:end]))
        for part, (begin, end) in enumerate(itertools.pairwise(ends), 1)
    ]
