"""The only place where Streamlit's caches meet the engine.

The engine keeps its own results, by content and under a bound, and all visitors share it; so what is
cached here is the engine itself.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from components.errors import require
from components.figure_frame import FRAMES
from core.embed import Road
from core.settings import Settings


def road() -> Road:
    """The engine of this installation; the page says why, and ends, when it cannot start."""
    _through_the_door()
    return require(_road)


def _through_the_door() -> None:
    """Send a page that Streamlit ran past app.py through it.

    On a server that nobody has visited yet, a folder called pages makes Streamlit run a page that is
    opened by its own address all by itself: without setup, navigation and present view.
    """
    if FRAMES not in st.session_state and PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


@st.cache_resource(show_spinner="Starting the engine …")
def _road() -> Road:
    return Road(Settings.from_environment(paths=False))
