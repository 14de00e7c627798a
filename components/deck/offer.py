"""The decks that come along, offered on the page Deck and where one arrives."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from components import held
from components.deck import bring, demonstrations, opened
from components.deck.demonstrations import Demonstration
from components.deck.document import DeckError
from components.text import escape
from core.errors import counted
from core.storage.trouble import trouble

KEY = "deck.papers"
"""Key of the menu."""

ABOUT = "A deck for each: what the paper claims, and what the built-in models and corpora show."


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
        st.caption(ABOUT)
        chosen = [_opens(one, one.title, "tertiary") for one in demonstrations.DEMONSTRATIONS]
    if elsewhere and any(chosen):
        st.switch_page(opened.PAGE, query_params={})  # what the page is told, the session says


def cards() -> None:
    """Each of these decks with what its paper claims, where no deck fills the page."""
    st.markdown("## Five papers in five minutes")
    st.caption(ABOUT)
    columns = st.columns(2, gap="medium")
    for place, one in enumerate(demonstrations.DEMONSTRATIONS):
        with columns[place % 2].container(border=True, gap="xsmall"):
            st.markdown(f"**{escape(one.title)}**")
            st.markdown(one.claims)
            with st.container(horizontal=True, vertical_alignment="center"):
                _opens(one, f"Open the deck of {one.citation}", "secondary")
                st.caption(counted(len(one.shown), "figure"), width="content")


def _opens(one: Demonstration, label: str, kind: Literal["secondary", "tertiary"]) -> bool:
    """A button that opens a copy of a deck."""
    return st.button(escape(label), key=f"{KEY}.{one.number}", on_click=_open_copy, args=(one,), type=kind)


def _open_copy(one: Demonstration) -> None:
    """Open a copy of a deck that comes along, for the visitor to change (a callback)."""
    held.hold(KEY, False)
    try:
        bring.open_as_new(one.deck())
    except DeckError as error:
        opened.complain(str(error))
    except OSError as error:
        opened.complain(trouble("The deck cannot be read", one.path, error))
