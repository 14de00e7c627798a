"""Buttons that draw figures of the open deck anew, and the work that they have begun."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from components import job
from components.cached import shared_queue
from components.deck import anew, opened
from components.deck.document import Deck, Slide
from components.text import escape
from core.errors import StrataError
from core.work import State

ASKED = "deck.redraw.asked"
"""Key of what the visitor has asked to be drawn anew, in the session state until it is."""


@dataclass(frozen=True)
class Redrawing:
    """Slides of a deck whose figures are drawn anew, and the press of the button."""

    address: str
    slides: tuple[Slide, ...]
    token: str


def of_deck(deck: Deck) -> None:
    """The button for all figures."""
    _button("Redraw all", "deck.redraw.all", deck.slides, "Every figure with today's models and corpora")


def of_slide(slide: Slide) -> None:
    """The button for the figures of one slide."""
    _button("Redraw", "deck.redraw", (slide,), "With today's models and corpora; Undo brings this one back")


def _button(label: str, key: str, slides: Sequence[Slide], what: str) -> None:
    with_figures = tuple(slide for slide in slides if slide.figures)
    st.button(
        label,
        key=key,
        icon=":material/refresh:",
        type="tertiary",
        on_click=_ask,
        args=(with_figures,),
        disabled=not with_figures or ASKED in st.session_state,
        help=what,
    )


def _ask(slides: tuple[Slide, ...]) -> None:
    st.session_state[ASKED] = Redrawing(opened.address(), slides, secrets.token_hex(4))


def show() -> None:
    """How far the work is; when it is done, why some figures stay as they were."""
    asked: Redrawing | None = st.session_state.get(ASKED)
    if asked is None:
        return
    work = anew.work(opened.store(), asked.address, asked.slides, asked.token)
    known = shared_queue().find(work.key)
    if known is not None and known.state is State.STOPPED:
        del st.session_state[ASKED]
        return
    try:
        problems = job.show(work)
    except StrataError as error:
        problems = (str(error),)
    if problems is None:
        return
    del st.session_state[ASKED]
    for problem in problems:
        st.warning(f"**Not drawn anew.** {escape(problem)}", icon=":material/sync_problem:")
    if not problems:
        st.toast("Drawn anew with today's models and corpora", icon=":material/refresh:")
