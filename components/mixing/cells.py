"""Cells of a map of shares and layers, in words and numbers, on the page Mixing."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from components import names
from components.provenance import Summary
from components.wording import layers_named, metrics_unit, with_interval
from core.analysis.mixing import Mixture, any_cell, mixed
from core.errors import counted
from core.evaluation.difference import Difference
from core.evaluation.wording import between, fixed, shortest
from core.literature.presets.naming import name_beside_layers
from core.pipeline.engine import Engine
from core.recipe import REFERENCE, Recipe


def best_at(share: float, shares: Sequence[float]) -> str:
    """Where a best score is: ``w = −1, the lowest tried``, since there may be a better one beyond."""
    ends = {min(shares): ", the lowest tried", max(shares): ", the highest tried"}
    return f"w = {shortest(share)}{ends.get(share, '')}"


def gained(found: Mixture, over: str, gain: Difference) -> str:
    """What the best cell, which there is, gains over the best one without Avg., in one sentence.

    ``over`` says of what it is the best: ``topics: classification``.
    """
    (share, layers), alone, unit = found.best, found.best_alone, metrics_unit(found.metrics)
    where = f"{best_at(share, found.shares)}, {layers_named(layers)}, {over}"
    highest = f"{fixed(found.at(share, layers))} at {where}"
    best = f"{unit} = {highest}"
    if share == 0:
        return f"No share of Avg. scores above the model alone: {best}"
    if alone is None:
        return f"Highest: {best}"
    without = f"the best without Avg. {fixed(found.at(0.0, alone))} ({layers_named(alone)})"
    if not gain.known:
        return f"Highest: {best}; {without}"
    if not gain.shown:
        return f"No difference shown: at most {best}; {without}; {with_interval(gain)}"
    what = "Adding Avg." if share > 0 else "Taking Avg. away"
    gains = f"{what} gains {gain.amount} {unit} ({between(gain.low, gain.high)})"
    return f"{gains}: {highest}; {without}"


def recipes_line(recipe: Recipe, found: Mixture) -> str:
    """The line of a caption on the recipes of the cells, the best one written out."""
    best = found.best and mixed(recipe, *found.best)
    return f"Recipe A with each cell's layers and w; the best: {best.label() if best else 'none'}"


def summary(recipe: Recipe, model: str, corpus: str, size: str) -> Summary:
    """The line under a map of recipe A's other steps on the layers and at the w of every cell."""
    name = names.own("a") or name_beside_layers(recipe.replace(mix="none"))
    average = f"Avg. over {REFERENCE.text(recipe.reference)}"
    return Summary("mixing", {"A": f"{name}, layers and w varied, {average}"}, {"A": model}, corpus, size)


def average(engine: Engine, recipe: Recipe) -> str:
    """What Avg. is taken over: ``Avg. over demo-reference, 1,650 texts``."""
    reference = engine.references.of(any_cell(recipe))
    return f"Avg. over {reference.name}, {counted(len(reference.sentences), 'text')}"


def numbers(found: Mixture) -> pd.DataFrame:
    """One row for each cell; its score is in the column of its metric, a mean over several in ``value``."""
    value = found.metrics[0] if len(found.metrics) == 1 else "value"
    rows = [
        (w, layers, found.scores[i, j])
        for i, w in enumerate(found.shares)
        for j, layers in enumerate(found.layers)
    ]
    return pd.DataFrame(rows, columns=["w", "layers", value])
