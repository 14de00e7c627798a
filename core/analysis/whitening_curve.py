"""How whitening's score depends on the dimensions that are kept: all k from one eigendecomposition.

Whitening with k columns is ``(x − βμ) U Λ^(−γ/2)`` cut after column k. U and Λ depend on β alone, so for
every γ and k the inner products of a pair are cumulative sums, over columns, of the products of its
rotated vectors weighted by Λ^(−γ). Su et al. 2021 keep 256 of BERT's 768 dimensions, Lu 2023 adds β and γ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.corpus import Corpus
from core.embed import Road
from core.errors import RecipeError, TooFewSentencesError
from core.evaluation.statistics import spearman
from core.evaluation.sts import Score, check_scorable, evaluate
from core.options import Choice
from core.postprocessing import LEAST, Whitening
from core.progress import Progress, silent
from core.recipe import POST, Recipe

PUBLISHED = (128, 256)
"""Dimensions that papers keep: 256 (BERT-whitening), 128 beside it here."""

STEPS = 40
"""About how many numbers of dimensions are scored."""

SIMILARITIES = ("cosine", "dot", "euclidean", "manhattan")
"""Similarities that are sums over columns."""

_BLOCK_BYTES = 16_000_000

Similarities = Float[np.ndarray, "k pair"]


@dataclass(frozen=True, eq=False)
class Rotated:
    """A corpus' vectors in the eigenvectors of their β-centred covariance, largest first.

    Attributes
    ----------
    recipe
        What is whitened: the recipe without a whitening at its end.
    vectors
        The centred and rotated vectors up to the numerical rank.
    variances
        The eigenvalues.
    plain
        The similarities before whitening.
    """

    recipe: Recipe
    beta: float
    vectors: Float[np.ndarray, "sentence column"]
    variances: Float[np.ndarray, " column"]
    plain: Float[np.ndarray, " pair"]

    @property
    def most(self) -> int:
        """The most columns that can be kept: the rank, and fewer than there are sentences."""
        return min(len(self.variances), len(self.vectors) - 1)


@dataclass(frozen=True, eq=False)
class Curve:
    """Spearman × 100 for each number of dimensions; NaN where all similarities are equal.

    ``plain`` and ``best`` are the scores without whitening and with the dimensions that score highest,
    with their intervals; ``best`` is None when no number of dimensions has a score.
    """

    recipe: Recipe
    beta: float
    gamma: float
    k: tuple[int, ...]
    spearman: Float[np.ndarray, " k"]
    plain: Score
    best: Score | None

    @property
    def best_k(self) -> int | None:
        """The number of dimensions that scores highest."""
        return None if self.best is None else self.k[int(np.nanargmax(self.spearman))]

    def whitened(self, k: int) -> Recipe:
        """The recipe whose score the curve shows at ``k``."""
        return whitened(self.recipe, k, self.beta, self.gamma)


def unwhitened(recipe: Recipe) -> Recipe:
    """``recipe`` without the whitening at the end of its post-processing, if there is one."""
    ends = recipe.post[-1:] and recipe.post[-1].name == "whiten"
    return replace(recipe, post=recipe.post[:-1]) if ends else recipe


def whitened(recipe: Recipe, k: int, beta: float, gamma: float) -> Recipe:
    """``recipe`` with a whitening after its other post-processing, learnt from the target."""
    step = Choice("whiten", (("k", k), ("beta", float(beta)), ("gamma", float(gamma))))
    return replace(recipe, post=(*recipe.post, step))


def rotate(road: Road, recipe: Recipe, corpus: Corpus, beta: float, progress: Progress = silent) -> Rotated:
    """The vectors of a corpus under a recipe, rotated for one β.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    RecipeError
        The recipe's similarity is no sum over columns.
    TooFewSentencesError
        The corpus has too few different sentences to learn a whitening from.
    """
    check_scorable(corpus)
    if recipe.similarity.name not in SIMILARITIES:
        raise RecipeError(
            f"similarity={recipe.similarity.name} ranks all dimensions anew for every number of them; "
            f"the curve takes {', '.join(SIMILARITIES)}."
        )
    if len(corpus.sentences) < LEAST:
        raise TooFewSentencesError(
            f"post={POST.text((Choice('whiten'),))} would be learnt from {len(corpus.sentences):,} "
            f"different sentences; it needs {LEAST}."
        )
    base = unwhitened(recipe)
    plain, embedded = road.similarities(base, corpus, progress)
    step = Whitening(beta=beta, gamma=0.0).fit(embedded.vectors[corpus.positions])
    vectors = step.transform(embedded.vectors.astype(np.float64))
    variances = corpus.repeats @ vectors**2 / corpus.repeats.sum()
    return Rotated(base, beta, vectors, variances, plain)


def curve(rotated: Rotated, corpus: Corpus, gamma: float) -> Curve:
    """Score about :data:`STEPS` numbers of dimensions, the published ones and all among them."""
    k = dimensions(rotated.most)
    found = similarities(rotated, corpus, k, gamma)
    scores = np.array([100 * spearman(values, corpus.gold) for values in found])
    best = None
    if np.isfinite(scores).any():
        best = evaluate(found[int(np.nanargmax(scores))], corpus)
    return Curve(rotated.recipe, rotated.beta, gamma, k, scores, evaluate(rotated.plain, corpus), best)


def dimensions(most: int) -> tuple[int, ...]:
    """Numbers of dimensions from 1 to ``most``, dense where they are small."""
    if not most:
        return ()
    spaced = np.geomspace(1, most, STEPS).round().astype(int).tolist()
    return tuple(sorted({*spaced, *(k for k in PUBLISHED if k <= most)}))


def similarities(rotated: Rotated, corpus: Corpus, k: Sequence[int], gamma: float) -> Similarities:
    """The similarity of each pair for each of some ascending numbers of dimensions."""
    pairs, last = len(corpus), k[-1] if k else 0
    found = np.empty((len(k), pairs))
    starts = [0, *k[:-1]]
    scale = rotated.variances[:last] ** -gamma
    size = max(1, _BLOCK_BYTES // (8 * 2 * max(last, 1)))
    for start in range(0, pairs if k else 0, size):
        rows = slice(start, start + size)
        u, v = (rotated.vectors[side[rows], :last] for side in (corpus.first, corpus.second))

        def upto(terms: np.ndarray) -> np.ndarray:
            return np.cumsum(np.add.reduceat(terms, starts, axis=1), axis=1).T

        found[:, rows] = _COMBINED[rotated.recipe.similarity.name](u, v, scale, upto)
    return found


def _cosine(u: np.ndarray, v: np.ndarray, scale: np.ndarray, upto: _Upto) -> np.ndarray:
    norms = np.sqrt(upto(u * u * scale)) * np.sqrt(upto(v * v * scale))
    return np.divide(upto(u * v * scale), norms, out=np.zeros_like(norms), where=norms > 0)


def _dot(u: np.ndarray, v: np.ndarray, scale: np.ndarray, upto: _Upto) -> np.ndarray:
    return upto(u * v * scale)


def _euclidean(u: np.ndarray, v: np.ndarray, scale: np.ndarray, upto: _Upto) -> np.ndarray:
    return -np.sqrt(upto((u - v) ** 2 * scale))


def _manhattan(u: np.ndarray, v: np.ndarray, scale: np.ndarray, upto: _Upto) -> np.ndarray:
    return -upto(np.abs(u - v) * np.sqrt(scale))


_Upto = Callable[[np.ndarray], np.ndarray]
_COMBINED = {"cosine": _cosine, "dot": _dot, "euclidean": _euclidean, "manhattan": _manhattan}
