"""Fields for text that take so many characters, and say so where more is written or pasted.

Streamlit's own bound, ``max_chars``, leaves a longer paste out without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st


def text_input(label: str, value: str = "", *, most: int, key: str, **settings: Any) -> str:
    """A line of at most ``most`` characters; ``on_change`` finds what is kept of a longer one."""
    return _field(st.text_input, label, value, most, key, **settings)


def text_area(label: str, value: str = "", *, most: int, key: str, **settings: Any) -> str:
    """The same for several lines."""
    return _field(st.text_area, label, value, most, key, **settings)


def _field(
    draw: Callable[..., str | None],
    label: str,
    value: str,
    most: int,
    key: str,
    on_change: Callable[..., object] | None = None,
    args: Sequence[Any] = (),
    **settings: Any,
) -> str:
    cut = partial(_cut, label, most, key, on_change, args)
    return (draw(label, value, key=key, on_change=cut, **settings) or "")[:most]


def _cut(
    label: str, most: int, key: str, on_change: Callable[..., object] | None, args: Sequence[Any]
) -> None:
    text = str(st.session_state[key] or "")
    if len(text) > most:
        st.session_state[key] = text[:most]
        st.toast(
            f"{label}: of {len(text):,} characters the first {most:,} are kept.",
            icon=":material/content_cut:",
        )
    if on_change is not None:
        on_change(*args)
