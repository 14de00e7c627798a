"""The similarities of a corpus' pairs under averages of layers.

Where averaging layers and pooling tokens commute, all combinations follow from one reading of the pass and
the inner products of its layers (:mod:`core.analysis.inner_products`); else the engine runs every
combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from jaxtyping import Float

from core.analysis import inner_products
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, Step, one_at_a_time, silent
from core.recipe import Recipe
from core.stages.layers import by_number
from core.threads import at_once

Cell = tuple[int, ...]
"""Layers that are averaged."""


def with_layers(recipe: Recipe, layers: Cell) -> Recipe:
    """``recipe`` with the average of these layers in place of its own."""
    return recipe.replace(layers=by_number(layers))


def similarities(
    engine: Engine, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress = silent
) -> Iterator[Float[np.ndarray, " pair"]]:
    """The similarities of the corpus' pairs under the average of each set of layers, set by set.

    Raises :class:`RecipeError` when the recipe cannot be followed, or averages layers of two widths.
    """
    if inner_products.suffice_for(recipe):
        yield from _from_products(engine, recipe, corpus, cells, progress)
        return
    done, tell = count(), one_at_a_time(progress)

    def compare(cell: Cell) -> Float[np.ndarray, " pair"]:
        tell(Step("Scoring sets of layers", next(done), len(cells)))
        return engine.similarities(with_layers(recipe, cell), corpus, tell)[0]

    yield from at_once(compare, cells)


def _from_products(
    engine: Engine, recipe: Recipe, corpus: Corpus, cells: Sequence[Cell], progress: Progress
) -> Iterator[Float[np.ndarray, " pair"]]:
    layers = sorted({i for cell in cells for i in cell})
    pooled = {i: engine.embed(with_layers(recipe, (i,)), corpus, progress).vectors for i in layers}
    width = pooled[layers[-1]].shape[1]
    parts = [i for i in layers if pooled[i].shape[1] == width]
    combined = [cell for cell in cells if set(cell) <= set(parts)]
    weights = np.zeros((len(combined), len(parts)))
    for row, cell in zip(weights, combined, strict=True):
        row[[parts.index(i) for i in cell]] = 1 / len(cell)
    rows = iter(
        inner_products.similarities(
            [pooled[i] for i in parts], corpus.first, corpus.second, weights, recipe.similarity.name
        )
    )
    for cell in cells:  # static rows of another width are combined with no other layer
        yield (
            next(rows)
            if set(cell) <= set(parts)
            else engine.similarities(with_layers(recipe, cell), corpus, progress)[0]
        )
