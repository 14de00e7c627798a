"""The row under a page's title: what the page finds, as links to its figures in their order."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.figure_frame import Framed, anchor
from components.figures.labels import clauses
from components.text import escape

FEWEST = 2
"""Figures from which on a page has the row: one needs no way to it."""

LONGEST = 72
"""Characters of a link: the first clauses of the sentence over the figure."""

STYLE = """
.strata-anchor { display: block; scroll-margin-top: 11rem; }
[data-testid="stElementContainer"]:has(.strata-anchor) { margin-bottom: -1rem; }
.st-key-findings p { font-size: .875rem; }
.st-key-findings:not(:has(p)) { display: none; }
"""
"""The titles that links lead to take no room, and come to stand under the bar."""

DOUBT = "no difference shown"

_PLACE = "findings.place"


def place() -> None:
    """Let the row stand here; it is filled when the page is done."""
    st.session_state[_PLACE] = st.container(key="findings", gap=None)


def show(frames: Sequence[Framed]) -> None:
    """Fill the row of this run with the figures that it has drawn, in the order of presenting."""
    row: DeltaGenerator | None = st.session_state.pop(_PLACE, None)
    titled = [framed for framed in frames if framed.title]
    if row is None or len(titled) < FEWEST:
        return
    titles = [framed.title for framed in titled]
    words = [*map(with_doubt, clauses(titles, LONGEST), titles)]
    links = [f"[{escape(text)}](#{anchor(framed.key)})" for text, framed in zip(words, titled, strict=True)]
    with row:
        st.markdown(" · ".join(links))


def with_doubt(words: str, title: str) -> str:
    """The first clauses of a title; that no difference is shown is said too where a later one says it."""
    is_left_out = DOUBT in title.casefold() and DOUBT not in words.casefold()
    return f"{words}; {DOUBT}" if is_left_out else words
