"""Buttons that make what a figure found recipe A or B."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import state
from components.text import escape
from core.recipe import Recipe


def buttons(
    recipe: Recipe,
    what: str,
    key: str = "take",
    take: Callable[[str, Recipe], None] = state.put,
    named: str = "",
) -> None:
    """One button per side; ``what`` says what the recipe is, ``key`` tells pairs of buttons apart.

    ``take`` makes it recipe A or B; ``named`` is what stands on the button of a recipe chosen among many.
    """
    with st.container(horizontal=True, gap="small"):
        for side in state.SIDES:
            st.button(
                f"Take as recipe {side.upper()}{f': {escape(named)}' if named else ''}",
                key=f"{key}.{side}",
                on_click=take,
                args=(side, recipe),
                help=f"{escape(what)} goes into the bar, for every page",
            )
