"""A deck as a PowerPoint file: titles, words, tables and notes to edit, and figures as pictures.

Figures are drawn by a browser alone. So the file is made in two steps: here with an empty picture where
each figure stands, and in the visitor's browser (``taking.js``), which draws the figures, puts them in
the place of the empty ones, and saves the whole.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.slide import Slide as Page
from pptx.text.text import TextFrame
from pptx.util import Emu, Inches, Pt

from components.deck.document import Deck, PinnedFigure, Slide, Table, left_out
from components.deck.markdown import Paragraph, paragraphs
from components.theme import LIGHT

WIDTH, HEIGHT = 13.333, 7.5
"""Inches of a slide."""

EDGE = 0.4
"""Inches from its left and right."""

PIXELS = 1600
"""Of a picture over the whole width of a slide; PNG has twice as many."""

MOST_ROWS, MOST_COLUMNS = 18, 12
"""Of a table: more cannot be read on a slide."""

_TITLE_ONLY = 5
"""Number of the layout with a title alone, in python-pptx's own template."""

_TEXT = re.compile(r"\.(xml|rels)$")


@dataclass(frozen=True)
class Picture:
    """Where a figure's picture comes in: the part of the file, the slide's number from 0, and the side.

    ``width``, ``height`` and ``whole`` are pixels of the picture and of the whole slide's height.
    """

    part: str
    slide: int
    side: int
    width: int
    height: int
    whole: int


@dataclass(frozen=True)
class Unfinished:
    """A PowerPoint file whose pictures are still empty."""

    content: bytes
    pictures: tuple[Picture, ...]

    def packed(self) -> str:
        """For the browser that draws the pictures: JSON of the parts, compressed, in base64."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            read = [(name, archive.read(name)) for name in archive.namelist()]
        parts = [
            {"name": name, "text": part.decode()}
            if _TEXT.search(name)
            else {"name": name, "bytes": base64.b64encode(part).decode()}
            for name, part in read
        ]
        whole = {"parts": parts, "pictures": [vars(picture) for picture in self.pictures]}
        return base64.b64encode(gzip.compress(json.dumps(whole).encode(), mtime=0)).decode()


def unfinished(deck: Deck, address: str = "") -> Unfinished:
    """The deck with empty pictures; ``address`` is where the dashboard runs, for the links in the notes."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(WIDTH), Inches(HEIGHT)
    made.core_properties.title = _printable(deck.title)[:255]
    for name in ("author", "comments", "last_modified_by"):  # else those of the library's template
        setattr(made.core_properties, name, "")
    pictures: list[Picture] = []
    for number, slide in enumerate(deck.slides):
        page = made.slides.add_slide(made.slide_layouts[_TITLE_ONLY])
        figures = deck.figures_of(slide)
        top = _title(page, slide.title)
        bottom = _foot(page, figures, f"{number + 1} / {len(deck.slides)}")
        if figures:
            bottom = _words(page, slide.text, bottom - 1.0, bottom) if slide.text else bottom
            pictures += _figures(page, figures, number, top, bottom, len(pictures))
        elif slide.table is not None:
            top = _table(page, slide.table, top)
            _words(page, slide.text, min(top, bottom - 0.6), bottom)
        else:
            _words(page, slide.text, top + 0.2, bottom, largest=26)
        page.notes_slide.notes_text_frame.text = _printable(_notes(slide, figures, address))
    held = io.BytesIO()
    made.save(held)
    return Unfinished(held.getvalue(), tuple(pictures))


def _title(page: Page, text: str) -> float:
    """Write the title; gives the inches from above where the rest begins."""
    shape = page.shapes.title
    size = 28 if len(text) <= 75 else 22 if len(text) <= 150 else 16
    shape.left, shape.top, shape.width, shape.height = _box(EDGE, 0.2, WIDTH - 2 * EDGE, 1.0)
    frame = shape.text_frame
    frame.text = _printable(text)
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    _type(frame, size, bold=True)
    return 1.25


def _foot(page: Page, figures: Sequence[PinnedFigure], number: str) -> float:
    """Write the line below and the slide's number; gives where they begin."""
    line = " | ".join(dict.fromkeys(figure.line for figure in figures))
    for text, left, width, side in (
        (line, EDGE, WIDTH - 2 * EDGE - 1, PP_ALIGN.LEFT),
        (number, WIDTH - EDGE - 1, 1, PP_ALIGN.RIGHT),
    ):
        frame = page.shapes.add_textbox(*_box(left, HEIGHT - 0.45, width, 0.3)).text_frame
        frame.text = _printable(text)
        frame.paragraphs[0].alignment = side
        _type(frame, 11, color=LIGHT.faint)
    return HEIGHT - 0.5


