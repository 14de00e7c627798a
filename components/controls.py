"""Controls for one of a few options: the choice is always one that is offered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import streamlit as st

from components.streamlit_inside import address

_MADE_FOR, _STARTS = "made for", "starts with"


def segments(label: str, options: Sequence[str], key: str, default: str = "", **settings: Any) -> str:
    """One option by a segmented control whose choice is in the URL; ``default``, else the first, to start.

    Options that a narrow window has no room for go on in another line. ``settings`` go to
    :func:`streamlit.segmented_control`.
    """
    start = default or options[0]
    forget(key, options, start)
    chosen = st.segmented_control(
        label, options, default=start, required=True, key=key, bind="query-params", wrap=True, **settings
    )
    return chosen if chosen in options else start


def menu(label: str, options: Sequence[str], key: str, *, follows: bool = False, **settings: Any) -> str:
    """One option by a menu whose choice is in the URL; the first option to start with.

    ``follows`` is as in :func:`forget`; ``settings`` go to :func:`streamlit.selectbox`.
    """
    forget(key, options, options[0], follows=follows)
    chosen = st.selectbox(label, options, key=key, bind="query-params", **settings)
    return chosen if chosen in options else options[0]


def keep_side(key: str, options: Sequence[str]) -> None:
    """Keep a menu of recipes by their names on recipe A or B, whose name another recipe of it changes."""
    chosen = str(st.session_state.get(key) or "")
    if chosen in options or not chosen.startswith(("A, ", "B, ")):
        return
    for option in options:
        if option.startswith(chosen[:3]):
            st.session_state[key] = option


def number_asked(key: str) -> int | None:
    """The whole number that a visitor chose, at first the address's; None for anything else.

    It is asked before a control for whole numbers is drawn: Streamlit (1.67) starts that with what the link
    says, and breaks on what float64 cannot hold. What is no such number leaves the address and the start.
    """
    written = str(st.session_state.get(key, st.query_params.get(key, "")))
    if written.isdecimal() and len(written) < 10:
        return int(written)
    take_out(key)
    return None


def take_out(key: str) -> None:
    """Take a control out of the address, before it is drawn: a link then says nothing of it."""
    st.query_params.pop(key, None)
    address.start_without(key)


def once(do: Callable[[], object]) -> Callable[[], None]:
    """A button's callback that does something once, until the button is drawn anew.

    The second click of a double click calls what the first has called, on a page that is out of date.
    """
    left = [do]

    def call() -> None:
        if left:
            left.pop()()

    return call


def folded(label: str, show: Callable[[], None], key: str, icon: str | None = None) -> None:
    """An expander whose state is in the URL; ``show`` draws what is in it, once it is open."""
    box = st.expander(label, key=key, icon=icon, on_change="rerun", bind="query-params")
    if box.open:
        with box:
            show()


def renew(key: str, made_for: object, start: object) -> None:
    """Take a control back to ``start`` when what its choice was made for is another: a corpus, a model."""
    kept: dict[str, object] = st.session_state.setdefault(_MADE_FOR, {})
    if kept.get(key, made_for) != made_for and key in st.session_state:
        st.session_state[key] = start
    kept[key] = made_for


def forget(key: str, options: Collection[str], start: str | None, *, follows: bool = False) -> None:
    """Take a control back to ``start`` when its kept choice is not offered, as of another sentence.

    To drop the choice would not do: the browser has the same element, and would go on showing it. Where it
    is offered still and ``start`` has become another, it is said anew: the address leaves out what a
    control starts with. One that ``follows`` goes from the old start, which nobody has chosen, to the new.
    """
    starts: dict[str, object] = st.session_state.setdefault(_STARTS, {})
    chosen = st.session_state.get(key)
    if chosen not in (None, *options):
        st.session_state[key] = start
    elif chosen is not None and (before := starts.get(key, start)) != start:
        st.session_state[key] = start if follows and chosen == before else chosen
    starts[key] = start
