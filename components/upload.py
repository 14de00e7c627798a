"""A visitor's own corpus file."""

from __future__ import annotations

import streamlit as st

from components.text import escape
from core.embed import Road
from core.errors import StrataError
from core.tables import TABLES

BROUGHT = "brought"
"""Where the names of this visit's files are kept."""


def show(road: Road) -> None:
    """A place to drop a table of scored pairs; the corpus is then chosen."""
    with st.popover("Bring a file", icon=":material/upload_file:", type="tertiary"):
        st.markdown(
            "A table with the columns **sentence1**, **sentence2**, **score** (0 to 5), and **subset** and "
            "**split** if you like. It is kept on this server, so that a link to it works."
        )
        st.file_uploader(
            "Corpus file",
            type=[ending.lstrip(".") for ending in (*TABLES, ".gz")],
            key="upload",
            on_change=_take,
            args=(road,),
            label_visibility="collapsed",
        )
    if problem := st.session_state.pop("upload.problem", ""):
        st.error(escape(problem), icon=":material/error:")


def _take(road: Road) -> None:
    file = st.session_state.get("upload")
    if file is None:
        return
    try:
        name = road.catalogue.bring(file.name, file.getvalue())
    except StrataError as error:
        st.session_state["upload.problem"] = f"{file.name}: {error}"
        return
    st.session_state.setdefault(BROUGHT, []).append(name)
    st.session_state["corpus"] = name
