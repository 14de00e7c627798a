"""How two sentence vectors are compared: row i of ``u`` with row i of ``v``; higher is closer."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from scipy.stats import rankdata

from core.recipe import SIMILARITY

Vectors = Float[np.ndarray, "pair dim"]
Similarities = Float[np.ndarray, " pair"]


@SIMILARITY.option
def cosine(u: Vectors, v: Vectors) -> Similarities:
    """The cosine of the angle, -1 to 1; 0 when either vector is 0."""
    return _cosine(u.astype(np.float64), v.astype(np.float64))


@SIMILARITY.option
def dot(u: Vectors, v: Vectors) -> Similarities:
    """The inner product."""
    return np.einsum("ij,ij->i", u, v, dtype=np.float64)


@SIMILARITY.option
def euclidean(u: Vectors, v: Vectors) -> Similarities:
    """The Euclidean distance, negated."""
    return -np.linalg.norm(u.astype(np.float64) - v, axis=1)


@SIMILARITY.option
def manhattan(u: Vectors, v: Vectors) -> Similarities:
    """The sum of absolute differences, negated."""
    return -np.abs(u.astype(np.float64) - v).sum(axis=1)


@SIMILARITY.option
def spearman(u: Vectors, v: Vectors) -> Similarities:
    """Spearman's rank correlation of the two vectors over their dimensions, -1 to 1."""
    ranks = [rankdata(x, axis=1) for x in (u, v)]
    return _cosine(*(r - r.mean(axis=1, keepdims=True) for r in ranks))


def _cosine(u: Vectors, v: Vectors) -> Similarities:
    norms = np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
    products = np.einsum("ij,ij->i", u, v)
    return np.divide(products, norms, out=np.zeros(len(u)), where=norms > 0)
