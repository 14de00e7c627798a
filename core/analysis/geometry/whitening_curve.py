"""The score of whitening by the number of dimensions kept: every k from one eigendecomposition.

Whitening with k columns is ``(x − βμ) U Λ^(−γ/2)`` cut after column k. U and Λ depend on β alone, so for
every γ and k the inner products of a pair are cumulative sums, over columns, of the products of its
rotated vectors weighted by Λ^(−γ). Su et al. 2021 keep 256 of BERT's 768 dimensions, Lu 2023 adds β and γ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.errors import RecipeError, TooFewSentencesError
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.scoring import editions, kept_under
from core.evaluation.statistics import spearman
from core.evaluation.sts import Score, check_scorable, compare, evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import POST, Recipe
from core.recipe.options import MINIMUM_SENTENCES, Choice
from core.stages.postprocessing.principal import Whitening
from core.stages.similarity import apart, in_steps
from core.storage.tables import RECIPE_LIBRARIES, TableKind

WHITENING = TableKind("whitening-curve", 2, RECIPE_LIBRARIES, forward=True)

PUBLISHED = (128, 256)
"""Dimensions that papers keep: 256 (BERT-whitening), 128 beside it here."""

STEPS = 40
"""The approximate number of values of k that are scored."""

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
    with their intervals; ``best`` is None when no number of dimensions has a score. ``gain`` is what the
    best scores above no whitening, on the same pairs; NaN where one of the two has no score.
    """

    recipe: Recipe
    beta: float
    gamma: float
    k: tuple[int, ...]
    spearman: Float[np.ndarray, " k"]
    plain: Score
    best: Score | None
    gain: Difference

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


def rotate(
    engine: Engine, recipe: Recipe, corpus: Corpus, beta: float, progress: Progress = silent
) -> Rotated:
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
    if len(corpus.sentences) < MINIMUM_SENTENCES:
        raise TooFewSentencesError(
            f"post={POST.text((Choice('whiten'),))} would be learnt from {len(corpus.sentences):,} "
            f"different sentences; it needs {MINIMUM_SENTENCES}."
        )
    base = unwhitened(recipe)
    plain, embedded = engine.similarities(base, corpus, progress)
    step = Whitening(beta=beta, gamma=0.0).fit(embedded.vectors[corpus.positions])
    vectors = step.transform(embedded.vectors.astype(np.float64))
    variances = corpus.repeats @ vectors**2 / corpus.repeats.sum()
    return Rotated(base, beta, vectors, variances, plain)


def curve(rotated: Rotated, corpus: Corpus, gamma: float) -> Curve:
    """Score about :data:`STEPS` numbers of dimensions, the published ones and all among them."""
    return _with_intervals(rotated.recipe, rotated.beta, gamma, corpus, _scored(rotated, corpus, gamma))


def stored_curve(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    beta: float,
    gamma: float,
    rotation: Callable[[], Rotated],
    progress: Progress = silent,
) -> Curve:
    """The curve of a recipe, stored; ``rotation`` gives :func:`rotate`'s result where it is not."""
    parts = _parts(engine, recipe, corpus, beta, gamma)
    arrays = engine.store.table(WHITENING, parts, lambda: _scored(rotation(), corpus, gamma), progress)
    return _with_intervals(unwhitened(recipe), beta, gamma, corpus, arrays)


def is_kept(engine: Engine, recipe: Recipe, corpus: Corpus, beta: float, gamma: float) -> bool:
    """Whether the curve is stored."""
    return engine.store.has_table(WHITENING, _parts(engine, recipe, corpus, beta, gamma))


def _parts(engine: Engine, recipe: Recipe, corpus: Corpus, beta: float, gamma: float) -> tuple[object, ...]:
    """What the stored curve depends on."""
    base = unwhitened(recipe)
    edition = editions(base.replace(post="whiten")).values()
    return (kept_under(engine, base), corpus.fingerprint, beta, gamma, *edition)


def dimensions(most: int) -> tuple[int, ...]:
    """Numbers of dimensions from 1 to ``most``, dense where they are small."""
    if not most:
        return ()
    spaced = np.geomspace(1, most, STEPS).round().astype(int).tolist()
    return tuple(sorted({*spaced, *(k for k in PUBLISHED if k <= most)}))


