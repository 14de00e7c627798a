"""Every figure goes through this frame: title, figure, one line of caption, the rest behind it, files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components import plot
from components.exports import meanings, pictures, tables
from components.exports.latex import table as latex_table
from components.exports.names import file_name
from components.figures.animation import Animation
from components.provenance import Summary
from components.text import escape, headline
from core.work import Work

FRAMES = "frames"
"""Key of the :class:`Frames` of a run in the session state."""

PIN_ASKED = "pin.asked"
"""Key of the figure that a visitor pins, in the session state until the run has drawn it."""

LINE = "figure-line"
"""Beginning of the key of the row under a figure."""

STYLE = f"""
  [class*="st-key-{LINE}"] > :first-child {{ flex: 1 1 0; min-width: 0; }}
  [class*="st-key-{LINE}"] > :first-child p {{
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
"""
"""The caption has one line, which is cut where there is no room: the whole of it is behind *More*."""

COPIED = 200_000
"""Characters of a table that can be copied; a longer one is a file."""


@dataclass(frozen=True, eq=False)
class Framed:
    """A figure with everything a reader needs to use and to cite it.

    ``caption`` holds one line per recipe and one for the corpus; it stands in every file. ``summary`` is
    the one line under the figure, with the whole caption behind it, and names the files. ``numbers`` makes
    the table of what is drawn, when a visitor downloads it; ``fewer`` another one for a deck that
    cannot keep so many.
    ``on_select`` is given the points that a visitor clicks on, before the next run; none when the click
    takes the choice back. A heatmap's cells cannot be clicked: put transparent markers over them.
    ``selection`` are the ways to choose, of those of :mod:`components.plot`. ``hint`` says how to use the
    figure on the page; it stands in no file. ``animation`` gives the figure at every step of a slider, when
    a visitor pins it: it can then be played. Where that has to be computed first, ``steps`` is the work,
    whose result ``animation`` is given. ``on_slide`` gives the frame that a deck keeps in place of one with
    more rows than a slide can show. ``above`` are the pixels of page over the first figure in a
    window 1280 wide: a low window makes it lower in place of cutting it.
    """

    key: str
    title: str
    figure: go.Figure
    caption: tuple[str, ...]
    alt: str
    numbers: Callable[[], pd.DataFrame]
    on_select: Callable[[Sequence[dict[str, Any]]], None] | None = None
    selection: tuple[str, ...] = (plot.CLICK,)
    summary: Summary | None = None
    hint: str = ""
    animation: Callable[..., Animation | None] | None = None
    steps: Work[Any] | None = None
    fewer: Callable[[], pd.DataFrame] | None = None
    on_slide: Callable[[], Framed] | None = None
    above: int | None = None

    @property
    def line(self) -> str:
        """The one line under the figure."""
        return self.summary.line if self.summary else " · ".join(self.caption[:1])

    def file_name(self, ending: str) -> str:
        """``strata_scores_scatter_STS-B-test_A-last-layer-mean.png``."""
        if not self.summary:
            return file_name([self.key], ending)
        page = self.summary.page
        key = self.key.removeprefix(page).strip(".").replace(".", "-")
        return file_name((page, key, *self.summary.parts), ending)


@dataclass
class Frames:
    """The figures of one run in the order they are drawn, for the present view; none once it is over.

    ``below`` is free space under the figure that is pinned: for the work that its steps need, and to say
    that it is pinned.
    """

    drawn: list[Framed] = field(default_factory=list)
    below: Any = None
    over: bool = False

    def add(self, framed: Framed) -> None:
        """Remember a figure of the run; a fragment that runs later by itself adds none."""
        if not self.over:
            self.drawn.append(framed)

    def close(self) -> None:
        """Let go of the figures, which hold the arrays that they draw."""
        self.drawn, self.below, self.over = [], None, True


@contextmanager
def collected() -> Iterator[Frames]:
    """Collect the figures that are drawn inside; the session keeps none of them afterwards."""
    frames = Frames()
    st.session_state[FRAMES] = frames
    try:
        yield frames
    finally:
        frames.close()


def show(framed: Framed) -> None:
    """Draw the figure in its frame, and remember it for the present view of this run."""
    frames = st.session_state.get(FRAMES)
    if frames is not None:
        frames.add(framed)
    if framed.title:
        st.html(f'<span id="{anchor(framed.key)}" class="strata-anchor"></span>')
        st.markdown(f"## {headline(framed.title)}")
    plot.draw(
        framed.figure,
        key=framed.key,
        alt=framed.alt,
        choose=framed.on_select,
        ways=framed.selection,
        above=framed.above,
    )
    if framed.hint:
        st.caption(f":material/touch_app: {escape(framed.hint)}")
    with st.container(
        horizontal=True,
        gap="small",
        vertical_alignment="center",
        wrap=False,
        key=f"{LINE}-{framed.key}",
    ):
        st.caption(escape(framed.line))
        if framed.caption:
            with st.popover(
                "More",
                icon=":material/info:",
                type="tertiary",
                key=f"{framed.key}.more",
                help="Recipes, model, corpus and how it is drawn",
            ):
                st.caption("  \n".join(escape(line) for line in framed.caption))
        saving = st.popover(
            "Save",
            icon=":material/download:",
            type="tertiary",
            key=f"{framed.key}.save",
            on_change="rerun",
            help="A picture for a slide, longer where its rows need it, a page, or the numbers",
        )
        st.button(
            "Pin",
            icon=":material/keep:",
            type="tertiary",
            key=f"{framed.key}.pin",
            on_click=_ask_to_pin,
            args=(framed.key,),
            help="Into the deck, as it is drawn; so does the key P over the figure",
        )
    if frames is not None and st.session_state.get(PIN_ASKED) == framed.key:
        if frames.over:
            st.rerun()  # a part of a page that ran by itself knows neither the page nor its controls
        frames.below = st.container()
    if saving.open:
        with saving:
            _save(framed)


def anchor(key: str) -> str:
    """The fragment of an address that leads to the title of a figure."""
    return f"finding-{re.sub('[^a-z0-9]+', '-', key.lower()).strip('-')}"


def _ask_to_pin(key: str) -> None:
    st.session_state[PIN_ASKED] = key


def _save(framed: Framed) -> None:
    """The files, and the numbers to copy."""
    st.iframe(picture_buttons(framed), width=300, height=48)
    with st.container(horizontal=True, gap="small"):
        for ending, mime, label, icon, make, what in (
            (
                "html",
                "html",
                "HTML",
                "code",
                page,
                "The figure, still interactive, in one file without network",
            ),
            ("csv", "csv", "CSV", "table", csv, "The numbers; the first lines say under which recipe"),
            ("md", "plain", "Markdown", "markdown", markdown, "The numbers as a table of Markdown"),
            ("tex", "plain", "LaTeX", "function", latex, "The numbers as a table in the style of booktabs"),
        ):
            st.download_button(
                label,
                partial(make, framed),
                framed.file_name(ending),
                f"text/{mime}",
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"{framed.key}.{ending}",
                on_click="ignore",
                help=what,
            )


def csv(framed: Framed) -> bytes:
    """The numbers with the caption as comment lines before them, and what their columns mean."""
    return tables.csv((framed.title, *framed.caption), *_told(framed))


def markdown(framed: Framed) -> bytes:
    """The numbers as a table of Markdown under title and caption."""
    return tables.markdown((framed.title, *framed.caption), *_told(framed))


def latex(framed: Framed) -> bytes:
    """The numbers as a table of LaTeX with title and caption."""
    return latex_table((framed.title, *framed.caption), *_told(framed))


def _told(framed: Framed) -> tuple[pd.DataFrame, list[str]]:
    """The numbers, and what their columns mean."""
    numbers = framed.numbers()
    return numbers, meanings.lines(framed.key, list(map(str, numbers.columns)))


def page(framed: Framed) -> str:
    """The figure as one HTML file that needs no network."""
    return pictures.page(framed.title, framed.caption, framed.figure)


def picture_buttons(framed: Framed) -> str:
    """Buttons that draw the figure in the reader's browser and save it, or copy its numbers."""
    table = tables.tabbed(framed.numbers())
    files = {kind: framed.file_name(kind) for kind in ("png", "svg")}
    copied = table if len(table) <= COPIED else ""
    return pictures.buttons(framed.title, framed.caption, framed.figure, files, copied)
