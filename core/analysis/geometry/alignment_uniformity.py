"""Alignment and uniformity of sentence vectors (Wang & Isola 2020), without N × N numbers.

**Alignment** is the mean squared distance of positive pairs, **uniformity** the logarithm of the mean of
exp(−2 · squared distance) over all pairs; lower is better. What does not exist (one sentence) is NaN. The
cosine of a zero vector with any other is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.evaluation.isotropy import blocks
from core.progress import Progress, Step, silent

EXACT = 10_000
"""Different sentences up to which uniformity is over all pairs; above, over the pairs of a sample."""

_TILE = 256
"""Rows whose inner products with as many others are worked on at once: they stay near the processor."""

Vectors = Float[np.ndarray, "sentence dim"]
Repeats = Int[np.ndarray, " sentence"]
_Tile = Float[np.ndarray, "left right"]


def alignment(
    u: Float[np.ndarray, "pair dim"], v: Float[np.ndarray, "pair dim"], *, normalised: bool
) -> float:
    """The mean squared distance of row i of ``u`` from row i of ``v``; NaN without pairs.

    ``normalised`` scales rows to Euclidean norm 1 first (a zero vector stays 0).
    """
    total = sum(
        float(((a - b) ** 2).sum())
        for a, b in zip(blocks(u, normalised), blocks(v, normalised), strict=True)
    )
    return total / len(u) if len(u) else float("nan")


def uniformity(
    vectors: Vectors,
    repeats: Repeats | None = None,
    *,
    normalised: bool,
    most: int | None = EXACT,
    progress: Progress = silent,
) -> float:
    """The logarithm of the mean of exp(−2 · squared distance) over all pairs of sentences.

    Parameters
    ----------
    vectors
        One row for each different sentence.
    repeats
        The number of times that each occurs in the corpus: two occurrences of one sentence are a pair of
        distance 0. Once each by default.
    normalised
        Scale rows to Euclidean norm 1 first (a zero vector stays 0).
    most
        Rows above which the pairs of so many rows, drawn with a fixed seed, stand for all; None for
        all pairs whatever their number.
    progress
        Gets the number of blocks of pairs that are done.

    Returns
    -------
    float
        At most 0; NaN for fewer than two sentences. Far vectors do not underflow: the sum is kept
        relative to its largest term.
    """
    return uniformities(vectors, repeats, normalised=[normalised], most=most, progress=progress)[0]


def uniformities(
    vectors: Vectors,
    repeats: Repeats | None = None,
    *,
    normalised: Sequence[bool],
    most: int | None = EXACT,
    progress: Progress = silent,
) -> list[float]:
    """The :func:`uniformity` of vectors as they are, of unit vectors, or of both by one set of products."""
    weights = np.ones(len(vectors)) if repeats is None else repeats.astype(np.float64)
    if most is not None and len(vectors) > most:
        rows = np.sort(np.random.default_rng(0).choice(len(vectors), most, replace=False))
        vectors, weights = vectors[rows], weights[rows]
    count = weights.sum()
    if count < 2:
        return [float("nan")] * len(normalised)
    totals = _logs_of_sums(vectors, weights, normalised, progress)
    return [float(total - np.log(count) - np.log(count - 1)) for total in totals]


# -- inside ------------------------------------------------------------------------------------------


def _logs_of_sums(
    vectors: Vectors,
    weights: Float[np.ndarray, " sentence"],
    normalised: Sequence[bool],
    progress: Progress,
) -> list[float]:
    """For each kind of vectors, log Σ exp(−2 d²) over ordered pairs, by tiles of the upper triangle."""
    rows = _Rows.of(vectors)
    sums = [(_UnitSum if each else _PlainSum).of(rows, weights) for each in normalised]
    starts = range(0, len(vectors), _TILE)
    tiles, done = len(starts) * (len(starts) + 1) // 2, 0
    for i in starts:
        left = slice(i, i + _TILE)
        for j in starts[i // _TILE :]:
            progress(Step("Comparing all sentences: blocks of pairs", done, tiles))
            done += 1
            right = slice(j, j + _TILE)
            products = rows.doubled[left] @ rows.doubled[right].T
            for each in sums:
                each.add(products, left, right)
    return [each.log() for each in sums]


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows around their mean, where rounding is less, and what distances follow from beside their products.

    Attributes
    ----------
    doubled, squares
        Twice the rows less the mean, and half the squared lengths of that: −2 d² of two rows is the inner
        product of their ``doubled``, less their ``squares``.
    along
        What makes that product 4 times the one of the rows themselves, when it is added for both.
    inverse
        1 over the length of the row itself; 0 for a zero vector.
    """

    doubled: Float[np.ndarray, "row dim"]
    squares: Float[np.ndarray, " row"]
    along: Float[np.ndarray, " row"]
    inverse: Float[np.ndarray, " row"]

    @classmethod
    def of(cls, vectors: Vectors) -> _Rows:
        mean = vectors.sum(axis=0, dtype=np.float64) / len(vectors)
        rows = vectors.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        rows -= mean
        rows *= 2
        squares = np.einsum("ij,ij->i", rows, rows) / 2
        return cls(rows, squares, 2 * (rows @ mean + mean @ mean), inverse)


