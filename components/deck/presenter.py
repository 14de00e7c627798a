"""A deck as one HTML file: to present, to read from top to bottom, and to print, without any network.

The file holds Plotly once, the whole deck as JSON (so that it opens again as a deck), and a content policy
that forbids every request.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path

from plotly.offline import get_plotlyjs

from components.deck import files
from components.deck.document import Deck, DeckError, PinnedFigure, Slide, Table
from components.deck.markdown import to_html
from components.exports.pictures import in_script, texts_to_dark, to_dark
from components.scripts import sources
from components.theme import DARK, LIGHT

_HERE = Path(__file__).parent
_SHARED = sources.read("minus.js", "fitting.js", "beside_points.js", "beside_cells.js")
_PLAYER, *_OWN = ((_HERE / name).read_text("utf-8") for name in ("player.js", "taking.js", "presenter.js"))
_SCRIPT = "\n".join((_PLAYER, _SHARED, *_OWN))
_STYLE = (_HERE / "presenter.css").read_text("utf-8")

_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)
"""No request leaves the page; Plotly makes functions of text for WebGL."""

_KEYS = (
    ("→ ↓ PageDown space", "next slide"),
    ("← ↑ PageUp", "slide before"),
    ("Home End", "first, last slide"),
    ("F", "full screen"),
    ("B", "black"),
    ("N", "notes over the slide"),
    ("S", "window with notes, next slide and clock"),
    ("L", "laser point"),
    ("A", "play a figure that moves, or hold it"),
    ("D", "light or dark"),
    ("R", "read all slides, with captions and recipes"),
    ("Z", "save all figures as PNG and SVG with their captions"),
    ("P", "print, or save as PDF: a slide a page"),
    ("Esc", "leave"),
)

_BUTTONS = (
    ("back", "‹", "Slide before"),
    ("next", "›", "Next slide"),
    ("speaker", "Notes", "Window with notes"),
    ("read", "Read", "All slides"),
    ("pictures", "Pictures", "All figures as PNG and SVG"),
    ("print", "Print", "Print or PDF"),
    ("help", "Keys", "What keys do"),
)

LONG, LONGER = 90, 180
"""Characters of a title from which on all of its deck are written smaller, and it still smaller."""


def page(deck: Deck, address: str = "", *, theme: str = "", start: int = 1) -> str:
    """The deck as a page.

    ``address`` is where the dashboard runs, for the links that draw a figure anew. ``theme`` is ``light``
    or ``dark``; as the browser is where it is empty. ``start`` is the number of the first slide shown.
    """
    return _whole(
        deck, address, f'data-mode="present" data-theme="{html.escape(theme)}" data-start="{start}"'
    )


def drawing(deck: Deck, packed: str, file: str, *, gives_back: bool = False) -> str:
    """The deck as a small page that draws all figures, puts them into a PowerPoint file, and saves it.

    ``packed`` is the file with empty pictures, as :mod:`components.deck.powerpoint` packs it.
    ``gives_back`` has the page post the file to where it came from in place of saving it.
    """
    attributes = f'data-mode="save" data-theme="light" data-file="{html.escape(file)}"'
    packed_in = f'<script type="application/json" id="powerpoint">"{packed}"</script>'
    if not gives_back:
        return _whole(deck, "", attributes, packed_in)
    policy = f"{_POLICY}; connect-src 'self'"
    return _whole(deck, "", f"{attributes} data-back", packed_in, policy=policy)


def _whole(deck: Deck, address: str, attributes: str, more: str = "", *, policy: str = _POLICY) -> str:
    """The page, with attributes of its root and more data for its script."""
    title = deck.title or "Deck"
    usual = "long" if any(LONG < len(slide.title) <= LONGER for slide in deck.slides) else ""
    slides = "\n".join(_slide(deck, slide, n, address, usual) for n, slide in enumerate(deck.slides, 1))
    content = in_script(files.write(replace(deck, history=())).decode())
    keys = "".join(f"<tr><td>{html.escape(key)}</td><td>{what}</td></tr>" for key, what in _KEYS)
    buttons = "".join(
        f'<button data-do="{do}" title="{what}" aria-label="{what}">{label}</button>'
        for do, label, what in _BUTTONS
    )
    return f"""<!doctype html>
