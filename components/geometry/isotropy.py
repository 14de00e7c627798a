"""The part of the page Geometry about isotropy: by layer, by sample size, components, dimensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import segments
from components.errors import notes
from components.figure_frame import Framed
from components.figures import isotropy as figures
from components.figures.layers import layer_name
from components.geometry import isotropy_findings as findings
from components.job import Asking, Question
from components.theme import Theme
from components.wording import listed
from core.analysis.geometry import of_recipe
from core.analysis.geometry.measures import LARGE, OUTLIER, Isotropy
from core.corpora.corpus import Corpus
from core.errors import counted
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.recipe.plan import Plan
from core.work import Work

T = TypeVar("T")
Sides = Mapping[str, Recipe]


VIEW = "isotropy"
"""Key of the view that is shown."""

_FIRST = "By layer"

NAMES = 56
"""Characters of a recipe's name that a line above the axes has room for."""


def show(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    """Four views to choose from; only the one that is shown is computed.

    Not as tabs: their panel is searched for something to tab to after each change of a figure in it.
    """
    views: dict[str, Callable[[Engine, Corpus, Sides], None]] = {
        _FIRST: _layers,
        "By sample size": _sizes,
        "Components": _components,
        "Dimensions": _dimensions,
    }
    views[segments("Isotropy", list(views), VIEW, label_visibility="collapsed")](engine, corpus, sides)


def begin(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    """Begin the view by layer where it is open, which takes longest, before the page waits for the rest."""
    if st.session_state.get(VIEW) in (None, _FIRST):
        job.ahead(_by_layer(engine, corpus, sides, _training(engine, corpus, sides)).values())


def _layers(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    found: dict[str, dict[int, Isotropy]] = {}
    reasons: list[str] = []
    training = _training(engine, corpus, sides)
    by_layer = _values(
        _by_layer(engine, corpus, sides, training), lambda: _question(engine, corpus, training)
    )
    if not by_layer or not sides.keys() - by_layer.keys() <= training.keys():
        return
    for side, (layers, failed) in by_layer.items():
        reasons += [f"{side}, layer {layer_name(i)}: {why}" for i, why in failed.items()]
        if layers:
            found[side] = layers
    if not any(np.isfinite(one.average_cosine) for layers in found.values() for one in layers.values()):
        st.info("No layer has an isotropy to show here.", icon=":material/info:")
        notes([*_problems(found), *reasons])
        return
    title = findings.layers(found)
    rows = [
        {"recipe": side, "layer": layer_name(i), "average cosine": one.average_cosine}
        | {"IsoScore": one.iso_score, "isotropic cloud": one.isotropic, "share of the mean": one.common}
        | {"first component": one.explained[0] if len(one.explained) else None, "dimensions": one.dim}
        | {"outlier dimensions": one.outliers, "largest dimension": one.largest}
        for side, layers in found.items()
        for i, one in layers.items()
    ]
    what = (
        "Each layer alone, the rest of the recipe as it is. Dashed: the IsoScore of an isotropic "
        "cloud of as many points."
    )
    _frame("layers", engine, corpus, sides, found, title, figures.by_layer, what, rows)
    notes([*_problems(found), *reasons])


def _sizes(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    kind, stored = "isotropy by sample size", of_recipe.has_sample_sizes
    by_size = computed(kind, engine, corpus, sides, of_recipe.by_sample_size, stored=stored)
    if len(by_size) < len(sides):
        return
    found = {side: one for side, one in by_size.items() if np.isfinite(one.iso_score).any()}
    if not found:
        st.info("Too few sentences, or all alike: there is no IsoScore here.", icon=":material/info:")
        return
    first = next(iter(found.values()))
    title = findings.sample_sizes(first)
    rows = [
        {"recipe": side, "sentences": n, "IsoScore": score, "isotropic cloud": expected}
        for side, one in found.items()
        for n, score, expected in zip(one.sizes, one.iso_score, one.isotropic, strict=True)
    ]
    what = "Samples of the different sentences (seed 0). Dashed: isotropic clouds of as many points."
    _frame("sizes", engine, corpus, sides, found, title, figures.by_sample_size, what, rows)


def _components(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    every = measured(engine, corpus, sides)
    if len(every) < len(sides):
        return
    found = {side: one for side, one in every.items() if len(one.explained)}
    if not found:
        st.info("Vectors without variance have no principal components.", icon=":material/info:")
        return
    title = findings.components(found)
    rows = [
        {"recipe": side, "component": i, "share of variance": share}
        for side, one in found.items()
        for i, share in enumerate(one.explained, 1)
    ]
    what = "The mean is taken away first. " + "; ".join(
        f"{s}: the first {len(o.explained)} hold {100 * o.explained.sum():.0f} %" for s, o in found.items()
    )
    _frame("components", engine, corpus, sides, found, title, figures.components, what, rows)


def _dimensions(engine: Engine, corpus: Corpus, sides: Sides) -> None:
    every = measured(engine, corpus, sides)
    if len(every) < len(sides):
        return
    found = {side: one for side, one in every.items() if one.size.any()}
    if not found:
        st.info("Every vector is 0: no dimension is larger than another.", icon=":material/info:")
        return
    title = "; ".join(findings.dimensions(side, one) for side, one in found.items())
    rows = [
        {"recipe": side, "dimension": int(one.top[i]), "mean absolute value": one.size[i], "z": one.z[i]}
        | {"part of the average cosine": one.part[i], "outlier": i < one.outliers}
        for side, one in found.items()
        for i in range(len(one.top))
    ]
    what = (
        "Mean absolute value over sentences; dashed: the average dimension. * outlier: more than "
        f"{OUTLIER:g} standard deviations (over dimensions) above it, {LARGE:g} times as large."
    )
    _frame("dimensions", engine, corpus, sides, found, title, figures.large_dimensions, what, rows)


def measured(
    engine: Engine, corpus: Corpus, sides: Sides, *, key: str = "work.isotropy"
) -> dict[str, Isotropy]:
    """Isotropy of each recipe with its own layers, as far as it is there."""
    return computed(
        "isotropy", engine, corpus, sides, of_recipe.isotropy, key=key, stored=of_recipe.has_isotropy
    )


def computed(
    kind: str,
    engine: Engine,
    corpus: Corpus,
    sides: Sides,
    compute: Callable[[Engine, Recipe, Corpus, Progress], T],
    *,
    stored: works.Stored,
    key: str | None = None,
) -> dict[str, T]:
    """What is computed of each recipe, as far as it is there."""
    work = works.on_sides(kind, kind.capitalize(), engine, sides, corpus, compute, stored=stored)
    return _values(work, key=key)


def _by_layer(
    engine: Engine, corpus: Corpus, sides: Sides, training: Sides
) -> dict[str, Work[tuple[dict[int, Isotropy], dict[int, str]]]]:
    """Isotropy by layer; the recipes that train for every layer are asked for."""
    kind, compute, stored = "isotropy by layer", of_recipe.by_layer, of_recipe.has_layers
    measuring = works.on_sides(kind, "Isotropy by layer", engine, sides, corpus, compute, stored=stored)
    return {side: replace(work, asks=work.asks or side in training) for side, work in measuring.items()}


def _training(engine: Engine, corpus: Corpus, sides: Sides) -> Sides:
    """The recipes that have a training for every layer which is still to be done."""
    return {
        side: recipe
        for side, recipe in sides.items()
        if Plan.of(recipe).trained and not of_recipe.has_layers(engine, recipe, corpus)
    }


def _question(engine: Engine, corpus: Corpus, training: Sides) -> Question | None:
    """What is said before recipes are measured that train for every layer; nothing of others."""
    if not training:
        return None
    each = "; ".join(
        f"{side} with {len(engine.source(recipe, corpus).layers)} trainings of "
        f"{listed(Plan.of(recipe).trained)}"
        for side, recipe in training.items()
    )
    return Question(f"Every layer is measured by itself: {each}. It can be stopped.", "Measure", aside=True)


def _values(
    each: Mapping[str, Work[T]], question: Asking = job.at_once, *, key: str | None = None
) -> dict[str, T]:
    """The results of work that are there, by side."""
    values = {side: one.value() for side, one in job.show_each(each, question, key=key).items()}
    return {side: value for side, value in values.items() if value is not None}


def _problems(found: Mapping[str, Mapping[int, Isotropy]]) -> list[str]:
    """What is missing, once for all layers that miss it."""
    said: dict[str, dict[str, list[str]]] = {}
    for side, layers in found.items():
        for i, one in layers.items():
            for problem in one.problems():
                said.setdefault(problem, {}).setdefault(side, []).append(layer_name(i))
    lines = []
    for problem, sides in said.items():
        if all(len(sides.get(side, [])) == len(layers) for side, layers in found.items()):
            lines.append(problem)
            continue
        where = "; ".join(f"{side}, layer {', '.join(names)}" for side, names in sides.items())
        lines.append(f"{where}: {problem}")
    return lines


def _frame(
    key: str,
    engine: Engine,
    corpus: Corpus,
    sides: Sides,
    found: Mapping[str, T],
    title: str,
    draw: Callable[[Mapping[str, T], Theme, Mapping[str, str]], go.Figure],
    what: str,
    rows: Sequence[dict[str, object]],
) -> None:
    """One view in its frame: below it what is drawn, the recipes, their models and the corpus."""
    drawn = {side: sides[side] for side in found}
    sources = {side: engine.source(recipe, corpus) for side, recipe in drawn.items()}
    count = len(corpus.sentences)
    figure_frame.show(
        Framed(
            key,
            title,
            draw(found, theme.of(state.theme_name()), provenance.sides_named(drawn, NAMES)),
            (
                what,
                *(provenance.recipe_line(side, recipe) for side, recipe in drawn.items()),
                provenance.line([provenance.models(sources)], corpus, counted(count, "different sentence")),
            ),
            alt=title,
            numbers=lambda: pd.DataFrame(rows),
            above=448,
            summary=provenance.summary(
                "geometry",
                drawn,
                sources,
                provenance.split(corpus),
                counted(count, "sentence"),
            ),
        )
    )
