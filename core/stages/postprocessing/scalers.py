"""Scalers of finished vectors that fit in memory: what they learn and give is scikit-learn's to the bit.

A recipe on two thousand sentences takes a few milliseconds, of which its checks of the input, and arrays
that leave the processor's cache, were most; to load it takes most of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.loading import LOADING
from core.recipe.options import Vectors
from core.spans import spans

ROWS_BYTES = 400_000
"""Bytes of the rows, in float64, that are worked on at once: they stay near the processor."""

QUARTILES = (0.25, 0.5, 0.75)


@dataclass(eq=False)
class Standard:
    """What scikit-learn's StandardScaler does.

    Parameters
    ----------
    with_std
        Whether rows are divided by the standard deviation.
    """

    with_std: bool = True

    def fit(self, x: Vectors) -> Standard:
        """Learn means and standard deviations from the rows of ``x``.

        Many rows, which are taken in spans, and numbers that are not finite are left to scikit-learn.
        """
        parts = list(spans(len(x), x.itemsize * x.shape[1]))
        if len(parts) > 1 or not len(x) or not self._learn(x):
            with LOADING:
                from sklearn.preprocessing import StandardScaler  # here: it takes most of a second

            theirs = StandardScaler(with_std=self.with_std)
            for span in parts:
                theirs.partial_fit(x[span])
            self.mean_, self.var_, self.scale_ = theirs.mean_, theirs.var_, theirs.scale_
        return self

    def transform(self, x: Vectors) -> Vectors:
        """Rows less the mean, divided by the standard deviation."""
        out = x - np.asarray(self.mean_, x.dtype)
        if self.with_std:
            out /= np.asarray(self.scale_, x.dtype)
        return out

    def _learn(self, x: Vectors) -> bool:
        """Learn by the two passes of Chan, Golub and LeVeque; False where a number is not finite."""
        rows = len(x)
        sums = x.sum(axis=0, dtype=np.float64)
        if not np.isfinite(sums).all():
            return False
        self.mean_, self.var_, self.scale_ = sums / rows, None, None
        if self.with_std:
            corrections, squares = _about(x, sums / rows)
            self.var_ = (squares - corrections**2 / rows) / rows
            eps = np.finfo(np.float64).eps
            constant = self.var_ <= rows * eps * self.var_ + (rows * self.mean_ * eps) ** 2
            self.scale_ = np.where(constant, 1.0, np.sqrt(self.var_))
        return True


class Robust:
    """What scikit-learn's RobustScaler does, which goes column by column; here several at once."""

    def fit(self, x: Vectors) -> Robust:
        """Learn medians and interquartile ranges; a dimension without a range is not scaled."""
        low, self.center_, high = np.concatenate([_quartiles(part) for part in columns_of(x)], axis=1)
        ranges = high - low
        self.scale_ = np.where(ranges < 10 * np.finfo(np.float64).eps, 1.0, ranges)
        return self

    def transform(self, x: Vectors) -> Vectors:
        """Rows less the median, divided by the interquartile range."""
        out = np.subtract(x, self.center_, out=np.empty_like(x), casting="same_kind")
        out /= self.scale_
        return out


class UnitLength:
    """What scikit-learn's Normalizer does for Euclidean norms."""

    def fit(self, x: Vectors) -> UnitLength:
        """There is nothing to learn."""
        return self

    def transform(self, x: Vectors) -> Vectors:
        """Rows divided by their norm, a row of norm 0 (to rounding) as it is."""
        norms = np.sqrt(np.einsum("ij,ij->i", x, x))
        norms[norms < 10 * np.finfo(norms.dtype).eps] = 1
        return x / norms[:, None]


def columns_of(x: Vectors) -> Iterator[Vectors]:
    """Spans of columns."""
    for span in spans(x.shape[1], x.itemsize * len(x)):
        yield x[:, span]


def _about(x: Vectors, means: Float[np.ndarray, " dim"]) -> Float[np.ndarray, "2 dim"]:
    """Sums of the differences from ``means``, and of their squares, added row after row.

    The sums so far stand as the first row of each block, so that the order of additions, and with it every
    bit, is that of one sum over all rows.
    """
    sums: np.ndarray | None = None
    for span in spans(len(x), 8 * x.shape[1], ROWS_BYTES):
        rows = x[span]
        block = np.empty((2, len(rows) + 1, x.shape[1]))
        np.subtract(rows, means, out=block[0, 1:])
        np.multiply(block[0, 1:], block[0, 1:], out=block[1, 1:])
        if sums is None:
            sums = block[:, 1:].sum(axis=1)
        else:
            block[:, 0] = sums
            sums = block.sum(axis=1)
    assert sums is not None  # noqa: S101  (there is a span at least)
    return sums


def _quartiles(x: Vectors) -> Float[np.ndarray, "3 dim"]:
    """What ``np.percentile`` gives for 25, 50 and 75 in float64, found among the values as they are."""
    last = len(x) - 1
    places = np.array(QUARTILES) * last
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, last)
    ordered = np.sort(np.ascontiguousarray(x.T), axis=1)  # quicker than selecting six of the rows
    low, high = (ordered[:, place].T.astype(np.float64) for place in (below, above))
    share = (places - below)[:, None]
    return np.where(share < 0.5, low + (high - low) * share, high - (high - low) * (1 - share))
