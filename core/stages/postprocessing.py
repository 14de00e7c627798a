"""What is done to the finished vectors, as scikit-learn transformers.

Each option makes an unfitted transformer. The pipeline fits it on the target (a sentence as often as it
occurs there) or on the reference, and refuses to learn from fewer sentences than
:meth:`PostOption.minimum_sentences` says.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
import scipy.linalg
from jaxtyping import Float
from scipy.special import ndtri
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import QuantileTransformer

from core.recipe import POST
from core.recipe.arguments import Within
from core.recipe.options import FIT, Transformer
from core.scalers import Robust, Standard, UnitLength, columns_of
from core.spans import spans
from core.threads import one_thread

Vectors = Float[np.ndarray, "sentence dim"]

_BOUND = 1e-7
"""Where scikit-learn's QuantileTransformer takes a value for the least or the largest one."""


class Quantiles(QuantileTransformer):  # type: ignore[misc]
    """scikit-learn's QuantileTransformer over all rows, learnt from one sort and exact at ties.

    scikit-learn's own ``fit`` selects the rows of each quantile in turn, which takes fifty times as long on
    2,758 rows of 384 numbers. It also rounds the place of a quantile among the rows, so that a quantile can
    miss the row it is by 1e-16: the tied values 2 of 0, 2, 2, 4 become 0.667 there and 0.5 here.
    """

    def fit(self, x: Vectors, y: None = None) -> Quantiles:
        """Learn the quantiles of the rows of ``x``: 1,000, or as many as there are rows."""
        self.n_features_in_ = x.shape[1]
        self.n_quantiles_ = min(self.n_quantiles, len(x))
        self.references_ = np.linspace(0, 1, self.n_quantiles_)
        steps = max(self.n_quantiles_ - 1, 1)
        below, rest = np.divmod(np.arange(self.n_quantiles_) * (len(x) - 1), steps)
        above = np.minimum(below + 1, len(x) - 1)
        ordered = [np.sort(part, axis=0)[[below, above]] for part in columns_of(x)]
        low, high = np.concatenate(ordered, axis=2).astype(np.float64)
        share = (rest / steps)[:, None]
        self.quantiles_ = np.where(
            share < 0.5, low + (high - low) * share, high - (high - low) * (1 - share)
        )
        return self

    def transform(self, x: Vectors) -> Vectors:
        """The quantiles of the values in ``x``, to the bit those of scikit-learn's ``transform``.

        Values are looked up in ascending order, which takes a third of the time, and a normal variable is
        computed for all of them at once.
        """
        out, normal = np.array(x), self.output_distribution == "normal"
        least, most = self.quantiles_[0], self.quantiles_[-1]
        low, high = out == least, out == most
        if normal:
            low, high = out - _BOUND < least, out + _BOUND > most
        shares = self.references_
        for values, known in zip(out.T, self.quantiles_.T, strict=True):
            order = values.argsort()
            ascending = values[order]  # the search for a place begins at the one before
            rising = np.interp(ascending, known, shares)
            falling = np.interp(-ascending, -known[::-1], -shares[::-1])
            values[order] = 0.5 * (rising - falling)
        out[high], out[low] = 1, 0
        if normal:
            end = _BOUND - np.spacing(1)
            np.clip(ndtri(out, out=out), ndtri(end), ndtri(1 - end), out=out)
        return out


