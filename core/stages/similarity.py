"""How two sentence vectors are compared: row i of ``u`` with row i of ``v``; higher is closer.

A similarity depends on the two vectors alone, to the bit: not on the other rows, their order, the memory
layout of the arrays, or which vector comes first. Spearman ranks similarities, so pairs that are equally
similar by definition get one number where rounding allows it: vectors of the same tokens in another order
are equal but for the last bits of their sums. That of a vector with a NaN is NaN.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from core.loading import LOADING
from core.recipe import SIMILARITY

Vectors = Float[np.ndarray, "pair dim"]
Similarities = Float[np.ndarray, " pair"]
Numbers = Float[np.ndarray, "*shape"]

_STEP = 2.0**-40
"""What cosines are whole multiples of. Two sums of the same float32 states differ by 1e-7, and the cosine
of two such vectors from 1 by the square of that."""

_EQUAL = 2.0**-20
"""Share of their lengths up to which the distance of two sums of the same float32 states is rounding."""


@SIMILARITY.option(bilinear=True, edition=2)
def cosine(u: Vectors, v: Vectors) -> Similarities:
    """The cosine of the angle, −1 to 1; 0 when either vector is 0."""
    u, v = _rows(u), _rows(v)
    products, norms = _inner(u, v), np.sqrt(_inner(u, u) * _inner(v, v))  # equal vectors give exactly 1
    return in_steps(np.divide(products, norms, out=np.zeros(len(u)), where=norms != 0))


@SIMILARITY.option(bilinear=True)
def dot(u: Vectors, v: Vectors) -> Similarities:
    """The inner product."""
    return _inner(_rows(u), _rows(v))


@SIMILARITY.option(edition=2)
def euclidean(u: Vectors, v: Vectors) -> Similarities:
    """The Euclidean distance, negated."""
    u, v = _rows(u), _rows(v)
    difference = u - v
    return -apart(np.sqrt(_inner(difference, difference)), np.sqrt(_inner(u, u) + _inner(v, v)))


@SIMILARITY.option(edition=2)
def manhattan(u: Vectors, v: Vectors) -> Similarities:
    """The sum of absolute differences, negated."""
    u, v = _rows(u), _rows(v)
    return -apart(np.abs(u - v).sum(axis=1), np.abs(u).sum(axis=1) + np.abs(v).sum(axis=1))


@SIMILARITY.option
def spearman(u: Vectors, v: Vectors) -> Similarities:
    """Spearman's rank correlation of the two vectors over their dimensions, −1 to 1."""
    with LOADING:
        from scipy.stats import rankdata  # it takes as long to load as all else that a recipe needs

    u, v = (2 * rankdata(x, axis=1) - (x.shape[1] + 1) for x in (u, v))  # whole numbers, of mean 0
    products, norms = _inner(u, v), _inner(u, u) * _inner(v, v)
    squares = np.divide(products**2, norms, out=np.zeros(len(u)), where=norms != 0)
    return np.sign(products) * np.sqrt(squares)  # one rounding of one fraction: equal ones stay equal


def in_steps(cosines: Numbers) -> Numbers:
    """Cosines to 12 digits after the point: those that differ by rounding alone become one number."""
    return np.round(cosines / _STEP) * _STEP


def apart(distances: Numbers, lengths: Numbers) -> Numbers:
    """Distances, 0 where they are no more than what rounding leaves of vectors of these lengths."""
    return np.where(distances <= _EQUAL * lengths, 0.0, distances)


def _rows(x: Vectors) -> Vectors:
    """The vectors in float64, row after row in memory: the order of a sum depends on the layout."""
    return np.ascontiguousarray(x, np.float64)


def _inner(u: Vectors, v: Vectors) -> Similarities:
    return np.einsum("ij,ij->i", u, v)
