"""Correlations and their bootstrap intervals, all resamples at once.

A resample is a vector of counts: how often each pair was drawn. Sorted once by value, the mid-ranks
of every resample follow from cumulative counts, so Spearman costs no sorting per resample.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Float, Int
from scipy.stats import rankdata

RESAMPLES = 1000
CONFIDENCE = 0.95
_BLOCK = 100_000
"""Counts that are worked on at once: few enough to stay near the processor."""

_REMEMBERED = 6000
"""Pairs up to which draws are remembered: 12 MB for 1,000 resamples."""

Values = Float[np.ndarray, " pair"]
Counts = Int[np.ndarray, "resample pair"]


def pearson(x: Values, y: Values) -> float:
    """Pearson's correlation; NaN when either side is constant or there are fewer than two pairs."""
    if len(x) < 2 or _constant(x) or _constant(y):
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def spearman(x: Values, y: Values) -> float:
    """Spearman's correlation, ties at mid-rank; NaN as for :func:`pearson`."""
    if len(x) < 2 or _constant(x) or _constant(y):
        return float("nan")
    return pearson(rankdata(x), rankdata(y))


def spearmans(rows: Float[np.ndarray, "row pair"], y: Values) -> Float[np.ndarray, " row"]:
    """Spearman's correlation of each row with ``y``, all ranked at once; NaN as for :func:`pearson`."""
    out = np.full(len(rows), np.nan)
    if rows.shape[1] < 2 or _constant(y) or not len(rows):
        return out
    spread, size = np.ptp(rows, axis=1), np.maximum(1.0, np.abs(rows).max(axis=1))
    known = spread > 1e-12 * size
    ranks, gold = rankdata(rows[known], axis=1), rankdata(y)
    ranks -= ranks.mean(axis=1, keepdims=True)
    gold -= gold.mean()
    out[known] = ranks @ gold / np.sqrt(np.einsum("rp,rp->r", ranks, ranks) * (gold @ gold))
    return out


def _constant(x: Values) -> bool:
    """Whether values differ by no more than rounding (cosines of equal vectors do, by 1e-16)."""
    return bool(np.ptp(x) <= 1e-12 * max(1.0, float(np.abs(x).max(initial=0))))


def draw(groups: Int[np.ndarray, " pair"], resamples: int = RESAMPLES, seed: int = 0) -> Counts:
    """Bootstrap counts, drawn within each group so that every resample has the groups' sizes.

    The latest are remembered, since every recipe on a corpus is scored on the same draws; read-only.
    """
    make = _drawn if len(groups) <= _REMEMBERED else _drawn.__wrapped__
    return make(np.asarray(groups, np.int32).tobytes(), resamples, seed)


@lru_cache(maxsize=12)
def _drawn(written: bytes, resamples: int, seed: int) -> Counts:
    groups = np.frombuffer(written, np.int32)
    generator = np.random.default_rng(seed)
    counts = np.zeros((resamples, len(groups)), np.int16 if len(groups) < 1 << 15 else np.int32)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        size = len(members)
        step = max(1, _BLOCK // size)
        for start in range(0, resamples, step):
            rows = min(step, resamples - start)
            drawn = generator.integers(0, size, (rows, size)) + size * np.arange(rows)[:, None]
            times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
            counts[start : start + rows, members] = times
    counts.setflags(write=False)
    return counts


def bootstrap_spearman(x: Values, y: Values, counts: Counts) -> Float[np.ndarray, " resample"]:
    """Spearman's correlation of each resample; NaN where a resample is constant."""
    out = np.empty(len(counts))
    step = max(1, _BLOCK // max(len(x), 1))
    orders = [_ordered(values) for values in (x, y)]
    for start in range(0, len(counts), step):
        block = np.ascontiguousarray(counts[start : start + step].T, np.float64)
        middle = (block.sum(axis=0) + 1) / 2
        rx, ry = (_mid_ranks(*order, block) - middle for order in orders)
        wx, wy = block * rx, block * ry
        cross = np.einsum("pr,pr->r", wx, ry)
        spread = np.einsum("pr,pr->r", wx, rx) * np.einsum("pr,pr->r", wy, ry)
        constant = spread <= 0
        ratio = cross / np.sqrt(np.where(constant, 1, spread))
        out[start : start + step] = np.where(constant, np.nan, ratio)
    return out


def bootstrap_pearson(x: Values, y: Values, counts: Counts) -> Float[np.ndarray, " resample"]:
    """Pearson's correlation of each resample; NaN where a resample is constant."""
    x, y = ((values - values.mean()) / max(float(np.ptp(values)), 1e-300) for values in (x, y))
    moments = np.stack([x, y, x * x, y * y, x * y], axis=1)
    size = counts.sum(axis=1, dtype=np.float64)
    sums = np.empty((len(counts), moments.shape[1]))
    step = max(1, _BLOCK // max(len(x), 1))
    for start in range(0, len(counts), step):
        sums[start : start + step] = counts[start : start + step].astype(np.float64) @ moments
    mean_x, mean_y, mean_xx, mean_yy, mean_xy = (sums / np.maximum(size, 1)[:, None]).T
    cross = mean_xy - mean_x * mean_y
    spreads = mean_xx - mean_x**2, mean_yy - mean_y**2
    constant = np.minimum(*spreads) <= 1e-12
    ratio = cross / np.sqrt(np.where(constant, 1, spreads[0] * spreads[1]))
    return np.where(constant, np.nan, ratio)


def _ordered(values: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The order of the values, where in it each distinct one begins, and which one each value is."""
    distinct, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    return order, np.searchsorted(group[order], np.arange(len(distinct))), group


def _mid_ranks(
    order: np.ndarray,
    starts: np.ndarray,
    group: np.ndarray,
    counts: Float[np.ndarray, "pair resample"],
) -> np.ndarray:
    """Mid-rank of each pair's value within each resample."""
    drawn = counts[order]
    if len(starts) < len(order):  # some values are equal
        drawn = np.add.reduceat(drawn, starts, axis=0)
    rank = np.cumsum(drawn, axis=0) - (drawn - 1) / 2
    return np.asarray(rank[group])


def interval(samples: Float[np.ndarray, " resample"]) -> tuple[float, float]:
    """The central 95 % of the samples that are numbers; NaN when there are none."""
    kept = samples[np.isfinite(samples)]
    if not len(kept):
        return float("nan"), float("nan")
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(kept, [tail, 100 - tail])
    return float(low), float(high)