def _figures(
    page: Page, figures: Sequence[PinnedFigure], number: int, top: float, bottom: float, before: int
) -> list[Picture]:
    """Empty pictures beside each other, each with its name over it where there are two."""
    gap = 0.25
    width = (WIDTH - 2 * EDGE - gap * (len(figures) - 1)) / len(figures)
    pictures = []
    for side, figure in enumerate(figures):
        left, above = EDGE + side * (width + gap), top
        if len(figures) > 1:
            frame = page.shapes.add_textbox(*_box(left, top, width, 0.4)).text_frame
            frame.word_wrap = True
            frame.text = _printable(figure.title)
            _type(frame, 14 if len(figure.title) <= 70 else 10, bold=True)
            above = top + 0.5
        box = _box(left, above, width, bottom - above)
        shape = page.shapes.add_picture(_empty(before + side), *box)
        about = shape._element.nvPicPr.cNvPr
        about.set("descr", _printable(figure.alt or figure.title))
        part = str(page.part.related_part(shape._element.blip_rId).partname).lstrip("/")
        across = PIXELS / (WIDTH - 2 * EDGE)
        size = (round(width * across), round((bottom - above) * across), round(HEIGHT * across))
        pictures.append(Picture(part, number, side, *size))
    return pictures


def _empty(number: int) -> io.BytesIO:
    """A picture of one point; each has a colour of its own, since equal ones are kept once."""
    held = io.BytesIO()
    Image.new("RGB", (1, 1), (255 - number // 256, 255, 255 - number % 256)).save(held, "PNG")
    held.seek(0)
    return held


def _table(page: Page, table: Table, top: float) -> float:
    """A table of PowerPoint with as many rows as can be read; gives where it ends."""
    if not table.columns:
        return top
    right = [pd.api.types.is_numeric_dtype(kind) for kind in table.frame().dtypes]
    columns = table.columns[:MOST_COLUMNS]
    rows = [list(columns)]
    rows += [list(row[:MOST_COLUMNS]) for row in table.as_read()[:MOST_ROWS]]
    height = min(0.5, 5.2 / len(rows))
    size = 18 if height >= 0.42 and len(columns) <= 6 else 14 if height >= 0.3 else 11
    box = _box(EDGE, top, WIDTH - 2 * EDGE, height * len(rows))
    cells = page.shapes.add_table(len(rows), len(columns), *box).table
    for r, row in enumerate(rows):
        cells.rows[r].height = Inches(height)
        for c, text in enumerate(row):
            cell = cells.cell(r, c)
            cell.text = _printable(text)
            cell.margin_top = cell.margin_bottom = Emu(0)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            for paragraph in cell.text_frame.paragraphs:
                paragraph.font.size = Pt(size)
                paragraph.alignment = PP_ALIGN.RIGHT if right[c] else PP_ALIGN.LEFT
    end = top + height * len(rows) + 0.05
    more, are = left_out(len(table.rows) - MOST_ROWS, len(table.columns) - MOST_COLUMNS)
    if more:
        _words(page, f"… and {more}, which {are} in the deck.", end, end + 0.35, largest=12)
        end += 0.35
    return end


def _words(page: Page, text: str, top: float, bottom: float, *, largest: int = 18) -> float:
    """Markdown as paragraphs with bold, italic and bullets; gives where they begin."""
    said = paragraphs(text)
    if not said:
        return bottom
    frame = page.shapes.add_textbox(*_box(EDGE, top, WIDTH - 2 * EDGE, bottom - top)).text_frame
    frame.word_wrap = True
    size = _size(said, bottom - top, largest)
    for number, one in enumerate(said):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.space_after = Pt(size / 4)
        for run in one.runs:
            if run.text == "\n":
                paragraph.add_line_break()
                continue
            written = paragraph.add_run()
            written.text = _printable(run.text)
            written.font.bold, written.font.italic = run.bold or one.heading, run.italic
            written.font.name = "Courier New" if run.code else None
    _type(frame, size)
    return top


def _size(said: Sequence[Paragraph], height: float, largest: int) -> int:
    """The largest type, in points, in which the words fit; about half as wide as high."""
    for size in range(largest, 10, -1):
        across = 72 * (WIDTH - 2 * EDGE) / (0.52 * size)
        lines = sum(1 + int(len(one.text) / across) for one in said)
        if lines * 1.45 * size <= 72 * height:
            return size
    return 10


def _notes(slide: Slide, figures: Sequence[PinnedFigure], address: str) -> str:
    """The words of the note, then what each figure was drawn with, and the link that draws it anew."""
    lines = [*(paragraph.text for paragraph in paragraphs(slide.note)), ""] if slide.note else []
    for figure in figures:
        made = " · ".join(f"{name} {value}" for name, value in figure.made.items())
        link = f"{address.rstrip('/')}/{figure.link}" if address else figure.link
        lines += [figure.title, *figure.caption, made, f"Draw it anew: {link}", ""]
    return "\n".join(lines).strip()


def _type(frame: TextFrame, size: int, *, bold: bool | None = None, color: str = LIGHT.text) -> None:
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(size)
        paragraph.font.color.rgb = RGBColor.from_string(color.lstrip("#").upper())
        if bold is not None:
            paragraph.font.bold = bold


def _box(left: float, top: float, width: float, height: float) -> tuple[Emu, Emu, Emu, Emu]:
    return Inches(left), Inches(top), Inches(width), Inches(height)


def _printable(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
