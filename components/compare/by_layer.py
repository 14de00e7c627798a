"""The chosen pair layer by layer, on the page Compare: which layer tells it from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from components import figure_frame, job, provenance, state, theme, works
from components.compare import heatmaps
from components.figure_frame import Framed
from components.figures.layers import Curve, curves, layer_name
from components.figures.similarities import UP_TO_1, name, shown
from components.wording import listed
from core.analysis.close_pairs import Pair
from core.analysis.comparison import SimilarityMatrix, as_corpus
from core.analysis.layers.pair_by_layer import PairByLayer, by_layer
from core.pipeline.engine import Engine

NAMED = 2
"""Layers of one rank that a headline names."""

HEIGHT = 300
"""Pixels of the figure."""


def show(
    engine: Engine, sentences: Sequence[str], pair: Pair, matrices: Mapping[str, SimilarityMatrix]
) -> None:
    """The pair's similarity at each layer under A and B, before the middle half of all pairs.

    Of a recipe whose similarity is another than that of the first there is no line, nor of a source
    without layers; nor has a sentence with itself any.
    """
    units = {side: matrix.recipe.spelled()["similarity"] for side, matrix in matrices.items()}
    unit = next(iter(units.values()), "")
    layered = {
        side: matrix
        for side, matrix in matrices.items()
        if units[side] == unit and len(matrix.source.layers) > 1
    }
    found = {} if pair.sentences[0] == pair.sentences[1] else _read(engine, sentences, pair, layered)
    if not found:
        return
    look = theme.of(state.theme_name())
    title = finding(found, unit)
    drawn = {side: matrices[side] for side in found}
    what = f"sentences {pair.first} and {pair.second} of {len(sentences)}"
    figure_frame.show(
        Framed(
            key="pair-by-layer",
            title=title,
            figure=curves(
                [
                    Curve(side, look.side(side), one.similarity, ground=(one.low, one.high))
                    for side, one in found.items()
                ],
                _ticks(found),
                look,
                x_title="layer",
                y_title=name(unit).lower(),
                bounds=_bounds(found, unit),
                height=HEIGHT,
            ),
            caption=(
                *(
                    f"{provenance.recipe_line(side, one.recipe)}, at each layer alone"
                    for side, one in drawn.items()
                ),
                provenance.models({side: matrix.source for side, matrix in drawn.items()}),
                f"{what}. Band: the middle half of all pairs of different sentences",
            ),
            summary=heatmaps.summary(drawn, what),
            alt=f"Similarity by layer, {what}. {title}",
            numbers=lambda: numbers(found),
        )
    )


def _read(
    engine: Engine, sentences: Sequence[str], pair: Pair, matrices: Mapping[str, SimilarityMatrix]
) -> dict[str, PairByLayer]:
    """What is there under each recipe; why one has nothing is told."""
    corpus, texts = as_corpus(sentences), tuple(sentences)
    wanted = {}
    for side, matrix in matrices.items():
        recipe = matrix.recipe.replace(layers="last")  # its own layers change nothing
        compute = partial(by_layer, engine, recipe, texts)
        what = f"Sentences by layer under {side}"
        wanted[side] = works.recipe_work("box by layer", what, engine, recipe, corpus, compute, texts)
    boxes = job.available(job.show_each(wanted, key="pair.layers"))
    return {side: box.pair(pair.first, pair.second) for side, box in boxes.items()}


def finding(found: Mapping[str, PairByLayer], unit: str) -> str:
    """Where the pair is closest and furthest among all pairs under each recipe, by its rank."""
    pairs = next(iter(found.values())).pairs
    if pairs == 1:
        what = f"{name(unit)} of the pair by layer"
        written = partial(shown, similarity=unit)
        sides = {side: _from_to(one.similarity, one, written) for side, one in found.items()}
    else:
        what = f"Rank of the pair by {name(unit).lower()}, 1 is the closest of {pairs:,}"
        sides = {side: _from_to(one.rank, one, "{:,}".format) for side, one in found.items()}
    return f"{what}: {'; '.join(f'{side} {words}' for side, words in sides.items())}"


def _from_to(values: np.ndarray, of: PairByLayer, written: Callable[[float], str]) -> str:
    """``2 (layer 1) to 14 (layers 5 and 6)``, or one value that all layers have."""
    least, most = values.min(), values.max()
    if written(least) == written(most):
        return f"{written(least)} at every layer"
    ends = (f"{written(one)} ({_where(values, one, of.layers)})" for one in (least, most))
    return " to ".join(ends)


def _where(values: np.ndarray, value: float, layers: Sequence[int]) -> str:
    """The layers that have a value, by their names where they are few."""
    there = [layer for layer, one in zip(layers, values, strict=True) if one == value]
    if len(there) > NAMED:
        return f"{len(there)} layers"
    numbers = [layer_name(layer) for layer in there if layer >= 0]
    said = ["static"] * (-1 in there)
    if numbers:
        said.append(f"layer{'s' * (len(numbers) > 1)} {listed(numbers)}")
    return listed(said)


def _ticks(found: Mapping[str, PairByLayer]) -> list[str]:
    """The names of the layers of the deepest model; all begin with the same one."""
    deepest = max((one.layers for one in found.values()), key=len)
    return [layer_name(layer) for layer in deepest]


def _bounds(found: Mapping[str, PairByLayer], unit: str) -> tuple[float, float]:
    """The vertical axis: all that is drawn; a cosine up to 1."""
    low = min(min(one.similarity.min(), one.low.min()) for one in found.values())
    high = max(max(one.similarity.max(), one.high.max()) for one in found.values())
    return (min(0.0, float(low)), 1.0) if unit in UP_TO_1 else (float(low), float(high))


def numbers(found: Mapping[str, PairByLayer]) -> pd.DataFrame:
    """One row for each layer of each recipe; the quartiles are of all pairs of different sentences."""
    return pd.concat(
        pd.DataFrame(
            {
                "recipe": side,
                "layer": [layer_name(layer) for layer in one.layers],
                "similarity": one.similarity,
                "rank": one.rank,
                "of pairs": one.pairs,
                "lower quartile": one.low,
                "upper quartile": one.high,
            }
        )
        for side, one in found.items()
    )
