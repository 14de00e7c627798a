"""What a reader sees when something cannot be done: why, and the next step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from components import state
from components.ending import end_page
from components.streamlit_inside import this_run
from components.text import escape
from core.errors import StrataError, TooFewSentencesError
from core.recipe import Recipe

T = TypeVar("T")


_ON_TOP = "errors.on_top"
"""The page that is run, and what the bar says on it."""


def tell_on_top(problems: Mapping[str, Sequence[str]]) -> None:
    """Say under the bar what is wrong with the recipes, and note it, so that the page does not repeat it.

    ``problems`` are texts with the sides, ``a`` and ``b``, of the recipes that have them. One without sides
    is noted alone: a question before a download stands in its place.
    """
    st.session_state[_ON_TOP] = (this_run.page(), set(problems))
    for problem, sides in problems.items():
        if sides:
            say(problem, *sides)


def attempt(side: str, recipe: Recipe, compute: Callable[[], T]) -> T | None:
    """What ``compute`` gives for recipe A or B; None, and the reason on the page, when it cannot."""
    try:
        return compute()
    except TooFewSentencesError as error:
        tell(error, side)
        st.button(
            "Fit on the reference instead",
            key=f"{side}.refit",
            type="primary",
            on_click=state.put,
            args=(side, recipe.on_reference()),
        )
    except StrataError as error:
        tell(error, side)
    return None


def require(compute: Callable[[], T]) -> T:
    """What ``compute`` gives; when it cannot, the page says why and ends there."""
    try:
        return compute()
    except StrataError as error:
        tell(error)
        end_page()


def tell(error: StrataError, *sides: str) -> None:
    """Why something cannot be done, of recipes A and B by their sides; unless the bar says it."""
    page, told = st.session_state.get(_ON_TOP, ("", ()))
    if page != this_run.page() or str(error) not in told:
        say(str(error), *sides)


def say(problem: str, *sides: str) -> None:
    """A problem in red, with the recipes that have it by their sides."""
    letters = " and ".join(side.upper() for side in sides)
    whose = f"**Recipe{'s' * (len(sides) > 1)} {letters}.** " if sides else ""
    lines = "\n\n".join(map(escape, problem.split("\n")))
    st.error(f"{whose}{lines}", icon=":material/error:")


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
