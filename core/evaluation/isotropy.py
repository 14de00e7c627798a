"""How evenly sentence vectors lie in their space: average cosine and IsoScore, as functions of arrays.

* **Average cosine** (Ethayarajh 2019; the *anisotropy* of Lu 2023, eq. 1): of all pairs of two different
  sentences. It follows from the norm of the sum of the unit vectors.
* **IsoScore** (Rudman et al. 2022): how evenly the variance is spread over the dimensions, 0 to 1. It is
  (PR − 1)/(n − 1), with PR = (tr S)²/‖S‖²_F for the covariance S of n dimensions.

A measure that does not exist (one sentence, equal vectors) is NaN. The cosine of a zero vector with any
other is 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from jaxtyping import Float

ROUNDING = 1e-12
"""Variance up to this share of the mean squared length is rounding of equal vectors."""

_BLOCK_BYTES = 8_000_000

Vectors = Float[np.ndarray, "sentence dim"]


def average_cosine(vectors: Vectors) -> float:
    """The mean cosine of all pairs of two different rows, −1 to 1; NaN for fewer than two rows."""
    units, squares, _ = sum_of_units(vectors)
    return cosine_of_sums(units, squares, len(vectors))


def iso_score(vectors: Vectors) -> float:
    """IsoScore of the rows; NaN for one row, one dimension, or rows that are all equal."""
    if len(vectors) < 2:
        return float("nan")
    _, covariance, length = moments(vectors)
    if np.trace(covariance) <= ROUNDING * length:
        return float("nan")
    return iso_score_of(covariance)


def iso_score_of(covariance: Float[np.ndarray, "dim dim"]) -> float:
    """IsoScore from a covariance that is not 0, of any scale; NaN for one dimension."""
    dim = len(covariance)
    if dim < 2:
        return float("nan")
    used = float(np.trace(covariance)) ** 2 / float(np.einsum("ij,ij->", covariance, covariance))
    return (used - 1) / (dim - 1)


def sum_of_units(vectors: Vectors) -> tuple[np.ndarray, np.ndarray, int]:
    """By dimension the sum of the unit vectors and the sum of their squares; and the number of zeros."""
    units, squares, zeros = np.zeros(vectors.shape[1]), np.zeros(vectors.shape[1]), 0
    for block in blocks(vectors, normalised=True):
        units += block.sum(axis=0)
        squares += (block**2).sum(axis=0)
        zeros += int((~block.any(axis=1)).sum())
    return units, squares, zeros


def cosine_of_sums(units: np.ndarray, squares: np.ndarray, sentences: int) -> float:
    """The average cosine from what :func:`sum_of_units` gives of so many rows; NaN for fewer than two."""
    if sentences < 2:
        return float("nan")
    value = float(units @ units - squares.sum()) / (sentences * (sentences - 1))
    return min(max(value, -1.0), 1.0)


def moments(vectors: Vectors) -> tuple[np.ndarray, np.ndarray, float]:
    """The mean, the population covariance and the mean squared length, in float64."""
    sentences, dim = vectors.shape
    mean = sum((block.sum(axis=0) for block in blocks(vectors)), np.zeros(dim)) / max(sentences, 1)
    covariance, length = np.zeros((dim, dim)), 0.0
    for block in blocks(vectors):
        length += float(np.einsum("ij,ij->", block, block))
        block -= mean
        covariance += block.T @ block
    return mean, covariance / max(sentences, 1), length / max(sentences, 1)


def blocks(vectors: np.ndarray, normalised: bool = False) -> Iterator[np.ndarray]:
    """Blocks of rows in float64, each its own copy."""
    size = max(1, _BLOCK_BYTES // (8 * max(vectors.shape[1], 1)))
    for start in range(0, len(vectors), size):
        yield rows_of(vectors[start : start + size], normalised)


def rows_of(vectors: np.ndarray, normalised: bool) -> np.ndarray:
    """A copy in float64, rows scaled to Euclidean norm 1 if ``normalised``; a zero row stays 0."""
    rows = vectors.astype(np.float64)
    if normalised:
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(norms > 0, norms, 1.0)
    return rows
