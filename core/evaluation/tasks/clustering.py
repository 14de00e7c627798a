"""Clustering: whether texts of one class lie together; nothing is learnt from the classes."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Annotated, Any

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import normalized_mutual_info_score, v_measure_score
from sklearn.metrics.cluster import contingency_matrix

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.tasks.task import (
    TASK,
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

SECONDS = 3e-8
"""Seconds of one processor that a run of k-means takes for a row, column and cluster; measured here."""


def _refuses(corpus: Corpus) -> str:
    if not corpus.labels:
        return f"the corpus {corpus.name} has no labels."
    if not corpus.classes:
        return f"no row of {corpus.name} has a label."
    if len(corpus.classes) < 2:
        return f"all labels of {corpus.name} are {corpus.classes[0]!r}: there is one class only."
    return ""


def _seconds(corpus: Corpus, columns: int, *, runs: int, k: int | None) -> float:
    return runs * corpus.rows * columns * (k or len(corpus.classes)) * SECONDS


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
    features = row_features(data, data.embed())
    if corpus is not data.corpus:
        features = features[np.flatnonzero(data.corpus.labels)]
    gold = np.array([corpus.classes.index(label) for label in corpus.labels])
    found = np.empty((runs, corpus.rows), int)
    for run in range(runs):
        data.progress(Step("Clustering", run, runs))
        found[run], short = _clusters(features, wanted, run)
        if short and not notes[-1:] == [short]:
            notes.append(short)
    data.progress(Step("Clustering", runs, runs))
    credits = np.stack([assigned(gold, clusters) == gold for clusters in found]).astype(float)
    accuracies = 100 * credits.mean(axis=1)
    others = {
        "v_measure": 100 * float(np.mean([v_measure_score(gold, c) for c in found])),
        "nmi": 100 * float(np.mean([normalized_mutual_info_score(gold, c) for c in found])),
        "spread": float(accuracies.std(ddof=1)) if runs > 1 else 0.0,
    }
    learnt = f"; {', '.join(data.learns)} learnt from the clustered texts" if data.learns else ""
    return TaskResult(
        "accuracy",
        float(accuracies.mean()),
        partial(resampled_means, credits),
        f"k-means, k = {wanted}, Hungarian accuracy, mean of {runs} runs on {corpus.split_name}{learnt}",
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


def _clusters(features: Float[np.ndarray, "row column"] | Any, k: int, seed: int) -> tuple[Codes, str]:
    """The cluster of each row, and what is wrong with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        clusters = KMeans(k, n_init=1, random_state=seed).fit(features).labels_.astype(int)
    distinct = len(np.unique(clusters))
    short = (
        f"Only {distinct:,} of {k:,} clusters have rows: too few vectors differ." if distinct < k else ""
    )
    return clusters, short
