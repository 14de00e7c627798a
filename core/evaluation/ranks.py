"""Ranks of values: those of a corpus' gold scores are remembered, one ranking for all recipes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Float, Shaped

REMEMBERED = 20_000
"""Values up to which ranks are remembered: 64 lists take 20 MB at most."""

Ranks = Float[np.ndarray, " value"]


def mid_ranks(values: Shaped[np.ndarray, " value"]) -> Ranks:
    """Ranks from 1 in float64, equal values at the middle of theirs; all NaN where one value is.

    To the bit what ``scipy.stats.rankdata`` gives, whose preparations take as long as the sorting of a
    thousand values, and whose loading takes longer than that of all else that a score needs.
    """
    order = np.argsort(values)
    ordered, count = values[order], len(values)
    ranks = np.empty(count)
    if count and ordered[-1] != ordered[-1]:  # a NaN is sorted last
        ranks.fill(np.nan)
        return ranks
    first = np.ones(count + 1, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:count])
    starts = np.flatnonzero(first)
    if len(starts) > count:
        ranks[order] = np.arange(1.0, count + 1)
    else:
        ranks[order] = np.repeat((starts[:-1] + starts[1:] + 1) / 2, np.diff(starts))
    return ranks


def rows_ranked(rows: Shaped[np.ndarray, "row value"]) -> Float[np.ndarray, "row value"]:
    """The ranks of the values of each row by themselves."""
    ranks = np.empty(rows.shape)
    for out, row in zip(ranks, rows, strict=True):
        out[:] = mid_ranks(row)
    return ranks


def gold_ranks(gold: Shaped[np.ndarray, " value"]) -> Ranks:
    """:func:`mid_ranks` of gold scores, which are ranked again for every recipe: the latest are remembered.

    These are read-only.
    """
    if len(gold) > REMEMBERED:
        return mid_ranks(gold)
    return _remembered(gold.tobytes(), gold.dtype.str)


@lru_cache(maxsize=64)
def _remembered(written: bytes, dtype: str) -> Ranks:
    ranks = mid_ranks(np.frombuffer(written, dtype))
    ranks.setflags(write=False)
    return ranks


def mean_ranks(values: Float[np.ndarray, "row column"]) -> Float[np.ndarray, " row"]:
    """The mean over columns of each row's rank, 1 for the highest value, ties shared.

    Columns with a missing value do not count; NaN for all rows where none is left.
    """
    whole = np.isfinite(values).all(axis=0)
    if not whole.any():
        return np.full(len(values), np.nan)
    ranks: np.ndarray = rows_ranked(-values[:, whole].T).mean(axis=0)
    return ranks
