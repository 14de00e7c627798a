"""What recipes A and B are called: as the visitor says, else by what they do."""

from __future__ import annotations

import streamlit as st

from components.state import name_key
from core.literature.presets.naming import names as automatic
from core.recipe import Recipe

LONGEST = 60
"""Characters of a name that a visitor gives."""


def of(recipes: dict[str, Recipe | None]) -> dict[str, str]:
    """The name of each recipe by its side (``a``, ``b``); none for a side that is off."""
    there = {side: recipe for side, recipe in recipes.items() if recipe is not None}
    given = dict(zip(there, automatic(list(there.values())), strict=True))
    return {side: own(side) or name for side, name in given.items()}


def own(side: str) -> str:
    """The name that the visitor gave; empty when there is none."""
    return " ".join(str(st.session_state.get(name_key(side)) or "").split())[:LONGEST]


def rename(side: str) -> None:
    """A field for a name of one's own."""
    st.text_input(
        f"Name of recipe {side.upper()}",
        key=name_key(side),
        bind="query-params",
        persist_state="session",
        max_chars=LONGEST,
        placeholder="by what it does",
        width=220,
        help="In legends, captions and file names, and in the link",
    )
