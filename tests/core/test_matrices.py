"""Leading eigenvectors, and rows of length 1."""

import numpy as np
import pytest

from core.matrices import leading, units


@pytest.mark.parametrize("k", [1, 3, 5, 9])
def test_the_largest_eigenvalues_come_first_with_their_vectors(k):
    x = np.random.default_rng(0).normal(size=(20, 5))
    matrix = x.T @ x
    values, vectors = leading(matrix, k)
    assert values == pytest.approx(np.linalg.eigvalsh(matrix)[::-1][:k])
    assert matrix @ vectors == pytest.approx(vectors * values)
    assert vectors.T @ vectors == pytest.approx(np.eye(min(k, 5)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_have_length_1_and_one_of_zeros_stays(dtype):
    rows = np.array([[3, 4], [0, 0], [0, -2e-15]], dtype)
    found = units(rows)
    assert found.dtype == dtype
    assert found == pytest.approx(np.array([[0.6, 0.8], [0, 0], [0, -1]]))
