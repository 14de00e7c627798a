"""The page Tasks: its head, and the results of recipes on tasks as they arrive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import failures, job, works
from components.controls import forget, keep_side
from components.errors import tried
from components.explain import heading
from components.job import Question
from components.tasks.choice import ChosenTask
from components.tasks.planning import Cell, plan_of
from components.text import escape
from components.wording import duration_range, listed, metrics_unit
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.sts import too_few
from core.evaluation.tasks import TASK
from core.evaluation.tasks.folds import most_folds
from core.evaluation.tasks.running import TaskScored
from core.evaluation.tasks.task import TaskResult
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import LONG

LEARNING = 30.0
"""Seconds of learning from which on a visitor is asked first, for recipes and tasks of their own choice."""

BASE = 200
"""Pixels of the menu of the recipe that differences are from."""

FEW_ROWS = 50
"""Rows below which a note says how wide an interval is: of 50 pairs some 50 points."""


@dataclass(frozen=True, eq=False)
class Results:
    """What is there of recipes on tasks, and why the rest cannot be had."""

    recipes: Mapping[str, Recipe]
    tasks: Sequence[ChosenTask]
    corpora: Mapping[str, Corpus]
    scored: Mapping[Cell, TaskScored]
    failed: Mapping[Cell, str]

    def value(self, name: str, task: str) -> float:
        """The main value × 100 of a recipe on a task; NaN where there is none."""
        scored = self.scored.get((name, task))
        return float("nan") if scored is None else scored.result.value

    def unit(self, task: str) -> str:
        """What a task's values are, ``Spearman × 100``; empty where no recipe has one."""
        found = (one.result.metric for (_, each), one in self.scored.items() if each == task)
        metric = next(found, "")
        return metrics_unit([metric]) if metric else ""

    def ranked(self, values: np.ndarray) -> np.ndarray:
        """The values ``[recipe, task]``, without those of tasks of which a higher one is not better."""
        quality = [TASK.find(asked.task).quality for asked in self.tasks]
        return np.where(quality, values, np.nan)

    def widths(self) -> np.ndarray:
        """By task how wide the widest 95 % interval is; 0 where there is none."""
        widths: dict[str, list[float]] = defaultdict(lambda: [0.0])
        for (_, task), scored in self.scored.items():
            widths[task].append(np.ptp(scored.result.bounds))
        return np.array([np.nanmax(widths[asked.text]) for asked in self.tasks])

    def told(self, asked: ChosenTask, names: Sequence[str]) -> str:
        """A task's metric, rows, protocol, origin and fingerprint; empty where no recipe has a value."""
        scored = {
            name: self.scored[name, asked.text] for name in names if (name, asked.text) in self.scored
        }
        if not scored:
            return ""
        one, corpus = next(iter(scored.values())), self.corpora[asked.text]
        how = protocols({name: each.result.protocol for name, each in scored.items()})
        return (
            f"{asked.text}: {metrics_unit([one.result.metric])} "
            f"of {counted(one.result.n, 'row')}, {how} · "
            f"{corpus.origin} · fingerprint {one.about['fingerprint']}"
        )

    def tell_failures(self) -> None:
        """Why some of the recipes have no value on a task."""
        if not self.failed:
            return
        title = f"{len(self.failed)} could not be scored, and why"
        with st.expander(title, expanded=not self.scored):
            rows = [(name, task, why) for (name, task), why in self.failed.items()]
            table = pd.DataFrame(rows, columns=["recipe", "task", "why"]).map(escape)
            st.table(table, hide_index=True, alt="Recipes that could not be scored on a task, and why")
            self.tell_fewer_folds()

    def tell_fewer_folds(self) -> None:
        """How a task is typed that has more folds than its corpus allows."""
        if smaller := self._with_fewer_folds():
            st.caption(f"Under *Tasks* a task is typed with its arguments: {escape(' or '.join(smaller))}.")

    def _with_fewer_folds(self) -> list[str]:
        """Tasks that have more folds than their corpora allow, as they are typed with fewer."""
        found = []
        for asked in self.tasks:
            corpus = self.corpora.get(asked.text)
            failed = corpus is not None and any(task == asked.text for _, task in self.failed)
            most = most_folds(corpus) if failed and corpus is not None else None
            if most and most < TASK.arguments(asked.task).get("folds", 0):
                found.append(f"{asked.corpus}: {asked.task.name}(folds={most})")
        return found


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Tasks",
        "Which recipe is good for what: similarity, clustering, classification, probing?",
        "A row is a recipe, a column a task on a corpus. **Each column has its own colours**, dark is "
        "low and bright is high; they span a 95 % interval at least. The number is the main value × 100, "
        "its bootstrap interval is on hover; *differences from* sets a paired difference under it.\n"
        "- **sts**: Spearman's correlation; nothing is trained.\n"
        "- **Clustering**: the accuracy of k-means under the best assignment of clusters to classes, the "
        "mean of ten runs.\n"
        "- **Classification**: the accuracy of a logistic regression on frozen vectors; its C is chosen "
        "inside the training rows.\n"
        "- **Probing**: the same by a perceptron of 50 units.\n"
        "- **supervised_sts**: the correlation with scores that are learnt.\n\n"
        "For the trained tasks a recipe learns its idf, z-score or whitening from training rows alone, "
        "or from the reference that it names. A linear classifier without regularisation does not see "
        "whitening, which is a linear map; what whitening changes there comes from the regularisation. "
        "The **mean rank** is over tasks, on each of which the best recipe has rank 1: it counts every "
        "task alike and hides how large differences are.",
    )


