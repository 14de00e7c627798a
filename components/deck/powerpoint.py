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

from PIL import Image
from pptx import Presentation
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.presentation import Presentation as File
from pptx.slide import Slide as Page
from pptx.util import Inches

from components.deck.document import Deck, PinnedFigure, Slide
from components.deck.markdown import paragraphs
from components.deck.powerpoint_words import (
    EDGE,
    HEIGHT,
    WIDTH,
    add_lines,
    add_table,
    add_text,
    add_under,
    box,
    largest,
    printable,
    set_type,
)
from components.theme import LIGHT
from components.wording import listed
from core.errors import counted

PIXELS = 1600
"""Pixels of a picture over the whole width of a slide; its PNG has twice as many."""

_GAP = 0.25
"""Inches between two figures."""

_TITLE_ONLY, _BEGINS = 5, 0
"""Numbers of the layouts with a title alone, and of a first slide, in python-pptx's own template."""

_USUAL, _LONG, _LONGER = 28, 22, 16
"""Points of titles, of those in a deck with a long one, and of one that is longer still."""

_MOST_USUAL, _MOST_LONG = 75, 150
"""Characters of the longest title that is not long, and of the longest that is not longer still."""

_OURS = "sentence-strata"
"""What a figure's own version is called where it says with what it was made."""

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
    made.core_properties.title = printable(deck.title)[:255]
    for name in ("author", "comments", "last_modified_by"):  # else those of the library's template
        setattr(made.core_properties, name, "")
    if deck.title and deck.slides and deck.slides[0].kind != "text":
        _begin(made, deck)
    usual = _LONG if any(_MOST_USUAL < len(slide.title) <= _MOST_LONG for slide in deck.slides) else _USUAL
    pictures: list[Picture] = []
    for number, slide in enumerate(deck.slides):
        page = made.slides.add_slide(made.slide_layouts[_TITLE_ONLY])
        figures = deck.figures_of(slide)
        called = deck.called(slide)
        size = usual if len(called) <= _MOST_LONG else _LONGER
        top = _title(page, called, size, seen=bool(slide.title))
        bottom = _foot(page, figures, f"{number + 1} / {len(deck.slides)}")
        if figures:
            bottom = add_under(page, slide.text, bottom)
            top = _over(page, deck.titles_of(slide), top)
            pictures += _figures(page, figures, number, top, bottom, len(pictures))
        elif slide.table is not None:
            top = add_table(page, slide.table, top)
            add_lines(page, slide.text, min(top, bottom - 0.6), bottom)
        else:
            add_text(page, slide.text, top + 0.2, bottom)
        page.notes_slide.notes_text_frame.text = printable(_notes(deck, slide, address))
    held = io.BytesIO()
    made.save(held)
    return Unfinished(held.getvalue(), tuple(pictures))


def _begin(made: File, deck: Deck) -> None:
    """A first slide: the deck's title, and below it how much it shows and when that was drawn."""
    page = made.slides.add_slide(made.slide_layouts[_BEGINS])
    title, below = page.shapes.title, page.placeholders[1]
    title.left, title.top, title.width, title.height = box(EDGE, 1.6, WIDTH - 2 * EDGE, 2.4)
    title.text_frame.text = printable(deck.title)
    title.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
    set_type(title.text_frame, largest(deck.title, WIDTH - 2 * EDGE - 0.2, 2.2, 44), bold=True)
    below.left, below.top, below.width, below.height = box(EDGE, 4.2, WIDTH - 2 * EDGE, 1.6)
    below.text_frame.text = printable(_about(deck))
    set_type(below.text_frame, 20, color=LIGHT.faint)


def _about(deck: Deck) -> str:
    """How many slides and figures a deck has, on which days these were drawn, and with which versions."""
    figures = {figure.name: figure for slide in deck.slides for figure in deck.figures_of(slide)}.values()
    days = sorted({figure.made["time"][:10] for figure in figures if "time" in figure.made})
    versions = sorted({figure.made[_OURS] for figure in figures if _OURS in figure.made})
    parts = [counted(len(deck.slides), "slide")]
    parts += [counted(len(figures), "figure")] if figures else []
    parts += [" to ".join(dict.fromkeys((days[0], days[-1])))] if days else []
    parts += [f"Sentence Strata {listed(versions)}"] if versions else []
    return " · ".join(parts)


