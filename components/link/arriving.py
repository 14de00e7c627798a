"""A link from one page to another that sets controls: what it says holds, whatever they held before.

Streamlit (1.67) takes out of the address of another page what the page that is left has bound, such as the
recipes, and passes over what is a control's default: it would keep the value before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from secrets import token_hex
from urllib.parse import parse_qs

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components import held
from components.link.parameters import OF_PAGES
from components.state import SIDES, name_key

MARK = "go"
"""The query parameter of such a link; another value in each, so that each is followed once."""

OF_THE_BAR = ("a", "b", "an", "bn", "corpus", "split")
"""Controls that every page has; what they hold is text."""

_FOLLOWED = "link.arrived"


def setting(parameters: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """The query parameters of a link that sets these controls."""
    return {**parameters, MARK: token_hex(3)}


def kept(own: Collection[str]) -> dict[str, str | list[str]]:
    """What the address says but for a page's ``own`` part: a link replaces the whole of it."""
    said = {name: st.query_params.get_all(name) for name in st.query_params if name not in own}
    return parameters_of(said)


def parameters_of(read: Mapping[str, list[str]]) -> dict[str, str | list[str]]:
    """Query parameters as they are written again: one that stands once is a text."""
    return {name: values if len(values) > 1 else values[0] for name, values in read.items()}


def arrive() -> None:
    """Set what a link says that was just followed, before the controls are drawn."""
    context = get_script_run_ctx()
    said = parse_qs(context.query_string, keep_blank_values=True) if context else {}
    mark = said.pop(MARK, [""])[-1]
    if MARK in st.query_params:
        del st.query_params[MARK]
    if not mark or mark == st.session_state.get(_FOLLOWED):
        return
    st.session_state[_FOLLOWED] = mark
    for name, values in said.items():
        if name in OF_THE_BAR:
            held.hold(name, values[-1])
            if name in SIDES:  # another recipe, which has the link's name for it, if any
                held.hold(name_key(name), said.get(name_key(name), [""])[-1])
        elif name in OF_PAGES and name in st.session_state:  # the address decides, or else the default
            del st.session_state[name]
