"""What the visitor chose, kept in the URL.

Recipes, corpus, split and sentences are widgets bound to query parameters: Streamlit writes them into
the URL when they change and restores them from it, in any browser. URL text is untrusted: everything
read from it is parsed again before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from components import held
from components.streamlit_inside import this_run
from core.errors import RecipeError
from core.recipe import Recipe

SIDES = ("a", "b")

DEFAULTS = {
    "a": "source=untuned;layers=last",
    "b": "source=untuned;layers=last;weight=ditto(layer=5,head=4);post=zscore(fit=reference)"
    ";reference=topics",
}
"""The recipes one arrives with, both on the model that is not tuned for sentences, which is what the papers
repair: the usual mean pooling, and a shaped one that works for two sentences. Its head is the best on the
dev split of demo."""

NO_RECIPE = "none"

SWITCH = "b.on"
"""Key of the switch of recipe B."""

PINS = "pins"
"""Key of the pinned recipes, and the query parameter that is repeated for each."""

MOST_PINS = 12
"""Pins that a figure can show and a link can hold."""

STEPS_BACK = 50
"""Changes of the recipes that can be undone."""

_HISTORY, _LAST_B, _FOLLOWS = "recipes.history", "b.last", "follows"


def other(side: str) -> str:
    """The other of the two sides."""
    return SIDES[1 - SIDES.index(side)]


def text_of(recipe: Recipe | None) -> str:
    """A recipe as the text box shows it: never empty, ``none`` for no recipe."""
    if recipe is None:
        return NO_RECIPE
    return str(recipe) or "layers=first+last"


def read(side: str, text: str) -> Recipe | None:
    """Recipe A or B from its text; None when B is switched off. Raises RecipeError for nonsense."""
    if side == "b" and text.strip() in ("", NO_RECIPE):
        return None
    if text.strip() != NO_RECIPE:
        return Recipe.parse(text)
    raise RecipeError("Recipe A cannot be none; write none for B to see A alone.")


def now(side: str) -> Recipe | None:
    """Recipe A or B as it is now, in a callback too; None when it is off or cannot be read."""
    try:
        return read(side, held.now(side, DEFAULTS[side]))
    except RecipeError:
        return None


def pinned() -> list[Recipe]:
    """The pinned recipes that can be read, also where they are not shown."""
    texts = held.now(PINS, st.query_params.get_all(PINS)) or ()
    found = []
    for text in texts[:MOST_PINS]:
        with suppress(RecipeError):
            found.append(Recipe.parse(text))
    return found


def name_key(side: str) -> str:
    """Key, and query parameter, of the name that a visitor gave a recipe."""
    return f"{side}n"


def put(side: str, recipe: Recipe | None) -> None:
    """Choose another recipe (from a callback, before the widgets of the run are made).

    A name that the visitor gave the one before goes with it. One that is too long to be read is refused,
    and the page says so.
    """
    text = text_of(recipe)
    if recipe is not None:
        try:
            Recipe.parse(text)
        except RecipeError as error:
            complain(side, str(error))
            return
    if text != held.now(side):
        held.hold(name_key(side), "")
    held.hold(side, text)


def change(recipes: Mapping[str, Recipe]) -> None:
    """Change recipes, which keep their names (from a callback, before the widgets of the run are made).

    Raises :class:`RecipeError` where one is too long to be read; then none is changed.
    """
    texts = {side: text_of(recipe) for side, recipe in recipes.items()}
    for text in texts.values():
        Recipe.parse(text)
    for side, text in texts.items():
        held.hold(side, text)


def follow(key: str, value: object, form: object = None) -> None:
    """Have the widget of a key show a value when it is drawn next.

    A widget that shows the value already is left alone: the browser takes what code sets for newer than
    clicks that are on their way. Lists are compared without their order, which is the visitor's. On another
    page, or in another ``form``, such as a slider in the place of a field, the widget is another element,
    which shows nothing yet.
    """
    elements, element = st.session_state.setdefault(_FOLLOWS, {}), (this_run.page(), form)
    shown = held.now(key) if elements.get(key) == element else None
    if isinstance(shown, list) and isinstance(value, list):
        same = sorted(shown) == sorted(value)
    else:
        same = shown is not None and shown == value
    if not same:
        held.hold(key, value, is_new=shown is None)
    elements[key] = element


def complain(side: str, problem: str) -> None:
    """Have a change that was refused told beside the recipe in the next run (from a callback)."""
    st.session_state[f"{side}.problem"] = problem


def problem(side: str) -> str:
    """What was refused in the last change of a recipe, told once; empty when nothing was."""
    return str(st.session_state.pop(f"{side}.problem", ""))


def b_is_on() -> bool:
    """Whether recipe B is on, readable or not."""
    return str(held.now("b", DEFAULTS["b"])).strip() not in ("", NO_RECIPE)


def switch_b() -> None:
    """Switch recipe B off, or on as it was before, as its switch stands (a callback)."""
    if held.now(SWITCH) == b_is_on():
        return
    if b_is_on():
        st.session_state[_LAST_B] = held.now("b", DEFAULTS["b"])
        held.hold("b", NO_RECIPE)
    else:
        held.hold("b", st.session_state.get(_LAST_B, DEFAULTS["b"]))


def swap() -> None:
    """Exchange the recipes with their names (a callback); B must be on."""
    a, b, *names = _sides()
    _set((b, a, *reversed(names)))


def remember() -> None:
    """Note the recipes and their names in this run, so that a change of them can be undone."""
    history = st.session_state.setdefault(_HISTORY, [])
    if not history or history[-1] != _sides():
        history.append(_sides())
    del history[:-STEPS_BACK]


def can_undo() -> bool:
    """Whether the recipes were changed in this visit."""
    return len(st.session_state.get(_HISTORY, ())) > 1


def undo() -> None:
    """Take the latest change of the recipes back, if there is one (a callback)."""
    if not can_undo():
        return
    history = st.session_state[_HISTORY]
    history.pop()
    _set(history[-1])


def _sides() -> tuple[str, ...]:
    """The texts of both recipes, and the names that the visitor gave them."""
    texts = (held.now(side, DEFAULTS[side]) for side in SIDES)
    return (*texts, *(str(held.now(name_key(side)) or "") for side in SIDES))


def _set(sides: tuple[str, ...]) -> None:
    for key, text in zip((*SIDES, *map(name_key, SIDES)), sides, strict=True):
        held.hold(key, text)


def theme_name() -> str | None:
    """``light`` or ``dark``, as the visitor's browser shows the page."""
    return st.context.theme.type
