"""Correlations and their bootstrap intervals, all resamples at once.

A resample is a vector of counts: how often each pair was drawn. Sorted once by value, the mid-ranks
of every resample follow from cumulative counts, so Spearman costs no sorting per resample.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from jaxtyping import Float, Int

from core.evaluation.ranks import gold_ranks, mid_ranks, rows_ranked
from core.loading import LOADING
from core.storage.memo import Memo

RESAMPLES = 1000
CONFIDENCE = 0.95
_BLOCK = 100_000
"""Counts that are worked on at once: few enough to stay near the processor."""

_ROWS = 64
"""Distinct values whose pairs are worked on at once in all resamples."""

_REMEMBERED = 6000
"""Pairs up to which draws are remembered: 12 MB for 1,000 resamples, and 36 MB for one gold in them."""

_ROUNDING = 1e-12
"""The share of the largest value by which values that are equal may differ."""

Values = Float[np.ndarray, " pair"]
Counts = Int[np.ndarray, "resample pair"]


def pearson(x: Values, y: Values) -> float:
    """Pearson's correlation; NaN when either side is constant or there are fewer than two pairs."""
    if len(x) < 2 or is_constant(x) or is_constant(y):
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def pearson_interval(x: Values, y: Values) -> tuple[float, float]:
    """The 95 % interval of Pearson's correlation by Fisher's z, as of few points; NaN where there is none.

    Of fewer than four pairs it is −1 to 1.
    """
    if not np.isfinite(pearson(x, y)):
        return float("nan"), float("nan")
    with LOADING:  # it asks whether torch made its arguments
        from scipy.stats import pearsonr

        low, high = pearsonr(x, y).confidence_interval(CONFIDENCE)
    return float(low), float(high)


def spearman(x: Values, y: Values) -> float:
    """Spearman's correlation, ties at mid-rank; NaN as for :func:`pearson`."""
    if len(x) < 2 or is_constant(x) or is_constant(y):
        return float("nan")
    return pearson(mid_ranks(x), gold_ranks(y))


def spearman_interval(x: Values, y: Values) -> tuple[float, float]:
    """The 95 % interval of Spearman's correlation: Fisher's z, the variance of Bonett & Wright (2000).

    As of few points, for which a bootstrap is too narrow; NaN where there is no correlation. Of fewer than
    four pairs it is −1 to 1.
    """
    rank = spearman(x, y)
    if not np.isfinite(rank):
        return float("nan"), float("nan")
    if len(x) < 4:
        return -1.0, 1.0
    rank = np.clip(rank, -1, 1)
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * np.sqrt((1 + rank**2 / 2) / (len(x) - 3))
    with np.errstate(divide="ignore"):
        low, high = np.tanh(np.arctanh(rank) + half * np.array([-1, 1]))
    return float(low), float(high)


def spearmans(rows: Float[np.ndarray, "row pair"], y: Values) -> Float[np.ndarray, " row"]:
    """Spearman's correlation of each row with ``y``, all ranked at once; NaN as for :func:`pearson`."""
    out = np.full(len(rows), np.nan)
    if rows.shape[1] < 2 or is_constant(y) or not len(rows):
        return out
    known = np.ptp(rows, axis=1) > _ROUNDING * np.abs(rows).max(axis=1)
    ranks, gold = rows_ranked(rows[known]), mid_ranks(y)
    ranks -= ranks.mean(axis=1, keepdims=True)
    gold -= gold.mean()
    out[known] = ranks @ gold / np.sqrt(np.einsum("rp,rp->r", ranks, ranks) * (gold @ gold))
    return out


def is_constant(x: Values) -> bool:
    """Whether values differ by no more than rounding (cosines of equal vectors do, by 1e-16)."""
    return bool(np.ptp(x) <= _ROUNDING * np.abs(x).max(initial=0))


_DRAWS: Memo[Counts] = Memo(48_000_000)
"""The latest draws."""


def draw(groups: Int[np.ndarray, " pair"], resamples: int = RESAMPLES, seed: int = 0) -> Counts:
    """Bootstrap counts, drawn within each group so that every resample has the groups' sizes.

    The latest are remembered, since every recipe on a corpus is scored on the same draws; read-only.
    """
    groups = np.asarray(groups, np.int32)
    if len(groups) > _REMEMBERED:
        return _drawn(groups, resamples, seed)
    return _DRAWS.get((groups.tobytes(), resamples, seed), lambda: _drawn(groups, resamples, seed))


def _drawn(groups: Int[np.ndarray, " pair"], resamples: int, seed: int) -> Counts:
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
    """Spearman's correlation of each resample; NaN where a resample is constant.

    What depends on ``y`` and the counts alone is remembered for counts that :func:`draw` remembers: a
    corpus has many recipes and one gold. The spread of ranks follows from how often equal values are drawn,
    (n³ − n) / 12 less the same of each group of equal values (Kendall 1945). All sums are of halves and
    whole numbers and exact.
    """
    gold = _ranked(y, counts)
    order, starts, _ = _ordered(x)
    half, cubes = gold.half, gold.cubes
    ends = np.append(starts[_ROWS::_ROWS], len(order))
    cross, below = np.zeros(len(counts)), np.zeros(len(counts))
    for number, (first, end) in enumerate(zip(starts[::_ROWS], ends, strict=True)):
        rows, groups = order[first:end], starts[number * _ROWS : (number + 1) * _ROWS] - first
        times, weighted = gold.counts[rows], gold.weighted[rows]
        if len(groups) < len(rows):  # some values are equal, and drawn as one
            half, cubes = half - _half(times, weighted), cubes - _cubes(times)
            times = np.add.reduceat(times, groups, axis=0, dtype=np.float64)
            weighted = np.add.reduceat(weighted, groups, axis=0, dtype=np.float64)
            half, cubes = half + _half(times, weighted), cubes + _cubes(times)
        ranks = times.astype(np.float64)
        for above in ranks:  # row by row: NumPy's cumsum over rows takes three times as long
            np.add(above, below, out=above)
            below = above
        cross += np.einsum("gr,gr->r", ranks, weighted)
    spread = (gold.size**3 - cubes) / 12 * gold.spread
    constant = spread <= 0
    return np.where(constant, np.nan, (cross - half) / np.sqrt(np.where(constant, 1, spread)))


