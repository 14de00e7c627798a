"""A table as lines of text: its grid as in print, then what is noted and what does not add up."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from core.literature.tables.slips import slips_of
from core.literature.tables.table import FIELDS, Cell, Table

MARKS = {"bold": "*", "underlined": "_", "": ""}
"""What follows a figure that is emphasised in print."""

_WIDTH = 108


def as_text(table: Table) -> str:
    """The table as it is printed: a line for each row, headings between them, ``-`` for a dash.

    Under it stand figures whose column is lost, notes, and what does not add up.
    """
    lines = [f"{table.paper.citation}, {table.label}: {table.title} ({', '.join(_units(table))})", ""]
    lines += _grid(table)
    if notes := list(dict.fromkeys(_notes(table))):
        lines += ["", *(line for text in notes for line in _wrapped(text))]
    if slips := slips_of(table):
        lines += ["", "Does not add up:"]
        lines += [
            line for slip in slips for line in _wrapped(f"{_place(slip.row, slip.column)}{slip.told}")
        ]
    return "\n".join(lines)


def as_lines(table: Table) -> str:
    """The table's cells as tab-separated lines with a head, as its file has them."""
    rows = [
        (
            *(table.paper.number, table.name, cell.group, cell.row, cell.column),
            *(cell.printed, cell.unit, cell.emphasis, cell.note),
        )
        for cell in table.cells
    ]
    return "\n".join("\t".join(row) for row in (FIELDS, *rows))


def _units(table: Table) -> list[str]:
    return list(dict.fromkeys(cell.unit for cell in table.cells if cell.is_result))


def _grid(table: Table) -> list[str]:
    grid = {
        (group, row): [_shown(table.get(row, column, group)) for column in table.columns]
        for group, row in table.rows
        if any(cell.is_placed for cell in table.of_row(row, group))
    }
    widths = [max(map(len, column)) for column in zip(table.columns, *grid.values(), strict=True)]
    first = max(len(row) for _, row in grid)
    head = "  ".join(name.rjust(width) for name, width in zip(table.columns, widths, strict=True))
    lines, last = [f"{'':<{first}}  {head}"], ""
    for (group, row), cells in grid.items():
        if group != last:
            lines.append(group)
            last = group
        figures = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append(f"{row:<{first}}  {figures}".rstrip())
    return lines


def _shown(cell: Cell | None) -> str:
    return "" if cell is None else cell.printed + MARKS[cell.emphasis]


def _notes(table: Table) -> Iterator[str]:
    used = {cell.emphasis for cell in table.cells} - {""}
    if used:
        yield ", ".join(f"{MARKS[name]} {name} in print" for name in MARKS if name in used) + "."
    for group, row in table.rows:
        cells = table.of_row(row, group)
        for note in dict.fromkeys(cell.note for cell in cells if cell.note):
            noted = [cell for cell in cells if cell.note == note]
            if not noted[0].is_placed:
                yield f"{row}, {group}: {' '.join(cell.printed for cell in noted)}; {note}."
                continue
            where = "" if len(noted) == len(cells) else f", {', '.join(cell.column for cell in noted)}"
            yield f"{row}{where}: {note}."


def _place(row: str, column: str) -> str:
    return ", ".join(filter(None, (row, column))) + ": " if row else ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ")
