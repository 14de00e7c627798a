"""What Ablation and Sensitivity on the page Tasks share: recipes beside one, and their means over tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components.tasks import page
from components.tasks.choice import ChosenTask
from components.tasks.page import Results
from components.text import escape
from components.wording import listed, metrics_named
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.tasks.groups import Mean, mean_of
from core.evaluation.tasks.running import difference
from core.pipeline.engine import Engine
from core.recipe import Recipe


@dataclass(frozen=True, eq=False)
class Variations:
    """A recipe and others beside it, on the tasks that the recipe itself has a value on.

    ``means`` are over these tasks, of those recipes that have a value on each; ``missing`` counts recipes
    that are not there yet.
    """

    own: str
    found: Results
    tasks: tuple[ChosenTask, ...]
    means: Mapping[str, Mean]

    def change(self, name: str) -> Difference:
        """The mean of a recipe minus that of the recipe itself, paired; NaN where one has none."""
        if name not in self.means or self.own not in self.means:
            return NO_DIFFERENCE
        return self.means[name].above(self.means[self.own])

    def change_on(self, name: str, task: str) -> Difference:
        """The same on one task."""
        one, other = (self.found.scored.get((each, task)) for each in (self.own, name))
        return NO_DIFFERENCE if one is None or other is None else difference(one.result, other.result)

    @property
    def over(self) -> str:
        """``accuracy × 100, mean over 3 tasks``, or the one task."""
        metrics = dict.fromkeys(one.result.metric for one in self.found.scored.values())
        where = self.tasks[0].text if len(self.tasks) == 1 else f"mean over {len(self.tasks)} tasks"
        return f"{metrics_named([*metrics])} × 100, {where}" if metrics else where

    def caption(self) -> tuple[str, ...]:
        """The recipe, and the metric and rows of each task."""
        about = next(iter(self.found.scored.values())).about
        return (
            f"{self.own}: {self.found.recipes[self.own].label()}",
            *(self.found.told(asked, [self.own]) for asked in self.tasks),
            "Intervals: 95 %, paired, each corpus resampled by itself",
            f"{about['model']} ({about['revision']})",
        )

    def failures(self) -> list[tuple[str, str]]:
        """What could not be scored, each with its reason: recipes, or tasks on which none of them is."""
        cells: dict[str, list[page.Cell]] = {}
        for cell, why in self.found.failed.items():
            cells.setdefault(why, []).append(cell)
        told = []
        for why, those in cells.items():
            names, tasks = (list(dict.fromkeys(part)) for part in zip(*those, strict=True))
            if len(names) == len(self.found.recipes):
                told.append((listed(tasks), why))
            else:
                on = "" if len(tasks) == len(self.found.tasks) else f" on {listed(tasks)}"
                told.append((f"{listed(names)}{on}", why))
        return told

    def tell_failures(self) -> None:
        """A sentence for each reason why something has no value."""
        for what, why in self.failures():
            st.warning(f"**{escape(what)}** could not be scored: {escape(why)}", icon=":material/block:")
        self.found.tell_fewer_folds()

    def numbers(self, names: Sequence[str], column: str) -> pd.DataFrame:
        """A row for each recipe: its mean, the change with its interval, and its value on every task."""
        rows = []
        for name in names:
            change = self.change(name)
            mean = self.means[name].value if name in self.means else float("nan")
            row: dict[str, object] = {column: name, "mean": mean, "change": change.value}
            row |= {"low": change.low, "high": change.high}
            row |= {asked.text: self.found.value(name, asked.text) for asked in self.tasks}
            rows.append(row | {"text": str(self.found.recipes[name])})
        return pd.DataFrame(rows).round(2)


def read(
    engine: Engine, own: str, recipes: Mapping[str, Recipe], asked: Sequence[ChosenTask], key: str
) -> Variations | None:
    """The recipe called ``own`` and those beside it, as far as they are there; None without any value."""
    found = page.results(engine, recipes, asked, key, offered=True)
    tasks = tuple(each for each in asked if np.isfinite(found.value(own, each.text)))
    if not tasks:
        return None
    means = {
        name: mean_of([found.scored[name, each.text].result for each in tasks])
        for name in recipes
        if all((name, each.text) in found.scored for each in tasks)
    }
    return Variations(own, found, tasks, means)