@dataclass(eq=False)
class _PlainSum:
    """The sum of vectors as they are, relative to its largest term: far vectors do not underflow."""

    rows: _Rows
    weights: Float[np.ndarray, " row"]
    largest: float
    value: float

    @classmethod
    def of(cls, rows: _Rows, weights: Float[np.ndarray, " row"]) -> _PlainSum:
        same = _pairs_of_one(weights)
        return cls(rows, weights, 0.0, same) if same else cls(rows, weights, -np.inf, 0.0)

    def add(self, products: _Tile, left: slice, right: slice) -> None:
        """Add the pairs of some rows with others, in both orders."""
        exponents = products - self.rows.squares[left, None]
        exponents -= self.rows.squares[right]
        np.minimum(exponents, 0.0, out=exponents)
        if left == right:
            np.fill_diagonal(exponents, -np.inf)
        if self.largest < 0:
            largest = max(self.largest, float(exponents.max()))
            if largest == -np.inf:
                return
            self.value *= np.exp(self.largest - largest)
            self.largest = largest
            exponents -= largest
        self.value += _weighted(np.exp(exponents, out=exponents), self.weights, left, right)

    def log(self) -> float:
        return float(self.largest + np.log(self.value))


@dataclass(eq=False)
class _UnitSum:
    """The sum of unit vectors, whose −2 d² is 4 cos − 4: each of a pair weighs e⁻² times as much.

    A zero vector does not: its squared distance from a unit vector is 1, from another zero vector 0.
    """

    rows: _Rows
    weights: Float[np.ndarray, " row"]
    value: float

    @classmethod
    def of(cls, rows: _Rows, weights: Float[np.ndarray, " row"]) -> _UnitSum:
        return cls(rows, weights * np.where(rows.inverse > 0, np.exp(-2.0), 1.0), _pairs_of_one(weights))

    def add(self, products: _Tile, left: slice, right: slice) -> None:
        """Add the pairs of some rows with others, in both orders."""
        exponents = products + self.rows.along[left, None]
        exponents += self.rows.along[right]
        exponents *= self.rows.inverse[left, None]
        exponents *= self.rows.inverse[right]
        np.minimum(exponents, 4.0, out=exponents)
        if left == right:
            np.fill_diagonal(exponents, -np.inf)
        self.value += _weighted(np.exp(exponents, out=exponents), self.weights, left, right)

    def log(self) -> float:
        return float(np.log(self.value))


def _pairs_of_one(weights: Float[np.ndarray, " row"]) -> float:
    """Ordered pairs of two occurrences of one sentence, whose distance is 0."""
    return float((weights * (weights - 1)).sum())


def _weighted(values: _Tile, weights: Float[np.ndarray, " row"], left: slice, right: slice) -> float:
    """Σ of values, each as often as its row times its column; twice where left and right differ."""
    return float(weights[left] @ values @ weights[right]) * (1 if left == right else 2)
