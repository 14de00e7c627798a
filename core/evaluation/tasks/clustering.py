"""Clustering: whether texts of one class lie together; nothing is learnt from the classes.

scikit-learn does the clustering, and is loaded when something is clustered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np
from jaxtyping import Float, Int

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.labels import labelled_rows, left_out, one_class_at_most
from core.evaluation.tasks.task import (
    TASK,
    Rows,
    TaskData,
    TaskResult,
    check_task,
    resampled_means,
    row_features,
    too_large,
)
from core.loading import LOADING
from core.progress import Step, told_inside
from core.recipe.arguments import Within
from core.recipe.options import Choice

Codes = Int[np.ndarray, "_"]

Features = Callable[[Rows], Float[np.ndarray, "_ column"]]
"""Gives the features of some of the rows that are clustered."""

SECONDS = 3e-8
"""Seconds of one processor that a run of k-means takes for a row, column and cluster; measured here."""

ASSIGNMENT_BYTES = 24
"""Bytes that the assignment of clusters to classes takes for each of both: counts, and copies of them."""

MANY = 100_000
"""Rows that k-means is given at most; of more rows, a run draws so many and assigns the others."""

ASSIGNED = 10_000
"""Rows that are assigned at once."""

CLUSTERED = 0.9
"""The share of the work that k-means is; clusters are then assigned to classes."""

ASSIGNING_SECONDS = 3e-10
"""Seconds as above of giving a row its cluster; measured by ``benchmarks/neighbours.py``."""


def _refuses(corpus: Corpus) -> str:
    return one_class_at_most(corpus) or too_large(corpus, len(corpus.classes) ** 2, ASSIGNMENT_BYTES)


def _seconds(corpus: Corpus, columns: int, *, runs: int, k: int | None) -> float:
    learnt, given = min(corpus.rows, MANY), corpus.rows if corpus.rows > MANY else 0
    return runs * columns * (k or len(corpus.classes)) * (learnt * SECONDS + given * ASSIGNING_SECONDS)


@TASK.option(refuses=_refuses, seconds=_seconds)
def clustering(
    data: TaskData,
    *,
    runs: Annotated[int, Within(1, 100, "seeded runs of k-means")] = 10,
    k: Annotated[int | None, Within(2, 10_000, "clusters; as many as classes when left out")] = None,
) -> TaskResult:
    """Clustering: k-means with as many clusters as classes, accuracy of the best assignment.

    Each run is k-means from one k-means++ start. Its clusters are assigned to classes one to one so that
    most rows are right (the Hungarian algorithm); rows of clusters beyond the classes are wrong. The
    accuracy is the mean over runs. The interval resamples rows and runs; ``spread`` is the standard
    deviation over runs. V-measure and NMI (by the arithmetic mean of the entropies) are one number under
    two names.

    Of more than 100,000 rows each run draws 100,000 by its seed, and every row gets the nearest of the
    centres that k-means finds among these: memory and the time of learning do not grow. The protocol says
    so.

    Raises
    ------
    CorpusError
        One class only, more clusters than rows, or more classes than half of the machine's
        memory holds.

    References
    ----------
    Stankevičius & Lukoševičius 2025, section 3.5.1.
    """
    with LOADING:
        from sklearn.metrics import normalized_mutual_info_score, v_measure_score

    labelled = labelled_rows(data.corpus)
    corpus = data.corpus if len(labelled) == data.corpus.rows else data.corpus.of_rows(labelled)
    check_task(corpus, Choice("clustering"))
    wanted = k or len(corpus.classes)
    if wanted > corpus.rows:
        raise CorpusError(
            f"clustering: k={wanted:,} clusters are more than the {corpus.rows:,} rows; take "
            f"k={corpus.rows} or fewer."
        )
    notes = left_out(data.corpus, corpus.rows)
    if wanted == corpus.rows:
        notes.append("There are as many clusters as rows: texts that differ are right under any recipe.")
    codes = {label: code for code, label in enumerate(corpus.classes)}
    gold = np.array([codes[label] for label in corpus.labels])
    found = _clusters(data, labelled, wanted, runs)
    distinct = dict.fromkeys(len(np.unique(clusters)) for clusters in found)
    notes += [
        f"Only {number:,} of {wanted:,} clusters have rows: too few vectors differ."
        for number in distinct
        if number < wanted
    ]
    credits = np.empty(found.shape, np.float32)
    for run, clusters in enumerate(found):
        share = CLUSTERED + (1 - CLUSTERED) * run / runs
        data.progress(Step("Assigning clusters to classes", run, runs, share=share))
        credits[run] = assigned(gold, clusters) == gold
    accuracies = 100 * credits.mean(axis=1, dtype=np.float64)
    others = {
        "v_measure": 100 * float(np.mean([v_measure_score(gold, c) for c in found])),
        "nmi": 100 * float(np.mean([normalized_mutual_info_score(gold, c) for c in found])),
    } | ({"spread": float(accuracies.std(ddof=1))} if runs > 1 else {})
    times = f"mean of {runs} runs" if runs > 1 else "one run"
    some = f" of {MANY:,} rows in each run, the others assigned" if corpus.rows > MANY else ""
    learnt = f"; {', '.join(data.learns)} learnt from the clustered texts" if data.learns else ""
    return TaskResult(
        "accuracy",
        float(accuracies.mean()),
        partial(resampled_means, credits),
        f"k-means{some}, k = {wanted}, Hungarian accuracy, {times} on {corpus.split_name}{learnt}",
        tuple(range(runs)),
        corpus.rows,
        others,
        tuple(notes),
    )


def _clusters(
    data: TaskData, kept: Int[np.ndarray, " row"], k: int, runs: int
) -> Int[np.ndarray, "run row"]:
    """The cluster of each kept row in each seeded run of k-means."""
    vectors = data.embed()
    if len(kept) > MANY:
        cluster = partial(by_sample, lambda rows: row_features(data, vectors, kept[rows]), len(kept))
    else:
        cluster = partial(by_all, row_features(data, vectors, kept))
    found = np.empty((runs, len(kept)), np.int32)
    for run in range(runs):
        step = Step("Clustering", run, runs, share=CLUSTERED * run / runs)
        data.progress(step)
        found[run] = cluster(k, run, partial(data.progress, step))
    data.progress(Step("Clustering", runs, runs, share=CLUSTERED))
    return found


def assigned(gold: Codes, clusters: Codes) -> Codes:
    """The class of each row when clusters are assigned to classes so that most rows are right; else -1."""
    from scipy.optimize import linear_sum_assignment

    with LOADING:
        from sklearn.metrics.cluster import contingency_matrix

    counts = contingency_matrix(gold, clusters)
    classes, found = linear_sum_assignment(counts, maximize=True)
    names = np.unique(clusters)
    of = np.full(int(names.max(initial=0)) + 1, -1)
    of[names[found]] = np.unique(gold)[classes]
    return of[clusters]


def by_all(
    features: Float[np.ndarray, "row column"] | Any, k: int, seed: int, tell: Callable[[], None]
) -> Codes:
    """The cluster of each row by k-means over all of them; ``tell`` is called while it runs."""
    return np.asarray(_fitted(features, k, seed, tell).labels_, int)


def by_sample(features: Features, rows: int, k: int, seed: int, tell: Callable[[], None]) -> Codes:
    """The cluster of each row, its centres found by k-means over :data:`MANY` of the rows."""
    drawn = np.sort(np.random.default_rng(seed).choice(rows, min(rows, max(MANY, k)), replace=False))
    learnt, clusters = _fitted(features(drawn), k, seed, tell), np.empty(rows, int)
    for start in range(0, rows, ASSIGNED):
        span = np.arange(start, min(start + ASSIGNED, rows))
        tell()
        clusters[span] = learnt.predict(features(span))
    return clusters


def _fitted(
    features: Float[np.ndarray, "row column"] | Any, k: int, seed: int, tell: Callable[[], None]
) -> Any:
    with LOADING:
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(), told_inside(tell):  # no lock of ours is held where it pauses
        # fewer vectors differ than clusters are asked for
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KMeans(k, n_init=1, random_state=seed).fit(features)