def places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places side by side for the recipes that are pinned and for the one that differences are from."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False):
        return st.container(), st.container(width=BASE)


def protocols(by_recipe: Mapping[str, str]) -> str:
    """What the protocols of all recipes say, and then what only some say, with their names."""
    parts = {name: protocol.split("; ") for name, protocol in by_recipe.items()}
    shared = [part for part in next(iter(parts.values())) if all(part in own for own in parts.values())]
    apart: dict[str, list[str]] = defaultdict(list)
    for name, own in parts.items():
        if rest := "; ".join(part for part in own if part not in shared):
            apart[rest].append(name)
    return "; ".join([*shared, *(f"{rest} ({listed(names)})" for rest, names in apart.items())])


def few(found: Results) -> list[str]:
    """A note for each task of few rows: how wide an interval is, or that there is none."""
    widths = dict(zip((asked.text for asked in found.tasks), found.widths(), strict=True))
    rows: dict[str, TaskResult] = {}
    for (_, task), scored in found.scored.items():
        if np.isfinite(scored.result.value):
            rows.setdefault(task, scored.result)
    ranked = "; in the mean rank the task counts as the others do" * (len(found.recipes) > 1)
    told = []
    for task, result in rows.items():
        if none := too_few(result.n, *result.bounds):
            told.append(f"{task}: {none}{ranked}.")
        elif result.n < FEW_ROWS and np.isfinite(result.bounds).all():
            told.append(
                f"{task}: {result.n} rows are few, an interval is up to {widths[task]:.1f} wide{ranked}."
            )
    return told


def overlaps(engine: Engine, found: Results) -> list[str]:
    """A note for each recipe that learns from the texts of a task, the scored ones among them."""
    told = []
    for name, recipe in found.recipes.items():
        reference = (
            tried(lambda recipe=recipe: engine.references.of(recipe)) if recipe.needs_reference() else ""
        )
        if isinstance(reference, str):
            continue
        shared = [one.text for one in found.tasks if _is_of(reference, found.corpora.get(one.text))]
        if shared:
            told.append(
                f"{name} learns from the texts of {reference.name} without their labels: all of them, also "
                f"those it is scored on in {listed(shared)}."
            )
    return told


def _is_of(reference: Corpus, corpus: Corpus | None) -> bool:
    return corpus is not None and (reference.name, reference.origin) == (corpus.name, corpus.origin)


def results(
    engine: Engine,
    recipes: Mapping[str, Recipe],
    tasks: Sequence[ChosenTask],
    key: str = "tasks.work",
    *,
    offered: bool = False,
) -> Results:
    """Every recipe on every task as far as it is there; a panel shows the rest as it goes on.

    What takes long, by reading or by learning, is said and asked for before. ``key`` names the buttons.
    ``offered`` is for recipes that the visitor did not choose: texts that are built in are asked about too.
    """
    plan = plan_of(engine, recipes, tasks)
    learning, failed = sum(plan.learning.values()), plan.failed
    offer = _offer(engine, recipes.values(), plan.read, learning) if offered else None
    asked_first = {
        cell: replace(
            work,
            asks=work.asks
            or (learning > LEARNING and plan.learning[cell] > 0)
            or (offer is not None and work.seconds > 0),
        )
        for cell, work in plan.works.items()
    }
    jobs = job.show_each(
        asked_first,
        lambda: offer or _question(works.reading(engine, list(recipes.values()), *plan.read), learning),
        key=key,
    )
    scored: dict[Cell, TaskScored] = {}
    for cell, each in jobs.items():
        value = failures.value(each)
        if isinstance(value, str):
            failed[cell] = value
        elif value is not None:
            scored[cell] = value
    return Results(recipes, tasks, plan.corpora, scored, failed)


def base(recipes: Mapping[str, Recipe]) -> str | None:
    """The recipe that differences are from; None for no differences."""
    nothing = "none"
    options = [nothing, *recipes]
    keep_side("from", options)
    forget("from", options, nothing)
    chosen = st.selectbox(
        "Differences from",
        options,
        key="from",
        bind="query-params",
        persist_state="session",
        help="Under each value its paired difference from this recipe; ≈ where none is shown",
    )
    return None if chosen == nothing else chosen


def _question(reading: Question | None, learning: float) -> Question | None:
    """What reading and learning will take; None where both are short."""
    if learning <= LEARNING:
        return reading
    told = f"Classifiers and clusters take {duration_range(learning)} to learn, each result once."
    return Question(told if reading is None else f"{reading.text} {told}")


def _offer(
    engine: Engine, recipes: Iterable[Recipe], read: Iterable[Corpus], learning: float
) -> Question | None:
    """What recipes that the visitor did not choose take, on texts that are built in too; None if short."""
    recipes = list(recipes)
    seconds = learning + sum(works.pending(engine, recipes, each) for each in read)
    if seconds < LONG:
        return None
    return Question(f"Reading and learning take {duration_range(seconds)}, each result once.")
