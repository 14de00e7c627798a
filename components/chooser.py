"""A control that makes a choice which can be made elsewhere too: a table whose rows are clicked, a menu.

The browser says what it shows until it has heard of another one, or that it is gone. So what it says of one
that is no longer drawn, or says again, is no choice.
"""

from __future__ import annotations

import streamlit as st


def key(name: str, choice: object) -> str:
    """The key of such a control: another one when the choice was made elsewhere.

    Streamlit keeps what was clicked, which could not be chosen again.
    """
    turn, made = st.session_state.get(name, (0, choice))
    turn += made != choice
    st.session_state[name] = turn, choice
    return f"{name}/{turn}"


def makes(name: str, key: str, choice: object) -> bool:
    """Whether the visitor makes a choice by the control of this key, which is remembered (a callback)."""
    turn, made = st.session_state[name]
    if key != f"{name}/{turn}" or choice == made:
        return False
    st.session_state[name] = turn, choice
    return True
