"""Sentence vectors as sums of parts, one for each token, or one for each layer.

A linear pooling makes u = Σ c_i x_i of the token states x_i. An affine post-processing step v ↦ v L + b
keeps it a sum: each part becomes (c_i x_i) L + s_i b, where the shares s_i sum to 1; scaling multiplies all
parts by one number. With layers averaged, x_i is itself a sum over layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from core.corpora.corpus import Corpus
from core.errors import RecipeError, shorten
from core.pipeline.engine import Engine
from core.pipeline.one_text import OneText, of_texts
from core.progress import Progress
from core.recipe import MIX, POOL, POST, SIMILARITY, Recipe
from core.recipe.options import Choice, PoolTokens, Transformer
from core.stages.mix import Mixed, averaged_half
from core.tokens.token_batch import TokenBatch

Parts = Float[np.ndarray, "part column"]


@dataclass(frozen=True, eq=False)
class TextParts:
    """The finished vector of one text as a sum.

    Attributes
    ----------
    surface_forms
        Every token of the text.
    places
        The tokens that have a part.
    by_token
        The part of each of these; they sum to the vector.
    by_layer
        The part of each layer; they sum to the vector too. A single one where layers are not averaged.
    """

    surface_forms: tuple[str, ...]
    places: Int[np.ndarray, " token"]
    by_token: Float[np.ndarray, "token column"]
    by_layer: Float[np.ndarray, "layer column"]


def undecomposed(recipe: Recipe) -> str:
    """The first choice under which similarities are no sums over pairs of tokens, as ``stage=value``.

    Empty where they are: with a linear pooling, affine or scaling post-processing, and a similarity that is
    an inner product. The registry says which options are.
    """
    for choice in recipe.post:
        step = POST.find(choice)
        if not (step.affine or step.scaling):
            return f"{POST.name}={choice.name}"
    if not POOL.find(recipe.pool).linear:
        return f"{POOL.name}={recipe.pool.name}"
    if recipe.mix != Choice("none") and not isinstance(MIX.bind(recipe.mix)(), Mixed):
        return f"{MIX.name}={recipe.mix.name}"
    if not SIMILARITY.find(recipe.similarity).bilinear:
        return f"{SIMILARITY.name}={recipe.similarity.name}"
    return ""


def halves_of(recipe: Recipe) -> list[tuple[Recipe, float]]:
    """The recipes whose pooled vectors are added up before post-processing, each with its factor."""
    mixed, half = MIX.bind(recipe.mix)(), averaged_half(recipe)
    if half is None or not isinstance(mixed, Mixed):
        return [(recipe, 1.0)]
    w = np.float32(mixed.w)
    return [(replace(recipe, mix=Choice("none")), float(1 - w)), (half, float(w))]


def texts_of(
    engine: Engine, recipe: Recipe, corpus: Corpus, positions: Sequence[int], progress: Progress
) -> list[OneText]:
    """The weighted tokens of some texts of a corpus, by position.

    Raises :class:`RecipeError` for a text without tokens.
    """
    found = of_texts(engine.weighted_states(recipe, corpus, progress), positions, progress)
    for position in positions:
        if position not in found:
            raise RecipeError(
                f"The sentence {shorten(corpus.sentences[position])} has no token that counts; write "
                "another, or take tokens=all."
            )
    return [found[position] for position in positions]


def parts_of(
    engine: Engine, recipe: Recipe, corpus: Corpus, positions: Sequence[int], progress: Progress
) -> list[TextParts]:
    """The finished vectors of some texts of a corpus, each as a sum of parts, in float64.

    The recipe must decompose (:func:`undecomposed`).

    Raises
    ------
    RecipeError
        A text has no token.
    TooFewSentencesError
        A post-processing step would learn from too few sentences.
    """
    steps = engine.fitted_steps(recipe, corpus, progress)
    halves = halves_of(recipe)
    by_half = [texts_of(engine, half, corpus, positions, progress) for half, _ in halves]
    pool: PoolTokens = POOL.bind(recipe.pool)
    found = []
    for texts in zip(*by_half, strict=True):
        tokens, layers, size = np.zeros(()), np.zeros(()), np.zeros(())
        for text, (_, factor) in zip(texts, halves, strict=True):
            coefficients = factor * pooling_coefficients(pool, text.batch)
            size = size + np.abs(coefficients).sum(axis=0)
            states = text.layers.mean(axis=0, dtype=np.float64)  # as exact as the sum over layers
            tokens = tokens + _weighted(coefficients, states[None])[0]
            layers = layers + _summed(coefficients, text.layers) / len(text.layers)
        places = np.flatnonzero(size > 0)
        shares = size[places] / size[places].sum()
        equal = np.full(len(layers), 1 / len(layers))
        found.append(
            TextParts(
                texts[0].surface_forms,
                places,
                _post_processed(tokens[places], shares, recipe, steps),
                _post_processed(layers, equal, recipe, steps),
            )
        )
    return found


def pooling_coefficients(pool: PoolTokens, batch: TokenBatch) -> Float[np.ndarray, "block token"]:
    """What a linear pooling multiplies each token's state by, for a batch of one text.

    A pooling that puts several vectors side by side has a block for each. They are what it makes of unit
    vectors: it treats every dimension alike.
    """
    tokens = len(batch.weights)
    pooled = pool(replace(batch, states=np.eye(tokens, dtype=np.float32)))
    return pooled.reshape(-1, tokens).astype(np.float64)


def _weighted(
    coefficients: Float[np.ndarray, "block token"], states: Float[np.ndarray, "layer token dim"]
) -> Float[np.ndarray, "layer token column"]:
    """States times their coefficients, the blocks side by side."""
    blocks = coefficients[:, None, :, None] * states.astype(np.float64)[None]
    return np.concatenate(list(blocks), axis=2)


def _summed(
    coefficients: Float[np.ndarray, "block token"], states: Float[np.ndarray, "layer token dim"]
) -> Float[np.ndarray, "layer column"]:
    """The weighted sum over tokens in each layer, the blocks side by side."""
    summed = np.einsum("bt,ltd->lbd", coefficients, states.astype(np.float64))
    return summed.reshape(len(states), -1)


def _post_processed(
    parts: Parts, shares: Float[np.ndarray, " part"], recipe: Recipe, steps: Sequence[Transformer]
) -> Float[np.ndarray, "part finished"]:
    """The parts after post-processing; constants are given out by the shares, which sum to 1."""
    for choice, step in zip(recipe.post, steps, strict=True):
        if POST.find(choice).scaling:
            whole = parts.sum(axis=0)
            square = float(whole @ whole)
            parts = parts * (float(step.transform(whole[None])[0] @ whole) / square if square > 0 else 1.0)
            continue
        origin = np.asarray(step.transform(np.zeros((1, parts.shape[1]))), np.float64)
        parts = np.asarray(step.transform(parts), np.float64) - origin + shares[:, None] * origin
    return parts
