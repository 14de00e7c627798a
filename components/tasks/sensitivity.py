"""Sensitivity on the page Tasks: one argument of a recipe over a range, over the chosen tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from components import errors, figure_frame, state, theme
from components.controls import keep_side, menu, renew
from components.figure_frame import Framed
from components.figures.variations import sensitivity_line
from components.provenance import Summary
from components.tasks import variations
from components.tasks.choice import ChosenTask
from components.tasks.variations import Variations
from components.text import escape
from components.wording import with_interval
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.arguments import Value, text_of
from core.recipe.variations import Varied, of_model, varied


def show(engine: Engine, recipes: Mapping[str, Recipe], asked: Sequence[ChosenTask]) -> None:
    """Menus of recipes, arguments and values, and the line."""
    numbered = [name for name in recipes if varied(recipes[name])]
    if not numbered:
        st.info("No option of these recipes has a number that could be varied.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        keep_side("varied.recipe", numbered)
        own = menu("Recipe", numbered, "varied.recipe", width=360, persist_state="session")
        arguments = {one.title: one for one in varied(recipes[own])}
        chosen = arguments[menu("Argument", list(arguments), "varied", width=240, persist_state="session")]
        values = _values(engine, chosen, own)
    if not values:
        return
    named = {chosen.label(value): chosen.at(value) for value in values}
    here = chosen.label(chosen.now)
    found = variations.read(engine, here, {here: recipes[own], **named}, asked, "sensitivity.work")
    if found is None:
        return
    at = {value: name for value in values if (name := chosen.label(value)) in found.means}
    tried = {*found.means, *(name for name, _ in found.found.failed)}
    if len(at) > 1 or (at and tried.issuperset(named)):
        title = finding(found, chosen, at)
        look = theme.of(state.theme_name())
        figure_frame.show(
            Framed(
                key="tasks.sensitivity",
                title=title,
                figure=sensitivity_line(
                    [number(value) for value in at],
                    [found.change(name) for name in at.values()],
                    {
                        each.text: [found.change_on(name, each.text).value for name in at.values()]
                        for each in found.tasks
                    },
                    chosen.title,
                    None if chosen.now is None else number(chosen.now),
                    found.over,
                    look,
                ),
                caption=(*found.caption(), drawn(found, len(at))),
                summary=Summary("tasks", {"": own}, size=f"{chosen.title}, {found.over}"),
                alt=title,
                numbers=lambda: found.numbers(list(dict.fromkeys([here, *at.values()])), "value"),
                hint=drawn(found, len(at)),
            )
        )
    found.tell_failures()


def drawn(found: Variations, values: int) -> str:
    """What the band, or the whisker of one value, and the thin lines are."""
    name = "band" if values > 1 else "whisker"
    band = f"The {name} is the paired 95 % interval of the difference from the recipe's own value."
    return f"{band} Thin grey lines: each task by itself." if len(found.tasks) > 1 < values else band


def number(value: Value) -> float:
    """A value as it is drawn; one that is left out has no place."""
    return float(value) if isinstance(value, int | float) else float("nan")


def finding(found: Variations, chosen: Varied, at: Mapping[Value, str]) -> str:
    """The best value beside the recipe's own, in one sentence; values without a score take no part."""
    at = {value: name for value, name in at.items() if np.isfinite(found.means[name].value)}
    if not at:
        return f"No value of {chosen.argument.name} has a score, {found.over}"
    best = max(at, key=lambda value: (found.means[at[value]].value, value == chosen.now))
    own, named = text_of(chosen.now), chosen.label(best)
    change = found.change(at[best])
    if len(at) == 1:
        words = f"{named}, {found.over}"
        if best == chosen.now or not np.isfinite(change.value):
            return f"{words}: no other value to compare it with"
        words = f"{words}: {with_interval(change)} against {own}"
        return words if change.shown else f"{words}; no difference shown"
    if best == chosen.now:
        words = f"The recipe's own {named} is best of {len(at)} values, {found.over}"
        alike = sum(not found.change(label).shown for value, label in at.items() if value != best)
        return f"{words}; no difference from {alike} of the others shown" if alike else words
    if not np.isfinite(change.value):
        return f"Best of {len(at)} values is {named}, {found.over}"
    words = f"Best of {len(at)} values is {named}, {found.over}: {with_interval(change)} against {own}"
    return words if change.shown else f"{words}; no difference shown"


def _values(engine: Engine, chosen: Varied, own: str) -> tuple[Value, ...]:
    """The values that the visitor writes, or the usual ones; none, and the reason, for what is none."""
    source = errors.tried(lambda: engine.source(chosen.recipe))
    has_layers = not isinstance(source, str) and source.is_model
    most = of_model(source.location.depth, source.location.heads) if has_layers else {}
    start = chosen.text(chosen.usual(most))
    renew("values", (own, chosen.title), start)
    if not st.session_state.get("values") and not st.query_params.get("values"):
        st.session_state["values"] = start
    text = st.text_input(
        "Values",
        key="values",
        bind="query-params",
        persist_state="session",
        width=420,
        help=escape(f"With a space between; {chosen.argument.describe()}"),
    )
    try:
        return chosen.read(text)
    except RecipeError as error:
        errors.tell(error)
        return ()
