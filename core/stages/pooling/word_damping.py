"""Words processed before they are grouped: mean off, the directions in which they vary most damped.

References
----------
Wang, Chen, Wang & Kuo 2019, Post-Processing of Word Representations via Variance Normalization and Dynamic
Embedding (PVN).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from jaxtyping import Float

from core.threads import one_thread

DAMPED = 10
"""Principal directions of the words that are damped."""


@dataclass(frozen=True, eq=False)
class Damping:
    """Takes the mean away, and shares of some directions."""

    mean: Float[np.ndarray, " dim"]
    directions: Float[np.ndarray, "dim direction"]
    shares: Float[np.ndarray, " direction"]

    def __call__(self, vectors: Float[np.ndarray, "row dim"]) -> Float[np.ndarray, "row dim"]:
        """The vectors, the same done to each."""
        centred = vectors - self.mean
        return centred - (centred @ self.directions * self.shares) @ self.directions.T


def learn_damping(vectors: Float[np.ndarray, "word dim"]) -> Damping:
    """Principal directions of the words, and the shares that make them vary as the next one does.

    A direction in which the words do not vary keeps what other vectors have in it.
    """
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    products = centred.T @ centred
    with one_thread(products.size * len(products)):
        values, directions = scipy.linalg.eigh(products)
    values, directions = values[::-1], directions[:, ::-1]
    values[values <= values[0] * len(values) * np.finfo(np.float64).eps] = 0
    damped = min(DAMPED, len(values) - 1)
    first, kept = values[:damped], values[damped]
    shares = np.where(first > 0, 1 - kept / np.where(first > 0, first, 1.0), 0.0)
    return Damping(mean, directions[:, :damped], shares)
