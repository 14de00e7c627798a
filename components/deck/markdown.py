"""A visitor's Markdown as HTML or as paragraphs and tables: markup is shown, and nothing is loaded."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from components.deck import formulas, plain_formulas

_BAR = "  |  "


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")
    reader.add_render_rule(formulas.KIND, _formula)
    return formulas.read_formulas(reader)


def to_html(text: str) -> str:
    """Markdown as HTML. HTML in it is text; so are images, which would be loaded from elsewhere."""
    return str(_reader().render(text))


def _formula(renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    made = formulas.mathml(token.content, block=token.markup == "$$")
    return made or f"<code>{html.escape(_written(token))}</code>"


def _written(token: Token) -> str:
    return f"{token.markup}{token.content}{token.markup}"


@dataclass(frozen=True)
class Run:
    """Words that are written in one way."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False


@dataclass(frozen=True)
class Paragraph:
    """Runs on lines of their own; a point of a list begins with its mark."""

    runs: tuple[Run, ...]
    heading: bool = False

    @property
    def text(self) -> str:
        """Its words alone."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Grid:
    """A table: its cells by row, the head first; ``right`` are the columns that stand on the right."""

    rows: tuple[tuple[Paragraph, ...], ...]
    right: tuple[bool, ...]

    def lines(self) -> Iterator[Paragraph]:
        """Each row as a line, its cells with a bar between."""
        for row in self.rows:
            cells = [(Run(_BAR), *cell.runs) if place else cell.runs for place, cell in enumerate(row)]
            yield Paragraph(tuple(run for cell in cells for run in cell), any(cell.heading for cell in row))


def paragraphs(text: str) -> list[Paragraph]:
    """As :func:`blocks`, with each row of a table as a line."""
    return [line for one in blocks(text) for line in (one.lines() if isinstance(one, Grid) else (one,))]


def blocks(text: str) -> list[Paragraph | Grid]:
    """Markdown for files that know no HTML; a link is its words with the address behind.

    In a list a table is its rows as lines, since it belongs to a point.
    """
    found: list[Paragraph | Grid] = []
    rows: list[list[Paragraph]] = []
    right: list[bool] = []
    lists: list[int | None] = []
    mark, heading = "", False
    for token in _reader().parse(text):
        match token.type:
            case "bullet_list_open":
                lists.append(None)
            case "ordered_list_open":
                lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "list_item_open":
                number = lists[-1]
                mark = "\u2003" * (len(lists) - 1) + ("•  " if number is None else f"{number}.  ")
                lists[-1] = None if number is None else number + 1
            case "heading_open" | "heading_close":
                heading = token.type == "heading_open"
            case "tr_open":
                rows.append([])
            case "th_open":
                heading = True
                right.append("right" in str(token.attrs.get("style", "")))
            case "th_close":
                heading = False
            case "table_close":
                grid = Grid(tuple(map(tuple, rows)), tuple(right))
                head, *others = grid.lines()
                pointed = Paragraph((Run(mark), *head.runs) if mark else head.runs, True)
                found += [pointed, *others] if lists else [grid]
                rows, right, mark = [], [], ""
            case "inline" if rows:
                rows[-1].append(Paragraph((*_runs(token.children or ()),), heading))
            case "inline":
                runs = tuple(_runs(token.children or ()))
                found.append(Paragraph((Run(mark), *runs) if mark else runs, heading))
                mark = ""
            case "fence" | "code_block":
                lines = token.content.rstrip("\n").split("\n")
                found += [Paragraph((Run(line, code=True),)) for line in lines]
    return found


def _runs(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = 0
    addresses: list[str] = []
    for token in tokens:
        bold += (token.type == "strong_open") - (token.type == "strong_close")
        italic += (token.type == "em_open") - (token.type == "em_close")
        if token.type == "link_open":
            addresses.append(str(token.attrs.get("href", "")))
        elif token.type == "link_close":
            yield Run(f" ({addresses.pop()})")
        elif token.type in ("softbreak", "hardbreak"):
            yield Run("\n")
        elif token.type == formulas.KIND:
            plain = plain_formulas.unicode(token.content)
            yield Run(plain or _written(token), bold > 0, italic > 0, code=not plain)
        elif token.content:
            yield Run(token.content, bold > 0, italic > 0, token.type == "code_inline")
