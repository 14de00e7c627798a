"""Semantic groups: the words of a corpus cut into k groups by weighted k-means.

A *word* is a vocabulary id that is selected somewhere in the corpus. Its vector is the mean of its
tokens' states and its weight the mean of their weights, over all texts, a text as often as it stands
in the corpus; where every token of an id has the same state, as in a static source, that is the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from jaxtyping import Float, Int

from core.errors import TooFewSentencesError
from core.loading import LOADING
from core.threads import one_thread
from core.tokens.token_batch import TokenBatch

SECONDS = 4e-9
"""Seconds of one processor for each word, dimension, cluster and start of k-means.

Measured on 4,000 to 23,000 words.
"""


@dataclass(frozen=True, eq=False)
class WordTable:
    """The words of a corpus, in the order of their ids."""

    vectors: Float[np.ndarray, "word dim"]
    weights: Float[np.ndarray, " word"]


def collect_words(batches: Iterable[TokenBatch], k: int, pool: str) -> WordTable:
    """The words of a corpus.

    Raises
    ------
    TooFewSentencesError
        Fewer than ``k`` words of weight above 0; ``pool`` names the option in its text.
    """
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    for batch in batches:
        kept = batch.selected
        ids, word = np.unique(batch.ids[kept], return_inverse=True)
        counted = np.column_stack([batch.states[kept], batch.weights[kept], np.ones(kept.sum())])
        repeats = batch.repeats[batch.texts[kept]]
        parts.append((ids, sum_by(word, counted, repeats, len(ids))))
        if sum(len(ids) for ids, _ in parts[1:]) >= len(parts[0][0]):  # rarely: each time twice as many
            parts = [_merged(parts)]
    totals = _merged(parts)[1] if parts else np.zeros((0, 2))
    totals = totals[totals[:, -1] > 0]  # a text that counts 0 times is read, but not learnt from
    means = totals[:, :-1] / totals[:, -1:]
    words = WordTable(means[:, :-1], means[:, -1])
    _refuse_too_few(int((words.weights > 0).sum()), k, pool)
    return words


def _merged(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Sums by id over several parts, ids ascending."""
    ids, word = np.unique(np.concatenate([ids for ids, _ in parts]), return_inverse=True)
    totals = np.concatenate([totals for _, totals in parts])
    return ids, sum_by(word, totals, np.ones(len(totals)), len(ids))


def learn_groups(
    words: WordTable, k: int, seed: int, pool: str, starts: int = 10
) -> Float[np.ndarray, "group dim"]:
    """The weighted mean of each of ``k`` groups of words.

    k-means, weighted by the words' weights (words of weight 0 have no say), until no word changes its
    group; of several k-means++ starts, that with the least squared distances. Words that all have one
    vector have exactly that as their mean.

    Raises
    ------
    TooFewSentencesError
        Fewer than ``k`` different vectors; ``pool`` names the option in its text.
    """
    with LOADING:
        from sklearn.cluster import KMeans  # it loads half of scikit-learn

    counted = words.weights > 0
    vectors, weights = words.vectors[counted], words.weights[counted]
    means = KMeans(k, n_init=starts, tol=0.0, random_state=seed)
    with one_thread(vectors.size * k, loops=True):
        group = means.fit(vectors.astype(np.float32), sample_weight=weights).labels_
    clusters, firsts = np.unique(group, return_index=True)
    _refuse_too_few(len(clusters), k, pool)
    first = vectors[firsts]
    shares = weights / np.bincount(group, weights)[group]
    return first + sum_by(group, vectors - first[group], shares, k)


def seconds(arguments: Mapping[str, Any], words: int, dim: int) -> float:
    """About how long :func:`learn_groups` takes for a pooling with these arguments."""
    return words * dim * int(arguments["k"]) * int(arguments["starts"]) * SECONDS


def mean_weights(words: WordTable, groups: Float[np.ndarray, "group dim"]) -> Float[np.ndarray, " group"]:
    """The mean weight of the words that are nearest to each group's mean."""
    group = nearest(words.vectors, groups)
    number = np.bincount(group, minlength=len(groups))
    return np.bincount(group, words.weights, minlength=len(groups)) / np.maximum(number, 1)


def _refuse_too_few(got: int, k: int, pool: str) -> None:
    if got < k:
        raise TooFewSentencesError(
            f"{pool} needs {k} words with different vectors to make its groups of, got {got}; take a "
            "smaller k."
        )


def nearest(
    vectors: Float[np.ndarray, "token dim"], centres: Float[np.ndarray, "group dim"]
) -> Int[np.ndarray, " token"]:
    """The group whose centre is nearest to each vector; the first of equals."""
    return np.argmin((centres**2).sum(axis=1) / 2 - vectors @ centres.T, axis=1)


def sum_by(
    group: Int[np.ndarray, " row"],
    rows: Float[np.ndarray, "row column"],
    weights: np.ndarray,
    groups: int,
) -> Float[np.ndarray, "group column"]:
    """The sum of the weighted rows of each group; 0 where a group has none."""
    each = np.arange(len(rows))
    return scipy.sparse.csr_matrix((weights, (group, each)), shape=(groups, len(rows))) @ rows