<html lang="en" {attributes}>
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{_STYLE}</style></head>
<body>
<main><h1 id="head">{html.escape(title)}</h1>
{slides or '<section class="slide at"><h2>The deck is empty</h2></section>'}
</main>
<nav id="keys" aria-label="Slides">{buttons}</nav>
<div id="help" hidden><table>{keys}</table></div>
<div id="laser"></div><div id="black"></div><p id="saving" role="status"></p>
<script type="application/json" id="deck">{content}</script>
<script type="application/json" id="look">{in_script(json.dumps(_look()))}</script>{more}
<script>{get_plotlyjs()}</script>
<script>{_SCRIPT}</script>
</body></html>
"""


def deck_of(page: bytes) -> bytes:
    """The deck's own file out of a page that :func:`page` made.

    Raises DeckError where there is none, as in a page that is cut.
    """
    found = re.search(rb'<script type="application/json" id="deck">(.*?)</script>', page, re.DOTALL)
    if found is None:
        raise DeckError("The page holds no deck: it is another page, or it is cut.")
    return found[1]


def _look() -> dict[str, object]:
    """What colours figures and their texts have on dark ground, and their templates."""
    templates = {theme.name: theme.template.to_plotly_json() for theme in (LIGHT, DARK)}
    return {"dark": to_dark(), "texts": texts_to_dark(), "template": templates}


def _slide(deck: Deck, slide: Slide, number: int, address: str, usual: str) -> str:
    """A slide; ``usual`` is the class of titles of this deck, which have one size but for the longest."""
    figures = deck.figures_of(slide)
    over = [_over(title, "h3" if slide.title else "h2") for title in deck.titles_of(slide)] or [""]
    rooms = "".join(map(_room, figures, slide.figures, over, deck.words_of(slide)))
    size = "longer" if len(slide.title) > LONGER else usual
    words = to_html(slide.text) if slide.text else ""
    if slide.table is not None:
        words = _table(slide.table) + words
    alone = "" if figures else " alone" if slide.table is None else " alone tabled"
    parts = [
        f'<section class="slide" id="slide-{number}" aria-label="Slide {number}" '
        f'data-called="{html.escape(deck.called(slide))}">',
        f'<h2 class="{size}">{html.escape(slide.title)}</h2>' if slide.title else "",
        f'<div class="figures">{rooms}</div>' if figures else "",
        f'<div class="words{alone}">{words}</div>' if words else "",
        f'<aside class="note">{to_html(slide.note)}</aside>' if slide.note else "",
        *(_behind(figure, address) for figure in figures),
        _line(figures, number, len(deck.slides)),
        "</section>",
    ]
    return "\n".join(filter(None, parts))


def _over(title: str, heading: str) -> str:
    """The title over one of two figures, below the slide's or in its place."""
    return f'<{heading} class="name">{html.escape(title)}</{heading}>' if title else ""


def _room(figure: PinnedFigure, name: str, over: str, called: str) -> str:
    """Where a figure is drawn; files of its picture are ``called`` by the words of the slide."""
    about = f'role="img" aria-label="{html.escape(figure.alt or figure.title)}"'
    names = f'data-figure="{html.escape(name)}" data-called="{html.escape(called)}"'
    room = f'<div class="room" {about} {names}></div>'
    return f'<figure class="figure">{over}{room}</figure>'


def _line(figures: list[PinnedFigure], number: int, of: int) -> str:
    line = " | ".join(dict.fromkeys(figure.line for figure in figures))
    return f'<p class="foot"><span>{html.escape(line)}</span><span>{number} / {of}</span></p>'


def _behind(figure: PinnedFigure, address: str) -> str:
    """What a figure was drawn with, for who reads."""
    made = " · ".join(f"{name} {value}" for name, value in figure.made.items())
    link = f"{address.rstrip('/')}/{figure.link}"
    lines = [html.escape(line) for line in (*figure.caption, made)]
    if re.match("https?://", address):
        lines.append(f'<a href="{html.escape(link)}">Draw it anew</a>')
    return f'<div class="behind">{"<br>".join(lines)}</div>'


def _table(table: Table) -> str:
    right = table.on_right()

    def row(cells: tuple[str, ...], name: str) -> str:
        written = (
            f"<{name}{' class=number' if number else ''}>{html.escape(cell)}</{name}>"
            for cell, number in zip(cells, right, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    body = "".join(row(cells, "td") for cells in table.as_read())
    return f"<table><thead>{row(table.columns, 'th')}</thead><tbody>{body}</tbody></table>"
