"""How a deck is found again: by its link, and for the length of a visit in a list of those it opened.

There is no list of all decks of an installation: an address cannot be guessed, and whoever has it can
change the deck.
"""

from __future__ import annotations

import time

import streamlit as st

from components.deck import bring, opened
from components.deck.document import Deck, DeckError
from components.figures.labels import cut_distinct
from components.text import escape
from components.wording import duration
from core.errors import counted

LONGEST = 40
"""Characters of a name."""

MOST = 12
"""Decks of a visit that are listed, the latest."""

_CHOSEN = "deck.again"
"""Beginning of the keys of the buttons."""


def show(deck: Deck | None) -> None:
    """The link of the deck that is open, in plain words, and the other decks of this visit."""
    address = opened.address()
    if deck is not None:
        st.caption(
            ":material/link: This deck is found again by this link, or by its file: keep one of them. "
            "Decks of all visitors are in no list, as whoever has the link can change the deck."
        )
        st.code(f"{opened.dashboard()}/deck?deck={address}", language=None)
    others = [(one, described(one)) for one in reversed(opened.of_visit()) if one != address]
    others = [(one, words) for one, words in others if words][:MOST]
    if not others:
        return
    with st.container(key="deck-again", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Other decks of this visit:", width="content")
        for one, words in others:
            st.button(
                escape(words),
                key=f"{_CHOSEN}.{one}",
                type="tertiary",
                icon=":material/folder_open:",
                on_click=bring.open_at,
                args=(one,),
            )


def described(address: str) -> str:
    """A deck's name, how many slides it has, and when it was changed; empty where there is none."""
    try:
        deck = opened.store().get(address)
    except DeckError:
        return f"{address}: cannot be read"
    if deck is None:
        return ""
    changed = opened.store().changed(address)
    when = "" if changed is None else f", changed {duration(max(0.0, time.time() - changed))} ago"
    (name,) = cut_distinct([deck.title or address], LONGEST)
    return f"{name}: {counted(len(deck.slides), 'slide')}{when}"
