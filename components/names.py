"""What recipes are called, on every page: as the visitor says, else by what they do.

A name that a visitor gives recipe A or B is that recipe's for the visit: pinned, kept, copied to the other
side or taken again it has the same name. Where A is edited and goes on under its name, the name goes along.
Other names tell a recipe from A, B and the pins, whichever of them a figure has, so that it is one on every
page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components import bounded, held, state
from components.state import name_key
from core.corpora import cleaning
from core.literature.presets.naming import names as automatic
from core.recipe import Recipe

LONGEST = 60
"""Characters of a name that a visitor gives."""

_GIVEN = "names.given"
"""The recipes that have a visitor's name, by it, the latest last."""

_BESIDE = "names.beside"
"""Recipes A and B and the pins of this run, from which every name tells a recipe."""


def remember(recipes: Mapping[str, Recipe | None]) -> None:
    """Note recipes ``a`` and ``b`` of this run, the names that the visitor gave them, and the pins."""
    there = [recipe for recipe in recipes.values() if recipe is not None]
    st.session_state[_BESIDE] = [*there, *state.pinned()]
    for side, recipe in recipes.items():
        if recipe is not None and (name := own(side)):
            _forget(recipe, name)
            _given()[name] = recipe


def of(recipes: Mapping[str, Recipe | None]) -> dict[str, str]:
    """The name of each recipe by its side: the visitor's own, else such that they are told apart.

    Sides are A and B in either spelling, and others, which have no name of the visitor's. None for a side
    that is off.
    """
    there = {side: recipe for side, recipe in recipes.items() if recipe is not None}
    names = dict(zip(there, called(list(there.values())), strict=True))
    return {
        side: (own(side.lower()) if side.lower() in state.SIDES else "") or name
        for side, name in names.items()
    }


def called(recipes: Sequence[Recipe]) -> list[str]:
    """The name of each recipe, pinned or not: the visitor's, else such that they are told apart.

    They are told apart from A, B and the pins too.
    """
    given = {recipe: name for name, recipe in _given().items()}
    told = automatic([*recipes, *st.session_state.get(_BESIDE, ())])[: len(recipes)]
    return [given.get(recipe) or name for recipe, name in zip(recipes, told, strict=True)]


def own(side: str) -> str:
    """The name that the visitor gave; empty when there is none."""
    return cleaning.named(str(held.now(name_key(side)) or ""), LONGEST)


def rename(side: str) -> None:
    """A field for a name of one's own."""
    bounded.text_input(
        f"Name of recipe {side.upper()}",
        most=LONGEST,
        key=name_key(side),
        on_change=_renamed,
        args=(side,),
        bind="query-params",
        persist_state="session",
        placeholder="by what it does",
        width=220,
        help="In legends, captions and file names, and in the link",
    )


def _renamed(side: str) -> None:
    """A recipe whose name was emptied has none any more (a callback)."""
    if not own(side) and (recipe := state.now(side)) is not None:
        _forget(recipe)


def _forget(recipe: Recipe, *names: str) -> None:
    """Take away the names of a recipe, and these names from other recipes."""
    for name in [name for name, named in _given().items() if named == recipe or name in names]:
        del _given()[name]


def _given() -> dict[str, Recipe]:
    given: dict[str, Recipe] = st.session_state.setdefault(_GIVEN, {})
    return given
