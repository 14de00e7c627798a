"""The sentences of a corpus that lie nearest to given texts, exactly and for a corpus of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.spans import spans

NEIGHBOURS = 10
DECIMALS = 12
"""Cosines are rounded to so many: the order in which products are summed does not change a rank."""

BLOCK = 256
"""Queries that are compared at once, and rows that are scaled at once."""

Vectors = Float[np.ndarray, "sentence dim"]
Queries = Float[np.ndarray, "query dim"]


@dataclass(frozen=True, eq=False)
class Nearest:
    """The rows that are nearest to each query by cosine, nearest first.

    Attributes
    ----------
    places
        The rows; ties in the order of the rows.
    cosines
        Cosine with the query, −1 to 1; a zero vector has 0 with every other.
    notes
        What a reader should know of the vectors.
    """

    places: Int[np.ndarray, "query near"]
    cosines: Float[np.ndarray, "query near"]
    notes: tuple[str, ...] = ()


def of_texts(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    texts: Sequence[str],
    k: int = NEIGHBOURS,
    progress: Progress = silent,
) -> Nearest:
    """The ``k`` different sentences of a corpus that are nearest to each text under a recipe.

    A text gets the vector that it would have in the corpus: what the recipe learns from its target
    (``fit=target``) is learnt from the corpus. A text that is a sentence of the corpus is not its own
    neighbour.

    Raises
    ------
    CorpusError
        No text, an empty one, or a corpus without another sentence.
    StrataError
        What :meth:`~core.pipeline.engine.Engine.embed` raises.
    """
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    if not texts or empty:
        raise CorpusError(
            f"Text {empty[0]} is empty." if empty else "There is no text to find neighbours of."
        )
    embedded = engine.embed(recipe, corpus, progress)
    own = Corpus.of_texts("texts", texts)
    queries = engine.embed(recipe, own, progress, learns=corpus if recipe.on_target() else None)
    places = {sentence: place for place, sentence in enumerate(corpus.sentences)}
    skip = np.array([places.get(text, -1) for text in texts], int)
    if (len(corpus.sentences) < 2 and skip.max() >= 0) or not corpus.sentences:
        raise CorpusError(
            f"The corpus {corpus.name} has no other sentence to be a neighbour; take a larger one."
        )
    found = nearest(embedded.vectors, queries.vectors[own.rows_of(texts)], k, skip, progress)
    return Nearest(found.places, found.cosines, tuple(embedded.notes))


def nearest(
    vectors: Vectors,
    queries: Queries,
    k: int = NEIGHBOURS,
    skip: Int[np.ndarray, " query"] | None = None,
    progress: Progress = silent,
) -> Nearest:
    """The ``k`` rows nearest to each query, or all when there are fewer; every row is compared.

    ``skip`` is a row for each query that is none of its neighbours, −1 for none. Where a row is skipped,
    there are at most as many neighbours as other rows. Memory is that of a span of rows and of what is
    found; both arrays may be mapped files.

    Notes
    -----
    ``benchmarks/neighbours.py`` compares with faiss and usearch, which need no less time on the whole, give
    some of equal rows in some order, and of which faiss can end the process on macOS where torch is loaded
    (faiss-wheels, issue 73).
    """
    skipped = np.full(len(queries), -1) if skip is None else skip
    k = max(0, min(k, len(vectors) - int((skipped >= 0).any())))
    places, cosines = np.zeros((len(queries), k), int), np.full((len(queries), k), -np.inf)
    units = np.empty((0, vectors.shape[1]))
    for span in spans(len(vectors), 8 * max(vectors.shape[1], min(len(queries), BLOCK))):
        if not len(units):  # the first span is the longest
            units = np.empty((span.stop - span.start, vectors.shape[1]))
        rows = _units(vectors[span], units)
        for start in range(0, len(queries), BLOCK):
            done = span.start + len(rows) * start // len(queries)
            progress(Step("Finding neighbours", done, len(vectors)))
            block = slice(start, start + BLOCK)
            here = np.round(_units(queries[block]) @ rows.T, DECIMALS)
            inside = np.flatnonzero((skipped[block] >= span.start) & (skipped[block] < span.stop))
            here[inside, skipped[block][inside] - span.start] = -np.inf
            chosen = largest(here, min(k, len(rows)))
            found = np.concatenate([cosines[block], np.take_along_axis(here, chosen, axis=1)], axis=1)
            where = np.concatenate([places[block], chosen + span.start], axis=1)
            best = largest(found, k)
            cosines[block] = np.take_along_axis(found, best, axis=1)
            places[block] = np.take_along_axis(where, best, axis=1)
    return Nearest(places, cosines)


def nearest_others(vectors: Vectors, k: int = NEIGHBOURS, progress: Progress = silent) -> Nearest:
    """The ``k`` nearest other rows of each row, or all when there are fewer; see :func:`nearest`."""
    return nearest(vectors, vectors, k, np.arange(len(vectors)), progress)


def largest(values: Float[np.ndarray, "row column"], k: int) -> Int[np.ndarray, "row k"]:
    """Columns of the ``k`` largest values of each row, largest first; ties in the order of the columns."""
    if values.shape[1] > 8 * k and k:
        bounds = -np.partition(-values, k - 1, axis=1)[:, k - 1]
        rows = [np.flatnonzero(row >= bound) for row, bound in zip(values, bounds, strict=True)]
        return np.stack(
            [
                row[np.argsort(-value[row], kind="stable")[:k]]
                for row, value in zip(rows, values, strict=True)
            ]
        )
    return np.argsort(-values, axis=1, kind="stable")[:, :k]


def _units(
    vectors: Float[np.ndarray, "row dim"], into: Float[np.ndarray, "room dim"] | None = None
) -> Float[np.ndarray, "row dim"]:
    """Rows of length 1, zero rows as they are; few at once, which stay in the processor's cache."""
    units = np.empty(vectors.shape) if into is None else into[: len(vectors)]
    for start in range(0, len(vectors), BLOCK):
        part = units[start : start + BLOCK]
        part[:] = vectors[start : start + BLOCK]
        lengths = np.linalg.norm(part, axis=1, keepdims=True)
        part /= np.where(lengths > 0, lengths, 1.0)
    return units
