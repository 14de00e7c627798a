"""A visitor's Markdown as HTML: markup that is written in it is shown, and nothing is loaded."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")


def to_html(text: str) -> str:
    """Markdown as HTML. HTML in it is text; so are images, which would be loaded from elsewhere."""
    return str(_reader().render(text))
