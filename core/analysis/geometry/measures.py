"""Isotropy, alignment and uniformity of sentence vectors: functions of arrays, none of N × N numbers.

* **Average cosine** (Ethayarajh 2019; the *anisotropy* of Lu 2023, eq. 1): of all pairs of two different
  sentences. It follows from the norm of the sum of the unit vectors.
* **IsoScore** (Rudman et al. 2022): how evenly the variance is spread over the dimensions, 0 to 1. It is
  (PR − 1)/(n − 1), with PR = (tr S)²/‖S‖²_F for the covariance S of n dimensions.
* **Alignment** and **uniformity** (Wang & Isola 2020): the mean squared distance of positive pairs, and
  the logarithm of the mean of exp(−2 · squared distance) over all pairs; lower is better for both.

A measure that does not exist (one sentence, equal vectors) is NaN. The cosine of a zero vector with any
other is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from jaxtyping import Float, Int

from core.evaluation.isotropy import (
    ROUNDING,
    average_cosine,
    blocks,
    iso_score,
    iso_score_of,
    sums,
)
from core.progress import Progress, Step, silent

__all__ = [
    "EXACT",
    "LARGE",
    "OUTLIER",
    "Isotropy",
    "alignment",
    "average_cosine",
    "explained_variance",
    "iso_score",
    "iso_score_of",
    "isotropic_iso_score",
    "isotropy",
    "uniformities",
    "uniformity",
]

EXACT = 10_000
"""Different sentences up to which uniformity is over all pairs; above, over the pairs of a sample."""

COMPONENTS = 10
"""Leading principal components whose share of the variance is reported."""

TOP = 6
"""Dimensions that are reported one by one."""

OUTLIER, LARGE = 3.0, 2.0
"""An outlier dimension is more than OUTLIER standard deviations (over dimensions) above the average
dimension, and at least LARGE times its size."""

_TILE = 1024
"""Rows whose inner products with as many others are made at once."""

_SLICE = 64
"""Rows of these products that are worked on at once, to stay near the processor."""

Vectors = Float[np.ndarray, "sentence dim"]
Repeats = Int[np.ndarray, " sentence"]


@dataclass(frozen=True, eq=False)
class Isotropy:
    """The isotropy of the vectors of different sentences.

    Attributes
    ----------
    sentences, dim, zeros
        The number of vectors, of their dimensions, and of zero vectors.
    average_cosine
        Of all pairs; NaN for a single sentence.
    iso_score
        0 (all variance in one direction) to 1 (the same in every dimension); NaN without variance.
    common
        The squared length of the mean vector over the mean squared length, 0 to 1.
    explained
        Share of the variance of each leading principal component, largest first; empty without variance.
    top, size, z, part
        The dimensions of largest mean absolute value, that value (the average dimension's is 1), its
        distance from the average dimension in standard deviations over dimensions, and what the dimension
        adds to the average cosine.
    outliers, outlying
        How many outlier dimensions there are in all, and what they add to the average cosine together.
    """

    sentences: int
    dim: int
    zeros: int
    average_cosine: float
    iso_score: float
    common: float
    explained: Float[np.ndarray, " component"]
    top: Int[np.ndarray, " top"]
    size: Float[np.ndarray, " top"]
    z: Float[np.ndarray, " top"]
    part: Float[np.ndarray, " top"]
    outliers: int
    outlying: float

    @property
    def isotropic(self) -> float:
        """The IsoScore that an isotropic cloud of as many points would have."""
        return isotropic_iso_score(self.sentences, self.dim)

    def problems(self) -> list[str]:
        """The measures that do not exist or need care, as sentences."""
        problems = []
        if self.sentences < 2:
            problems.append(
                "One sentence has no other to be compared with: no average cosine and no IsoScore."
            )
        elif not len(self.explained):
            problems.append("All sentences have the same vector, so there is no variance and no IsoScore.")
        elif self.dim < 2:
            problems.append("Vectors of one dimension have no IsoScore.")
        elif self.sentences <= self.dim:
            problems.append(
                f"{self.sentences:,} sentences span at most {self.sentences - 1:,} of {self.dim:,} "
                f"dimensions: even an isotropic cloud would score no more than {self.isotropic:.2f}."
            )
        if self.zeros:
            number = "1 sentence has" if self.zeros == 1 else f"{self.zeros:,} sentences have"
            problems.append(f"{number} the vector 0; its cosine with every other counts as 0.")
        return problems


def isotropy(vectors: Vectors) -> Isotropy:
    """Measure the isotropy of some vectors, each of which counts once."""
    found, dim = sums(vectors), vectors.shape[1]
    parts = (found.units**2 - found.squares) / found.pairs if found.pairs else np.full(dim, np.nan)
    sizes = found.sizes
    spread, average = float(sizes.std()), float(sizes.mean())
    z = (sizes - average) / spread if spread > ROUNDING * average else np.zeros(dim)
    top = np.argsort(-sizes, kind="stable")[:TOP]
    beyond = (z > OUTLIER) & (sizes >= LARGE * average)
    return Isotropy(
        found.sentences,
        dim,
        found.zeros,
        found.average_cosine,
        found.iso_score,
        float(found.mean @ found.mean) / found.length if found.length else float("nan"),
        np.zeros(0) if found.flat else explained_variance(found.covariance, COMPONENTS),
        top,
        sizes[top] / average if average else np.zeros(len(top)),
        z[top],
        parts[top],
        int(beyond.sum()),
        float(parts[beyond].sum()),
    )


def isotropic_iso_score(points: int, dim: int) -> float:
    """The IsoScore to expect of ``points`` drawn from an isotropic normal cloud of ``dim`` dimensions.

    With m = points − 1, the covariance is m⁻¹ times a Wishart matrix, whose shape is independent of its
    trace; so 1/E[1/PR] = (dim · m + 2)/(dim + m + 1) exactly, of which E[PR] exceeds by little.

    Examples
    --------
    >>> [round(isotropic_iso_score(points, 768), 3) for points in (30, 1379, 20_000)]
    [0.035, 0.641, 0.963]
    """
    if points < 2 or dim < 2:
        return float("nan")
    m = points - 1
    return ((dim * m + 2) / (dim + m + 1) - 1) / (dim - 1)


def explained_variance(
    covariance: Float[np.ndarray, "dim dim"], most: int | None = None
) -> Float[np.ndarray, " component"]:
    """The share of the variance along each principal component, largest first; all sum to 1.

    ``most`` is how many components are wanted; all when None.
    """
    dim = len(covariance)
    wanted = [dim - min(most or dim, dim), dim - 1]
    values = scipy.linalg.eigh(covariance, eigvals_only=True, subset_by_index=wanted, check_finite=False)
    return np.maximum(values[::-1], 0.0) / np.trace(covariance)


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
    totals = _sums_of_pairs(vectors, weights, [_EXPONENTS[each] for each in normalised], progress)
    return [float(total.log() - np.log(count) - np.log(count - 1)) for total in totals]


# -- inside ------------------------------------------------------------------------------------------


def _sums_of_pairs(
    vectors: Vectors,
    weights: Float[np.ndarray, " sentence"],
    kinds: Sequence[_Exponents],
    progress: Progress,
) -> list[_Total]:
    """Σ exp(−2 d²) over ordered pairs of two occurrences by kind, tile by tile of the upper triangle."""
    centre = vectors.sum(axis=0, dtype=np.float64) / len(vectors)  # around it, rounding is less
    same = float((weights * (weights - 1)).sum())
    totals = [_Total(0.0, same) if same > 0 else _Total(-np.inf, 0.0) for _ in kinds]
    starts = range(0, len(vectors), _TILE)
    tiles, done = len(starts) * (len(starts) + 1) // 2, 0
    for i in starts:
        left = _Rows.of(vectors[i : i + _TILE], centre)
        for j in starts[i // _TILE :]:
            progress(Step("Comparing all sentences: blocks of pairs", done, tiles))
            done += 1
            right = left if i == j else _Rows.of(vectors[j : j + _TILE], centre)
            products = left.rows @ right.rows.T
            for first in range(0, len(products), _SLICE):
                here = slice(first, first + _SLICE)
                for exponents_of, total in zip(kinds, totals, strict=True):
                    exponents = exponents_of(products[here], left.part(here), right)
                    if i == j:
                        np.fill_diagonal(exponents[:, first:], -np.inf)
                    of_rows = weights[i + first : i + first + len(exponents)]
                    total.add(exponents, of_rows if i == j else 2 * of_rows, weights[j : j + _TILE])
    return totals


@dataclass(frozen=True, eq=False)
class _Rows:
    """Some rows around a centre, and what their distances follow from beside their inner products.

    Attributes
    ----------
    rows, squares
        The rows less the centre, and their squared lengths.
    along
        Half of what the inner product of a row with another one has less when both are around the centre.
    inverse
        1 over the length of the row itself; 0 for a zero vector.
    """

    rows: Float[np.ndarray, "row dim"]
    squares: Float[np.ndarray, " row"]
    along: Float[np.ndarray, " row"]
    inverse: Float[np.ndarray, " row"]

    @classmethod
    def of(cls, vectors: Vectors, centre: Float[np.ndarray, " dim"]) -> _Rows:
        rows = vectors.astype(np.float64)
        squares = np.einsum("ij,ij->i", rows, rows)
        inverse = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        rows -= centre
        along = rows @ centre + centre @ centre / 2
        return cls(rows, np.einsum("ij,ij->i", rows, rows), along, inverse)

    def part(self, place: slice) -> _Rows:
        return _Rows(self.rows[place], self.squares[place], self.along[place], self.inverse[place])


@dataclass
class _Total:
    """A sum of exponentials, relative to the largest: far vectors do not underflow."""

    largest: float
    value: float

    def add(
        self,
        exponents: Float[np.ndarray, "row column"],
        of_rows: Float[np.ndarray, " row"],
        of_columns: Float[np.ndarray, " column"],
    ) -> None:
        """Add exponentials, each as often as its row times its column; the exponents are overwritten."""
        largest = float(exponents.max())
        if largest > self.largest:
            self.value *= np.exp(self.largest - largest)
            self.largest = largest
        if np.isfinite(largest):
            exponents -= self.largest
            np.exp(exponents, out=exponents)
            self.value += float(of_rows @ exponents @ of_columns)

    def log(self) -> float:
        return float(self.largest + np.log(self.value))


_Exponents = Callable[[np.ndarray, _Rows, _Rows], np.ndarray]
"""Gives −2 d² for the inner products of some rows with others."""


def _as_they_are(products: np.ndarray, left: _Rows, right: _Rows) -> np.ndarray:
    exponents = 4 * products
    exponents -= 2 * left.squares[:, None]
    exponents -= 2 * right.squares
    return np.minimum(exponents, 0.0, out=exponents)


def _of_units(products: np.ndarray, left: _Rows, right: _Rows) -> np.ndarray:
    exponents = products + left.along[:, None]
    exponents += right.along
    exponents *= 4 * left.inverse[:, None]
    exponents *= right.inverse
    exponents -= 2.0 * (left.inverse > 0)[:, None]
    exponents -= 2.0 * (right.inverse > 0)
    return np.minimum(exponents, 0.0, out=exponents)


_EXPONENTS: dict[bool, _Exponents] = {False: _as_they_are, True: _of_units}
"""By whether rows are scaled to Euclidean norm 1 first."""
