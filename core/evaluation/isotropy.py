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
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.threads import one_thread

ROUNDING = 1e-12
"""Variance up to this share of the mean squared length is rounding of equal vectors."""

_BLOCK_BYTES = 4_000_000

Vectors = Float[np.ndarray, "sentence dim"]


def average_cosine(vectors: Vectors) -> float:
    """The mean cosine of all pairs of two different rows, −1 to 1; NaN for fewer than two rows."""
    return sums(vectors).average_cosine


def iso_score(vectors: Vectors) -> float:
    """IsoScore of the rows; NaN for one row, one dimension, or rows that are all equal."""
    if len(vectors) < 2:
        return float("nan")
    return sums(vectors).iso_score


def iso_score_of(covariance: Float[np.ndarray, "dim dim"]) -> float:
    """IsoScore from a covariance that is not 0, of any scale; NaN for one dimension."""
    dim = len(covariance)
    if dim < 2:
        return float("nan")
    used = float(np.trace(covariance)) ** 2 / float(np.einsum("ij,ij->", covariance, covariance))
    return (used - 1) / (dim - 1)


@dataclass(frozen=True, eq=False)
class Sums:
    """What measures of isotropy follow from, of some rows; all in float64.

    Attributes
    ----------
    sentences, zeros
        The number of rows, and of those that are 0.
    mean, covariance
        The mean, and the population covariance.
    length
        The mean squared length.
    units, squares
        By dimension the sum of the unit vectors, and the sum of their squares; a zero vector adds nothing.
    sizes
        By dimension the mean absolute value.
    """

    sentences: int
    zeros: int
    mean: Float[np.ndarray, " dim"]
    covariance: Float[np.ndarray, "dim dim"]
    length: float
    units: Float[np.ndarray, " dim"]
    squares: Float[np.ndarray, " dim"]
    sizes: Float[np.ndarray, " dim"]

    @property
    def flat(self) -> bool:
        """Whether there is no variance: one row, or equal ones."""
        return self.sentences < 2 or bool(np.trace(self.covariance) <= ROUNDING * self.length)

    @property
    def average_cosine(self) -> float:
        """The mean cosine of all pairs of two different rows; NaN for fewer than two."""
        if self.sentences < 2:
            return float("nan")
        value = float(self.units @ self.units - self.squares.sum()) / self.pairs
        return min(max(value, -1.0), 1.0)

    @property
    def iso_score(self) -> float:
        """IsoScore; NaN for one row, one dimension, or rows that are all equal."""
        return float("nan") if self.flat else iso_score_of(self.covariance)

    @property
    def pairs(self) -> int:
        """Ordered pairs of two different rows."""
        return self.sentences * (self.sentences - 1)


def sums(vectors: Vectors) -> Sums:
    """All sums of one reading; rows are made float64 in blocks that stay near the processor."""
    sentences, dim = vectors.shape
    count = max(sentences, 1)
    mean = vectors.sum(axis=0, dtype=np.float64) / count
    covariance, length, zeros = np.zeros((dim, dim)), 0.0, 0
    units, squares, sizes = np.zeros((3, dim))
    with one_thread(_BLOCK_BYTES // 8 * dim):
        for block in blocks(vectors):
            squared = block**2
            lengths = squared.sum(axis=1)
            zeros += int((lengths == 0).sum())
            inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
            units += np.sqrt(inverse) @ block
            squares += inverse @ squared
            length += float(lengths.sum())
            sizes += np.abs(block, out=squared).sum(axis=0)
            block -= mean
            covariance += block.T @ block
    return Sums(
        sentences,
        zeros,
        mean,
        covariance / count,
        length / count,
        units,
        squares,
        sizes / count,
    )


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
