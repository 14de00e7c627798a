"""Dialogs that stay open: what arrives meanwhile draws the page anew once they are closed.

A run of the whole page closes a dialog (Streamlit 1.67), and with it goes what a visitor has chosen in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

P = ParamSpec("P")

_OPEN = "dialog.open"


def dialog(title: str, icon: str | None = None) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A wide dialog with the content of a function; closed by the visitor, the page is drawn anew."""

    def of(content: Callable[P, None]) -> Callable[P, None]:
        @st.dialog(title, width="large", icon=icon, on_dismiss="rerun")
        @wraps(content)
        def drawn(*given: P.args, **named: P.kwargs) -> None:
            st.session_state[_OPEN] = True
            content(*given, **named)

        return drawn

    return of


def page_begins() -> None:
    """Note that no dialog is open: a run of the whole page begins, and opens its own."""
    st.session_state[_OPEN] = False


def renew_page() -> None:
    """Draw the whole page anew; while a dialog is open nothing is done, and the caller goes on."""
    if not st.session_state.get(_OPEN):
        st.rerun()