def similarities(rotated: Rotated, corpus: Corpus, k: Sequence[int], gamma: float) -> Similarities:
    """The similarity of each pair for each of some ascending numbers of dimensions."""
    pairs, last = len(corpus), k[-1] if k else 0
    by_k = np.empty((len(k), pairs))
    starts = [0, *k[:-1]]
    scale = rotated.variances[:last] ** -gamma
    size = max(1, _BLOCK_BYTES // (8 * 2 * max(last, 1)))
    for start in range(0, pairs if k else 0, size):
        rows = slice(start, start + size)
        u, v = (rotated.vectors[side[rows], :last] for side in (corpus.first, corpus.second))

        def cumulate(terms: np.ndarray) -> np.ndarray:
            return np.cumsum(np.add.reduceat(terms, starts, axis=1), axis=1).T

        by_k[:, rows] = _COMBINED[rotated.recipe.similarity.name](u, v, scale, cumulate)
    return by_k


def steps(found: Curve) -> tuple[int, ...]:
    """Numbers of dimensions of a curve to look at one after another: doubled, published, the best, all."""
    wanted = {2**i for i in range(found.k[-1].bit_length())} if found.k else set()
    return tuple(sorted(wanted | {k for k in (*PUBLISHED, found.best_k) if k in found.k} | {*found.k[-1:]}))


def cosines(rotated: Rotated, corpus: Corpus, k: Sequence[int], gamma: float) -> Similarities:
    """The cosine of each pair for each of some ascending numbers of dimensions, whatever the similarity."""
    by_cosine = replace(rotated, recipe=rotated.recipe.replace(similarity="cosine"))
    return similarities(by_cosine, corpus, k, gamma)


def _scored(rotated: Rotated, corpus: Corpus, gamma: float) -> dict[str, np.ndarray]:
    """The score of each k, and the similarities before whitening and with the best k, if there is one."""
    k = dimensions(rotated.most)
    by_k = similarities(rotated, corpus, k, gamma)
    scores = np.array([100 * spearman(values, corpus.gold) for values in by_k])
    best = [int(np.nanargmax(scores))] if np.isfinite(scores).any() else []
    return {"k": np.array(k, int), "scores": scores, "plain": rotated.plain, "best": by_k[best]}


def _with_intervals(
    base: Recipe, beta: float, gamma: float, corpus: Corpus, arrays: Mapping[str, np.ndarray]
) -> Curve:
    plain, best, gain = evaluate(arrays["plain"], corpus), None, NO_DIFFERENCE
    for at_best in arrays["best"]:
        best = evaluate(at_best, corpus)
        if np.isfinite(plain.spearman):
            gain = compare(arrays["plain"], at_best, corpus)
    return Curve(base, beta, gamma, tuple(arrays["k"].tolist()), arrays["scores"], plain, best, gain)


def _cosine(u: np.ndarray, v: np.ndarray, scale: np.ndarray, cumulate: _Cumulate) -> np.ndarray:
    norms = np.sqrt(cumulate(u * u * scale)) * np.sqrt(cumulate(v * v * scale))
    return in_steps(np.divide(cumulate(u * v * scale), norms, out=np.zeros_like(norms), where=norms > 0))


def _dot(u: np.ndarray, v: np.ndarray, scale: np.ndarray, cumulate: _Cumulate) -> np.ndarray:
    return cumulate(u * v * scale)


def _euclidean(u: np.ndarray, v: np.ndarray, scale: np.ndarray, cumulate: _Cumulate) -> np.ndarray:
    lengths = np.sqrt(cumulate((u * u + v * v) * scale))
    return -apart(np.sqrt(cumulate((u - v) ** 2 * scale)), lengths)


def _manhattan(u: np.ndarray, v: np.ndarray, scale: np.ndarray, cumulate: _Cumulate) -> np.ndarray:
    scale = np.sqrt(scale)
    return -apart(cumulate(np.abs(u - v) * scale), cumulate((np.abs(u) + np.abs(v)) * scale))


_Cumulate = Callable[[np.ndarray], np.ndarray]
_COMBINED = {"cosine": _cosine, "dot": _dot, "euclidean": _euclidean, "manhattan": _manhattan}
