"""The words of a slide on the page, as they are presented: Streamlit's own elements take formulas out."""

from __future__ import annotations

import streamlit as st

from components.deck.markdown import to_html
from components.scripts import brought

COMPONENT = "words"

_words = brought.component(COMPONENT, isolate_styles=False)


def show(text: str) -> None:
    """Markdown of a visitor, with formulas; there is no other markup in it."""
    with st.container(key="deck-words"):
        _words(key="deck.words", data=to_html(text))
