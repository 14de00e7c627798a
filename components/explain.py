"""The head of a page: its title, what it shows, and how to read it."""

from __future__ import annotations

import streamlit as st

from components import present


def heading(title: str, subtitle: str, reading: str) -> None:
    """Title, one sentence, and a popover that says how to read the page and what it does not show."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.markdown(f"### {title}  \n{subtitle}")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            present.switch()
            with st.popover("How to read this", icon=":material/help:", type="tertiary"):
                st.markdown(reading)
