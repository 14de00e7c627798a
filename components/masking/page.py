"""The page Masking: its head, its controls, and the impact matrices that its sections share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import beside, job, provenance, selection, state, theme
from components.controls import menu, segments
from components.explain import heading
from components.provenance import Summary
from components.text import escape
from core.analysis.masking.impact import (
    MERGES,
    METRICS,
    DistanceMetric,
    Impact,
    Merge,
    impact,
    pending_seconds,
)
from core.analysis.masking.plan import (
    LEVELS,
    Level,
    MaskingPlan,
    TooFewUnitsError,
    masked_by,
    plan_masking,
)
from core.errors import StrataError, counted
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.source import Source
from core.work import Work

NAMES: dict[str, str] = {"euclidean": "Euclidean distance", "cosine": "1 − cosine"}
"""Metrics as figures name them."""

_SENTENCE = "masking-sentence"
"""Key of the place of the sentence, which is never so narrow that nothing of it can be read."""

_WIDTHS: tuple[int | Literal["content", "stretch"], ...] = ("stretch", 145, "content", 230, "content")
"""Of the sentence, the token, the layers, the models beside and the popover; in pixels where said."""


@dataclass(frozen=True)
class Choices:
    """What the controls say; ``layer`` is counted in the deepest model."""

    level: Level
    layer: int
    metric: DistanceMetric
    merge: Merge
    special: bool
    relative: bool = False

    @property
    def unit(self) -> str:
        """One of what is masked."""
        return self.level.removesuffix("s")

    @property
    def distance(self) -> str:
        """The distance of two states, as figures name it."""
        return NAMES[self.metric] + (" ÷ its mean" if self.relative else "")

    @property
    def digits(self) -> int:
        """Digits of such a distance behind the point."""
        return 3 if self.metric == "cosine" and not self.relative else 2

    def label(self) -> str:
        """As a caption says it."""
        pieces = f", pieces merged by {self.merge}" if self.level == "words" else ""
        return f"{self.level} masked, {NAMES[self.metric]}{pieces}"


@dataclass(frozen=True, eq=False)
class MaskingModel:
    """A model with its color."""

    name: str
    source: Source
    color: str


@dataclass(frozen=True, eq=False)
class ModelImpact:
    """A model with its impact matrices; ``layer`` is the one shown, its last where it has fewer."""

    model: MaskingModel
    impact: Impact
    layer: int

    @property
    def plan(self) -> MaskingPlan:
        """The units of the sentence, and the model inputs that mask them."""
        return self.impact.plan

    @property
    def names(self) -> tuple[str, ...]:
        """The units, each by another name: the second ``the`` is ``the (2)``."""
        return tuple(selection.token_names(self.plan.units))

    def means(self, choices: Choices) -> np.ndarray:
        """The column means."""
        return self.impact.means(self.layer, choices.metric, choices.merge)


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Masking",
        "How far does hiding one word move what the model makes of another?",
        "**Perturbed masking** (Wu et al. 2020; Chen et al. 2023, section 2). A row is a word that is "
        "masked, a column a second one that is masked as well; the cell says how far the state in the "
        "row's place moves by that. A bright column is a word that all others lean on: the mean of its "
        "column, itself as 0, is its **impact**. **idf** is high for words that few texts have; "
        "**tf-idf** multiplies it by how often the text has the word. The matrix shows what a model uses "
        "to fill a gap: **this is neither attention nor an explanation of a sentence vector**, in which "
        "no word is masked. Models share one scale: where states are longer, "
        "Euclidean distances are larger, so compare patterns: take 1 − cosine, or each relative to its "
        "mean (under How). In layer 0 no word has seen another, and all is 0. ELECTRA's discriminator "
        "never saw [MASK] in training. Sentences are read without template.",
    )


def choose_models(engine: Engine, a: Recipe, b: Recipe | None) -> list[MaskingModel]:
    """The models that are asked, in the colours of A and B and others; one that is none says why."""
    look = theme.of(state.theme_name())
    colors = {a.spelled()["source"]: look.a}
    if b:
        colors.setdefault(b.spelled()["source"], look.b)
    named = beside.show(engine, a, b)
    for _, recipe in named:
        colors.setdefault(recipe.spelled()["source"], theme.OTHERS[len(colors) % len(theme.OTHERS)])
    return [
        MaskingModel(name, engine.source(recipe), colors[recipe.spelled()["source"]])
        for name, recipe in named
    ]


def places() -> list[DeltaGenerator]:
    """Places for the sentence, the token, the layer, other models and the rest, in one row.

    They take as many rows as they need: of a deep model, or in a narrow window.
    """
    place = f'[data-testid="stLayoutWrapper"]:has(> .st-key-{_SENTENCE})'
    st.html(f"<style>{place} {{ min-width: min(22rem, 100%); }}</style>")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        first, *rest = _WIDTHS
        return [st.container(width=first, key=_SENTENCE), *(st.container(width=width) for width in rest)]


def choose(models: Sequence[MaskingModel], layers: DeltaGenerator, rest: DeltaGenerator) -> Choices:
    """The layer, in its place, and how words are masked and compared, in a popover in its own."""
    deepest = max(model.source.location.depth for model in models)
    with layers:
        layer = selection.layer(range(deepest + 1), deepest)
    with rest:
        with st.popover("How", icon=":material/tune:", help="What is masked, and how states are compared"):
            level = segments("Mask", LEVELS, "masked", persist_state="session", width="content")
            metric = menu(
                "Distance", METRICS, "distance", help="cosine: 1 − cosine", persist_state="session"
            )
            merge = menu(
                "Merge pieces", MERGES, "pieces", disabled=level == "tokens", persist_state="session"
            )
            special = st.toggle(
                "Special rows",
                key="special",
                bind="query-params",
                persist_state="session",
                help="Rows for [CLS] and [SEP]. They are never masked; what moves is their state in the "
                "sentence as it is. They do not count in column means.",
            )
            relative = st.toggle(
                "Relative to the model's mean",
                key="relative",
                bind="query-params",
                persist_state="session",
                help="Each matrix is divided by its mean, special rows and the diagonal apart, so that "
                "patterns of models with unlike distances can be compared on one scale.",
            )
    return Choices(level, layer, metric, merge, bool(special), bool(relative))  # type: ignore[arg-type]


def impacts(
    engine: Engine, models: Sequence[MaskingModel], sentence: str, choices: Choices
) -> list[ModelImpact]:
    """The impact matrices of each model that are there; the page says which model cannot be asked."""
    planned: list[tuple[MaskingModel, MaskingPlan]] = []
    problems: dict[str, list[str]] = {}
    short: set[str] = set()
    for model in models:
        try:
            planned.append((model, plan_masking(engine, model.source, sentence, choices.level)))
        except StrataError as error:
            problems.setdefault(str(error), []).append(model.name)
            if isinstance(error, TooFewUnitsError):
                short.add(str(error))
    for problem, names in problems.items():
        who = "" if problem.startswith(names[0]) else f"**{escape(', '.join(names))}.** "
        if problem in short:  # nothing has failed: it may have been written so far
            st.info(f"{who}{escape(problem)}", icon=":material/edit:")
        else:
            st.error(f"{who}{escape(problem)}", icon=":material/error:")
    jobs = job.show_all([_work(engine, model, masking_plan) for model, masking_plan in planned])
    asked = [model for model, _ in planned]
    answers = job.results(asked, jobs, lambda model: model.name)
    return [ModelImpact(model, answer, min(choices.layer, answer.depth)) for model, answer in answers]


def _work(engine: Engine, model: MaskingModel, plan: MaskingPlan) -> Work[Impact]:
    """Mask every unit of a sentence, and every pair of them.

    It begins without a question, however long it is: the sentence is the visitor's own, as pasted ones are
    (:data:`components.works.FREE`), and the bar says its inputs and its time, with Stop beside.
    """
    return Work(
        ("impact", *masked_by(engine, plan.source), plan.level, plan.text),
        f"Masking this sentence with {model.name}: {plan.inputs:,} model inputs "
        f"({len(plan.units)} {plan.level}, one by one and in pairs)",
        partial(impact, engine, plan),
        pending_seconds(engine, plan),
    )


def unnamed(figure: go.Figure, units: int, unit: str) -> str:
    """A sentence that not every word along the figure has its name written; empty where every one has."""
    named = figure.layout.xaxis.tickvals
    every = 1 if len(named) == units else int(np.median(np.diff(named)))
    if every < 2:
        return ""
    ordinal = {2: "second", 3: "third"}.get(every, f"{every}th")
    return f"Every {ordinal} {unit} has its name there; all have theirs on hover and in the table."


def summary(impacts: Sequence[ModelImpact], of: str = "one sentence", size: str = "") -> Summary:
    """The models with their layers, and what is masked."""
    first = impacts[0]
    return Summary(
        "masking",
        models={name: name for name in (f"{one.model.name}, layer {one.layer}" for one in impacts)},
        corpus=of,
        size=size or f"{len(first.plan.units)} {first.plan.level}",
    )


def about(impacts: Sequence[ModelImpact]) -> list[str]:
    """The models with their revisions, and what was run."""
    return [
        f"{provenance.model(one.model.source)}, layer {one.layer} of {one.impact.depth} · "
        f"{len(one.plan.units)} {one.plan.level}, {len(one.plan.ids)} tokens with special ones · "
        f"{counted(one.plan.inputs, 'model input')}"
        for one in impacts
    ]
