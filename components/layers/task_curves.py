"""Every task by layer on the page Layers: curves of several recipes, with their spread over tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import tried
from components.figure_frame import Framed
from components.figures.task_curves import TaskCurve, task_curves
from components.provenance import Summary
from components.tasks import choice, page
from components.tasks.choice import ChosenTask
from components.tasks.families import Family, families, mean, spread
from components.tasks.page import Results
from components.text import escape
from components.wording import layers_named, listed
from core.analysis.layered_source import layered_source
from core.errors import counted
from core.evaluation.tasks.groups import Mean
from core.evaluation.wording import between, fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe

TOGETHER = "first+last"
"""What stands at the end of the curves, as in Stankevičius & Lukoševičius 2025, Figure 4."""


@dataclass(frozen=True, eq=False)
class TasksByLayer:
    """Recipes with other layers in place of their own, and their results.

    ``places`` are the values of ``layers=`` in order; ``names`` the names of results by recipe and place.
    A mean resamples every task: each is made once.
    """

    found: Results
    places: Sequence[str]
    names: Mapping[tuple[str, str], str]
    _means: dict[tuple[str, tuple[str, ...]], Mean | None] = field(default_factory=dict)

    @property
    def recipes(self) -> list[str]:
        """The recipes by name, each once."""
        return list(dict.fromkeys(name for name, _ in self.names))

    def values(self, recipe: str, tasks: Sequence[ChosenTask]) -> np.ndarray:
        """The mean over tasks at each place; NaN where a value is missing."""
        means = [self._mean(recipe, place, tasks) for place in self.places]
        return np.array([np.nan if one is None else one.value for one in means])

    def spreads(self, recipe: str, tasks: Sequence[ChosenTask]) -> np.ndarray:
        """The standard deviation over tasks at each place; NaN for one task."""
        known = np.isfinite(self.values(recipe, tasks))
        names = [self.names.get((recipe, place), "") for place in self.places]
        return np.where(known, [spread(self.found, name, tasks) for name in names], np.nan)

    def interval(self, recipe: str, place: str, tasks: Sequence[ChosenTask]) -> str:
        """The 95 % interval of a mean in words; empty where there is none."""
        one = self._mean(recipe, place, tasks)
        return "" if one is None or not np.isfinite(one.value) else between(*one.bounds)

    def _mean(self, recipe: str, place: str, tasks: Sequence[ChosenTask]) -> Mean | None:
        name = self.names.get((recipe, place), "")
        key = name, tuple(each.text for each in tasks)
        if key not in self._means:
            self._means[key] = mean(self.found, name, tasks)
        return self._means[key]


def show(engine: Engine, a: Recipe, b: Recipe | None) -> None:
    """Menus of recipes and tasks, and a panel of curves for each kind of task."""
    recipes = choice.recipes(a, b)
    asked = choice.tasks(engine)
    if not asked:
        return
    by_layer = read(engine, recipes, asked)
    if by_layer is None:
        return
    kinds = [
        kind
        for kind in families(asked)
        if any(np.isfinite(by_layer.values(name, kind.tasks)).any() for name in by_layer.recipes)
    ]
    if kinds:
        title = finding(by_layer, kinds)
        figure_frame.show(
            Framed(
                key="layers.over",
                title=title,
                figure=task_curves(
                    {kind.title: lines(by_layer, kind) for kind in kinds},
                    by_layer.places,
                    theme.of(state.theme_name()),
                ),
                caption=caption(by_layer, recipes, asked),
                summary=Summary("layers", {"": listed(by_layer.recipes)}, size=tasks_of(asked)),
                alt=title,
                numbers=lambda: numbers(by_layer, kinds),
                hint="Bands: one standard deviation over tasks. Intervals are on hover.",
            )
        )
    by_layer.found.tell_failures()


def read(engine: Engine, recipes: Mapping[str, Recipe], asked: Sequence[ChosenTask]) -> TasksByLayer | None:
    """Every recipe with each layer alone, and with first and last, on every task; None without layers."""
    variants: dict[str, Recipe] = {}
    names: dict[tuple[str, str], str] = {}
    places: dict[str, None] = {}
    for name, recipe in recipes.items():
        layers = tried(lambda recipe=recipe: layered_source(engine, recipe).layers)  # type: ignore[misc]
        if isinstance(layers, str):
            st.info(f"**{escape(name)}** has no curve. {escape(layers)}", icon=":material/block:")
            continue
        alone = [str(layer) for layer in layers if layer >= 0]
        for place in [*alone, *([TOGETHER] if len(alone) > 2 else [])]:
            made = f"{name}, {layers_named(place)}"
            variants[made] = recipe.replace(layers=place)
            names[name, place] = made
            places[place] = None
    if not variants:
        return None
    order = sorted(places, key=lambda place: (place == TOGETHER, int(place) if place.isdigit() else 0))
    found = page.results(engine, variants, asked, "layers.tasks.work", offered=True)
    return TasksByLayer(found, order, names)


def lines(by_layer: TasksByLayer, kind: Family) -> list[TaskCurve]:
    """The curve of each recipe over one kind of task."""
    look = theme.of(state.theme_name())
    others = (theme.OTHERS[i % len(theme.OTHERS)] for i in range(len(by_layer.recipes)))
    curves = []
    for name in by_layer.recipes:
        side = name.partition(", ")[0]
        color = look.side(side) if side in ("A", "B") else next(others)
        values, spreads = by_layer.values(name, kind.tasks), by_layer.spreads(name, kind.tasks)
        hovers = [by_layer.interval(name, place, kind.tasks) for place in by_layer.places]
        curves.append(TaskCurve(name, color, values, spreads, hovers))
    return curves


def tasks_of(asked: Sequence[ChosenTask]) -> str:
    """``3 tasks``, or the one task."""
    return asked[0].text if len(asked) == 1 else f"{len(asked)} tasks"


def finding(by_layer: TasksByLayer, kinds: Sequence[Family]) -> str:
    """Where the values of the first recipe that has some are highest, kind by kind, in one sentence."""
    for name in by_layer.recipes:
        best = []
        for kind in kinds:
            values = by_layer.values(name, kind.tasks)
            if np.isfinite(values).any():
                most = fixed(np.nanmax(values))
                at = [
                    place
                    for place, value in zip(by_layer.places, values, strict=True)
                    if fixed(value) == most
                ]
                others = f" and {counted(len(at) - 1, 'other')}" * (len(at) > 1)
                best.append(f"{kind.name} {most} at {place_name(at[0])}{others}")
        if best:
            return f"Highest main values × 100 of {name}: {listed(best)}"
    return "Main values × 100 by layer"


def place_name(place: str) -> str:
    """``layer 4``, or ``first+last``."""
    return f"layer {place}" if place.isdigit() else place


def caption(
    by_layer: TasksByLayer, recipes: Mapping[str, Recipe], asked: Sequence[ChosenTask]
) -> tuple[str, ...]:
    """The recipes, what bands are, and the protocol of each task."""
    every = list(by_layer.names.values())
    return (
        *(f"{name}: {recipes[name].label()}, its layers replaced" for name in by_layer.recipes),
        "Lines: the unweighted mean of main values × 100 over the tasks of a kind; bands: one standard "
        "deviation over them. The best of several layers looks better than it is",
        *filter(None, (by_layer.found.told(each, every) for each in asked)),
    )


def numbers(by_layer: TasksByLayer, kinds: Sequence[Family]) -> pd.DataFrame:
    """A row for each recipe, layer and kind of task: mean, deviation, and the value of each task."""
    rows = []
    for name in by_layer.recipes:
        for kind in kinds:
            values, spreads = by_layer.values(name, kind.tasks), by_layer.spreads(name, kind.tasks)
            for place, value, deviation in zip(by_layer.places, values, spreads, strict=True):
                if np.isfinite(value):
                    row: dict[str, object] = {"recipe": name, "layers": place, "task": kind.name}
                    row |= {"tasks": len(kind.tasks), "mean": value, "deviation": deviation}
                    made = by_layer.names[name, place]
                    row |= {each.text: by_layer.found.value(made, each.text) for each in kind.tasks}
                    rows.append(row)
    return pd.DataFrame(rows).round(2)
