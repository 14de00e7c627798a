"""The head of a page: its title, what it shows, and how to read it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import findings_row, later

KEY = "heading"
"""Key of a page's title, question and explanation."""


def heading(title: str, subtitle: str, reading: str) -> None:
    """Title, one sentence, and a popover that says how to read the page and what it does not show.

    Under them is the place of the page's findings.
    """
    place = st.container(key=KEY, horizontal=True, vertical_alignment="center", gap="medium")
    later.draw(place, partial(_head, title, subtitle, reading))
    findings_row.place()


def _head(title: str, subtitle: str, reading: str) -> None:
    st.markdown(f"# {title}", width="content")
    st.markdown(subtitle, width="stretch")
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        st.markdown(reading)
