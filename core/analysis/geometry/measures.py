"""Isotropy of sentence vectors with its parts: outlying dimensions, components, and what chance gives.

Average cosine and IsoScore themselves are those of :mod:`core.evaluation.isotropy`; no function makes
N × N numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from jaxtyping import Float, Int

from core.evaluation.isotropy import ROUNDING, sums
from core.threads import one_thread

COMPONENTS = 10
"""Leading principal components whose share of the variance is reported."""

TOP = 6
"""Dimensions that are reported one by one."""

OUTLIER, LARGE = 3.0, 2.0
"""An outlier dimension is more than OUTLIER standard deviations (over dimensions) above the average
dimension, and at least LARGE times its size."""

Vectors = Float[np.ndarray, "sentence dim"]


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
    def largest(self) -> int | None:
        """The dimension of largest mean absolute value; None where whitening left no dimension."""
        return int(self.top[0]) if len(self.top) else None

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
                f"dimensions: an isotropic cloud of as many would score about {self.isotropic:.2f}, not 1."
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
    spread, average = (float(sizes.std()), float(sizes.mean())) if dim else (0.0, 0.0)
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
    with one_thread(dim**3):
        values = scipy.linalg.eigh(
            covariance, eigvals_only=True, subset_by_index=wanted, check_finite=False
        )
    return np.maximum(values[::-1], 0.0) / np.trace(covariance)
