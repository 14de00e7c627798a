"""Words and tables on a slide of PowerPoint, in type that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame, _Paragraph
from pptx.util import Emu, Inches, Pt

from components.deck.document import MOST_ROWS, Table, left_out
from components.deck.markdown import Grid, Paragraph, Run, blocks, paragraphs
from components.theme import LIGHT

WIDTH, HEIGHT = 13.333, 7.5
"""Inches of a slide."""

EDGE = 0.4
"""Inches from its left and right."""

MOST_COLUMNS = 12
"""Columns of a table at most: more cannot be read on a slide."""

_HIGHEST, _LARGEST = 0.9, 32
"""Inches of a row of a table alone on its slide at most, and points of its type."""

_LONGEST, _WIDE = 40, 0.64
"""Letters for which a column is made wider, and how wide one is at most on average, in sizes of type."""

_UNDER, _UNDER_ROWS = 2.2, 7
"""Inches that words under figures have at most, and rows of a table there."""

_ACROSS, _MARGIN = WIDTH - 2 * EDGE, 0.2
"""Inches of a line, and of a cell's left and right edge together."""

_GAP = 0.15
"""Inches below a table of a text."""


def add_table(page: Page, table: Table, top: float) -> float:
    """A table of PowerPoint with as many rows as can be read; gives where it ends."""
    if not table.columns:
        return top
    right = table.on_right()
    rows = [_plain(row[:MOST_COLUMNS]) for row in (table.columns, *table.as_read()[:MOST_ROWS])]
    height = min(_HIGHEST, 5.2 / len(rows))
    least = 18 if height >= 0.42 and len(rows[0]) <= 6 else 14 if height >= 0.3 else 11
    widths = _widths(rows)
    large = range(min(_LARGEST, int(72 * height / 1.6)), least, -1)
    size = next((size for size in large if _on_a_line(rows, widths, size)), least)
    end = _cells(page, rows, right, top, [height] * len(rows), size, widths) + 0.05
    if told := _more(len(table.rows), len(table.columns), MOST_ROWS):
        add_lines(page, told, end, end + 0.35, largest=12)
        end += 0.35
    return end


def add_text(page: Page, text: str, top: float, bottom: float) -> None:
    """Markdown over the slide; its tables are tables of PowerPoint, between the paragraphs."""
    _blocks(page, [*_readable(blocks(text), MOST_ROWS)], top, bottom, 26)


def add_under(page: Page, text: str, bottom: float) -> float:
    """Write Markdown under figures and above ``bottom``; gives where it begins, in inches as that is."""
    said = [*_readable(blocks(text), _UNDER_ROWS)]
    if not said:
        return bottom
    top = bottom - min(_UNDER, max(1.0, sum(_height(one, 12) for one in said)))
    _blocks(page, said, top, bottom, 18)
    return top


def _blocks(page: Page, said: Sequence[Paragraph | Grid], top: float, bottom: float, largest: int) -> None:
    size = _size(said, bottom - top, largest)
    for kind, group in groupby(said, type):
        some = [*group]
        for grid in (one for one in some if isinstance(one, Grid)):
            top = _cells(page, grid.rows, grid.right, top, _heights(grid, size), size) + _GAP
        if kind is Paragraph:
            lines = [one for one in some if isinstance(one, Paragraph)]
            height = sum(_height(one, size) for one in lines)
            _paragraphs(page, lines, top, height, size)
            top += height


def add_lines(page: Page, text: str, top: float, bottom: float, *, largest: int = 18) -> float:
    """Markdown as paragraphs with bold, italic and bullets, a table as lines; gives where they begin."""
    said = paragraphs(text)
    if not said:
        return bottom
    _paragraphs(page, said, top, bottom - top, _size(said, bottom - top, largest))
    return top


def set_type(frame: TextFrame, size: int, *, bold: bool | None = None, color: str = LIGHT.text) -> None:
    """Type of a size in points over a whole frame."""
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(size)
        paragraph.font.color.rgb = RGBColor.from_string(color.lstrip("#").upper())
        if bold is not None:
            paragraph.font.bold = bold


def largest(text: str, width: float, height: float, most: int) -> int:
    """The largest type, in points and up to ``most``, in which bold words fit into a box of inches."""
    said = Paragraph((Run(text),))
    fits = (
        size for size in range(most, 10, -1) if 1.2 * size * _lines(said, width / 1.08, size) <= 72 * height
    )
    return next(fits, 10)


def box(left: float, top: float, width: float, height: float) -> tuple[Emu, Emu, Emu, Emu]:
    """A place in inches."""
    return Inches(left), Inches(top), Inches(width), Inches(height)


