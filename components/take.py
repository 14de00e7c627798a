"""Buttons that make what a figure found recipe A or B."""

from __future__ import annotations

import streamlit as st

from components import state
from core.recipe import Recipe


def buttons(recipe: Recipe, what: str, key: str = "take") -> None:
    """One button per side; ``what`` says what the recipe is, ``key`` tells pairs of buttons apart."""
    with st.container(horizontal=True, gap="small"):
        for side in state.SIDES:
            st.button(
                f"Take as recipe {side.upper()}",
                key=f"{key}.{side}",
                on_click=state.put,
                args=(side, recipe),
                help=f"{what} goes into the bar, for every page",
            )