@dataclass(frozen=True, eq=False)
class _Ranked:
    """One side of a correlation in all resamples.

    Attributes
    ----------
    counts
        How often each pair is drawn.
    size
        How many pairs are drawn, each as often as it is.
    weighted
        The mid-rank of each pair less the middle one, as often as the pair is drawn.
    spread
        The sum of squares of these ranks over all that is drawn.
    half, cubes
        Half the sum of counts × ``weighted``, and the sum of cubes of the counts: what the other side takes
        from here where it has no equal values.
    """

    counts: Int[np.ndarray, "pair resample"]
    size: Float[np.ndarray, " resample"]
    weighted: Float[np.ndarray, "pair resample"]
    spread: Float[np.ndarray, " resample"]
    half: Float[np.ndarray, " resample"]
    cubes: Float[np.ndarray, " resample"]


@dataclass(frozen=True)
class _Same:
    """An array that is the same as another only where it is that very one."""

    array: np.ndarray

    def __hash__(self) -> int:
        return id(self.array)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.array is other.array


_RANKED: Memo[_Ranked] = Memo(96_000_000)
"""The latest gold scores in their draws."""


def _ranked(y: Values, counts: Counts) -> _Ranked:
    """``y`` in all resamples; the latest are remembered for counts that are."""
    y = np.asarray(y, np.float64)
    if counts.flags.writeable or counts.shape[1] > _REMEMBERED:
        return _rank(y, counts)
    return _RANKED.get((_Same(counts), y.tobytes()), lambda: _rank(y, counts))


def _rank(y: Values, counts: Counts) -> _Ranked:
    counts = np.ascontiguousarray(counts.T)
    order, starts, group = _ordered(y)
    weighted = np.empty(counts.shape, np.float32)  # halves below 2²³ are exact
    spread, half, cubes = np.empty((3, counts.shape[1]))
    step = max(1, _BLOCK // max(len(counts), 1))
    for start in range(0, counts.shape[1], step):
        block = slice(start, start + step)
        times = counts[:, block].astype(np.float64)
        ranks = _mid_ranks(order, starts, group, times) - (times.sum(axis=0) + 1) / 2
        weighted[:, block] = times * ranks
        spread[block] = np.einsum("pr,pr,pr->r", times, ranks, ranks)
        half[block], cubes[block] = _half(times, times * ranks), _cubes(times)
    size = counts.sum(axis=0, dtype=np.float64)
    return _Ranked(counts, size, weighted, spread, half, cubes)


def _half(times: np.ndarray, weighted: np.ndarray) -> Float[np.ndarray, " resample"]:
    return np.einsum("gr,gr->r", times, weighted, dtype=np.float64) / 2


def _cubes(times: np.ndarray) -> Float[np.ndarray, " resample"]:
    return np.einsum("gr,gr,gr->r", times, times, times, dtype=np.float64)


def bootstrap_pearson(x: Values, y: Values, counts: Counts) -> Float[np.ndarray, " resample"]:
    """Pearson's correlation of each resample; NaN where a resample is constant.

    Values are taken from their median: a resample without the one value that lies far from all others
    keeps the digits that tell those apart, and is no constant.
    """
    ranges = [float(np.ptp(values)) or 1.0 for values in (x, y)]
    equal = [(_ROUNDING * np.abs(v).max(initial=0) / r) ** 2 for v, r in zip((x, y), ranges, strict=True)]
    x, y = ((v - np.median(v)) / r for v, r in zip((x, y), ranges, strict=True))
    moments = np.stack([x, y, x * x, y * y, x * y], axis=1)
    size = counts.sum(axis=1, dtype=np.float64)
    sums = np.empty((len(counts), moments.shape[1]))
    step = max(1, _BLOCK // max(len(x), 1))
    for start in range(0, len(counts), step):
        sums[start : start + step] = counts[start : start + step].astype(np.float64) @ moments
    mean_x, mean_y, mean_xx, mean_yy, mean_xy = (sums / np.maximum(size, 1)[:, None]).T
    cross = mean_xy - mean_x * mean_y
    spread_x, spread_y = mean_xx - mean_x**2, mean_yy - mean_y**2
    constant = spread_x <= np.maximum(_ROUNDING * mean_xx, equal[0])
    constant |= spread_y <= np.maximum(_ROUNDING * mean_yy, equal[1])
    deviations = np.sqrt(np.where(constant, 1, spread_x)) * np.sqrt(np.where(constant, 1, spread_y))
    return np.where(constant, np.nan, cross / deviations)


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


def in_own_order(number: int, samples: Float[np.ndarray, " resample"]) -> Float[np.ndarray, " resample"]:
    """The resamples of one of several corpora that are averaged, in an order that its number gives.

    The draws of corpora of one size are the same, and of different corpora they have nothing in common.
    """
    return np.random.default_rng(number).permutation(samples)


def interval(samples: Float[np.ndarray, " resample"]) -> tuple[float, float]:
    """The central 95 % of the samples that are numbers; NaN when there are none."""
    kept = samples[np.isfinite(samples)]
    if not len(kept):
        return float("nan"), float("nan")
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(kept, [tail, 100 - tail])
    return float(low), float(high)