class AllButTheTop(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Subtract the mean and the first ``d`` principal components (Mu & Viswanath 2018).

    Parameters
    ----------
    d
        Components to remove.

    Examples
    --------
    >>> x = np.array([[3.0, 1.0], [-3.0, 1.0], [1.0, 2.0], [-1.0, 0.0]])
    >>> np.abs(AllButTheTop(d=2).fit_transform(x)).max().round(6)
    np.float64(0.0)
    """

    def __init__(self, d: int = 2) -> None:
        self.d = d

    def fit(self, x: Vectors, y: None = None) -> AllButTheTop:
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


class CommonComponents(TransformerMixin, BaseEstimator):  # type: ignore[misc]
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
    >>> np.abs(CommonComponents(d=1).fit_transform(x)).round(6) + 0.0
    array([[0., 1.],
           [0., 1.],
           [0., 0.]])
    """

    def __init__(self, d: int = 1, weighted: bool = False) -> None:
        self.d, self.weighted = d, weighted

    def fit(self, x: Vectors, y: None = None) -> CommonComponents:
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


class Whitening(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """``(x - βμ) U Λ^(-γ/2)``, the first ``k`` columns.

    U and Λ are eigenvectors and eigenvalues of the covariance of the same β-centred rows, largest
    first; columns beyond the numerical rank are cut. β = γ = 1 is PCA whitening (BERT-whitening).

    Parameters
    ----------
    k
        Columns to keep; all up to the rank when None.
    beta, gamma
        The share of the mean to subtract, and the degree to which columns are scaled to unit variance.
    """

    def __init__(self, k: int | None = None, beta: float = 1.0, gamma: float = 1.0) -> None:
        self.k, self.beta, self.gamma = k, beta, gamma

    def fit(self, x: Vectors, y: None = None) -> Whitening:
        """Learn mean and projection from the rows of ``x``."""
        self.mean_ = self.beta * x.mean(axis=0, dtype=np.float64)
        values, vectors = _principal(x, self.mean_, x.shape[1])
        tiny = values[0] * x.shape[1] * np.finfo(np.float32).eps if len(values) else 0
        rank = int((values > max(tiny, 0)).sum())
        columns = min(rank, self.k or rank)
        self.projection_ = vectors[:, :columns] * values[:columns] ** (-self.gamma / 2)
        return self

    def transform(self, x: Vectors) -> Float[np.ndarray, "sentence column"]:
        """The columns that are kept."""
        return ((x - self.mean_) @ self.projection_).astype(x.dtype)


@POST.option(learns=FIT, affine=True, label="centring")
def centre() -> Transformer:
    """Subtract the mean of each dimension."""
    return Standard(with_std=False)


@POST.option(learns=FIT, affine=True, label="z-score")
def zscore() -> Transformer:
    """Subtract the mean of each dimension and divide by its (population) standard deviation."""
    return Standard()


@POST.option(learns=FIT, affine=True, label="robust scaling")
def robust() -> Transformer:
    """Subtract the median of each dimension and divide by its interquartile range."""
    return Robust()


@POST.option(learns=FIT)
def quantile(*, output: Literal["uniform", "normal"] = "uniform") -> Transformer:
    """Replace each value by its quantile in its dimension, uniform or as a normal variable."""
    return Quantiles(output_distribution=output, subsample=None, random_state=0)


@POST.option(scaling=True)
def normalize() -> Transformer:
    """Scale each vector to Euclidean norm 1; a zero vector stays zero."""
    return UnitLength()


@POST.option(learns=FIT, affine=True, directions="d", removes=True, label="ABTT", edition=2)
def abtt(*, d: Annotated[int, Within(1, 1000, "components removed")] = 2) -> Transformer:
    """All-but-the-top: subtract the mean and the first d principal components."""
    return AllButTheTop(d)


@POST.option(learns=FIT, affine=True, directions="d", removes=True, label="CCR", edition=2)
def ccr(*, d: Annotated[int, Within(1, 1000, "directions removed")] = 1) -> Transformer:
    """SIF's common component removal: take away the first singular directions, without centring."""
    return CommonComponents(d)


@POST.option(learns=FIT, affine=True, directions="m", label="piecewise CCR", edition=2)
def pccr(*, m: Annotated[int, Within(1, 1000, "directions")] = 5) -> Transformer:
    """USIF's piecewise removal: of each of m directions its share of their squared singular values."""
    return CommonComponents(m, weighted=True)


@POST.option(learns=FIT, affine=True, directions="k", label="whitening")
def whiten(
    *,
    k: Annotated[int | None, Within(1, 4096, "dimensions kept; all when left out")] = None,
    beta: Annotated[float, Within(0, 2, "share of the mean removed")] = 1.0,
    gamma: Annotated[float, Within(0, 2, "1 gives unit variance, 0 a rotation")] = 1.0,
) -> Transformer:
    """Whitening: decorrelate the dimensions and scale them to unit variance, keep the first k."""
    return Whitening(k, beta, gamma)


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
        return _leading(_covariance(x, mean), k)
    centred = x.astype(np.float64) - mean
    with one_thread(centred.size * number):
        values, rows = _leading(centred @ centred.T / number, k)
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


def _leading(covariance: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The ``k`` largest eigenvalues and their vectors as columns, largest first."""
    dim = len(covariance)
    span = (max(dim - k, 0), dim - 1)
    with one_thread(dim**3):
        values, vectors = scipy.linalg.eigh(covariance, subset_by_index=span)
    return values[::-1], vectors[:, ::-1]
