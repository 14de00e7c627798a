"""What a method is and where it comes from, on the page Methods."""

from __future__ import annotations

import streamlit as st

from components.text import escape
from core.literature.presets import Preset


def show(preset: Preset) -> None:
    """Name, explanation and source of a method, and what it needs."""
    st.markdown(f"## {escape(preset.name)} ({preset.year})")
    if preset.aliases:
        st.caption(escape(f"Also: {', '.join(preset.aliases)}"))
    st.markdown(escape(preset.explanation))
    st.caption(f":material/menu_book: {escape(preset.published)}")
    if preset.differs:
        st.caption(f":material/alt_route: Here and there: {escape(' '.join(preset.differs))}")
    if preset.needs:
        st.caption(f":material/deployed_code: Needs {escape(preset.needs)}")
