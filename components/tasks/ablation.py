"""Ablation on the page Tasks: a recipe without each of its steps, over the chosen tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.controls import keep_side, menu
from components.figure_frame import Framed
from components.figures.variations import ablation_bars
from components.provenance import Summary
from components.tasks import variations
from components.tasks.choice import ChosenTask
from components.tasks.variations import Variations
from components.wording import with_interval
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.variations import without_each

NOTHING = "nothing"
"""What the whole recipe is without, in the table."""


def show(engine: Engine, recipes: Mapping[str, Recipe], asked: Sequence[ChosenTask]) -> None:
    """A menu of the recipes, and what leaving out each step of the chosen one changes."""
    keep_side("ablated", list(recipes))
    own = menu("Recipe", list(recipes), "ablated", width=360, persist_state="session")
    steps = dict(without_each(recipes[own]))
    if not steps:
        st.info("This recipe has no step that could be left out: all its stages are at their defaults.")
        return
    found = variations.read(engine, own, {own: recipes[own], **steps}, asked, "ablation.work")
    if found is None:
        return
    there = [name for name in steps if found.change(name).known]
    order = sorted(there, key=lambda name: found.change(name).value)
    if order:
        title = finding(found, order)
        look = theme.of(state.theme_name())
        figure_frame.show(
            Framed(
                key="tasks.ablation",
                title=title,
                figure=ablation_bars(order, [found.change(name) for name in order], found.over, look),
                caption=found.caption(),
                summary=Summary("tasks", {"": own}, size=found.over),
                alt=title,
                numbers=lambda: numbers(found, order),
                hint="A bar to the left: the recipe is worse without the step. Pale: no difference shown.",
            )
        )
    found.tell_failures()


def numbers(found: Variations, order: Sequence[str]) -> pd.DataFrame:
    """A row for the whole recipe, and one without each step."""
    table = found.numbers([found.own, *order], "without")
    table.loc[0, "without"] = NOTHING
    return table


def finding(found: Variations, order: Sequence[str]) -> str:
    """The step whose absence changes most, in one sentence."""
    changes = {name: found.change(name) for name in order}
    shown = {name: change for name, change in changes.items() if change.shown}
    if not shown:
        return f"No step of {found.own} shows a difference when it is left out, {found.over}"
    most = max(shown, key=lambda name: abs(shown[name].value))
    return f"Without {most}, {found.own} changes most: {with_interval(shown[most])}, {found.over}"
