"""Poolings that keep more of the tokens' distribution, or order, than their mean does."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from jaxtyping import Float

from core.errors import RecipeError, shorten
from core.recipe import POOL
from core.recipe.arguments import Text, Within
from core.stages.pooling.extremes import extremes
from core.stages.pooling.weighted_sum import weighted_sum
from core.tokens.token_batch import Pooled, TokenBatch

LARGEST = 20
"""The largest finite exponent; its mean is close to the largest absolute value already."""

EXPONENTS = {"-inf", "inf", *map(str, range(1, LARGEST + 1))}
"""The exponents, as a recipe writes them."""


@POOL.option(weighted=True, label="p-means")
def pmeans(
    batch: TokenBatch,
    *,
    p: Annotated[str, Text("exponents separated by spaces: -inf, inf or whole numbers from 1 to 20")] = (
        "-inf 1 inf"
    ),
) -> Pooled:
    """Power means of the selected tokens' vectors, one for each exponent, side by side.

    The power mean of exponent p is ``(Σ share · xᵖ)^(1/p)`` in each dimension. A share is that of
    ``pool=mean``: the weight divided by the text's sum of weights, under SIF's and uSIF's by its number of
    words. So 1 gives the weighted mean; ``inf`` gives the largest and ``-inf`` the smallest value of all
    selected tokens, whatever their weights. The root of an odd exponent keeps the sign of the sum; an even
    exponent gives 0 or more. (The authors' code takes the real part of the complex root: where the
    sum of third powers is negative, half the size and the other sign.)

    Parameters
    ----------
    batch
        Texts; one without selected tokens gives 0.
    p
        The exponents, each once, in the order of the result.

    Returns
    -------
    ``[sentence, exponents · dim]``.

    Raises
    ------
    RecipeError
        Other exponents.

    References
    ----------
    Rücklé, Eger, Peyrard & Gurevych 2018, Concatenated Power Mean Word Embeddings as Universal
    Cross-Lingual Sentence Representations, eq. 1.
    """
    return np.concatenate([_power_mean(batch, exponent) for exponent in _exponents(p)], axis=1)


@POOL.option(linear=True, label="DCT", width=lambda arguments, dim: arguments["k"] * dim)
def dct(
    batch: TokenBatch, *, k: Annotated[int, Within(1, 16, "coefficients, from the lowest frequency on")] = 2
) -> Pooled:
    """The first k coefficients of the cosine transform along the selected tokens, side by side.

    Coefficient j of N tokens is ``√(2/N) Σ x_n cos(π j (n + ½) / N)``, the first divided by √2: the
    orthonormal DCT-II in each dimension. Coefficient 0 is √N times the mean, the others say how the
    tokens change from the beginning of a text to its end. A text shorter than k is filled up with zero
    vectors first, as in the paper; so the coefficients are those of k tokens. Weights are not used.

    Parameters
    ----------
    batch
        Texts; one without selected tokens gives 0.
    k
        Coefficients.

    Returns
    -------
    ``[sentence, k · dim]``.

    References
    ----------
    Almarwani, Aldarmaki & Diab 2019, Efficient Sentence Embedding using Discrete Cosine Transform.
    """
    texts = batch.texts
    number = np.bincount(texts, weights=batch.selected, minlength=len(batch.cls))
    before = np.cumsum(number) - number
    place = np.cumsum(batch.selected) - 1 - before[texts]
    length = np.maximum(number, k)[texts]
    parts = []
    for j in range(k):
        scale = np.sqrt((1 if j == 0 else 2) / length)
        wave = scale * np.cos(np.pi * j * (place + 0.5) / length)
        parts.append(weighted_sum(batch, np.where(batch.selected, wave, 0.0)))
    return np.concatenate(parts, axis=1)


def _exponents(text: str) -> list[float]:
    """The exponents that a text writes."""
    words = text.split()
    if not words or len(set(words)) < len(words) or not EXPONENTS.issuperset(words):
        raise RecipeError(
            f"pool=pmeans(p): got {shorten(text)}; allowed are -inf, inf and whole numbers from 1 to "
            f'{LARGEST}, separated by spaces, each once, as in pmeans(p="-inf 1 3 inf").'
        )
    return [float(word) for word in words]


def _power_mean(batch: TokenBatch, exponent: float) -> Pooled:
    """One power mean of each text, ``[sentence, dim]``."""
    if exponent == 1:
        return weighted_sum(batch, batch.shares())
    if math.isinf(exponent):
        return extremes(batch, np.maximum if exponent > 0 else np.minimum)
    kept = batch.states[batch.selected]
    out = np.zeros((len(batch.cls), batch.states.shape[1]), np.float32)
    if len(kept):
        filled, starts = np.unique(batch.texts[batch.selected], return_index=True)
        powers = batch.shares()[batch.selected, None] * kept.astype(np.float64) ** exponent
        out[filled] = _root(np.add.reduceat(powers, starts, axis=0), exponent)
    return out


def _root(values: Float[np.ndarray, "sentence dim"], exponent: float) -> Float[np.ndarray, "sentence dim"]:
    """The real root with the sign of the value."""
    return np.sign(values) * np.abs(values) ** (1 / exponent)
