"""The parts of the page Masking that are about one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import beside, figure_frame, selection, state, theme
from components.explain import heading
from components.figure_frame import Framed
from components.figures.masking import WIDTH, Panel, impact_matrices
from components.progress import may_take, working
from components.text import escape
from core.analysis.masking import MERGES, METRICS, Impact, Merge, Metric, impact, pending_seconds
from core.analysis.masking_plan import LEVELS, SPECIAL, Level, Plan, plan
from core.embed import Road
from core.errors import StrataError
from core.passes import Source
from core.recipe import Recipe

NAMES: dict[str, str] = {"euclidean": "Euclidean distance", "cosine": "1 − cosine"}
"""Metrics as figures name them."""

OTHERS = ("#009E73", "#CC79A7", "#9A6324")
"""Colours of models that are neither A's nor B's (Okabe-Ito)."""


NARROW = 24
"""Words of which a matrix can be read in half of the page's width."""

ROUNDING = 1e-5
"""A mean up to this is what rounding leaves of 0."""


@dataclass(frozen=True)
class Choices:
    """What the controls say; ``layer`` is counted in the deepest model."""

    level: Level
    layer: int
    metric: Metric
    merge: Merge
    special: bool
    relative: bool = False

    @property
    def unit(self) -> str:
        """One of what is masked."""
        return self.level.removesuffix("s")

    def label(self) -> str:
        """As a caption says it."""
        pieces = f", pieces merged by {self.merge}" if self.level == "words" else ""
        return f"{self.level} masked, {NAMES[self.metric]}{pieces}"


@dataclass(frozen=True, eq=False)
class Model:
    """A model that is asked, and its colour."""

    name: str
    source: Source
    color: str


@dataclass(frozen=True, eq=False)
class Asked:
    """A model with what it answered; ``layer`` is the one shown, its last where it has fewer."""

    model: Model
    impact: Impact
    layer: int

    @property
    def plan(self) -> Plan:
        """What was masked."""
        return self.impact.plan

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
        "row's place moves by that. A bright column is a word that all others lean on. It shows what a "
        "model uses to fill a gap: **this is neither attention nor an explanation of a sentence "
        "vector**, in which no word is masked. Models share one scale: where states are longer, "
        "Euclidean distances are larger, so compare patterns: take 1 − cosine, or each relative to its "
        "mean (under More). In layer 0 no word has seen another, and all is 0. ELECTRA's discriminator "
        "never saw [MASK] in training. Sentences are read without template.",
    )


def models(road: Road, a: Recipe, b: Recipe | None) -> list[Model]:
    """The models that are asked, in the colours of A and B and others; one that is none says why."""
    look = theme.of(state.theme_name())
    colors = {a.spelled()["source"]: look.a}
    if b:
        colors.setdefault(b.spelled()["source"], look.b)
    found = beside.show(road, a, b)
    for _, recipe in found:
        colors.setdefault(recipe.spelled()["source"], OTHERS[len(colors) % len(OTHERS)])
    return [Model(name, road.source(recipe), colors[recipe.spelled()["source"]]) for name, recipe in found]


def choose(asked: Sequence[Model]) -> Choices:
    """The controls, in one row."""
    deepest = max(model.source.location.depth for model in asked)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        level = segments("Mask", LEVELS, "masked")
        layer = selection.layer(range(deepest + 1), deepest)
        metric = _menu("Distance", METRICS, "distance", width=135, help="cosine: 1 − cosine")
        merge = _menu("Merge pieces", MERGES, "pieces", width=105, off=level == "tokens")
        with st.popover("More", icon=":material/tune:"):
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


def segments(label: str, options: Sequence[str], key: str) -> str:
    """One of a few options, in the URL; the first to start with."""
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        persist_state="session",
        width="content",
    )
    return chosen if chosen in options else options[0]


def _menu(
    label: str, options: Sequence[str], key: str, *, width: int, off: bool = False, help: str | None = None
) -> str:
    chosen = st.selectbox(
        label,
        options,
        key=key,
        bind="query-params",
        persist_state="session",
        disabled=off,
        width=width,
        help=help,
    )
    return chosen if chosen in options else options[0]


def ask(road: Road, asked: Sequence[Model], sentence: str, choices: Choices) -> list[Asked]:
    """Every model's impact matrices; long work waits for a click, and the page ends there until then.

    What a model cannot be asked about is said.
    """
    planned: list[tuple[Model, Plan]] = []
    problems: dict[str, list[str]] = {}
    for model in asked:
        try:
            planned.append((model, plan(road, model.source, sentence, choices.level)))
        except StrataError as error:
            problems.setdefault(str(error), []).append(model.name)
    for problem, names in problems.items():
        who = "" if problem.startswith(names[0]) else f"**{escape(', '.join(names))}.** "
        st.error(f"{who}{escape(problem)}", icon=":material/error:")
    seconds = sum(pending_seconds(road, one) for _, one in planned)
    inputs = sum(one.inputs for _, one in planned)
    wanted = " ".join([sentence, choices.level, *(model.source.revision for model, _ in planned)])
    what = f"Masking this sentence needs {inputs:,} model inputs"
    if planned:
        longest = max(planned, key=lambda pair: pair[1].inputs)[1]
        what += f" ({len(longest.units)} {choices.level}, one by one and in pairs), which"
    if not may_take(seconds, wanted, what, "Layers, distances and merging are instant after that."):
        st.stop()
    found = []
    with working("masking") as progress:
        for model, one in planned:
            try:
                made = impact(road, one, progress)
            except StrataError as error:
                st.error(f"**{escape(model.name)}.** {escape(str(error))}", icon=":material/error:")
                continue
            found.append(Asked(model, made, min(choices.layer, made.depth)))
    return found


