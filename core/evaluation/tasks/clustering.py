"""Clustering: whether texts of one class lie together; nothing is learnt from the classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import normalized_mutual_info_score, v_measure_score
from sklearn.metrics.cluster import contingency_matrix

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.task import (
    TASK,
    Rows,
    TaskData,
    TaskResult,
    check_task,
    resampled_means,
    row_features,
)
from core.progress import Step
from core.recipe.arguments import Within
from core.recipe.options import Choice

Codes = Int[np.ndarray, "_"]

Features = Callable[[Rows], Float[np.ndarray, "_ column"]]
"""Gives the features of some of the rows that are clustered."""

SECONDS = 3e-8
"""Seconds of one processor that a run of k-means takes for a row, column and cluster; measured here."""

MANY = 100_000
"""Rows up to which every run is k-means over all of them at once; more are read in batches."""

BATCH = 10_000
"""Rows of a batch at least; ten for each cluster where these are more."""

BATCHED_SECONDS = 2e-9
"""Seconds as above of a run in batches; measured by ``benchmarks/neighbours.py``."""


def _refuses(corpus: Corpus) -> str:
    if not corpus.labels:
        return f"the corpus {corpus.name} has no labels."
    if not corpus.classes:
        return f"no row of {corpus.name} has a label."
    if len(corpus.classes) < 2:
        return f"all labels of {corpus.name} are {corpus.classes[0]!r}: there is one class only."
    return ""


def _seconds(corpus: Corpus, columns: int, *, runs: int, k: int | None) -> float:
    each = SECONDS if corpus.rows <= MANY else BATCHED_SECONDS
    return runs * corpus.rows * columns * (k or len(corpus.classes)) * each


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

    More than 100,000 rows are clustered in batches, so that memory does not grow with them: a run sees each
    row once, in an order of its own, and then gives every row its nearest centre (mini-batch k-means,
    Sculley 2010). The protocol says so.

    Raises
    ------
    CorpusError
        One class only, or more clusters than rows.

    References
    ----------
    Stankevičius & Lukoševičius 2024, section 3.5.1.
    """
    corpus = _labelled(data.corpus)
    check_task(corpus, Choice("clustering"))
    wanted = k or len(corpus.classes)
    if wanted > corpus.rows:
        raise CorpusError(f"clustering: k={wanted:,} clusters are more than the {corpus.rows:,} rows.")
    notes = []
    if left := data.corpus.rows - corpus.rows:
        notes.append(f"{left:,} rows without a label are left out.")
    vectors, kept = data.embed(), np.flatnonzero(data.corpus.labels)
    codes = {label: code for code, label in enumerate(corpus.classes)}
    gold = np.array([codes[label] for label in corpus.labels])
    found = np.empty((runs, corpus.rows), np.int32)
    if many := corpus.rows > MANY:
        cluster = partial(in_batches, lambda rows: row_features(data, vectors, kept[rows]), corpus.rows)
    else:
        cluster = partial(at_once, row_features(data, vectors, kept))
    for run in range(runs):
        data.progress(Step("Clustering", run, runs))
        found[run] = cluster(wanted, run)
        distinct = len(np.unique(found[run]))
        short = f"Only {distinct:,} of {wanted:,} clusters have rows: too few vectors differ."
        if distinct < wanted and not notes[-1:] == [short]:
            notes.append(short)
    data.progress(Step("Clustering", runs, runs))
    credits = np.stack([assigned(gold, clusters) == gold for clusters in found]).astype(np.float32)
    accuracies = 100 * credits.mean(axis=1, dtype=np.float64)
    others = {
        "v_measure": 100 * float(np.mean([v_measure_score(gold, c) for c in found])),
        "nmi": 100 * float(np.mean([normalized_mutual_info_score(gold, c) for c in found])),
        "spread": float(accuracies.std(ddof=1)) if runs > 1 else 0.0,
    }
    method = f"k-means in batches of {_batch(wanted):,} rows" if many else "k-means"
    learnt = f"; {', '.join(data.learns)} learnt from the clustered texts" if data.learns else ""
    return TaskResult(
        "accuracy",
        float(accuracies.mean()),
        partial(resampled_means, credits),
        f"{method}, k = {wanted}, Hungarian accuracy, mean of {runs} runs on {corpus.split_name}{learnt}",
        tuple(range(runs)),
        corpus.rows,
        others,
        tuple(notes),
    )


def assigned(gold: Codes, clusters: Codes) -> Codes:
    """The class of each row when clusters are assigned to classes so that most rows are right; else -1."""
    counts = contingency_matrix(gold, clusters)
    classes, found = linear_sum_assignment(counts, maximize=True)
    names = np.unique(clusters)
    of = np.full(int(names.max(initial=0)) + 1, -1)
    of[names[found]] = np.unique(gold)[classes]
    return of[clusters]


def _labelled(corpus: Corpus) -> Corpus:
    """The rows with a label."""
    kept = np.array([bool(label) for label in corpus.labels], bool)
    return corpus if kept.all() else corpus.of_rows(np.flatnonzero(kept))


def at_once(features: Float[np.ndarray, "row column"] | Any, k: int, seed: int) -> Codes:
    """The cluster of each row by k-means over all of them."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # fewer vectors differ than clusters are asked for
        return np.asarray(KMeans(k, n_init=1, random_state=seed).fit(features).labels_, int)


def in_batches(features: Features, rows: int, k: int, seed: int) -> Codes:
    """The cluster of each row by mini-batch k-means; memory is that of a batch and of a number a row."""
    batch = _batch(k)
    order = np.random.default_rng(seed).permutation(rows)
    learnt = MiniBatchKMeans(k, n_init=1, random_state=seed, batch_size=batch)
    clusters = np.empty(rows, int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for part in np.array_split(order, max(1, rows // batch)):
            learnt.partial_fit(features(np.sort(part)))
    for start in range(0, rows, batch):
        span = np.arange(start, min(start + batch, rows))
        clusters[span] = learnt.predict(features(span))
    return clusters


def _batch(k: int) -> int:
    return max(BATCH, 10 * k)