def printable(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)


def _readable(said: Sequence[Paragraph | Grid], rows: int) -> Iterator[Paragraph | Grid]:
    """Tables with the rows and columns that can be read, and below each what is left out."""
    most = rows // max(1, sum(isinstance(one, Grid) for one in said))
    for one in said:
        if isinstance(one, Paragraph):
            yield one
            continue
        yield Grid(tuple(row[:MOST_COLUMNS] for row in one.rows[: most + 1]), one.right)
        if told := _more(len(one.rows) - 1, len(one.right), most):
            yield Paragraph((Run(told),))


def _more(rows: int, columns: int, most: int) -> str:
    """What a table of so many rows and columns leaves out; empty for nothing."""
    more, are = left_out(rows - most, columns - MOST_COLUMNS)
    return f"… and {more}, which {are} in the deck." if more else ""


def _plain(texts: Sequence[str]) -> list[Paragraph]:
    return [Paragraph((Run(text),)) for text in texts]


def _widths(rows: Sequence[Sequence[Paragraph]]) -> list[float]:
    """Inches of columns, which share a line by their longest cells."""
    longest = [
        min(max(len(cell.text) for cell in column), _LONGEST) + 3 for column in zip(*rows, strict=True)
    ]
    return [_ACROSS * letters / sum(longest) for letters in longest]


def _on_a_line(rows: Sequence[Sequence[Paragraph]], widths: Sequence[float], size: int) -> bool:
    """Whether every cell is one line in type of a size, be its letters wide."""
    return all(
        _WIDE * size * len(cell.text) <= 72 * (width - _MARGIN)
        for row in rows
        for cell, width in zip(row, widths, strict=True)
    )


def _cells(
    page: Page,
    rows: Sequence[Sequence[Paragraph]],
    right: Sequence[bool],
    top: float,
    heights: Sequence[float],
    size: int,
    widths: Sequence[float] = (),
) -> float:
    """A table of PowerPoint with rows of ``heights`` inches; gives where it ends.

    ``widths`` are inches of its columns; alike where there are none.
    """
    place = box(EDGE, top, _ACROSS, sum(heights))
    table = page.shapes.add_table(len(rows), len(rows[0]), *place).table
    for column, width in zip(table.columns, widths, strict=False):
        column.width = Inches(width)
    for r, row in enumerate(rows):
        table.rows[r].height = Inches(heights[r])
        for c, said in enumerate(row):
            cell = table.cell(r, c)
            cell.margin_top = cell.margin_bottom = Emu(0)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            (paragraph,) = cell.text_frame.paragraphs
            _write(paragraph, said)
            paragraph.font.size = Pt(size)
            paragraph.alignment = PP_ALIGN.RIGHT if right[c] else PP_ALIGN.LEFT
    return top + sum(heights)


def _paragraphs(page: Page, said: Sequence[Paragraph], top: float, height: float, size: int) -> None:
    frame = page.shapes.add_textbox(*box(EDGE, top, _ACROSS, height)).text_frame
    frame.word_wrap = True
    for number, one in enumerate(said):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.space_after = Pt(size / 4)
        _write(paragraph, one)
    set_type(frame, size)


def _write(paragraph: _Paragraph, said: Paragraph) -> None:
    for run in said.runs:
        for number, line in enumerate(run.text.split("\n")):
            if number:
                paragraph.add_line_break()
            if line:
                written = paragraph.add_run()
                written.text = printable(line)
                written.font.bold, written.font.italic = (
                    run.bold or said.heading or None,
                    run.italic or None,
                )
                written.font.name = "Courier New" if run.code else None


def _size(said: Sequence[Paragraph | Grid], height: float, largest: int) -> int:
    """The largest type, in points, in which the words fit."""
    for size in range(largest, 10, -1):
        if sum(_height(one, size) for one in said) <= height:
            return size
    return 10


def _height(one: Paragraph | Grid, size: int) -> float:
    """Inches of a paragraph or a table in type of a size, which is about half as wide as high."""
    if isinstance(one, Grid):
        return sum(_heights(one, size)) + _GAP
    return _lines(one, _ACROSS, size) * 1.45 * size / 72


def _heights(grid: Grid, size: int) -> list[float]:
    """Inches of each row, as high as its highest cell."""
    across = _ACROSS / len(grid.rows[0]) - _MARGIN
    return [(max(_lines(cell, across, size) for cell in row) * 1.2 + 0.4) * size / 72 for row in grid.rows]


def _lines(said: Paragraph, inches: float, size: int) -> int:
    return 1 + int(len(said.text) / (72 * inches / (0.52 * size)))
