"""How much each token moves the similarity of two sentences: what it loses without that token.

For recipes whose similarity is no sum over tokens (the largest value of each dimension, quantiles, groups
of words). The model still reads the whole sentence: a token that is left out takes no part in pooling. The
effects of single tokens do not add up to the similarity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.analysis.why.contributions import TokenPlaces
from core.analysis.why.parts import halves_of, texts_of, undecomposed
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.pipeline.one_text import OneText
from core.progress import Progress, silent
from core.recipe import SIMILARITY, Recipe
from core.tokens.token_batch import TokenBatch

NUMBERS = 1 << 22
"""Numbers of the states that are pooled at once (16 MB)."""

Vectors = Float[np.ndarray, "variant dim"]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """What the similarity of two sentences loses when one token is left out.

    Attributes
    ----------
    reason
        The choice under which the similarity is no sum over tokens, as ``stage=value``.
    similarity
        That of the whole sentences.
    one, other
        The tokens of either sentence that take part.
    first_effects, second_effects
        For each of these, the similarity less what it is without the token; below 0 where the sentences
        are closer without it. The only token of a sentence has the whole similarity.
    """

    reason: str
    similarity: float
    one: TokenPlaces
    other: TokenPlaces
    first_effects: Float[np.ndarray, " first"]
    second_effects: Float[np.ndarray, " second"]

    def strongest(self, count: int) -> list[tuple[str, float]]:
        """The tokens that move the similarity most to either side, with how much."""
        effects = np.concatenate([self.first_effects, self.second_effects])
        forms = (*self.one.surface_forms, *self.other.surface_forms)
        order = np.argsort(-np.abs(effects), kind="stable")[:count]
        return [(forms[i], float(effects[i])) for i in order]


def left_out(
    engine: Engine, recipe: Recipe, corpus: Corpus, pair: tuple[int, int], progress: Progress = silent
) -> LeftOut:
    """What the similarity of two sentences of a corpus, by position, loses without each token.

    Raises
    ------
    RecipeError
        A sentence has no token.
    TooFewSentencesError
        A step would learn from too few sentences.
    """
    vectors_of = without(engine, recipe, corpus, progress)
    by_half = [texts_of(engine, half, corpus, pair, progress) for half, _ in halves_of(recipe)]
    sides: list[tuple[TokenPlaces, Vectors]] = []
    for texts in zip(*by_half, strict=True):
        places = np.flatnonzero(texts[0].batch.selected)
        named = TokenPlaces(texts[0].surface_forms, tuple(places.tolist()))
        sides.append((named, vectors_of(texts, list(places[:, None]))))
    (one, u), (other, v) = sides
    compare = SIMILARITY.bind(recipe.similarity)
    similarity = float(compare(u[:1], v[:1])[0])
    effects = [
        similarity - compare(*pair_of) if len(places.places) > 1 else np.full(1, similarity)
        for places, pair_of in (
            (one, (u[1:], np.repeat(v[:1], len(u) - 1, axis=0))),
            (other, (np.repeat(u[:1], len(v) - 1, axis=0), v[1:])),
        )
    ]
    return LeftOut(undecomposed(recipe), similarity, one, other, effects[0], effects[1])


def without(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress
) -> Callable[[Sequence[OneText], Sequence[Int[np.ndarray, ...]]], Vectors]:
    """A function that gives the vector of a text, then of the same without the tokens at some places each.

    It takes the text once for each half of the recipe (:func:`~core.analysis.why.parts.halves_of`).
    """
    steps, halves = engine.fitted_steps(recipe, corpus, progress), halves_of(recipe)
    pools = [(engine.fitted_pooling(half, corpus, progress), np.float32(factor)) for half, factor in halves]

    def vectors_of(texts: Sequence[OneText], left_out: Sequence[Int[np.ndarray, ...]]) -> Vectors:
        vectors: np.ndarray = np.zeros((), np.float32)
        for text, (pool, factor) in zip(texts, pools, strict=True):
            pooled = np.concatenate([pool(some) for some in variants(text.batch, left_out)])
            vectors = vectors + pooled * factor
        for step in steps:
            vectors = np.asarray(step.transform(vectors), np.float32)
        return vectors

    return vectors_of


def variants(batch: TokenBatch, left_out: Sequence[Int[np.ndarray, ...]]) -> Iterator[TokenBatch]:
    """One text, then the same without the tokens at some places, for each of these; in batches.

    Where all that are left weigh 0, they weigh the same, as in a text of them alone.
    """
    tokens, dim = batch.states.shape
    size = max(1, NUMBERS // max(tokens * dim, 1))
    kept = np.ones((1 + len(left_out), tokens), bool)
    for row, places in enumerate(left_out, 1):
        kept[row, places] = False
    for start in range(0, len(kept), size):
        some = kept[start : start + size] & batch.selected
        weights = np.where(some, batch.weights, 0.0)
        weights = np.where(weights.any(axis=1, keepdims=True), weights, some)
        count = len(some)
        yield TokenBatch(
            np.tile(batch.states, (count, 1)),
            weights.ravel(),
            some.ravel(),
            np.tile(batch.cls, count),
            np.arange(count + 1) * tokens,
            np.tile(batch.ids, count),
            np.tile(batch.repeats, count),
            None if batch.units is None else np.tile(batch.units, count),
        )
