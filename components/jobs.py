"""Long work that a visitor asks for by a button, and can stop."""

from __future__ import annotations

import streamlit as st

from components.text import escape

_RUNNING = "job"
"""Which work is wanted, and what it is about."""


def asked(job: str, what: str, label: str, about: str) -> bool:
    """A button that begins long work; while the visitor wants it, one that stops it.

    ``what`` says what the work is about: it is wanted no more when that changes.
    """
    if st.session_state.get(_RUNNING) == (job, what):
        st.button("Stop", key=f"{job}.halt", icon=":material/stop:", on_click=_want, args=(None,))
        return True
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(label, key=job, icon=":material/play_arrow:", on_click=_want, args=((job, what),))
        st.caption(escape(about))
    return False


def _want(job: tuple[str, str] | None) -> None:
    st.session_state[_RUNNING] = job


def done() -> None:
    """The work is finished: draw the page with what was found."""
    _want(None)
    st.rerun()
