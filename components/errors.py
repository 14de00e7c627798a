"""What a reader sees when something cannot be done: why, and the next step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from components import state
from components.ending import end_page
from components.text import escape
from core.errors import StrataError, TooFewSentencesError
from core.recipe import Recipe

T = TypeVar("T")


def attempt(side: str, recipe: Recipe, compute: Callable[[], T]) -> T | None:
    """What ``compute`` gives for recipe A or B; None, and the reason on the page, when it cannot."""
    try:
        return compute()
    except TooFewSentencesError as error:
        st.error(f"**Recipe {side.upper()}.** {escape(str(error))}", icon=":material/error:")
        st.button(
            "Fit on the reference instead",
            key=f"{side}.refit",
            type="primary",
            on_click=state.put,
            args=(side, recipe.on_reference()),
        )
    except StrataError as error:
        st.error(f"**Recipe {side.upper()}.** {escape(str(error))}", icon=":material/error:")
    return None


def require(compute: Callable[[], T]) -> T:
    """What ``compute`` gives; when it cannot, the page says why and ends there."""
    try:
        return compute()
    except StrataError as error:
        st.error(escape(str(error)), icon=":material/error:")
        end_page()


def tried(compute: Callable[[], T]) -> T | str:
    """What ``compute`` gives, or in the engine's words why it cannot."""
    try:
        return compute()
    except StrataError as error:
        return str(error)


def notes(lines: Sequence[str]) -> None:
    """What a reader must know about the data, once each."""
    for line in dict.fromkeys(lines):
        st.caption(f":material/info: {escape(line)}")
