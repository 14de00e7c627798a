"""How much better the best of many recipes looks on dev than it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.corpora.corpus import Corpus
from core.evaluation.sts import Aggregate, Similarities, evaluate, resampled


def optimism(rows: Sequence[Similarities], corpus: Corpus, aggregate: Aggregate = "all") -> float:
    """Points of Spearman × 100 by which choosing the best of these recipes overstates it; 0 for one recipe.

    The whole choice is made again on each bootstrap resample of the pairs: the recipe that is best there
    scores more there than on all pairs, on average by the optimism (Efron 1983). Recipes without a score
    take no part; NaN where none has one.

    Parameters
    ----------
    rows
        The similarity of each pair under each recipe.
    """
    scores = np.array([evaluate(row, corpus, aggregate, intervals=False).spearman for row in rows])
    known = np.isfinite(scores)
    if not known.any():
        return float("nan")
    samples = np.stack([resampled(rows[i], corpus, aggregate) for i in np.flatnonzero(known).tolist()])
    samples = samples[:, np.isfinite(samples).all(axis=0)]
    best = samples.argmax(axis=0)
    there = samples[best, np.arange(samples.shape[1])]
    return float(np.mean(there - scores[known][best])) if len(samples) > 1 else 0.0
