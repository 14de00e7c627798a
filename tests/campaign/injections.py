"""Texts that try to run where they are shown: in CSV, LaTeX, Markdown, HTML, figures, and PowerPoint.

Each is put everywhere a visitor's text can go, and each file is read as its own kind of reader does.
"""

from __future__ import annotations

import csv
import io
import itertools
import random
import re
from html.parser import HTMLParser

import pandas as pd
import plotly.graph_objects as go
from markdown_it import MarkdownIt
from pptx import Presentation
from pylatexenc.latexencode import get_builtin_uni2latex_dict

from components.deck import changes, powerpoint, presenter
from components.deck.document import Deck, Slide, Table
from components.exports import latex, pictures, tables
from tests.campaign.tally import Bounds, Tally
from tests.components.deck.figures import pinned

PARTS = (
    *(
        "<script>alert(1)</script>",
        "</script><script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
    ),
    *("javascript:alert(1)", "[x](javascript:alert(1))", "![x](http://example.org/x.png)", "<!--", "]]>"),
    *("=1+1", "+SUM(1)", "-2+3", "@x", "=cmd|' /C calc'!A0", "\t=1", '=HYPERLINK("http://example.org")'),
    *(
        r"\input{/etc/passwd}",
        r"\write18{ls}",
        r"\end{tabular}",
        "$x$",
        "%",
        "&",
        "#",
        "_",
        "^",
        "~",
        "{",
        "}",
    ),
    *(
        "|",
        "`",
        "**",
        "\u202e",
        "\u0000",
        "\u2028",
        '"',
        "'",
        "&lt;script&gt;",
        "</style>",
        "{{7*7}}",
        "${7*7}",
    ),
    *("</title>", "<iframe src=http://example.org>", "\\", "\\\\", "<a href=//example.org>x</a>", "a\nb"),
)
FORMULA = re.compile(r"[=+\-@\t\r]")
COMMAND = re.compile(r"\\([A-Za-z]+)")
COMMANDS = {
    *("begin", "end", "centering", "caption", "toprule", "midrule", "bottomrule"),
    *(
        "small",
        "footnotesize",
        "scriptsize",
        "setlength",
        "tabcolsep",
        "shortstack",
        "raggedright",
        "arraybackslash",
    ),
    *("textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"),
    *(
        "usepackage",
        "label",
        "linewidth",
        "allowbreak",
        "setminus",
        "star",
        "diamond",
        "bullet",
        "langle",
        "rangle",
        "textsuperscript",
        "textsubscript",
    ),
    *COMMAND.findall(" ".join(get_builtin_uni2latex_dict().values())),  # letters beyond ASCII
}


def texts(bounds: Bounds) -> Tally:
    """One hostile text after another, in every form of table and deck that is taken away."""
    tally, chance = Tally("injected texts in files"), random.Random(bounds.seed)
    for _ in bounds.trials():
        text = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 3)))
        for kind, broken in CHECKS.items():
            try:
                problem = broken(text)
            except Exception as error:
                problem = error
            tally.count(f"{kind}: {text}", problem)
    return tally


def _csv(text: str) -> str | None:
    table = pd.DataFrame({text: [text], "x": [1.0]})
    content = tables.csv([f"A: {text}", f"B,{text};{text}"], table).decode("utf-8-sig")
    comments = [part.lstrip(' "') for line in content.splitlines()[:2] for part in re.split("[,;]", line)]
    rows = csv.reader(io.StringIO(content.split("\n", 2)[2], newline=None))
    for cell in (*comments, *itertools.chain.from_iterable(rows)):
        if len(cell) > 1 and FORMULA.match(cell):
            return f"a spreadsheet calculates {cell!r}"
    return None


def _latex(text: str) -> str | None:
    content = latex.table([text], pd.DataFrame({text: [text], "x": [1.0]})).decode()
    strange = set(COMMAND.findall(content.replace(r"\\", ""))) - COMMANDS
    return f"LaTeX runs {sorted(strange)}" if strange else None


def _markdown(text: str) -> str | None:
    content = tables.markdown([text], pd.DataFrame({text: [text], "x": [1.0]})).decode()
    return _active(MarkdownIt("commonmark", {"html": True}).enable("table").render(content), set())


def _html(text: str) -> str | None:
    plain = _tags(presenter.page(_deck("a text")))
    return _active(presenter.page(_deck(text)), plain)


def _figure(text: str) -> str | None:
    return _active(_drawn(text), _tags(_drawn("a text")))


def _drawn(text: str) -> str:
    """A figure with a text in title, legend, hover and axis: as a page, and as its pictures are drawn."""
    figure = go.Figure(go.Scatter(x=[text], y=[1], text=[text], hovertext=[text], name=text))
    figure.update_layout(title=text)
    files = {"png": text, "svg": text}
    return pictures.page(text, [text], figure) + pictures.buttons(text, [text], figure, files, text)


def _powerpoint(text: str) -> str | None:
    file = powerpoint.unfinished(_deck(text))
    slides = Presentation(io.BytesIO(file.content)).slides
    links = [one for slide in slides for one in slide.part.rels.values() if "hyperlink" in one.reltype]
    return f"{len(links)} links" if links else None


def _deck(text: str) -> Deck:
    """A deck with a text in its title, a slide's title, note and words, a figure's and a table's cells."""
    deck = changes.rename(changes.pin(Deck(), pinned(text, line=text, caption=(text,), alt=text)), text)
    deck = changes.edit(deck, deck.slides[0].id, note=text, text=text)
    return changes.add(deck, Slide("ff", text, table=Table(("x", text), ((1, text), (0.5, "b")))))


class _Reader(HTMLParser):
    """The elements of a page that do something, each with what it does."""

    def __init__(self) -> None:
        super().__init__()
        self.active: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep programs, frames, pictures and links, and attributes that run."""
        asks = {name: value or "" for name, value in attrs if name in ("src", "href", "srcdoc", "action")}
        runs = [name for name, _ in attrs if name.startswith("on")]
        if tag == "a" and asks.get("href", "").startswith(("http://", "https://")) and not runs:
            return  # a note may have links to the web, which open when somebody clicks
        if tag in ("script", "iframe", "object", "embed", "base", "meta") or asks or runs:
            self.active.append(f"<{tag} {asks} {runs}>")


def _tags(page: str) -> set[str]:
    reader = _Reader()
    reader.feed(page)
    return {*reader.active, f"{len(reader.active)} in all"}


def _active(page: str, plain: set[str]) -> str | None:
    """What a page does that the same page of a plain text does not."""
    more = _tags(page) - (plain or {"0 in all"})
    return f"the page has {sorted(more)}" if more else None


CHECKS = {
    **{"CSV": _csv, "LaTeX": _latex, "Markdown": _markdown},
    **{"HTML": _html, "a figure": _figure, "PowerPoint": _powerpoint},
}
