"""Semantic textual similarity: the correlation of similarities with gold scores.

Scores are Spearman × 100 unless stated otherwise. The aggregate ``all`` is one correlation over all pairs
of all subsets (SimCSE, Ditto, Stankevičius & Lukoševičius), ``mean`` the unweighted mean over subsets, and
``wmean`` the mean over subsets weighted by their sizes (BERT-whitening). The aggregate changes the score of
the same vectors by several points, so every score names its aggregate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from jaxtyping import Float

from core.corpora.columns import EVERY, unlike
from core.corpora.corpus import Corpus
from core.errors import CorpusError, are, counted, shorten
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.statistics import (
    RESAMPLES,
    bootstrap_pearson,
    bootstrap_spearman,
    draw,
    interval,
    is_constant,
    pearson,
    spearman,
    spearmans,
)

Aggregate = Literal["all", "mean", "wmean"]
Correlation = Literal["spearman", "pearson"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)

BOOTSTRAPS = {"spearman": bootstrap_spearman, "pearson": bootstrap_pearson}
"""Each correlation of bootstrap resamples."""

FEW_PAIRS = 10
"""Pairs from which on a correlation has an interval: resamples of fewer say nothing about others."""

Similarities = Float[np.ndarray, " pair"]
Samples = Float[np.ndarray, " resample"]


@dataclass(frozen=True, eq=False)
class Score:
    """Correlations × 100 with the 95 % bootstrap interval of Spearman's.

    ``subsets`` holds (Spearman, Pearson, pairs) by name. A number that cannot be computed is NaN, and
    ``problem`` gives the reason. Of fewer than :data:`FEW_PAIRS` pairs the bounds are NaN.
    """

    spearman: float
    pearson: float
    low: float
    high: float
    pairs: int
    aggregate: Aggregate
    subsets: Mapping[str, tuple[float, float, int]]
    problem: str = ""


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


def too_few(number: int, low: float, high: float, what: str = "pair") -> str:
    """``3 pairs are too few for an interval``; empty where there is one, or none for another reason."""
    if number >= FEW_PAIRS or np.isfinite([low, high]).all():
        return ""
    return f"{counted(number, what)} {are(number)} too few for an interval"


def few(number: int, low: float, high: float, what: str = "pair") -> list[str]:
    """What a reader must know of the interval of a score of few pairs or rows; nothing of others."""
    if told := too_few(number, low, high, what):
        return [f"{told}: from {FEW_PAIRS} on there is one."]
    if low != high:  # bounds that are no numbers among them
        return []
    return [
        f"Every resample of the {counted(number, what)} gives the same value: an interval without a width "
        "says nothing of others."
    ]


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
    if aggregate == "all":
        value, linear = (100 * each(similarities, corpus.gold) for each in (spearman, pearson))
    else:
        of_subsets = np.array([*subsets.values()])
        value, linear = _mean_of_subsets(of_subsets[:, :2], of_subsets[:, 2], aggregate).tolist()
    low = high = float("nan")
    if intervals and np.isfinite(value):
        low, high = interval(resampled(similarities, corpus, aggregate))
    problem, missing = "", [name for name, values in subsets.items() if not np.isfinite(values[0])]
    if not np.isfinite(value):
        problem = _no_correlation(similarities, corpus.gold)
    elif aggregate != "all" and missing:
        why = "constant" if np.isfinite(similarities).all() else "constant, or not finite"
        problem = f"No correlation exists in {', '.join(missing)} ({why}); left out of the mean."
    return Score(value, linear, low, high, len(corpus), aggregate, subsets, problem)


def spearman_of(
    rows: Float[np.ndarray, "row pair"], corpus: Corpus, aggregate: Aggregate = "all"
) -> Float[np.ndarray, " row"]:
    """Spearman × 100 of each row of similarities, the same number as that of :func:`evaluate`.

    Raises :class:`CorpusError` when the gold scores allow no correlation.
    """
    check_scorable(corpus)
    if aggregate == "all":
        return 100 * spearmans(rows, corpus.gold)
    parts = list(_parts(corpus).values())
    correlations = np.stack([100 * spearmans(rows[:, part], corpus.gold[part]) for part in parts])
    return _mean_of_subsets(correlations, np.array([len(part) for part in parts]), aggregate)


def _mean_of_subsets(
    correlations: Float[np.ndarray, "subset column"], pairs: np.ndarray, aggregate: Aggregate
) -> Float[np.ndarray, " column"]:
    """The mean over the subsets that have a correlation, by their pairs for ``wmean``; NaN for none."""
    sizes = pairs if aggregate == "wmean" else np.ones(len(pairs))
    weights = np.where(np.isnan(correlations), 0.0, sizes[:, None])
    total = weights.sum(axis=0)
    sums = (weights * np.nan_to_num(correlations)).sum(axis=0)
    return np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)


def compare(a: Similarities, b: Similarities, corpus: Corpus, aggregate: Aggregate = "all") -> Difference:
    """B minus A on the same pairs; every bootstrap resample scores both recipes (a paired interval).

    A mean is that over the subsets in which both have a correlation, so that it is of the same subsets.
    """
    both = _with_correlation(a, corpus, aggregate) & _with_correlation(b, corpus, aggregate)
    a, b = (np.where(both, similarities, np.nan) for similarities in (a, b))
    values = [evaluate(s, corpus, aggregate, intervals=False).spearman for s in (a, b)]
    first, second = (resampled(s, corpus, aggregate) for s in (a, b))
    return Difference.paired(values[0], first, values[1], second)


class Bounded(NamedTuple):
    """Spearman × 100 with its 95 % bootstrap interval; NaN where there is no correlation."""

    spearman: float
    low: float
    high: float


class AgainstBest(NamedTuple):
    """Of rows of similarities their scores, what the best scores above each, and the bootstrap samples.

    Samples are of the same resamples in one order for every row of similarities of a corpus; NaN for a row
    without a score.
    """

    scores: list[Bounded]
    differences: list[Difference]
    samples: Float[np.ndarray, "row resample"]


def against_best(rows: Sequence[Similarities], corpus: Corpus, aggregate: Aggregate = "all") -> AgainstBest:
    """The score of each row of similarities, and what the best row scores above each of them.

    All intervals are of the same resamples, so that the differences are paired. A row without a score, and
    every row where none has one, has differences that are NaN. Each difference is that of :func:`compare`.
    """
    values = spearman_of(np.stack(rows), corpus, aggregate)
    known = np.flatnonzero(np.isfinite(values)).tolist()
    samples = {i: resampled(rows[i], corpus, aggregate) for i in known}
    without = np.full(RESAMPLES, np.nan)
    samples_of = [samples.get(i, without) for i in range(len(rows))]
    scores = [Bounded(float(v), *interval(of)) for v, of in zip(values, samples_of, strict=True)]
    differences = [NO_DIFFERENCE] * len(rows)
    if known:
        best = int(np.nanargmax(values))
        whole = _with_correlation(rows[best], corpus, aggregate)
        for i, sample in samples.items():
            if np.array_equal(_with_correlation(rows[i], corpus, aggregate), whole):
                differences[i] = Difference.paired(values[i], sample, values[best], samples[best])
            else:
                differences[i] = compare(rows[i], rows[best], corpus, aggregate)
    return AgainstBest(scores, differences, np.stack(samples_of))


def resampled(
    similarities: Similarities,
    corpus: Corpus,
    aggregate: Aggregate,
    correlation: Correlation = "spearman",
) -> Samples:
    """The correlation × 100 of each bootstrap resample under the aggregate; the draws are always the same.

    A subset without correlation is left out; all are NaN where no subset has one, and where the corpus has
    fewer than :data:`FEW_PAIRS` pairs.
    """
    if len(corpus) < FEW_PAIRS:
        return np.full(RESAMPLES, np.nan)
    bootstrap = BOOTSTRAPS[correlation]
    parts = list(_parts(corpus).values())
    if aggregate == "all":
        counts = draw(np.zeros(len(corpus), int))
        return 100 * bootstrap(similarities, corpus.gold, counts)
    groups = np.empty(len(corpus), int)
    for number, rows in enumerate(parts):
        groups[rows] = number
    counts = draw(groups)
    resampled = [
        (100 * bootstrap(similarities[r], corpus.gold[r], counts[:, r]), len(r))
        for r in parts
        if np.isfinite(spearman(similarities[r], corpus.gold[r]))
    ]
    if not resampled:
        return np.full(len(counts), np.nan)
    weights = [size if aggregate == "wmean" else 1 for _, size in resampled]
    return np.average([samples for samples, _ in resampled], axis=0, weights=weights)


def by_subset(similarities: Similarities, corpus: Corpus) -> dict[str, Score]:
    """The score of each subset with its own interval, if it has pairs enough; one entry without subsets.

    A subset without correlation has NaN and a ``problem``.
    """
    return {name: _score_rows(similarities, corpus, name, rows) for name, rows in _parts(corpus).items()}


def _score_rows(similarities: Similarities, corpus: Corpus, name: str, rows: np.ndarray) -> Score:
    x, y = similarities[rows], corpus.gold[rows]
    value, linear = 100 * spearman(x, y), 100 * pearson(x, y)
    low = high = float("nan")
    if np.isfinite(value) and len(rows) >= FEW_PAIRS:
        low, high = interval(100 * bootstrap_spearman(x, y, draw(np.zeros(len(rows), int))))
    problem = "" if np.isfinite(value) else _no_correlation(x, y)
    return Score(value, linear, low, high, len(rows), "all", {name: (value, linear, len(rows))}, problem)


def _parts(corpus: Corpus) -> dict[str, np.ndarray]:
    """The pairs of each subset by its name; those of no subset under a name that no subset has."""
    subset = np.array(corpus.subset)
    names = dict.fromkeys(corpus.subset)
    unnamed = unlike(EVERY if len(names) == 1 else "no subset", names)
    return {name or unnamed: np.flatnonzero(subset == name) for name in names}


def _with_correlation(similarities: Similarities, corpus: Corpus, aggregate: Aggregate) -> np.ndarray:
    """Whether each pair takes part: in a mean those of subsets that have a correlation, else all."""
    known = np.ones(len(corpus), bool)
    if aggregate != "all":
        for rows in _parts(corpus).values():
            known[rows] = np.isfinite(spearman(similarities[rows], corpus.gold[rows]))
    return known


def _no_correlation(similarities: Similarities, gold: Float[np.ndarray, " pair"]) -> str:
    """Why similarities and gold scores have no correlation, nor have those of any subset."""
    if len(gold) < 2:
        return "One pair alone has no correlation."
    if not np.isfinite(similarities).all():
        return "Some similarities are not finite under this recipe, so no correlation exists."
    if is_constant(similarities):
        return "All similarities are equal under this recipe, so no correlation exists."
    if is_constant(gold):
        return "All gold scores are equal, so no correlation exists."
    return "In every subset all gold scores or all similarities are equal, so no correlation exists."
