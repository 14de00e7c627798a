"""What a link opened stays when the visitor goes to another page at once."""

from __future__ import annotations

import streamlit as st

from components.streamlit_inside import values

_KEPT = "link.kept"


def keep() -> None:
    """Keep what the first run of a visit read from the address, at its end.

    What a control holds is kept under its key when its page is left. Streamlit (1.67) looks for it among
    what earlier runs have left alone, so that a visitor who opened a link and changed the page before
    anything else would be back at the defaults, without a word.
    """
    if _KEPT not in st.session_state:
        st.session_state[_KEPT] = True
        values.keep()
