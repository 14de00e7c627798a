"""The similarity of two sentences as a sum over pairs of tokens, and over pairs of layers.

Where sentence vectors are sums of parts (:mod:`core.analysis.why.parts`), u = Σ u_i and v = Σ v_j, their
cosine is exactly Σ_ij u_i·v_j / (|u| |v|), and the inner product the same without the lengths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.analysis.why.parts import TextParts, parts_of, undecomposed
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import SIMILARITY, Recipe
from core.recipe.options import CompareVectors


@dataclass(frozen=True, eq=False)
class TokenPlaces:
    """The tokens of a sentence that something is said of, among all its tokens.

    ``all`` are the surface forms of the whole sentence, ``places`` those of them that are meant.
    """

    all: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def surface_forms(self) -> tuple[str, ...]:
        """The tokens that are meant."""
        return tuple(self.all[place] for place in self.places)


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each pair of tokens contributes to the similarity of two sentences.

    Attributes
    ----------
    one, other
        The tokens of either sentence that have a part in its vector.
    values
        A row for each token of the first sentence, a column for each of the second; they sum to the
        similarity.
    layers
        The numbers of the layers that are averaged; empty where layers are not.
    by_layer
        A row for each layer of the first sentence, a column for each of the second; they sum to the
        similarity too. The diagonal is what a layer has with itself.
    """

    one: TokenPlaces
    other: TokenPlaces
    values: Float[np.ndarray, "first second"]
    layers: tuple[int, ...] = ()
    by_layer: Float[np.ndarray, "layer layer"] | None = None

    @property
    def first(self) -> tuple[str, ...]:
        """The tokens of the rows."""
        return self.one.surface_forms

    @property
    def second(self) -> tuple[str, ...]:
        """The tokens of the columns."""
        return self.other.surface_forms

    @property
    def similarity(self) -> float:
        """The sum of all contributions."""
        return float(self.values.sum())

    @property
    def cross_terms(self) -> float:
        """The part of the similarity that is between different layers."""
        if self.by_layer is None:
            return 0.0
        return float(self.by_layer.sum() - np.trace(self.by_layer))

    def strongest(self, count: int) -> list[tuple[str, str, float]]:
        """The pairs of tokens that contribute most to either side of 0, with what they contribute."""
        order = np.argsort(-np.abs(self.values), axis=None, kind="stable")[:count]
        places = zip(*np.unravel_index(order, self.values.shape), strict=True)
        return [(self.first[i], self.second[j], float(self.values[i, j])) for i, j in places]


def refuse(recipe: Recipe) -> None:
    """Raise :class:`RecipeError` for a recipe whose similarities are no sums over pairs of tokens."""
    if option := undecomposed(recipe):
        raise RecipeError(f"Under {option} the similarity of two sentences is no sum over pairs of tokens.")


def contributions(
    engine: Engine, recipe: Recipe, corpus: Corpus, pair: tuple[int, int], progress: Progress = silent
) -> Contributions:
    """What each pair of tokens contributes to the similarity of two sentences of a corpus, by position.

    Raises
    ------
    RecipeError
        The recipe's similarities do not decompose, or a sentence has no token.
    TooFewSentencesError
        A post-processing step would learn from too few sentences.
    """
    refuse(recipe)
    first, second = parts_of(engine, recipe, corpus, pair, progress)
    compare = SIMILARITY.bind(recipe.similarity)
    factor = _factor(first.by_token.sum(axis=0), compare) * _factor(second.by_token.sum(axis=0), compare)
    layers = engine.weighted_states(recipe, corpus, progress).fusion.layers
    averaged = len(layers) == len(first.by_layer)
    return Contributions(
        _places(first),
        _places(second),
        first.by_token @ second.by_token.T * factor,
        layers if averaged else (),
        first.by_layer @ second.by_layer.T * factor if averaged else None,
    )


def change(before: Contributions, after: Contributions) -> Contributions | None:
    """What each pair of tokens contributes under one recipe more than under another.

    A token without a part under one of the two counts 0 there. None where the recipes cut the sentences
    into different tokens: then no cell is the same pair.
    """
    if (before.one.all, before.other.all) != (after.one.all, after.other.all):
        return None
    rows = sorted({*before.one.places, *after.one.places})
    columns = sorted({*before.other.places, *after.other.places})
    values = np.zeros((len(rows), len(columns)))
    for found, sign in ((before, -1), (after, 1)):
        at = np.ix_(np.searchsorted(rows, found.one.places), np.searchsorted(columns, found.other.places))
        values[at] += sign * found.values
    return Contributions(
        TokenPlaces(after.one.all, tuple(rows)), TokenPlaces(after.other.all, tuple(columns)), values
    )


def spread(found: Contributions, over: Contributions) -> Contributions:
    """Contributions in the rows and columns of ``over``, which has all their tokens; NaN for the others."""
    values = np.full(over.values.shape, np.nan)
    rows = np.searchsorted(over.one.places, found.one.places)
    columns = np.searchsorted(over.other.places, found.other.places)
    values[np.ix_(rows, columns)] = found.values
    return Contributions(over.one, over.other, values)


def _factor(vector: Float[np.ndarray, " column"], compare: CompareVectors) -> float:
    """What a bilinear similarity multiplies a vector by before the inner product; 1 / |u| for a cosine."""
    square = float(vector @ vector)
    return float(np.sqrt(compare(vector[None], vector[None])[0] / square)) if square > 0 else 0.0


def _places(parts: TextParts) -> TokenPlaces:
    return TokenPlaces(parts.surface_forms, tuple(parts.places.tolist()))
