"""What the visitor chose, kept in the URL.

Recipes, corpus, split and sentences are widgets bound to query parameters: Streamlit writes them into
the URL when they change and restores them from it, in any browser. URL text is untrusted: everything
read from it is parsed again before it is used.
"""

from __future__ import annotations

import streamlit as st

from core.errors import RecipeError
from core.recipe import Recipe

SIDES = ("a", "b")

DEFAULTS = {
    "a": "layers=last",
    "b": "weight=idf(fit=reference);post=zscore(fit=reference)",
}
"""The recipes one arrives with: the usual mean pooling, and a shaped one that works for two sentences."""

NO_RECIPE = "none"


def text_of(recipe: Recipe | None) -> str:
    """A recipe as the text box shows it: never empty, ``none`` for no recipe."""
    if recipe is None:
        return NO_RECIPE
    return str(recipe) or "layers=first+last"


def read(side: str, text: str) -> Recipe | None:
    """Recipe A or B from its text; None when B is switched off. Raises RecipeError for nonsense."""
    if text.strip() != NO_RECIPE:
        return Recipe.parse(text)
    if side == "a":
        raise RecipeError("Recipe A cannot be none; write none for B to see A alone.")
    return None


def put(side: str, recipe: Recipe | None) -> None:
    """Choose a recipe (from a callback, before the widgets of the run are made)."""
    st.session_state[side] = text_of(recipe)


def theme_name() -> str | None:
    """``light`` or ``dark``, as the visitor's browser shows the page."""
    return st.context.theme.type
