"""What a paper takes from a deck: every table as LaTeX, Markdown and CSV, the words, and the references."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from components.deck import files, references
from components.deck.document import Deck, PinnedFigure, Slide, Table
from components.exports import meanings, tables
from components.exports.latex import label_of
from components.exports.latex import table as latex_table
from components.exports.names import file_name

MOST_ROWS = 200
"""Rows of a table that is to be read; CSV holds them all."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of every file: the same deck gives the same archive."""


def archive(deck: Deck) -> bytes:
    """A ZIP with the deck, its slides as Markdown, its tables, and a BibTeX entry for each paper used."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in _files(deck):
            made.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _files(deck: Deck) -> Iterator[tuple[str, bytes]]:
    yield "deck.json", files.write(deck)
    yield "slides.md", slides(deck)
    yield "references.bib", references.bibtex(deck)
    labels: set[str] = set()
    for number, slide in enumerate(deck.slides, 1):
        for side, head, table, key in _tables(deck, slide):
            numbers = table.frame()
            parts = (f"{number:03}{side}", head[0])
            name = file_name(parts, "csv")
            left = [f"{MOST_ROWS} of {len(numbers):,} rows; {name} holds all"]
            read = (*head, *left * (len(numbers) > MOST_ROWS))
            told, few = meanings.lines(key, table.columns), numbers[:MOST_ROWS]
            yield f"tables/{name}", tables.csv(head, numbers, told)
            yield f"tables/{file_name(parts, 'md')}", tables.markdown(read, few, told)
            label = label_of(head[0])
            apart = f"-slide-{number}{side}" if label in labels else ""
            labels.add(label)
            yield f"tables/{file_name(parts, 'tex')}", latex_table(read, few, told, apart=apart)


def _tables(deck: Deck, slide: Slide) -> Iterator[tuple[str, tuple[str, ...], Table, str]]:
    """The tables of a slide: ``a`` or ``b`` of two figures, the lines over it, it, and its figure's key."""
    if slide.table is not None:
        yield "", (slide.title,), slide.table, ""
    sides = "ab" if len(slide.figures) > 1 else ("",)
    for side, figure, title in zip(sides, deck.figures_of(slide), deck.words_of(slide), strict=False):
        if figure.numbers is not None:
            yield side, (title, *figure.caption), figure.numbers, figure.key


def slides(deck: Deck) -> bytes:
    """Every slide as Markdown: its title, words and note, and what its figures were drawn with."""
    parts = [f"# {_plain(deck.title or 'Deck')}"]
    for number, slide in enumerate(deck.slides, 1):
        parts.append(f"## {number}. {_plain(deck.called(slide))}")
        parts += [slide.text] if slide.text else []
        parts += [f"*Note.* {slide.note}"] if slide.note else []
        for figure, title in zip(deck.figures_of(slide), deck.words_of(slide), strict=True):
            lines = (title, *figure.caption, *_untold(figure), f"Link: {figure.link}")
            parts.append("  \n".join(_plain(line) for line in lines))
    return ("\n\n".join(parts) + "\n").encode()


def _untold(figure: PinnedFigure) -> tuple[str, ...]:
    """A line that a figure has no table here, and where it has one; none where it has."""
    told = "Its numbers are more than a deck keeps: Save has them under the figure, on its page."
    return (told,) if figure.numbers is None else ()


def _plain(text: str) -> str:
    return tables.escape_markdown(text)
