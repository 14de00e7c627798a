"""The first row of the bar: what this is, the pages, the corpus, and what one does with the page."""

from __future__ import annotations

import streamlit as st

from components import guide, link, present
from components.corpus import menu
from components.deck import opened
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe

PURPOSE = "token vectors → one sentence vector"

PAGES = "bar.pages"
"""Key of the pages, which the door registers, in the session."""


def register(pages: list) -> None:
    """Note the pages that the bar leads to."""
    st.session_state[PAGES] = pages


def show(
    engine: Engine, corpus: Corpus | None, a: Recipe | None, b: Recipe | None, unused: str = ""
) -> Corpus | None:
    """The row; the ``corpus`` as its control says once it is drawn, or None where it cannot be read.

    ``unused`` says why the page does not use it; empty where it does.
    """
    with st.container(key="top", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        with st.container(key="brand", width="content", gap=None):
            st.markdown(f"**Sentence Strata**  \n{PURPOSE}")
        with st.container(key="pages", horizontal=True, gap=None, wrap=False, width="content"):
            for page in st.session_state.get(PAGES, []):
                st.page_link(page)
        with st.container(
            key="actions", horizontal=True, gap="small", wrap=False, horizontal_alignment="right"
        ):
            chosen = menu.show(engine, corpus, a, unused=unused)
            link.copy(engine, chosen, a, b)
            opened.field()
            if st.session_state.get(PAGES):  # a page by itself, without the door, has no deck to lead to
                opened.counter()
            present.switch()
            guide.button()
    return chosen
