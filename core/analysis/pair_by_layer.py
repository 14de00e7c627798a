"""A pair of sentences among all others of a box, layer by layer: its similarity, and its rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.analysis.comparison import as_corpus, pair_table, similarity_matrix
from core.analysis.layered_source import layered_source
from core.analysis.layers.layer_similarities import with_layers
from core.errors import CorpusError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe


@dataclass(frozen=True, eq=False)
class PairByLayer:
    """A pair at each layer alone, under the other stages of a recipe.

    ``layers`` are ascending, -1 is the static rows. ``rank`` is 1 for the most similar of ``pairs``, all
    pairs of different sentences, half of which lie from ``low`` to ``high`` (quartiles).
    """

    layers: tuple[int, ...]
    similarity: Float[np.ndarray, " layer"]
    rank: Int[np.ndarray, " layer"]
    low: Float[np.ndarray, " layer"]
    high: Float[np.ndarray, " layer"]
    pairs: int


def by_layer(
    engine: Engine,
    recipe: Recipe,
    sentences: Sequence[str],
    pair: tuple[int, int],
    progress: Progress = silent,
) -> PairByLayer:
    """The ``pair``, as two ascending numbers from 1 on, at every layer of the recipe's source.

    Raises
    ------
    CorpusError
        Both sentences are the same, or there are fewer than two or too many.
    RecipeError
        The source has one layer only, or a step cannot be done at one of the layers.
    """
    first, second = pair
    if sentences[first - 1] == sentences[second - 1]:
        raise CorpusError("The two sentences are the same: at every layer their similarity is the highest.")
    layers = layered_source(engine, recipe, as_corpus(sentences)).layers
    rows = []
    for done, layer in enumerate(layers):
        progress(Step("Comparing layer by layer", done, len(layers)))
        table = pair_table(sentences, similarity_matrix(engine, with_layers(recipe, (layer,)), sentences))
        ranked = table[table["rank A"].notna()]
        own = ranked[(ranked["first"] == first) & (ranked["second"] == second)].iloc[0]
        rows.append((own["A"], own["rank A"], *np.percentile(ranked["A"], (25, 75)), len(ranked)))
    similarity, rank, low, high, pairs = map(np.array, zip(*rows, strict=True))
    return PairByLayer(tuple(layers), similarity.astype(float), rank.astype(int), low, high, int(pairs[0]))
