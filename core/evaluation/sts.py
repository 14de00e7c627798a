"""Semantic textual similarity: how well similarities follow the gold scores.

Spearman × 100 unless said otherwise. Aggregates: ``all`` is one correlation over all pairs of all
subsets (SimCSE, Ditto, Stankevičius & Lukoševičius), ``mean`` the unweighted mean over subsets, and
``wmean`` the mean weighted by their sizes (BERT-whitening). The same vectors score several points
apart under different aggregates, so a score always says which it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy.stats import rankdata

from core.corpus import Corpus
from core.errors import CorpusError, shorten
from core.evaluation.statistics import (
    bootstrap_spearman,
    draw,
    interval,
    pearson,
    spearman,
    spearmans,
)

Aggregate = Literal["all", "mean", "wmean"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)

Similarities = Float[np.ndarray, " pair"]


@dataclass(frozen=True, eq=False)
class Score:
    """Correlations × 100 with the 95 % bootstrap interval of Spearman's.

    ``subsets`` holds (Spearman, Pearson, pairs) by name. A number that cannot be computed is NaN and
    ``problem`` says why.
    """

    spearman: float
    pearson: float
    low: float
    high: float
    pairs: int
    aggregate: Aggregate
    subsets: Mapping[str, tuple[float, float, int]]
    problem: str = ""


@dataclass(frozen=True)
class Difference:
    """B minus A in Spearman × 100, with its paired 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0

    def words(self) -> str:
        """The difference as a sentence."""
        if not np.isfinite([self.value, self.low, self.high]).all():
            return "The difference cannot be computed: one side has no score."
        if not self.shown:
            bounds = _between(self.low, self.high)
            return f"No difference shown: B - A is {self.value:+.1f}, {bounds}."
        if self.value > 0:
            return f"B is better by {self.value:.1f}, {_between(self.low, self.high)}."
        return f"A is better by {-self.value:.1f}, {_between(-self.high, -self.low)}."


def _between(low: float, high: float) -> str:
    """An interval in words; two decimals where one would print a bound as 0.0."""
    digits = 2 if 0 < min(abs(low), abs(high)) < 0.05 else 1
    return f"95 % between {low:.{digits}f} and {high:.{digits}f}"


def check_scorable(corpus: Corpus) -> None:
    """Raise :class:`CorpusError` for a corpus on which no correlation exists."""
    if not len(corpus):
        raise CorpusError(
            f"The corpus {corpus.name} has no scored pairs; take one with sentence1, sentence2 and "
            "score (texts alone can be a reference)."
        )
    if len(corpus) < 2:
        raise CorpusError(f"The corpus {corpus.name} has one pair only; a correlation needs two.")
    if np.ptp(corpus.gold) == 0:
        raise CorpusError(
            f"Every gold score of {corpus.name} is {corpus.gold[0]:g}: no correlation exists. "
            "Is the score column the right one?"
        )


def check_aggregate(aggregate: str) -> Aggregate:
    """``aggregate`` if it is one, else a :class:`CorpusError`."""
    for known in AGGREGATES:
        if aggregate == known:
            return known
    raise CorpusError(f"aggregate: got {shorten(aggregate)}; allowed is {', '.join(AGGREGATES)}.")


def evaluate(
    similarities: Similarities, corpus: Corpus, aggregate: Aggregate = "all", *, intervals: bool = True
) -> Score:
    """Score similarities of a corpus' pairs against its gold scores.

    Raises :class:`CorpusError` when the gold scores allow no correlation. Similarities that are all
    equal (the [CLS] of layer 0) give NaN and a ``problem``.
    """
    check_scorable(corpus)
    parts = _parts(corpus)
    subsets = {
        name: (
            100 * spearman(similarities[rows], corpus.gold[rows]),
            100 * pearson(similarities[rows], corpus.gold[rows]),
            len(rows),
        )
        for name, rows in parts.items()
    }
    names = [name for name, values in subsets.items() if np.isfinite(values[0])]
    if aggregate == "all":
        value = 100 * spearman(similarities, corpus.gold)
        linear = 100 * pearson(similarities, corpus.gold)
    elif names:
        weights = [subsets[n][2] if aggregate == "wmean" else 1 for n in names]
        value = float(np.average([subsets[n][0] for n in names], weights=weights))
        linear = float(np.average([subsets[n][1] for n in names], weights=weights))
    else:
        value = linear = float("nan")
    low = high = float("nan")
    if intervals and np.isfinite(value):
        low, high = interval(_resampled(similarities, corpus, aggregate))
    return Score(
        value, linear, low, high, len(corpus), aggregate, subsets, _problem(value, subsets, aggregate)
    )


