"""Leading eigenvectors of a symmetric matrix, and rows at length 1."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from jaxtyping import Float

from core.threads import one_thread

Rows = Float[np.ndarray, "row dim"]


def leading(
    matrix: Float[np.ndarray, "dim dim"], k: int
) -> tuple[Float[np.ndarray, " k"], Float[np.ndarray, "dim k"]]:
    """The ``k`` largest eigenvalues of a symmetric matrix and their vectors as columns, largest first.

    All where there are fewer.
    """
    dim = len(matrix)
    with one_thread(dim**3):
        values, vectors = scipy.linalg.eigh(matrix, subset_by_index=(max(dim - k, 0), dim - 1))
    return values[::-1], vectors[:, ::-1]


def units(rows: Rows) -> Rows:
    """The rows at length 1; one of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)
