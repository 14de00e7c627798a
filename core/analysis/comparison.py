"""How close some sentences are under one recipe, and where two recipes disagree most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from core.analysis.close_pairs import DECIMALS, are_ranked, shared_words
from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.scoring import kept_under
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import SIMILARITY, Recipe
from core.sources.source import Source
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

MOST = 200
"""Sentences that are compared at once: a heatmap of more cannot be read."""


MATRIX = TableKind("similarity-matrix", 1, RECIPE_LIBRARIES, forward=True)
"""Such tables come with the installation, for the sentences one arrives with; visits write none."""


@dataclass(frozen=True, eq=False)
class SimilarityMatrix:
    """Similarities of every sentence with every other, itself included.

    ``notes`` are those of its vectors, ``of_reference`` those among them on what the recipe learns from.
    """

    recipe: Recipe
    values: Float[np.ndarray, "sentence sentence"]
    source: Source
    notes: tuple[str, ...]
    of_reference: tuple[str, ...] = ()

    @property
    def of_sentences(self) -> tuple[str, ...]:
        """The notes on the sentences themselves, such as that some are cut."""
        return tuple(note for note in self.notes if note not in self.of_reference)


def as_corpus(sentences: Sequence[str]) -> Corpus:
    """Pasted sentences as a corpus; refuses fewer than two and more than :data:`MOST`."""
    if len(sentences) < 2:
        got = "none" if not sentences else "one"
        raise CorpusError(f"Two sentences are needed to compare, one per line; got {got}.")
    if len(sentences) > MOST:
        raise CorpusError(
            f"At most {MOST} sentences are compared at once; got {len(sentences):,}. "
            "Remove some, or score a file of pairs on the page Scores."
        )
    return Corpus.pasted(sentences)


def similarity_matrix(
    engine: Engine, recipe: Recipe, sentences: Sequence[str], progress: Progress = silent
) -> SimilarityMatrix:
    """Compare all sentences under a recipe; symmetric, in the order given, repeats included.

    Raises what :meth:`core.pipeline.engine.Engine.embed` raises.
    """
    corpus = as_corpus(sentences)

    def compute() -> Arrays:
        embedded = engine.embed(recipe, corpus, progress)
        vectors = embedded.vectors[corpus.rows_of(sentences)]
        i, j = np.triu_indices(len(sentences))
        values = np.empty((len(sentences), len(sentences)))
        values[i, j] = values[j, i] = SIMILARITY.bind(recipe.similarity)(vectors[i], vectors[j])
        return {"values": values, "notes": np.array(embedded.notes, str)}

    arrays = engine.shipped_table(MATRIX, _parts(kept_under(engine, recipe).values(), sentences), compute)
    source, notes = engine.source(recipe, corpus), tuple(arrays["notes"].tolist())
    return SimilarityMatrix(recipe, arrays["values"], source, notes, engine.references.notes(recipe))


def has_matrix(engine: Engine, identity: Iterable[object], sentences: Sequence[str]) -> bool:
    """Whether the similarities of sentences are stored under a recipe.

    ``identity`` are the values of :func:`~core.evaluation.scoring.kept_under`.
    """
    return engine.store.has_table(MATRIX, _parts(identity, sentences))


def _parts(identity: Iterable[object], sentences: Sequence[str]) -> tuple[object, ...]:
    return (*identity, list(sentences))


def pair_table(
    sentences: Sequence[str], a: SimilarityMatrix, b: SimilarityMatrix | None = None
) -> pd.DataFrame:
    """Every pair once, with its similarity and rank (1 = closest) under A, and under B if given.

    A sentence that was given twice counts once (:func:`~core.analysis.close_pairs.are_ranked`): its pairs
    have the rank of those of its copy, and with the copy it has none. ``words shared`` is the Jaccard index
    of the two sentences' words. With B, ``change`` is the rank under A less the rank under B (above 0:
    closer under B). Pairs come by the better of their ranks, those without one last.
    """
    i, j = np.triu_indices(len(sentences), k=1)
    firsts, seconds = ([sentences[int(k)] for k in each] for each in (i, j))
    ranked = are_ranked(firsts, seconds)
    copies = np.array([one == other for one, other in zip(firsts, seconds, strict=True)]) & ~ranked
    table = pd.DataFrame(
        {
            "first": i + 1,
            "second": j + 1,
            "sentence 1": firsts,
            "sentence 2": seconds,
            "words shared": shared_words(sentences)[i, j],
            "A": a.values[i, j],
            "rank A": _ranks(a.values[i, j], ranked, copies),
        }
    )
    best = table["rank A"]
    if b is not None:
        table["B"] = b.values[i, j]
        table["rank B"] = _ranks(b.values[i, j], ranked, copies)
        table["change"] = table["rank A"] - table["rank B"]
        best = best.where(best < table["rank B"], table["rank B"])
    return table.loc[best.sort_values(kind="stable").index].reset_index(drop=True)


def clustered_order(similarities: Float[np.ndarray, "sentence sentence"]) -> Int[np.ndarray, " sentence"]:
    """The sentences so that similar ones stand together: average linkage, leaves ordered optimally."""
    count = len(similarities)
    if count < 3:
        return np.arange(count)
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distances = similarities.max() - similarities
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=True)
    return leaves_list(tree).astype(int)


def _ranks(similarities: np.ndarray, ranked: np.ndarray, copies: np.ndarray) -> pd.Series:
    """1 for the highest of those ``ranked``; equal ones (to twelve digits) share the better rank.

    ``copies`` have none.
    """
    values = -np.round(similarities, DECIMALS)
    ranks = pd.Series(1 + np.searchsorted(np.sort(values[ranked]), values))
    return ranks.astype("Int64").mask(copies) if copies.any() else ranks
