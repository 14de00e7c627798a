"""The deck as a file, others in its place: by a file, by an address, or a new one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from components import held
from components.deck import files, looking, opened, paper_files, presenter
from components.deck.document import Deck, DeckError
from components.deck.store import is_address, new_address
from components.exports.names import file_name
from components.serving import DECK_MB
from core.errors import shorten

ADDRESS, FILE = "deck.address", "deck.file"

MENU = "deck.files"
"""Key of the menu; it closes once another deck is open."""


def show(deck: Deck | None) -> None:
    """The menu; without a deck there is none to download."""
    with st.popover("File", icon=":material/folder_open:", type="tertiary", key=MENU, on_change="rerun"):
        if deck is not None:
            _download(
                "Download the deck (.json)",
                "download",
                lambda: files.write(deck),
                deck,
                "json",
                "To keep it, or open it here or elsewhere again: figures, numbers, recipes, fingerprints",
            )
            _download(
                "Download as a page (.html)",
                "slideshow",
                lambda: presenter.page(deck, opened.dashboard()).encode(),
                deck,
                "html",
                "To present, read and print without network or this program; it opens here again",
            )
            _download(
                "Download tables and references (.zip)",
                "table",
                lambda: paper_files.archive(deck),
                deck,
                "zip",
                "For a paper: numbers of every figure as LaTeX, Markdown and CSV, the words of the slides, "
                "and BibTeX of the papers whose methods are used. Pictures: key Z while presenting.",
            )
            _powerpoint(deck)
        if opened.address():
            st.button(
                "Begin another deck",
                icon=":material/add:",
                key="deck.new",
                on_click=open_at,
                args=("",),
                help=f"This one stays at ?deck={opened.address()}",
            )
        st.file_uploader(
            "Open a file as a new deck (.json, .html)",
            type=["json", "html"],
            key=FILE,
            on_change=_bring,
            help="A deck or a page that was downloaded here or elsewhere; the deck that is open stays",
            max_upload_size=DECK_MB,
        )
        st.text_input(
            "Open by link or address",
            key=ADDRESS,
            placeholder="…?deck=0f3a9c21d4",
            on_change=_by_address,
            help="Of a deck on this installation: its whole link, or the ten digits behind ?deck=",
        )


_TYPES = {"json": "application/json", "html": "text/html", "zip": "application/zip"}
"""MIME types of files by their ending."""


def _download(label: str, icon: str, make: Callable[[], bytes], deck: Deck, ending: str, what: str) -> None:
    """A button that makes a file when it is pressed; idle where the deck has no slide."""
    st.download_button(
        label,
        make,
        file_name(("deck", deck.title), ending),
        _TYPES[ending],
        icon=f":material/{icon}:",
        on_click="ignore",
        key=f"deck.download.{ending}",
        disabled=not deck.slides,
        help=what + _no_slide(deck),
    )


def _no_slide(deck: Deck) -> str:
    """Why no file is made; empty where the deck has slides."""
    return "" if deck.slides else " — once the deck has a slide"


def _powerpoint(deck: Deck) -> None:
    """A button that makes a PowerPoint file; the visitor's browser draws its pictures."""
    asked = st.button(
        "Download as PowerPoint (.pptx)",
        icon=":material/co_present:",
        key="deck.download.pptx",
        disabled=not deck.slides,
        help="To edit and present elsewhere: titles, words, tables and notes are text, and figures "
        "pictures, which this browser draws. Simple formulas are plain text, as h₅ or cos(u, v); others "
        f"stand as the LaTeX that was written{_no_slide(deck)}",
    )
    if asked:
        from components.deck import powerpoint  # takes a moment to load, and few ask for it

        made = powerpoint.unfinished(deck, opened.dashboard())
        file = file_name(("deck", deck.title), "pptx")
        st.iframe(presenter.drawing(deck, made.packed(), file), height=40)


def _bring() -> None:
    """Keep a file as a new deck, and open it (a callback)."""
    file = st.session_state.get(FILE)
    if file is None:
        return
    try:
        content = file.getvalue()
        deck = files.read(presenter.deck_of(content) if file.name.endswith(".html") else content)
        open_as_new(deck)
        if deck.mended:
            opened.complain(f"{shorten(file.name)}: {deck.mended}")
    except DeckError as error:
        opened.complain(f"{shorten(file.name)}: {error}")


def open_as_new(deck: Deck) -> None:
    """Keep a deck under a new address, and open it (a callback)."""
    address = new_address()
    opened.store().change(address, lambda _: replace(deck, count=deck.count + 1))
    open_at(address)


def _by_address() -> None:
    text = str(st.session_state.get(ADDRESS) or "").strip()
    linked = ""
    with suppress(ValueError):  # a bracket that begins an address of IPv6, and ends none
        linked = parse_qs(urlsplit(text).query).get(opened.KEY, [""])[-1]
    if is_address(linked or text):
        open_at(linked or text)
        st.session_state[ADDRESS] = ""
    elif text:
        opened.complain(f"{shorten(text)} is no address of a deck; it has ten hexadecimal digits.")


def open_at(address: str) -> None:
    """Open the deck at an address, none where it is empty, instead of the one that is open (a callback)."""
    if opened.address() not in ("", address) and _holds_slides():
        opened.mention(f"The deck that was open stays at ?deck={opened.address()}.")
    st.session_state[opened.KEY] = address
    held.hold(MENU, False)
    st.session_state[looking.AT] = 1
    looking.forget()


def _holds_slides() -> bool:
    """Whether the deck that is open has slides, or a file that cannot be read."""
    try:
        before = opened.deck()
    except DeckError:
        return True
    return bool(before and before.slides)
