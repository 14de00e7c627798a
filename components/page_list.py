"""The pages of the dashboard.

To make a page, Streamlit asks the system for its file and for each folder that it lies in, some hundred
times in a run for all of them; so they are made in the first run of a process.
"""

from __future__ import annotations

from copy import copy
from functools import cache

import streamlit as st


def pages() -> list[st.Page]:
    """The pages in the order of the bar, then the deck, then Compare under its own name; a run's own.

    ``st.navigation`` notes on a page whether it may run in this run.
    """
    return [copy(page) for page in _made()]


@cache
def _made() -> list[st.Page]:
    return [
        st.Page(
            "pages/compare.py",
            title="Compare",
            default=True,
            url_path="arrival",  # it stands at /, and /compare would be refused to the page below
            help="How close sentences are under two recipes, side by side.",
        ),
        st.Page(
            "pages/scores.py",
            title="Scores",
            help="How well two recipes follow human similarity scores, with intervals.",
        ),
        st.Page(
            "pages/tasks.py",
            title="Tasks",
            help="Recipes against tasks: similarity, clustering, classification, probing.",
        ),
        st.Page(
            "pages/layers.py",
            title="Layers",
            help="How words change from layer to layer, and what each layer scores.",
        ),
        st.Page(
            "pages/heads.py",
            title="Heads",
            help="What each attention head looks at, and how its diagonal does as a token weight.",
        ),
        st.Page(
            "pages/masking.py",
            title="Masking",
            help="How far hiding one word moves what a model makes of another.",
        ),
        st.Page(
            "pages/mixing.py",
            title="Mixing",
            help="How much of a token's average over its contexts helps, layer by layer.",
        ),
        st.Page(
            "pages/geometry.py",
            title="Geometry",
            help="How sentence vectors lie in their space: alignment, uniformity, isotropy, whitening.",
        ),
        st.Page(
            "pages/tokens.py",
            title="Tokens",
            help="What token and sentence vectors lie near each other for: meaning, or frequency and form.",
        ),
        st.Page(
            "pages/find.py",
            title="Find",
            help="The best recipe for a model and a corpus: chosen on dev, reported on test.",
        ),
        st.Page(
            "pages/methods.py",
            title="Methods",
            help="Published methods as recipes: what they do, and what they score here and there.",
        ),
        st.Page(
            "pages/papers.py",
            title="Papers",
            help="The tables that papers print, cell by cell, beside what runs here.",
        ),
        st.Page(
            "pages/deck.py",
            title="Deck",
            help="Figures of all pages in an order, with words, to present and to take along.",
        ),
        st.Page("pages/compare.py", title="Compare", url_path="compare"),  # for who writes its name
    ]
