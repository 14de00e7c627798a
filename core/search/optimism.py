"""How much better the best of many recipes looks on dev than it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

import numpy as np

from core.evaluation.tasks.task import TaskResult
from core.loading import LOADING

MOST_ROWS = 150_000
"""Recipes × rows of dev that the choice is made among again; beyond that by the best recipes alone."""

FEWEST_RECIPES = 50
"""The best recipes that are taken however many rows there are."""


def optimism(results: Iterable[Sequence[TaskResult]]) -> float:
    """Points by which choosing the best of these recipes overstates it; 0 for one, NaN without resamples.

    The whole choice is made again on each bootstrap resample of the rows: the recipe that is best there, by
    its mean rank over the corpora, scores more there than on all rows, on average by the optimism (Efron
    1983). On large corpora the best recipes on all rows stand for all: the others are best in no resample.
    Recipes that were given up on a part of dev have no result and take no part: what choosing among them
    adds is not in it.

    Parameters
    ----------
    results
        For each recipe, the best first, its result on each corpus; no more are asked for than are taken.
    """
    every = iter(results)
    if (best_of_all := next(every, None)) is None:
        return float("nan")
    rows = sum(result.n for result in best_of_all)
    most = max(FEWEST_RECIPES, MOST_ROWS // max(rows, 1))
    taken = [
        ([result.value for result in each], [result.samples for result in each])
        for each in chain([best_of_all], islice(every, most - 1))
    ]
    if len(taken) < 2:
        return 0.0
    values, samples = (np.array(part) for part in zip(*taken, strict=True))
    samples = samples[:, :, np.isfinite(samples).all(axis=(0, 1))]
    if not samples.shape[2]:
        return float("nan")
    with LOADING:
        from scipy.stats import rankdata

    best = rankdata(-samples, axis=0).mean(axis=1).argmin(axis=0)
    there = samples[best, :, np.arange(samples.shape[2])].mean(axis=1)
    return float(np.mean(there - values[best].mean(axis=1)))
