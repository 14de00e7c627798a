"""Directions that are learnt of finished vectors: taken away, or scaled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.matrices import leading
from core.recipe.options import Vectors
from core.spans import spans
from core.threads import one_thread


@dataclass(eq=False)
class AllButTheTop:
    """Subtract the mean and the first ``d`` principal components (Mu & Viswanath 2018).

    Parameters
    ----------
    d
        Components to remove.

    Examples
    --------
    >>> x = np.array([[3.0, 1.0], [-3.0, 1.0], [1.0, 2.0], [-1.0, 0.0]])
    >>> np.abs(AllButTheTop(d=2).fit(x).transform(x)).max().round(6)
    np.float64(0.0)
    """

    d: int = 2

    def fit(self, x: Vectors) -> AllButTheTop:
        """Learn mean and components from the rows of ``x``."""
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        values, vectors = _principal(x, self.mean_, self.d)
        self.components_ = vectors[:, values > 0]
        return self

    def transform(self, x: Vectors) -> Vectors:
        """Rows with mean and components removed; 0 where rounding alone is left, as for ``d`` = ``dim``."""
        if self.d >= x.shape[1]:
            return np.zeros_like(x)
        mean = self.mean_.astype(x.dtype)
        centred = x - mean
        components = self.components_.astype(x.dtype)
        with one_thread(x.size * components.shape[1]):
            left = centred - (centred @ components) @ components.T
        return _without_rounding(left, _lengths(x) + _lengths(mean[None]))


@dataclass(eq=False)
class CommonComponents:
    """Take away the first ``d`` singular directions of the vectors, which are not centred.

    Parameters
    ----------
    d
        Directions to take away.
    weighted
        Take away only part of each: its share of the ``d`` squared singular values, as uSIF does.

    Examples
    --------
    >>> x = np.array([[3.0, 1.0], [3.0, -1.0], [2.0, 0.0]])
    >>> np.abs(CommonComponents(d=1).fit(x).transform(x)).round(6) + 0.0
    array([[0., 1.],
           [0., 1.],
           [0., 0.]])
    """

    d: int = 1
    weighted: bool = False

    def fit(self, x: Vectors) -> CommonComponents:
        """Learn the directions, and the share of each, from the rows of ``x``."""
        values, vectors = _principal(x, np.zeros(x.shape[1]), self.d)
        kept = values > 0
        self.components_ = vectors[:, kept]
        self.shares_ = values[kept] / max(values[kept].sum(), np.finfo(float).tiny)
        return self

    def transform(self, x: Vectors) -> Vectors:
        """Rows with the directions removed; 0 where rounding alone is left, as for ``d`` = ``dim``."""
        if self.d >= x.shape[1] and not self.weighted:
            return np.zeros_like(x)
        components = self.components_.astype(x.dtype)
        shares = self.shares_.astype(x.dtype) if self.weighted else 1
        with one_thread(x.size * components.shape[1]):
            left = x - (x @ components * shares) @ components.T
        return _without_rounding(left, _lengths(x))


@dataclass(eq=False)
class Whitening:
    """``(x - βμ) U Λ^(-γ/2)``, the first ``k`` columns.

    U and Λ are eigenvectors and eigenvalues of the covariance of the same β-centred rows, largest
    first. β = γ = 1 is PCA whitening (BERT-whitening). Columns beyond the numerical rank are cut: those
    whose eigenvalue is up to a rounding of float32 (1.2e-7) of the largest. The papers cut none, but γ
    would scale up what is rounding there.

    Parameters
    ----------
    k
        Columns to keep; all up to the rank when None.
    beta, gamma
        The share of the mean to subtract, and the degree to which columns are scaled to unit variance.
    """

    k: int | None = None
    beta: float = 1.0
    gamma: float = 1.0

    def fit(self, x: Vectors) -> Whitening:
        """Learn mean and projection from the rows of ``x``."""
        self.mean_ = self.beta * x.mean(axis=0, dtype=np.float64)
        values, vectors = _principal(x, self.mean_, x.shape[1])
        tiny = max(values.max(initial=0), 0) * np.finfo(np.float32).eps
        rank = int((values > tiny).sum())
        columns = min(rank, self.k or rank)
        self.projection_ = vectors[:, :columns] * values[:columns] ** (-self.gamma / 2)
        return self

    def transform(self, x: Vectors) -> Float[np.ndarray, "sentence column"]:
        """The columns that are kept."""
        return ((x - self.mean_) @ self.projection_).astype(x.dtype)


def _without_rounding(left: Vectors, before: Float[np.ndarray, " sentence"]) -> Vectors:
    """What is left of vectors of some lengths, 0 where rounding errors alone may be: they are no vectors.

    Where directions that hold everything are removed, errors of about ``√dim / 2`` roundings are left.
    """
    bounds = 2 * np.sqrt(left.shape[1]) * np.finfo(left.dtype).eps * before
    return np.where((_lengths(left) <= bounds)[:, None], left.dtype.type(0), left)


def _lengths(x: Vectors) -> Float[np.ndarray, " sentence"]:
    """The length of each row, which float64 has room for."""
    return np.sqrt(np.einsum("ij,ij->i", x, x, dtype=np.float64))


def _principal(x: Vectors, mean: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The ``k`` largest eigenvalues of the covariance about ``mean`` and their vectors, largest first.

    Of fewer rows than columns the inner products of the rows are taken apart, which have the same
    eigenvalues: vectors of ten thousand columns would take half an hour otherwise. Directions along which
    the rows do not vary are left out then.
    """
    number, dim = x.shape
    if not 0 < number < dim:
        return leading(_covariance(x, mean), k)
    centred = x.astype(np.float64) - mean
    with one_thread(centred.size * number):
        values, rows = leading(centred @ centred.T / number, k)
        real = values > values[0] * number * np.finfo(np.float64).eps
        values = values[real]
        return values, centred.T @ rows[:, real] / np.sqrt(values * number)


def _covariance(x: Vectors, mean: np.ndarray) -> np.ndarray:
    """Population covariance in float64 of rows centred on ``mean``."""
    products = []
    for span in spans(len(x), x.itemsize * x.shape[1]):
        centred = x[span].astype(np.float64) - mean
        with one_thread(centred.size * centred.shape[1]):
            products.append(centred.T @ centred)
    return sum(products[1:], products[0]) / max(len(x), 1)
