"""Recipes that a visitor pins, to set them beside each other: kept over pages, in the URL and as a file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import held, state
from components.cached import shared_engine
from components.text import escape
from core.errors import StrataError, shorten, they
from core.recipe import SOURCE, Recipe

KEY, MOST = state.PINS, state.MOST_PINS

_LINKED = "pins.linked"
"""How many pins the link held, where it held more than are shown; until the visitor changes them."""


def show(a: Recipe | None, b: Recipe | None) -> list[Recipe]:
    """The pins with buttons to add recipe A and B, to remove each, and to take all away as a file.

    Gives the pins that can be read, each once; the others are named, and ignored.
    """
    if (linked := len(st.query_params.get_all(KEY))) > MOST:
        st.session_state[_LINKED] = linked
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        buttons = st.container(horizontal=True, width="content", gap="small")
        chosen = st.multiselect(
            "Pinned recipes",
            list(dict.fromkeys([*(st.session_state.get(KEY) or []), *shared_engine().kept_recipes.all()])),
            key=KEY,
            bind="query-params",
            persist_state="session",
            accept_new_options=True,
            max_selections=MOST,
            wrap=True,
            on_change=_forget_linked,
            placeholder="none yet: pin recipe A or B, or write a recipe here",
            help="Pins stay from page to page and are in the link. × takes one away. The menu has the "
            "recipes that are kept by name on the page Scores. Geometry measures them beside its "
            "suggestions, or alone.",
        )
        readable, problems = read(chosen)
        st.download_button(
            "File",
            lambda: as_file(readable),
            "recipes.txt",
            "text/plain",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            disabled=not readable,
            help="One recipe a line; python -m core sweep --recipes takes the file",
        )
    with buttons:
        for side, recipe in zip(state.SIDES, (a, b), strict=True):
            _button(side, recipe, chosen)
    if linked := st.session_state.get(_LINKED):
        problems.append(f"The link holds {linked} pins; the first {MOST} are shown.")
    for problem in problems:
        st.warning(escape(problem), icon=":material/link_off:")
    if words := on_another_model(chosen, a):
        st.caption(f":material/info: {escape(words)}")
    return readable


def read(texts: Sequence[str]) -> tuple[list[Recipe], list[str]]:
    """The recipes that some texts write, each once, and what is wrong with the others."""
    found, problems = [], []
    for text in texts:
        try:
            found.append(Recipe.parse(text))
        except StrataError as error:
            problems.append(f"The pin {shorten(text)} cannot be read and is left out: {error}")
    return list(dict.fromkeys(found)), problems


def on_another_model(texts: Sequence[str], a: Recipe | None) -> str:
    """What to know of pins that name no source, where recipe A is on another one; empty where none is."""
    own = [text for text in texts if f"{SOURCE.name}=" not in text and read([text])[0]]
    if a is None or not own or a.source == Recipe().source:
        return ""
    source, default = (recipe.spelled()[SOURCE.name] for recipe in (a, Recipe()))
    which = "The pin" if len(own) == 1 else f"{len(own)} pins"
    return (
        f"{which} without source= {they(len(own), 'run')} on source={default}; recipe A is on "
        f"source={source}."
    )


def as_file(recipes: Sequence[Recipe]) -> bytes:
    """The recipes one a line, as the command line takes them."""
    return "".join(f"{state.text_of(recipe)}\n" for recipe in recipes).encode()


def _button(side: str, recipe: Recipe | None, texts: Sequence[str]) -> None:
    pinned = recipe is not None and recipe in read(texts)[0]
    full = len(texts) >= MOST
    why = "It is pinned." if pinned else f"At most {MOST} can be pinned." if full else ""
    st.button(
        f"Pin {side.upper()}",
        key=f"pin.{side}",
        icon=":material/keep:",
        disabled=recipe is None or bool(why),
        on_click=_add,
        args=(state.text_of(recipe),),
        help=why or f"Keep recipe {side.upper()} to set others beside it",
    )


def _forget_linked() -> None:
    st.session_state.pop(_LINKED, None)


def _add(text: str) -> None:
    _forget_linked()
    held.hold(KEY, [*(held.now(KEY) or []), text])
