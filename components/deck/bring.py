"""The deck as a file, others in its place: by a file, by an address, or a new one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from components.deck import files, opened, paper_files, presenter
from components.deck.document import Deck, DeckError
from components.deck.store import is_address, new_address
from components.exports.names import file_name
from core.errors import shorten

ADDRESS, FILE = "deck.address", "deck.file"


def show(deck: Deck | None) -> None:
    """The menu; without a deck there is none to download."""
    with st.popover("File", icon=":material/folder_open:", type="tertiary", key="deck.files"):
        if deck is not None:
            st.download_button(
                "Download the deck",
                lambda: files.write(deck),
                file_name(("deck", deck.title), "json"),
                "application/json",
                icon=":material/download:",
                on_click="ignore",
                key="deck.download",
                help="A plain file with the figures, their numbers, recipes and fingerprints",
            )
            st.download_button(
                "Download as a page",
                partial(presenter.page, deck, opened.dashboard()),
                file_name(("deck", deck.title), "html"),
                "text/html",
                icon=":material/slideshow:",
                on_click="ignore",
                key="deck.download.page",
                help="One HTML file without network, to present, read and print; it opens again here",
            )
            st.download_button(
                "Download tables and references",
                partial(paper_files.archive, deck),
                file_name(("deck", deck.title), "zip"),
                "application/zip",
                icon=":material/table:",
                on_click="ignore",
                key="deck.download.paper",
                help="Numbers of every figure as LaTeX, Markdown and CSV, the words of the slides, and "
                "BibTeX of the papers whose methods are used. Pictures: key Z while presenting.",
            )
            st.button(
                "Begin another deck",
                icon=":material/add:",
                key="deck.new",
                on_click=_open,
                args=("",),
                help=f"This one stays at ?deck={opened.address()}",
            )
        st.file_uploader(
            "Open a file as a new deck",
            type=["json", "html"],
            key=FILE,
            on_change=_bring,
            max_upload_size=64,
        )
        st.text_input(
            "Open by address", key=ADDRESS, placeholder="0f3a9c21d4", on_change=_by_address, max_chars=40
        )


def _bring() -> None:
    """Keep a file as a new deck, and open it (a callback)."""
    file = st.session_state.get(FILE)
    if file is None:
        return
    try:
        content = file.getvalue()
        deck = files.read(presenter.deck_of(content) if file.name.endswith(".html") else content)
        open_as_new(deck)
    except DeckError as error:
        opened.complain(f"{shorten(file.name)}: {error}")


def open_as_new(deck: Deck) -> None:
    """Keep a deck under a new address, and open it (a callback)."""
    address = new_address()
    opened.store().change(address, lambda _: replace(deck, count=deck.count + 1))
    _open(address)


def _by_address() -> None:
    text = str(st.session_state.get(ADDRESS) or "").strip()
    if is_address(text):
        _open(text)
        st.session_state[ADDRESS] = ""
    elif text:
        opened.complain(f"{shorten(text)} is no address of a deck; it has ten hexadecimal digits.")


def _open(address: str) -> None:
    before = opened.deck() if opened.address() else None
    if before and before.slides and opened.address() != address:
        opened.complain(f"The deck that was open stays at ?deck={opened.address()}.")
    st.session_state[opened.KEY] = address
    st.session_state[opened.AT] = 1