def spearman_of(
    rows: Float[np.ndarray, "row pair"], corpus: Corpus, aggregate: Aggregate = "all"
) -> Float[np.ndarray, " row"]:
    """Spearman × 100 of each row of similarities, as :func:`evaluate` has it, and nothing else.

    Raises :class:`CorpusError` when the gold scores allow no correlation.
    """
    check_scorable(corpus)
    if aggregate == "all":
        return 100 * spearmans(rows, corpus.gold)
    parts = list(_parts(corpus).values())
    found = np.stack([100 * spearmans(rows[:, part], corpus.gold[part]) for part in parts])
    sizes = np.array([len(part) if aggregate == "wmean" else 1 for part in parts], np.float64)
    weights = np.where(np.isnan(found), 0.0, sizes[:, None])
    total = weights.sum(axis=0)
    sums = (weights * np.nan_to_num(found)).sum(axis=0)
    return np.divide(sums, total, out=np.full(len(rows), np.nan), where=total > 0)


def compare(a: Similarities, b: Similarities, corpus: Corpus, aggregate: Aggregate = "all") -> Difference:
    """B minus A on the same pairs; every resample scores both, so what they share cancels."""
    values = [evaluate(s, corpus, aggregate, intervals=False).spearman for s in (a, b)]
    first, second = (_resampled(s, corpus, aggregate) for s in (a, b))
    return Difference(values[1] - values[0], *interval(second - first))


def worst_pairs(
    similarities: Similarities, corpus: Corpus, most: int = 8
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs whose rank by similarity is furthest below, and furthest above, their rank by gold.

    ``places`` is that distance in ranks of 100.
    """
    off = 100 * (rankdata(similarities) - rankdata(corpus.gold)) / max(len(corpus), 1)
    order = np.argsort(off, kind="stable")
    return tuple(  # type: ignore[return-value]
        pd.DataFrame(
            {
                "gold": corpus.gold[rows],
                "similarity": similarities[rows],
                "places": np.round(off[rows]).astype(int),
                "sentence 1": [corpus.sentences[int(i)] for i in corpus.first[rows]],
                "sentence 2": [corpus.sentences[int(i)] for i in corpus.second[rows]],
            }
        )
        for rows in (order[:most], order[::-1][:most])
    )


def by_subset(similarities: Similarities, corpus: Corpus) -> dict[str, Score]:
    """Each subset scored by itself, with its own interval; one entry for a corpus without subsets.

    A subset on which no correlation exists gives NaN and a ``problem``.
    """
    return {name: _score_rows(similarities, corpus, name, rows) for name, rows in _parts(corpus).items()}


def _score_rows(similarities: Similarities, corpus: Corpus, name: str, rows: np.ndarray) -> Score:
    x, y = similarities[rows], corpus.gold[rows]
    value, linear = 100 * spearman(x, y), 100 * pearson(x, y)
    low = high = float("nan")
    if np.isfinite(value):
        low, high = interval(100 * bootstrap_spearman(x, y, draw(np.zeros(len(rows), int))))
    subsets = {name: (value, linear, len(rows))}
    return Score(value, linear, low, high, len(rows), "all", subsets, _problem(value, subsets, "all"))


def _parts(corpus: Corpus) -> dict[str, np.ndarray]:
    subset = np.array(corpus.subset)
    names = dict.fromkeys(corpus.subset)
    return {name or "all": np.flatnonzero(subset == name) for name in names}


def _resampled(similarities: Similarities, corpus: Corpus, aggregate: Aggregate) -> np.ndarray:
    """Spearman × 100 of each bootstrap resample under the aggregate; the same draws every time."""
    parts = list(_parts(corpus).values())
    if aggregate == "all":
        counts = draw(np.zeros(len(corpus), int))
        return 100 * bootstrap_spearman(similarities, corpus.gold, counts)
    groups = np.empty(len(corpus), int)
    for number, rows in enumerate(parts):
        groups[rows] = number
    counts = draw(groups)
    kept = [
        (100 * bootstrap_spearman(similarities[r], corpus.gold[r], counts[:, r]), len(r))
        for r in parts
        if np.isfinite(spearman(similarities[r], corpus.gold[r]))
    ]
    weights = [size if aggregate == "wmean" else 1 for _, size in kept]
    return np.average([samples for samples, _ in kept], axis=0, weights=weights)


def _problem(value: float, subsets: Mapping[str, tuple[float, float, int]], aggregate: Aggregate) -> str:
    if not np.isfinite(value):
        return "All similarities are equal under this recipe, so no correlation exists."
    missing = [name for name, values in subsets.items() if not np.isfinite(values[0])]
    if missing and aggregate != "all":
        return f"No correlation exists in {', '.join(missing)} (constant); left out of the mean."
    return ""