def _title(page: Page, text: str, size: int, *, seen: bool) -> float:
    """Write the title; gives the inches from above where the rest begins.

    One that is not seen stands over the slide, where outlines and screen readers find it.
    """
    shape = page.shapes.title
    shape.left, shape.top, shape.width, shape.height = box(
        EDGE, 0.2 if seen else -1.2, WIDTH - 2 * EDGE, 1.0
    )
    frame = shape.text_frame
    frame.text = printable(text)
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    set_type(frame, size, bold=True)
    return 1.25 if seen else 0.3


def _foot(page: Page, figures: Sequence[PinnedFigure], number: str) -> float:
    """Write the line below and the slide's number; gives where they begin."""
    line = " | ".join(dict.fromkeys(figure.line for figure in figures))
    for text, left, width, side in (
        (line, EDGE, WIDTH - 2 * EDGE - 1, PP_ALIGN.LEFT),
        (number, WIDTH - EDGE - 1, 1, PP_ALIGN.RIGHT),
    ):
        frame = page.shapes.add_textbox(*box(left, HEIGHT - 0.45, width, 0.3)).text_frame
        frame.text = printable(text)
        frame.paragraphs[0].alignment = side
        set_type(frame, 11, color=LIGHT.faint)
    return HEIGHT - 0.5


def _across(count: int) -> float:
    """Inches of each of so many beside each other."""
    return (WIDTH - 2 * EDGE - _GAP * (count - 1)) / count


def _over(page: Page, titles: Sequence[str], top: float) -> float:
    """Write the titles over figures in type of one size; gives where these begin."""
    if not any(titles):
        return top
    width, high = _across(len(titles)), 0.5 if top > 1 else 0.9
    size = min(largest(title, width - 0.2, high, 20) for title in titles)
    for side, title in enumerate(titles):
        place = box(EDGE + side * (width + _GAP), top, width, high)
        frame = page.shapes.add_textbox(*place).text_frame
        frame.word_wrap = True
        frame.text = printable(title)
        set_type(frame, size, bold=True)
    return top + high + 0.1


def _figures(
    page: Page, figures: Sequence[PinnedFigure], number: int, top: float, bottom: float, before: int
) -> list[Picture]:
    """Empty pictures beside each other."""
    width = _across(len(figures))
    pictures = []
    for side, figure in enumerate(figures):
        place = box(EDGE + side * (width + _GAP), top, width, bottom - top)
        shape = page.shapes.add_picture(_empty(before + side), *place)
        about = shape._element.nvPicPr.cNvPr
        about.set("descr", printable(figure.alt or figure.title))
        part = str(page.part.related_part(shape._element.blip_rId).partname).lstrip("/")
        across = PIXELS / (WIDTH - 2 * EDGE)
        size = (round(width * across), round((bottom - top) * across), round(HEIGHT * across))
        pictures.append(Picture(part, number, side, *size))
    return pictures


def _empty(number: int) -> io.BytesIO:
    """A picture of one point; each has a colour of its own, since equal ones are kept once."""
    held = io.BytesIO()
    Image.new("RGB", (1, 1), (255 - number // 256, 255, 255 - number % 256)).save(held, "PNG")
    held.seek(0)
    return held


def _notes(deck: Deck, slide: Slide, address: str) -> str:
    """The words of the note, then what each figure was drawn with, and the link that draws it anew."""
    lines = [*(paragraph.text for paragraph in paragraphs(slide.note)), ""] if slide.note else []
    for figure, title in zip(deck.figures_of(slide), deck.words_of(slide), strict=True):
        made = " · ".join(f"{name} {value}" for name, value in figure.made.items())
        link = f"{address.rstrip('/')}/{figure.link}" if address else figure.link
        lines += [title, *figure.caption, made, f"Draw it anew: {link}", ""]
    return "\n".join(lines).strip()
