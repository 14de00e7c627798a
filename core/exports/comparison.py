"""A written folder beside the engine: the vectors of some texts, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Int

from core.corpora.corpus import Corpus
from core.exports.affine import finished
from core.exports.design import Design
from core.exports.library import ExportError, library
from core.exports.static import StaticDesign
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.tokens import Tokens

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Rows = Float[np.ndarray, "text dim"]


@dataclass(frozen=True, eq=False)
class Expected:
    """What the engine makes of some texts of a corpus.

    Attributes
    ----------
    texts, ids
        The texts, and of each the ids of its tokens, those left out that the tokenizer adds.
    pooled, vectors
        Their vectors before and after post-processing, in float64.
    """

    texts: list[str]
    ids: list[Int[np.ndarray, " token"]]
    pooled: Rows
    vectors: Rows


@dataclass(frozen=True)
class Distances:
    """The largest distances of a folder's vectors, as shares of the vectors' lengths.

    Attributes
    ----------
    whole
        From the engine's.
    pooled
        The same before post-processing.
    finishing
        The same of what its post-processing makes of the engine's vectors before post-processing; of a
        table, distance of its vectors from what it gives in float64. Where post-processing magnifies small
        differences, as whitening of nearly dependent dimensions does, ``whole`` is larger than ``pooled``
        and ``finishing``: float32 gives the engine's own vectors no more exactly.
    """

    whole: float
    pooled: float
    finishing: float

    @property
    def of_halves(self) -> float:
        """The larger one of what is before post-processing and of post-processing by itself."""
        return max(self.pooled, self.finishing)


def expected_of(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    design: Design | StaticDesign,
    number: int,
    progress: Progress,
) -> Expected:
    """The engine's vectors of at most ``number`` texts, spread over a corpus.

    Raises :class:`ExportError` where no text has a token that counts.
    """
    tokens = engine.weighted_states(recipe, corpus, progress).states.tokens
    rows = _comparable(tokens, design)
    if not len(rows):
        raise ExportError(f"No text of {corpus.name} has a token that counts; name another --corpus.")
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(number, len(rows))).astype(int))]
    pooled, vectors = (
        engine.embed(one, corpus, progress).vectors[rows].astype(np.float64)
        for one in (recipe.replace(post="none"), recipe)
    )
    spans = [tokens.span(row) for row in rows.tolist()]
    ids = [tokens.ids[span][~tokens.special[span]] for span in spans]
    return Expected([corpus.sentences[row] for row in rows.tolist()], ids, pooled, vectors)


def distances(
    loaded: SentenceTransformer, design: Design | StaticDesign, expected: Expected, vectors: Rows
) -> Distances:
    """How far a loaded folder is from the engine; ``vectors`` are those that it gives of the texts."""
    if isinstance(design, StaticDesign):
        pooled, exact = design.exactly(expected.ids)
        aim = finished([None], expected.vectors) if design.directions else expected.vectors
        return Distances(apart(vectors, aim), apart(pooled, expected.pooled), apart(vectors, exact))
    whole = apart(vectors, expected.vectors)
    if not design.post:
        return Distances(whole, whole, whole)
    return Distances(whole, *_in_halves(loaded, len(design.post), expected))


def apart(vectors: Rows, expected: Rows) -> float:
    """The largest distance of two rows, as a share of the expected row's length."""
    if vectors.shape != expected.shape:
        return float("inf")
    lengths = np.linalg.norm(expected, axis=1)
    gaps = np.linalg.norm(vectors - expected, axis=1)
    return float((gaps / np.where(lengths > 0, lengths, 1.0)).max(initial=0.0))


def encoded(loaded: SentenceTransformer, texts: Sequence[str]) -> Rows:
    """The vectors that a loaded folder gives of some texts, in float64."""
    return np.asarray(loaded.encode(list(texts), show_progress_bar=False), np.float64)


def _comparable(tokens: Tokens, design: Design | StaticDesign) -> Int[np.ndarray, " text"]:
    """The texts that have tokens; for a table, one that counts."""
    counted = np.ones(len(tokens), bool)
    if isinstance(design, StaticDesign):
        counted = design.counted[tokens.ids] & ~tokens.special
    found = np.bincount(tokens.sentence[counted], minlength=tokens.sentences)
    return np.flatnonzero(tokens.restore(found) > 0)


def _in_halves(loaded: SentenceTransformer, count: int, expected: Expected) -> tuple[float, float]:
    """How far a folder is from the engine before its last modules, and by these alone."""
    import torch

    package, _, _ = library()
    modules = list(loaded)
    reading = package.SentenceTransformer(modules=modules[:-count], device="cpu")
    pooled = apart(encoded(reading, expected.texts), expected.pooled)
    features = {"sentence_embedding": torch.from_numpy(expected.pooled.astype(np.float32))}
    with torch.inference_mode():
        for module in modules[-count:]:
            features = module(features)
    finishing = features["sentence_embedding"].numpy().astype(np.float64)
    return pooled, apart(finishing, expected.vectors)
