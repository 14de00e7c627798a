"""Scores by layer on the page Layers, under recipe A and under B."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from components import figure_frame, provenance, state, theme
from components.exports.meanings import FROM
from components.figure_frame import Framed
from components.figures.layer_scores import LayerCurve, place_names, scores_by_layer, ticks
from components.layers import chosen_layers
from components.layers.score_captions import caption, summary
from components.wording import UNIT, better_by, listed, plus_minus, upper_first, with_interval
from core.analysis.layers.layer_scores import ByLayer, best_of_each, difference_at
from core.analysis.layers.layer_similarities import Cell
from core.corpora.corpus import Corpus
from core.errors import they
from core.evaluation.difference import NO_DIFFERENCE
from core.evaluation.sts import FEW_PAIRS
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe

ALIKE = 0.05
"""Points by which scores differ that are the same in the digits shown."""

NAMES = 56
"""Characters of a recipe's name in the key."""


def show(
    engine: Engine,
    recipes: Mapping[str, Recipe],
    corpus: Corpus,
    found: Mapping[str, ByLayer],
    cell: Cell,
) -> None:
    """Each layer alone, and first + last, with intervals, by side."""
    drawn = {side: recipes[side] for side in found}
    named = provenance.sides_named(drawn, NAMES)
    title, look = finding(found, len(corpus)), theme.of(state.theme_name())
    layers = ticks([*found.values()])

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            at, a = round(points[0]["x"]), found["A"]
            place = a.places[-1] if at == len(layers) else (layers[at],)
            if place in a.places:  # recipe A takes no layer that B's model alone has
                chosen_layers.choose(place)

    marks = [
        "Bars: 95 % intervals over pairs" * (len(corpus) >= FEW_PAIRS),
        "Dashed: first+last" * (len(found) == 1),
    ]
    figure_frame.show(
        Framed(
            key="layer.curve",
            title=title,
            figure=scores_by_layer(
                [LayerCurve(named[side], look.side(side), one) for side, one in found.items()], look, cell
            ),
            caption=caption(engine, drawn, corpus, ". ".join(filter(None, marks))),
            summary=summary(engine, drawn, corpus),
            alt=title,
            numbers=lambda: numbers(found),
            above=400,
            hint="A click on a layer chooses it.",
            on_select=take,
        )
    )


def finding(found: Mapping[str, ByLayer], pairs: int | None = None) -> str:
    """Which layer scores highest, in one sentence; ``pairs`` are told where they are too few."""
    if len(found) == 1:
        return finding_of_one(*found.values(), pairs)
    sides = [f"{side} {_highest(one, pairs)}" for side, one in found.items()]
    gain = best_of_each(found["A"], found["B"])
    difference = f"; {better_by(gain)}" if gain.known else ""
    return f"Highest {UNIT} by layer: {', '.join(sides)}{difference}"


def _highest(found: ByLayer, pairs: int | None) -> str:
    """``46.0 ± 6.3 (layer 6)``: the highest score of a side, and where it is."""
    names, scores, low, high = _columns(found)
    if np.isnan(scores).all():
        return "no score"
    best = int(np.nanargmax(scores))
    said = plus_minus(scores[best], low[best], high[best], pairs)
    return f"{said} ({'all layers' if _alike(scores) else _named(_first(names, scores))})"


def _columns(found: ByLayer) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names, scores, and lower and upper ends of intervals, of each layer and of first + last."""
    low, high = (np.append(of, found.first_last[i]) for i, of in ((1, found.low), (2, found.high)))
    return place_names(found.layers), found.scores, low, high


def _first(names: Sequence[str], scores: np.ndarray) -> list[str]:
    """The names of all that score highest."""
    return [name for name, score in zip(names, scores, strict=True) if score == np.nanmax(scores)]


def finding_of_one(found: ByLayer, pairs: int | None = None) -> str:
    """Which layer of recipe A scores highest, and to which others no difference is shown."""
    if found.best is None:
        return "No layer has a score under recipe A: all similarities are equal"
    names, values, low, high = _columns(found)
    best = int(np.nanargmax(values))
    if _alike(values):
        one = values[best]
        bounded = np.isfinite([low[best], high[best]]).all()
        said = fixed(one) if bounded else plus_minus(one, np.nan, np.nan, pairs)
        return f"All layers score alike: {UNIT} = {said}"
    said, first = plus_minus(values[best], low[best], high[best], pairs), _first(names, values)
    words = f"{upper_first(_named(first))} {they(len(first), 'score')} highest: {UNIT} = {said}"
    last = len(found.layers) - 1
    if best != last and found.differences[last].shown:
        words += f"; the last layer {fixed(values[last])} ({with_interval(found.differences[last])})"
    alike = [
        name
        for name, difference in zip(names, found.differences, strict=True)
        if name not in first and difference.known and not difference.shown
    ]
    return f"{words}; no difference shown to {_named(alike)}" if alike else words


def _alike(scores: np.ndarray) -> bool:
    """Whether all scores, of which there are several, are the same in the digits shown."""
    known = scores[np.isfinite(scores)]
    return len(known) > 1 and bool(np.ptp(known) < ALIKE)


def _named(names: Sequence[str]) -> str:
    """Layers in one list: ``layers 4, 5 and first+last``."""
    layers = [name.removeprefix("layer ") for name in names if name.startswith("layer ")]
    if len(layers) < 2:
        return listed(names)
    return f"layers {listed([*layers, *names[len(layers) :]])}"


def numbers(found: Mapping[str, ByLayer]) -> pd.DataFrame:
    """One row for each layer, and one for first + last; of two recipes by side, B's with what it gains."""
    if len(found) == 1:
        return _table(*found.values())
    a, b = found.values()
    table = pd.concat([_table(one).assign(recipe=side) for side, one in found.items()], ignore_index=True)
    own, others = place_names(b.layers), place_names(a.layers)
    gains = [
        difference_at(a, others.index(name), b, at) if name in others else NO_DIFFERENCE
        for at, name in enumerate(own)
    ]
    column = f"spearman{FROM}A"
    for name, bound in ((column, "value"), (f"{column}, low", "low"), (f"{column}, high", "high")):
        table[name] = [np.nan] * len(others) + [getattr(gain, bound) for gain in gains]
    return table[["recipe", *(name for name in table if name != "recipe")]]


def _table(found: ByLayer) -> pd.DataFrame:
    names, *columns = _columns(found)
    layers = [name.removeprefix("layer ") for name in names]
    return pd.DataFrame(dict(zip(("layer", "spearman", "low", "high"), (layers, *columns), strict=True)))