def matrices(found: Sequence[Asked], choices: Choices, place: Any) -> None:
    """The impact matrices on one scale; the token that is framed is chosen in ``place``."""
    look = theme.of(state.theme_name())
    first = found[0]
    with place:
        token = selection.token_menu(first.plan.written, (first.plan.unit != SPECIAL).tolist())
    unit = int(first.plan.unit[token])
    panels = [
        Panel(
            _values(one, choices),
            f"{one.model.name} · layer {one.layer}",
            one.impact.rows(special=choices.special),
            one.plan.units,
            one.impact.own_rows(special=choices.special),
            unit if one.plan.units == first.plan.units and unit != SPECIAL else None,
        )
        for one in found
    ]
    title = finding(found, choices)
    metric = NAMES[choices.metric] + (" ÷ its mean" if choices.relative else "")
    what = f"Perturbed masking: {choices.label()}; a {choices.unit} on itself is 0"
    figure_frame.show(
        Framed(
            key="impact",
            title=title,
            figure=impact_matrices(
                panels,
                look,
                unit=choices.unit,
                metric=metric,
                digits=3 if choices.metric == "cosine" and not choices.relative else 2,
                width=WIDTH // 2 if is_narrow(found) else WIDTH,
            ),
            caption=(
                what + ("; each matrix divided by its mean." if choices.relative else "."),
                *([exchange(first, choices, unit)] if unit != SPECIAL else []),
                *about(found),
            ),
            alt=title,
            numbers=_cells(found, panels, metric),
        )
    )


def exchange(one: Asked, choices: Choices, unit: int) -> str:
    """What one word moves most, and what moves it most, in words."""
    values = one.impact.matrix(one.layer, choices.metric, choices.merge)
    names, digits = one.plan.units, 2 if choices.metric == "euclidean" else 3
    moved, mover = int(values[:, unit].argmax()), int(values[unit].argmax())
    return (
        f"Framed: masking “{names[unit]}” moves “{names[moved]}” most ({values[moved, unit]:.{digits}f}); "
        f"what moves it most is “{names[mover]}” ({values[unit, mover]:.{digits}f})."
    )


def is_narrow(found: Sequence[Asked]) -> bool:
    """Whether the matrix can be read in half of the page's width."""
    return len(found) == 1 and len(found[0].plan.units) <= NARROW


def _values(one: Asked, choices: Choices) -> np.ndarray:
    """The matrix as it is drawn."""
    how = (one.layer, choices.metric, choices.merge)
    values = one.impact.matrix(*how, special=choices.special)
    count = len(one.plan.units)
    mean = one.impact.matrix(*how).sum() / (count * (count - 1))
    return values / mean if choices.relative and mean > ROUNDING else values


def finding(found: Sequence[Asked], choices: Choices) -> str:
    """What the column means say, in one sentence."""
    parts, still = [], []
    for one in found:
        means = one.means(choices)
        if means.max() > ROUNDING:
            word = f"“{one.plan.units[int(means.argmax())]}”"
            parts.append((word, one.model.name, float(means.max())))
        else:
            still.append(f"under {one.model.name} in layer {one.layer}")
    if not parts:
        if all(one.layer == 0 for one in found):
            return f"In layer 0 no {choices.unit} has seen another: masking one moves nothing"
        return f"Masking moves nothing {' and '.join(still)}"
    digits = 2 if choices.metric == "euclidean" else 3
    if len(found) == 1:
        what, _, value = parts[0]
        return f"Masking {what} moves most: {value:.{digits}f} on average"
    (what, name, value), *rest = parts
    said = [f"{what} moves most under {name} ({value:.{digits}f})"]
    said += [f"{what} under {name} ({value:.{digits}f})" for what, name, value in rest]
    return f"Masking {', '.join(said)}"


def about(found: Sequence[Asked]) -> list[str]:
    """The models with their revisions, and what was run."""
    return [
        f"{one.model.name} ({one.model.source.revision}), layer {one.layer} of {one.impact.depth} · "
        f"{len(one.plan.units)} {one.plan.level}, {len(one.plan.ids)} tokens with special ones · "
        f"{one.plan.inputs:,} model inputs"
        for one in found
    ]


def _cells(found: Sequence[Asked], panels: Sequence[Panel], metric: str) -> pd.DataFrame:
    """One row for each cell."""
    tables = []
    for one, panel in zip(found, panels, strict=True):
        row, column = np.indices(panel.values.shape).reshape(2, -1)
        tables.append(
            pd.DataFrame(
                {
                    "model": one.model.name,
                    "layer": one.layer,
                    "row": row + 1,
                    "moves": [panel.rows[i] for i in row],
                    "column": column + 1,
                    "masked": [panel.units[i] for i in column],
                    metric: panel.values.ravel(),
                }
            )
        )
    return pd.concat(tables, ignore_index=True)
