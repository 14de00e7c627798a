"""The deck that a visitor has open: its address in the link, and the counter in the bar."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import link
from components.cached import shared_engine
from components.deck.document import Deck, DeckError
from components.deck.store import DeckStore, is_address, new_address
from components.figure_frame import PIN_ASKED
from components.text import escape
from core.errors import shorten

KEY = "deck"
"""Key of the hidden field that holds the address, and its query parameter."""

BOUND = "deck.bound"
"""Key of the field's hidden place."""

PAGE = "pages/deck.py"

_COUNTER, _PROBLEM, _NOTE, _VISITED = "deck.counter", "deck.problem", "deck.note", "deck.visited"


def field() -> None:
    """The hidden field, on every page; a visitor who pins without a deck begins one."""
    if PIN_ASKED in st.session_state and not address():
        st.session_state[KEY] = new_address()
    with st.container(key=BOUND):
        text = st.text_input("Deck", key=KEY, bind="query-params", persist_state="session")
    if text and not is_address(text):
        link.explain(KEY, f"The link names a deck {shorten(text)}; an address has ten hexadecimal digits.")
    if here := address():
        visited = st.session_state.setdefault(_VISITED, [])
        st.session_state[_VISITED] = [*(one for one in visited if one != here), here]


def of_visit() -> list[str]:
    """The addresses that were open in this visit, the latest last."""
    return list(st.session_state.get(_VISITED, ()))


def address() -> str:
    """The address of the deck that is open; empty where none is."""
    text = str(st.session_state.get(KEY, st.query_params.get(KEY)) or "")
    return text if is_address(text) else ""


def deck() -> Deck | None:
    """The deck that is open; None where none is. Raises DeckError where it cannot be read."""
    return store().get(address()) if address() else None


def dashboard() -> str:
    """Where the dashboard runs, as the visitor's browser says it."""
    return (st.context.url or "").partition("?")[0].rpartition("/")[0]


def store() -> DeckStore:
    """The decks of this installation; where it is read-only, those of visitors end with the server."""
    settings = shared_engine().settings
    return _store(str(settings.cache / "decks"), settings.read_only, settings.decks_bytes)


def counter() -> None:
    """The way to the deck, with the number of its slides; it is drawn anew when a figure is pinned."""
    with st.container(key="deck-count", width="content"):
        place = st.session_state[_COUNTER] = st.empty()
    _count(place)


def count_again() -> None:
    """Draw the counter of this run anew, marked by its colour: there is a slide more."""
    place: DeltaGenerator | None = st.session_state.get(_COUNTER)
    if place is not None:
        _count(place, is_more=True)


def let_go() -> None:
    """Forget the counter's place when the run is over."""
    st.session_state.pop(_COUNTER, None)


def _count(place: DeltaGenerator, *, is_more: bool = False) -> None:
    """A mark takes no room: beside it the corpus would lose its split."""
    try:
        there = deck()
        label = f"Deck {len(there.slides)}" if there else "Deck"
        label = f":primary[{label}]" if is_more else label
        why = f"{'One more slide. ' * is_more}Pinned figures: order them, add words, present them"
    except DeckError as error:
        label, why = "Deck", escape(str(error))
    place.page_link(PAGE, label=label, help=why)


def change(how: Callable[[Deck], Deck]) -> Deck | None:
    """Change the deck that is open, or begin one, and give it (a callback).

    Where it cannot be, gives None, and :func:`problem` tells why in the next run.
    """
    if not address():
        st.session_state[KEY] = new_address()
    try:
        return store().change(address(), how)
    except DeckError as error:
        complain(str(error))
        return None


def complain(problem: str) -> None:
    """Have something told over the deck in the next run."""
    st.session_state[_PROBLEM] = problem


def problem() -> str:
    """What could not be done with the latest change, told once."""
    return str(st.session_state.pop(_PROBLEM, ""))


def mention(note: str) -> None:
    """Have something that is no problem told over the deck in the next run."""
    st.session_state[_NOTE] = note


def note() -> str:
    """What :func:`mention` was given, told once."""
    return str(st.session_state.pop(_NOTE, ""))


@st.cache_resource(show_spinner=False)
def _store(folder: str, read_only: bool, budget_bytes: int) -> DeckStore:
    if not read_only:
        return DeckStore(Path(folder), budget_bytes=budget_bytes)
    own = tempfile.TemporaryDirectory(prefix="strata-decks-")
    atexit.register(own.cleanup)
    return DeckStore(Path(own.name), fixed=Path(folder), budget_bytes=budget_bytes)
