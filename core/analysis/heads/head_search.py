"""Head search: Ditto (Chen et al. 2023) with every attention head of a model, from one stored pass.

The best of many heads looks better than it is on the pairs it was chosen on: choose on dev, report on
test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from jaxtyping import Float

from core.analysis.heads.attention import source_with_heads
from core.analysis.heads.head_similarities import SETTINGS, head_similarities, with_head
from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.evaluation.difference import Difference
from core.evaluation.scoring import editions, similarities_of
from core.evaluation.statistics import spearman
from core.evaluation.sts import Score, check_scorable, compare, evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.recipe.options import Choice
from core.recipe.plan import PostStep
from core.storage.tables import RECIPE_LIBRARIES, TableKind

HEADS = TableKind("heads", 1, RECIPE_LIBRARIES, forward=True)

PUBLISHED = {
    "bert-base-uncased": (1, 10),
    "roberta-base": (1, 5),
    "electra-base-discriminator": (1, 11),
    "bert-base-nli-stsb-mean-tokens": (3, 7),
}
"""The heads that Chen et al. 2023 chose on the dev set of STS-B, by model: (layer, head), from 1."""

Grid = Float[np.ndarray, "layer head"]


@dataclass(frozen=True, eq=False)
class HeadScores:
    """Spearman × 100 of Ditto with every head; NaN where no correlation exists.

    ``uniform`` is the score with all tokens weighted the same, everything else alike.
    """

    layers: str
    scores: Grid
    uniform: float

    @property
    def best(self) -> tuple[int, int] | None:
        """The head that scores highest, counted from 1; None when none has a score."""
        if not np.isfinite(self.scores).any():
            return None
        layer, head = np.unravel_index(int(np.nanargmax(self.scores)), self.scores.shape)
        return int(layer) + 1, int(head) + 1

    @property
    def median(self) -> float:
        """The score of the head in the middle."""
        known = self.scores[np.isfinite(self.scores)]
        return float(np.median(known)) if len(known) else float("nan")

    def of(self, layer: int, head: int) -> float:
        """The score of one head, counted from 1."""
        return float(self.scores[layer - 1, head - 1])

    def rank(self, layer: int, head: int) -> int:
        """1 for the highest score; equal scores share the better rank, a head without a score is last."""
        if np.isnan(self.of(layer, head)):
            return self.scores.size
        return 1 + int((self.scores > self.of(layer, head)).sum())


@dataclass(frozen=True, eq=False)
class HeadEvaluation:
    """One head on one corpus: its score with interval, and Ditto with it minus uniform weights."""

    score: Score
    difference: Difference


def published_head(model: str, depth: int, heads: int) -> tuple[int, int] | None:
    """The published head of a model by its name, owner left out; None when none is published."""
    head = PUBLISHED.get(model.rpartition("/")[2].lower())
    return head if head and head[0] <= depth and head[1] <= heads else None


def search_base(recipe: Recipe, *, post: bool = False) -> Recipe:
    """What a search takes of a recipe: source, template and tokens, and its post-processing if asked."""
    return Recipe(
        source=recipe.source,
        template=recipe.template,
        tokens=recipe.tokens,
        post=recipe.post if post else (),
        reference=recipe.reference,
    )


def search(
    engine: Engine,
    base: Recipe,
    corpus: Corpus,
    settings: Sequence[str] = SETTINGS,
    progress: Progress = silent,
) -> dict[str, HeadScores]:
    """Ditto with every head on a corpus of scored pairs, for each choice of layers; kept in the store.

    Parameters
    ----------
    base
        Source, template, tokens, post-processing and similarity; see :func:`search_base`.
    settings
        Choices of layers, as a recipe writes them.

    Raises
    ------
    RecipeError
        The source has no heads; the recipe does what a search cannot follow.
    CorpusError
        The corpus allows no correlation.
    StoreError
        The pass is too large to be kept.
    """
    check_scorable(corpus)
    _refuse_base(base, corpus, source_with_heads(engine, base).location.dim)
    parts = _parts(engine, base, corpus, settings)
    computed: dict[str, dict[str, np.ndarray]] = {}

    def compute(name: str) -> dict[str, np.ndarray]:
        if name not in computed:  # one reading of the pass answers for all that are missing
            there = {other for other in settings if engine.store.has_table(HEADS, parts[other])}
            missing = [other for other in settings if other == name or other not in there | computed.keys()]
            computed.update(_score(engine, base, corpus, missing, progress))
        return computed[name]

    scores = {}
    for name in settings:
        arrays = engine.store.table(HEADS, parts[name], partial(compute, name), progress)
        scores[name] = HeadScores(name, arrays["scores"], float(arrays["uniform"]))
    return scores


def is_kept(engine: Engine, base: Recipe, corpus: Corpus, settings: Sequence[str] = SETTINGS) -> bool:
    """Whether what :func:`search` gives is stored; raises :class:`RecipeError` where there are no heads."""
    return all(
        engine.store.has_table(HEADS, parts) for parts in _parts(engine, base, corpus, settings).values()
    )


def _parts(
    engine: Engine, base: Recipe, corpus: Corpus, settings: Sequence[str]
) -> dict[str, tuple[object, ...]]:
    """What the stored scores depend on, by choice of layers."""
    known = what_heads_depend_on(engine, base, corpus)
    return {name: (*known, name) for name in settings}


def evaluate_head(
    engine: Engine,
    base: Recipe,
    layers: str,
    head: tuple[int, int],
    corpus: Corpus,
    progress: Progress = silent,
) -> HeadEvaluation:
    """Score one head on a corpus, with its interval and its paired difference from uniform weights."""
    ditto, *_ = similarities_of(engine, with_head(base, layers, *head), corpus, progress)
    uniform, *_ = similarities_of(engine, base.replace(layers=layers), corpus, progress)
    return HeadEvaluation(evaluate(ditto, corpus), compare(uniform, ditto, corpus))


def what_heads_depend_on(engine: Engine, base: Recipe, corpus: Corpus) -> tuple[object, ...]:
    """What results about the heads of a model on a corpus depend on."""
    source, precision = engine.source(base), engine.passes.precision
    reference = engine.references.fingerprint(base)
    limit = source.location.max_tokens
    editions_of = editions(with_head(base, "last", 1, 1)).values()
    return source.revision, limit, precision, base.keyed(), corpus.fingerprint, reference, *editions_of


def _score(
    engine: Engine, base: Recipe, corpus: Corpus, settings: Sequence[str], progress: Progress
) -> dict[str, dict[str, np.ndarray]]:
    place = engine.source(base).location
    grids = {name: np.full((place.depth, place.heads), np.nan) for name in settings}
    for name, (layer, head), similarities in head_similarities(engine, base, corpus, settings, progress):
        grids[name][layer - 1, head - 1] = 100 * spearman(similarities, corpus.gold)
    uniform = {
        name: engine.similarities(base.replace(layers=name), corpus, progress)[0] for name in settings
    }
    return {
        name: {"scores": grids[name], "uniform": np.array(100 * spearman(uniform[name], corpus.gold))}
        for name in settings
    }


def _refuse_base(base: Recipe, corpus: Corpus, dim: int) -> None:
    """Raise :class:`RecipeError` for what a search cannot follow."""
    if base != replace(search_base(base, post=True), similarity=base.similarity):
        raise RecipeError(
            "A search of heads takes its own layers and weight, pool=mean and mix=none; got "
            f"{base.label()}. Source, template, tokens, post and similarity stay as they are."
        )
    for choice in base.post:
        _refuse_post(choice, corpus, dim)


def _refuse_post(choice: Choice, corpus: Corpus, dim: int) -> None:
    step = PostStep.of(choice)
    if step.fit == "reference" or step.trainable is not None:
        raise RecipeError(
            f"post={step.text} is not searched: a step is learnt anew for each head, so it must be quick "
            "to learn and learn from the target. Take fit=target, or search without post-processing."
        )
    need, got = step.minimum_sentences(dim), len(corpus.sentences)
    if got < need:
        raise RecipeError(
            f"post={step.text} would be learnt from {got:,} different sentences and needs {need:,}; search "
            "without post-processing, or on a larger corpus."
        )
