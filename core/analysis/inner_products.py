"""Similarities of any linear combination of vectors, from their inner products alone.

When a sentence vector is u = Σ a_i u_i, a weighted sum of parts (the pooled vectors of layers, or of
averaged tokens), every inner product of two such vectors is a small quadratic form: u·v = aᵀ C a with
C_ij = u_i·v_j, and u·u = aᵀ U a likewise. One pass over the vectors of a pair then answers for all weights
a, where making the vectors again costs as much for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float, Int

from core.recipe import POOL, WEIGHT, Recipe
from core.stages.similarity import apart, in_steps
from core.threads import at_once
from core.tokens.weight_inputs import Needs

Parts = Sequence[Float[np.ndarray, "sentence dim"]]
Forms = Float[np.ndarray, "cell pair"]

BLOCK_BYTES = 8_000_000
"""Vectors in float64 that are multiplied at once."""

ROUNDING = 1e-13
"""A squared length up to this share of its terms is what rounding leaves of 0."""


def suffice_for(recipe: Recipe) -> bool:
    """Whether every average of layers under a recipe follows from the inner products of single layers."""
    return bool(
        POOL.find(recipe.pool).linear
        and Needs.STATES not in WEIGHT.find(recipe.weight).needs
        and recipe.mix.name == "none"
        and not recipe.post
        and recipe.similarity.name in CLOSED
    )


def similarities(
    parts: Parts,
    first: Int[np.ndarray, " pair"],
    second: Int[np.ndarray, " pair"],
    weights: Float[np.ndarray, "cell part"],
    similarity: str,
) -> Forms:
    """The similarity of each pair under each combination of parts, in float64.

    Parameters
    ----------
    parts
        One matrix per part, all of one width.
    first, second
        The rows of each pair.
    weights
        How much of each part a combination takes; any sign and any sum.
    similarity
        One of :data:`CLOSED`; they mean what :mod:`core.stages.similarity` says.
    """
    closed = CLOSED[similarity]
    pairs, count, dim = len(first), len(parts), parts[0].shape[1]
    outer = np.einsum("cp,cq->cpq", weights, weights).reshape(len(weights), -1)
    found = np.empty((len(weights), pairs))
    size = max(1, BLOCK_BYTES // (2 * 8 * count * dim))

    def fill(start: int) -> None:
        rows = slice(start, start + size)
        u, v = (_stacked(parts, side[rows]) for side in (first, second))
        uv, uu, vv = (_flat(a, b) for a, b in ((u, v), (u, u), (v, v)))
        lengths = [_nonnegative(outer @ own, np.abs(outer) @ np.abs(own)) for own in (uu, vv)]
        found[:, rows] = closed(outer @ uv, *lengths)

    at_once(fill, range(0, pairs, size))
    return found


def _stacked(parts: Parts, rows: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row part dim"]:
    stacked = np.empty((len(rows), len(parts), parts[0].shape[1]))
    for i, part in enumerate(parts):
        stacked[:, i] = part[rows]
    return stacked


def _flat(u: np.ndarray, v: np.ndarray) -> Float[np.ndarray, "products pair"]:
    """Inner products of all parts of ``u`` with all of ``v``, one column for each pair."""
    return np.ascontiguousarray((u @ v.transpose(0, 2, 1)).reshape(len(u), -1).T)


def _nonnegative(squares: Forms, terms: Forms) -> Forms:
    """Squared lengths without what rounding leaves of 0; ``terms`` is the sum of their sizes."""
    return np.where(squares > ROUNDING * terms, squares, 0.0)


def _cosine(uv: Forms, uu: Forms, vv: Forms) -> Forms:
    norms = np.sqrt(uu) * np.sqrt(vv)
    return in_steps(np.divide(uv, norms, out=np.zeros_like(uv), where=norms > 0))


def _dot(uv: Forms, uu: Forms, vv: Forms) -> Forms:
    return uv


def _euclidean(uv: Forms, uu: Forms, vv: Forms) -> Forms:
    return -apart(np.sqrt(np.maximum(uu + vv - 2 * uv, 0)), np.sqrt(uu + vv))


CLOSED: dict[str, Callable[[Forms, Forms, Forms], Forms]] = {
    "cosine": _cosine,
    "dot": _dot,
    "euclidean": _euclidean,
}
"""Similarities that follow from inner products."""
