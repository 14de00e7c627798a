"""How two sentence vectors are compared: row i of ``u`` with row i of ``v``; higher is closer.

A similarity depends on the two vectors alone, to the bit: not on the other rows, their order, the memory
layout of the arrays, or which vector comes first. Spearman ranks similarities, so pairs that are equally
similar by definition get one number where float64 allows it. That of a vector with a NaN is NaN.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from scipy.stats import rankdata

from core.recipe import SIMILARITY

Vectors = Float[np.ndarray, "pair dim"]
Similarities = Float[np.ndarray, " pair"]


@SIMILARITY.option(bilinear=True)
def cosine(u: Vectors, v: Vectors) -> Similarities:
    """The cosine of the angle, -1 to 1; 0 when either vector is 0."""
    u, v = _rows(u), _rows(v)
    products, norms = _inner(u, v), np.sqrt(_inner(u, u) * _inner(v, v))  # equal vectors give exactly 1
    return np.divide(products, norms, out=np.zeros(len(u)), where=norms != 0)


@SIMILARITY.option(bilinear=True)
def dot(u: Vectors, v: Vectors) -> Similarities:
    """The inner product."""
    return _inner(_rows(u), _rows(v))


@SIMILARITY.option
def euclidean(u: Vectors, v: Vectors) -> Similarities:
    """The Euclidean distance, negated."""
    difference = _rows(u) - _rows(v)
    return -np.sqrt(_inner(difference, difference))


@SIMILARITY.option
def manhattan(u: Vectors, v: Vectors) -> Similarities:
    """The sum of absolute differences, negated."""
    return -np.abs(_rows(u) - _rows(v)).sum(axis=1)


@SIMILARITY.option
def spearman(u: Vectors, v: Vectors) -> Similarities:
    """Spearman's rank correlation of the two vectors over their dimensions, -1 to 1."""
    u, v = (2 * rankdata(x, axis=1) - (x.shape[1] + 1) for x in (u, v))  # whole numbers, of mean 0
    products, norms = _inner(u, v), _inner(u, u) * _inner(v, v)
    squares = np.divide(products**2, norms, out=np.zeros(len(u)), where=norms != 0)
    return np.sign(products) * np.sqrt(squares)  # one rounding of one fraction: equal ones stay equal


def _rows(x: Vectors) -> Vectors:
    """The vectors in float64, row after row in memory: the order of a sum depends on the layout."""
    return np.ascontiguousarray(x, np.float64)


def _inner(u: Vectors, v: Vectors) -> Similarities:
    return np.einsum("ij,ij->i", u, v)
