"""The sentences of a corpus under two recipes: aligned maps, and the change of nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.spatial
from jaxtyping import Float, Int

from core.analysis.neighbours import NEIGHBOURS, nearest_others
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.progress import Progress, silent
from core.storage.store import Store
from core.storage.tables import RECIPE_LIBRARIES, TableKind

MAX_SENTENCES = 20_000
"""Different sentences up to which all are compared with all; a larger corpus is sampled."""

_ARRAYS = ("a", "b", "overlap", "order")
NEIGHBOUR_CHANGES = TableKind("neighbour-changes", 1, RECIPE_LIBRARIES, forward=True)

Map = Float[np.ndarray, "sentence 2"]
Vectors = Float[np.ndarray, "sentence dim"]
Others = Float[np.ndarray, "sentence other_dim"]
Near = Int[np.ndarray, "sentence near"]


@dataclass(frozen=True, eq=False)
class NeighbourChange:
    """The nearest neighbours of each sentence under two recipes, and how much they overlap.

    Attributes
    ----------
    k
        Neighbours of each sentence; a sentence is not its own neighbour.
    a, b
        The nearest by cosine under each recipe, nearest first.
    overlap
        Jaccard index of the two sets: 1 for the same set, 0 for disjoint sets.
    order
        Sentences by ascending overlap; ties in the order of the corpus.
    """

    k: int
    a: Near
    b: Near
    overlap: Float[np.ndarray, " sentence"]
    order: Int[np.ndarray, " sentence"]


def aligned(a: Map, b: Map) -> tuple[Map, Map, float]:
    """Procrustes alignment: the second map is rotated, reflected and scaled onto the first.

    Both maps are of the same sentences, and are centred and scaled to the same size. The third result is
    the disparity, the squared distance between the maps as a share of the first map's squared size, 0 to 1.

    Raises :class:`StrataError` when all points of a map coincide.
    """
    for which, points in (("A", a), ("B", b)):
        if len(points) < 2 or np.ptp(points, axis=0).max() == 0:
            raise StrataError(f"All points of map {which} are one: there is nothing to align.")
    first, second, disparity = scipy.spatial.procrustes(a.astype(np.float64), b.astype(np.float64))
    return first.astype(np.float32), second.astype(np.float32), float(disparity)


def neighbour_change(
    a: Vectors, b: Others, k: int = NEIGHBOURS, progress: Progress = silent
) -> NeighbourChange:
    """The change of each sentence's nearest neighbours between the vectors under two recipes.

    Raises :class:`StrataError` for fewer than three sentences: the neighbours of two cannot change.
    """
    if len(a) < 3:
        raise StrataError(
            f"Neighbours can change among three sentences or more; the corpus has {len(a)} different ones."
        )
    k = min(k, len(a) - 2)  # with all others as neighbours no set could change
    first, second = (nearest_others(vectors, k, progress).places for vectors in (a, b))
    shared = np.array([len(np.intersect1d(x, y)) for x, y in zip(first, second, strict=True)])
    overlap = shared / (2 * k - shared)
    return NeighbourChange(k, first, second, overlap, np.argsort(overlap, kind="stable"))


def stored_neighbour_change(
    store: Store,
    key: Sequence[object],
    a: Vectors,
    b: Others,
    k: int = NEIGHBOURS,
    progress: Progress = silent,
) -> NeighbourChange:
    """The result of :func:`neighbour_change`, stored under ``key``, which names both sets of vectors."""

    def compute() -> dict[str, np.ndarray]:
        change = neighbour_change(a, b, k, progress)
        return {"k": np.array(change.k)} | {name: getattr(change, name) for name in _ARRAYS}

    arrays = store.table(NEIGHBOUR_CHANGES, (k, list(key)), compute, progress)
    return NeighbourChange(int(arrays["k"]), *(arrays[name] for name in _ARRAYS))


def mean_gold(corpus: Corpus) -> Float[np.ndarray, " sentence"]:
    """The mean gold score of the pairs of each sentence; NaN for a sentence without pairs."""
    count = len(corpus.sentences)
    places, gold = np.concatenate([corpus.first, corpus.second]), np.concatenate([corpus.gold, corpus.gold])
    times = np.bincount(places, minlength=count)
    sums = np.bincount(places, weights=gold, minlength=count)
    return np.divide(sums, times, out=np.full(count, np.nan), where=times > 0)


def subset_labels(corpus: Corpus) -> tuple[str, ...]:
    """The subset of each sentence's first pair; "" for a sentence without pairs."""
    labels = [""] * len(corpus.sentences)
    pairs = zip(corpus.first.tolist(), corpus.second.tolist(), corpus.subset, strict=True)
    for i, j, subset in reversed(list(pairs)):
        labels[i] = labels[j] = subset
    return tuple(labels)


def word_counts(corpus: Corpus) -> Float[np.ndarray, " sentence"]:
    """The number of words of each sentence, separated by white space."""
    return np.array([len(sentence.split()) for sentence in corpus.sentences], float)


def sample(corpus: Corpus, most: int = MAX_SENTENCES) -> Int[np.ndarray, " chosen"]:
    """Ascending positions of the sentences to compare: all, or ``most`` drawn with a fixed seed."""
    count = len(corpus.sentences)
    return np.sort(np.random.default_rng(0).permutation(count)[:most])
