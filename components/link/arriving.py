"""A link from one page to another that sets controls: what it says holds, whatever they held before.

Streamlit (1.67) takes out of the address of another page what the page that is left has bound, such as the
recipes, and passes over what is a control's default: it would keep the value before. The browser asks for
that page with the address that it has, followed by what the link says.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from urllib.parse import parse_qsl

import streamlit as st

from components import held
from components.link import controls, following
from components.link.parameters import OF_PAGE, OF_PAGES, OF_PRESENTING
from components.state import SIDES, name_key
from components.streamlit_inside import this_run

MARK = "go"
"""The first query parameter of such a link; another value in each, so that each is followed once."""

OF_THE_BAR = ("a", "b", "an", "bn", "corpus", "split")
"""Controls that every page has; what they hold is text."""

FIRST = "compare"
"""The page that one arrives on, whose address is empty."""

_FOLLOWED, _PAGE = "link.arrived", "link.page"


def setting(parameters: Mapping[str, str | list[str]], *, whole: str = "") -> dict[str, str | list[str]]:
    """The query parameters of a link that sets these controls.

    ``whole`` names a page whose other controls go back to their defaults.
    """
    return {MARK: f"{token_hex(3)}.{whole}".rstrip("."), **parameters}


def kept(*but: str) -> dict[str, str | list[str]]:
    """What the address says on every page, ``but`` some: a link to another replaces the whole of it."""
    left_out = {*OF_PAGES, *OF_PRESENTING, *but}
    said = {name: st.query_params.get_all(name) for name in st.query_params if name not in left_out}
    return parameters_of(said)


def parameters_of(read: Mapping[str, list[str]]) -> dict[str, str | list[str]]:
    """Query parameters as they are written again: one that stands once is a text."""
    return {name: values if len(values) > 1 else values[0] for name, values in read.items()}


def arrive(page: str) -> None:
    """Set what a link says that was just followed to a page, before its controls are drawn."""
    is_there, st.session_state[_PAGE] = page == st.session_state.get(_PAGE), page
    mark, said = _of_link(this_run.query_string())
    if MARK in st.query_params:
        del st.query_params[MARK]
    if not mark or mark == st.session_state.get(_FOLLOWED):
        if not is_there:
            following.bring(page or FIRST)
        return
    st.session_state[_FOLLOWED] = mark
    following.open_(said)
    for side in {*SIDES} & {*said}:  # another recipe, which has the link's name for it, if any
        said.setdefault(name_key(side), [""])
    values = {name: said[name][-1] for name in {*OF_THE_BAR} & {*said}}
    if is_there:  # the browser has these controls, and would go on showing what they held
        values |= controls.by_words({name: said[name] for name in {*OF_PAGES} & {*said}})
    own = {*OF_PAGE.get(mark.partition(".")[2], ())}
    for name in ({*OF_PAGES} & {*said} | own) - {*values}:
        st.session_state.pop(name, None)  # the address decides, or else the default
    for name, value in values.items():
        held.hold(name, value)


def _of_link(query_string: str) -> tuple[str, dict[str, list[str]]]:
    """The mark of the link that a request follows, and what the link says; an empty mark without one."""
    mark, said = "", dict[str, list[str]]()
    for name, value in parse_qsl(query_string, keep_blank_values=True):
        if name == MARK:  # what stands before it is of the page that was left
            mark, said = value, {}
        else:
            said.setdefault(name, []).append(value)
    return mark, said
