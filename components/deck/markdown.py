"""A visitor's Markdown as HTML or as paragraphs and tables: markup is shown, and nothing is loaded."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

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
    return [*_blocks(SyntaxTreeNode(_reader().parse(text)))]


def _blocks(node: SyntaxTreeNode, depth: int = 0) -> Iterator[Paragraph | Grid]:
    """What stands in a node; ``depth`` is how many lists it is in."""
    for child in node.children:
        match child.type:
            case "bullet_list" | "ordered_list":
                yield from _points(child, depth)
            case "table":
                yield from _grid(child).lines() if depth else (_grid(child),)
            case "paragraph" | "heading":
                yield _paragraph(child)
            case "fence" | "code_block":
                lines = child.content.rstrip("\n").split("\n")
                yield from (Paragraph((Run(line, code=True),)) for line in lines)
            case _:
                yield from _blocks(child, depth)


def _points(node: SyntaxTreeNode, depth: int) -> Iterator[Paragraph | Grid]:
    """The points of a list; one that begins with a list has the mark of that list's point alone."""
    start = int(node.attrs.get("start", 1))
    for place, item in enumerate(node.children):
        first, *others = [*_blocks(item, depth + 1)] or [None]
        if isinstance(first, Paragraph) and not _begins_with_list(item):
            mark = "\u2003" * depth + ("•  " if node.type == "bullet_list" else f"{start + place}.  ")
            first = replace(first, runs=(Run(mark), *first.runs))
        yield from (line for line in (first, *others) if line)


def _begins_with_list(node: SyntaxTreeNode) -> bool:
    begins = (one.type.endswith("_list") or _begins_with_list(one) for one in node.children[:1])
    return node.type in ("list_item", "blockquote") and any(begins)


def _paragraph(node: SyntaxTreeNode) -> Paragraph:
    """The words of a paragraph, a heading or a cell."""
    (inline,) = node.children
    assert inline.token is not None  # noqa: S101
    return Paragraph(tuple(_runs(inline.token.children or ())), node.type in ("heading", "th"))


def _grid(node: SyntaxTreeNode) -> Grid:
    rows = [row.children for part in node.children for row in part.children]
    right = tuple("right" in str(cell.attrs.get("style", "")) for cell in rows[0])
    return Grid(tuple(tuple(map(_paragraph, row)) for row in rows), right)


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
