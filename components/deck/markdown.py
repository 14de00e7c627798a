"""A visitor's Markdown as HTML or as paragraphs: markup in it is shown, and nothing is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")


def to_html(text: str) -> str:
    """Markdown as HTML. HTML in it is text; so are images, which would be loaded from elsewhere."""
    return str(_reader().render(text))


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


def paragraphs(text: str) -> list[Paragraph]:
    """Markdown as paragraphs, for files that know no HTML; a link is its words with the address behind."""
    found: list[Paragraph] = []
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
        elif token.content:
            yield Run(token.content, bold > 0, italic > 0, token.type == "code_inline")
