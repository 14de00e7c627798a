"""The sentences of a corpus under two recipes: maps laid over each other, and whose neighbours change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.spatial
from jaxtyping import Float, Int

from core.corpus import Corpus
from core.errors import StrataError
from core.progress import Progress, Step, silent
from core.store import Store, key_of

NEIGHBOURS = 10
MOST = 20_000
"""Different sentences up to which all are compared with all; above, those of a sample."""

_BLOCK = 256
_VERSION = 1

Map = Float[np.ndarray, "sentence 2"]
Vectors = Float[np.ndarray, "sentence dim"]
Near = Int[np.ndarray, "sentence near"]


@dataclass(frozen=True, eq=False)
class Change:
    """Whose neighbours change between two recipes.

    Attributes
    ----------
    k
        Neighbours of each sentence; itself is none.
    a, b
        The nearest by cosine under each recipe, nearest first.
    overlap
        Jaccard index of the two sets: 1 when they are the same, 0 when they share nothing.
    order
        Sentences by overlap, those that change most first; equal ones in the order of the corpus.
    """

    k: int
    a: Near
    b: Near
    overlap: Float[np.ndarray, " sentence"]
    order: Int[np.ndarray, " sentence"]


def aligned(a: Map, b: Map) -> tuple[Map, Map, float]:
    """Two maps of the same sentences, the second turned, mirrored and scaled onto the first (Procrustes).

    Both are centred and scaled to the same size. The third result is the share of the first map's
    squared size that is left as distance between the two, 0 (the same map) to 1.

    Raises :class:`StrataError` when all points of a map are one.
    """
    for which, points in (("A", a), ("B", b)):
        if len(points) < 2 or np.ptp(points, axis=0).max() == 0:
            raise StrataError(f"All points of map {which} are one: there is nothing to align.")
    first, second, left = scipy.spatial.procrustes(a.astype(np.float64), b.astype(np.float64))
    return first.astype(np.float32), second.astype(np.float32), float(left)


def neighbours(vectors: Vectors, k: int = NEIGHBOURS, progress: Progress = silent) -> Near:
    """The ``k`` nearest of each row by cosine, itself left out, nearest first; fewer when there are fewer.

    Of equally near rows the first come first. A row of nothing but 0 has the cosine 0 with every other.
    """
    k = min(k, len(vectors) - 1)
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1.0)
    found = np.zeros((len(vectors), max(k, 0)), int)
    for start in range(0, len(vectors), _BLOCK):
        progress(Step("Finding neighbours of sentences", start, len(vectors)))
        block = slice(start, min(start + _BLOCK, len(vectors)))
        cosines = np.round(units[block] @ units.T, 12)  # the same whatever the order of a sum
        cosines[np.arange(len(cosines)), np.arange(block.start, block.stop)] = -np.inf
        found[block] = _largest(cosines, k)
    return found


def change(a: Vectors, b: Vectors, k: int = NEIGHBOURS, progress: Progress = silent) -> Change:
    """Whose neighbours change most between the vectors under two recipes.

    Raises :class:`StrataError` for fewer than three sentences: of two, each is the other's neighbour.
    """
    if len(a) < 3:
        raise StrataError(
            f"Neighbours can change among three sentences or more; the corpus has {len(a)} different ones."
        )
    k = min(k, len(a) - 2)  # with all others as neighbours nothing could change
    first, second = (neighbours(vectors, k, progress) for vectors in (a, b))
    shared = np.array([len(np.intersect1d(x, y)) for x, y in zip(first, second, strict=True)])
    overlap = shared / (2 * k - shared)
    return Change(k, first, second, overlap, np.argsort(overlap, kind="stable"))


def kept(
    store: Store,
    what: Sequence[object],
    a: Vectors,
    b: Vectors,
    k: int = NEIGHBOURS,
    progress: Progress = silent,
) -> Change:
    """The same, kept under ``what``, which stands for both sets of vectors."""

    def make() -> dict[str, np.ndarray]:
        made = change(a, b, k, progress)
        return {
            "k": np.array(made.k),
            "a": made.a,
            "b": made.b,
            "overlap": made.overlap,
            "order": made.order,
        }

    found = store.table(f"neighbours-{key_of(_VERSION, k, list(what))}", make)
    return Change(int(found["k"]), *(found[name] for name in ("a", "b", "overlap", "order")))


def gold_of(corpus: Corpus) -> Float[np.ndarray, " sentence"]:
    """The mean gold score of the pairs that each sentence stands in; NaN for one that stands in none."""
    count = len(corpus.sentences)
    places, gold = np.concatenate([corpus.first, corpus.second]), np.concatenate([corpus.gold, corpus.gold])
    times = np.bincount(places, minlength=count)
    sums = np.bincount(places, weights=gold, minlength=count)
    return np.divide(sums, times, out=np.full(count, np.nan), where=times > 0)


def label_of(corpus: Corpus) -> tuple[str, ...]:
    """The part of the corpus that each sentence's first pair belongs to; "" for one without."""
    found = [""] * len(corpus.sentences)
    pairs = zip(corpus.first.tolist(), corpus.second.tolist(), corpus.subset, strict=True)
    for i, j, subset in reversed(list(pairs)):
        found[i] = found[j] = subset
    return tuple(found)


def words_of(corpus: Corpus) -> Float[np.ndarray, " sentence"]:
    """How many words each sentence has, parted at spaces."""
    return np.array([len(sentence.split()) for sentence in corpus.sentences], float)


def sample(corpus: Corpus, most: int = MOST) -> Int[np.ndarray, " chosen"]:
    """Places of the sentences that are looked at: all, or ``most`` drawn with a fixed seed, ascending."""
    count = len(corpus.sentences)
    return np.sort(np.random.default_rng(0).permutation(count)[:most])


def _largest(values: np.ndarray, k: int) -> np.ndarray:
    """Columns of the ``k`` largest values of each row, largest first, equal ones by column."""
    if values.shape[1] > 8 * k and k:
        bound = -np.partition(-values, k - 1, axis=1)[:, k - 1]
        rows = [np.flatnonzero(row >= least) for row, least in zip(values, bound, strict=True)]
        return np.stack(
            [
                row[np.argsort(-value[row], kind="stable")[:k]]
                for row, value in zip(rows, values, strict=True)
            ]
        )
    return np.argsort(-values, axis=1, kind="stable")[:, :k]
