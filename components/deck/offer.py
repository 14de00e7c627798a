"""The decks that come along, offered on the page Deck and where one arrives."""

from __future__ import annotations

import streamlit as st

from components import held
from components.deck import bring, demonstrations, opened
from components.deck.demonstrations import Demonstration
from components.deck.document import DeckError
from components.text import escape

KEY = "deck.papers"
"""Key of the menu."""


def show(*, elsewhere: bool = False) -> None:
    """A menu of these decks; ``elsewhere`` than on the page Deck, the one that is chosen leads there."""
    with st.popover(
        "Five papers in five minutes",
        icon=":material/school:",
        type="tertiary",
        key=KEY,
        on_change="rerun",
        help="Decks to present: what five papers claim, and what is seen here" if elsewhere else None,
    ):
        st.caption("A deck for each: what the paper claims, and what the built-in models and corpora show.")
        chosen = [
            st.button(
                escape(one.title),
                key=f"{KEY}.{one.number}",
                on_click=_open_copy,
                args=(one,),
                type="tertiary",
            )
            for one in demonstrations.DEMONSTRATIONS
        ]
    if elsewhere and any(chosen):
        st.switch_page(opened.PAGE, query_params={})  # what the page is told, the session says


def _open_copy(one: Demonstration) -> None:
    """Open a copy of a deck that comes along, for the visitor to change (a callback)."""
    held.hold(KEY, False, held.SOON)
    try:
        bring.open_as_new(one.deck())
    except (DeckError, OSError) as error:
        opened.complain(str(error))
