"""The slide that is looked at on the page Deck: a number in the link, and the slide itself in a visit.

Whoever changes the deck meanwhile, the visitor goes on looking at the same slide.
"""

from __future__ import annotations

import streamlit as st

from components.controls import number_asked
from components.deck.document import Deck

AT = "slide"
"""Key of the number of the slide that is looked at, and its query parameter."""

_SHOWN = "deck.shown"
"""Number and id of the slide that was shown last."""


def number(deck: Deck) -> int:
    """The number of the slide that is looked at: the one asked for, or where its slide stands by now."""
    asked = min(number_asked(AT) or 1, len(deck.slides))
    shown, id = st.session_state.get(_SHOWN, (0, ""))
    ids = [slide.id for slide in deck.slides]
    return ids.index(id) + 1 if shown == asked and id in ids else asked


def at(deck: Deck, id: str) -> None:
    """Look at a slide, which is in the deck (a callback)."""
    place = deck.slides.index(deck.slide(id))
    st.session_state[AT] = place + 1
    is_shown(deck, place + 1)


def is_shown(deck: Deck, number: int) -> None:
    """Remember which slide has the number that is shown."""
    st.session_state[_SHOWN] = number, deck.slides[number - 1].id


def forget() -> None:
    """Look at what has the number by now: another deck, or what Undo brings back (a callback)."""
    st.session_state.pop(_SHOWN, None)
