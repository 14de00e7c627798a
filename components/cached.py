"""The only place where Streamlit's caches meet the engine.

The engine keeps its own results, by content and under a bound, and all visitors share it; so what is
cached here is the engine itself.
"""

from __future__ import annotations

import streamlit as st

from components.errors import require
from core.embed import Road
from core.settings import Settings


def road() -> Road:
    """The engine of this installation; the page says why, and ends, when it cannot start."""
    return require(_road)


@st.cache_resource(show_spinner="Starting the engine …")
def _road() -> Road:
    return Road(Settings.from_environment(paths=False))
