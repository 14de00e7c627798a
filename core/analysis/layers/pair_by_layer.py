"""How similar sentences are at each layer alone, and where a pair of them stands among all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.analysis.close_pairs import DECIMALS, are_ranked
from core.analysis.comparison import as_corpus, similarity_matrix
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


@dataclass(frozen=True, eq=False)
class BoxByLayer:
    """The similarities of all ``sentences`` at each layer alone, under the other stages of a recipe."""

    sentences: tuple[str, ...]
    layers: tuple[int, ...]
    similarities: Float[np.ndarray, "layer sentence sentence"]

    def pair(self, first: int, second: int) -> PairByLayer:
        """Where a pair stands, by its numbers from 1 on.

        A sentence that was given twice counts once. Raises :class:`CorpusError` for equal sentences.
        """
        one, other = self.sentences[first - 1], self.sentences[second - 1]
        if one == other:
            raise CorpusError("The two sentences are the same: at every layer nothing is closer.")
        i, j = np.triu_indices(len(self.sentences), k=1)
        ranked = are_ranked([self.sentences[k] for k in i], [self.sentences[k] for k in j])
        every = np.round(self.similarities[:, i[ranked], j[ranked]], DECIMALS)
        own = self.similarities[:, first - 1, second - 1]
        low, high = np.percentile(every, (25, 75), axis=1)
        closer = (every > np.round(own, DECIMALS)[:, None]).sum(axis=1)
        return PairByLayer(self.layers, own, 1 + closer, low, high, int(ranked.sum()))


def by_layer(
    engine: Engine, recipe: Recipe, sentences: Sequence[str], progress: Progress = silent
) -> BoxByLayer:
    """Compare all sentences at every layer of the recipe's source.

    Raises
    ------
    CorpusError
        There are fewer than two sentences, or too many.
    RecipeError
        The source has one layer only, or a step cannot be done at one of the layers.
    """
    layers = layered_source(engine, recipe, as_corpus(sentences)).layers
    matrices = []
    for done, layer in enumerate(layers):
        progress(Step("Comparing layer by layer", done, len(layers)))
        matrices.append(similarity_matrix(engine, with_layers(recipe, (layer,)), sentences).values)
    return BoxByLayer(tuple(sentences), tuple(layers), np.stack(matrices))
