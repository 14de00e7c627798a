"""Head search: Ditto (Chen et al. 2023) with every attention head of a model, from one stored pass.

The best of many heads looks better than it is on the pairs it was chosen on: choose on dev, report on
test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.analysis.attention import source_with_heads
from core.analysis.head_similarities import SETTINGS, head_similarities, with_head
from core.corpus import Corpus
from core.embed import Road
from core.errors import RecipeError
from core.evaluation.statistics import spearman
from core.evaluation.sts import Difference, Score, check_scorable, compare, evaluate
from core.options import Choice
from core.postprocessing import least
from core.progress import Progress, silent
from core.recipe import POST, Recipe
from core.store import key_of

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
class Verdict:
    """One head on one corpus: its score with interval, and Ditto with it minus uniform weights."""

    score: Score
    difference: Difference


def published_head(model: str, depth: int, heads: int) -> tuple[int, int] | None:
    """The published head of a model by its name, owner left out; None when none is published."""
    found = PUBLISHED.get(model.rpartition("/")[2].lower())
    return found if found and found[0] <= depth and found[1] <= heads else None


def base_of(recipe: Recipe, *, post: bool = False) -> Recipe:
    """What a search takes of a recipe: source, template and tokens, and its post-processing if asked."""
    return Recipe(
        source=recipe.source,
        template=recipe.template,
        tokens=recipe.tokens,
        post=recipe.post if post else (),
        reference=recipe.reference,
    )


def search(
    road: Road,
    base: Recipe,
    corpus: Corpus,
    settings: Sequence[str] = SETTINGS,
    progress: Progress = silent,
) -> dict[str, HeadScores]:
    """Ditto with every head on a corpus of scored pairs, for each choice of layers; kept in the store.

    Parameters
    ----------
    base
        Source, template, tokens, post-processing and similarity; see :func:`base_of`.
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
    _refuse_base(base, corpus, source_with_heads(road, base).location.dim)
    keys = {name: "heads-" + table_key(road, base, corpus, name) for name in settings}
    missing = [name for name in settings if not road.store.has_table(keys[name])]
    made = _score(road, base, corpus, missing, progress) if missing else {}
    found = {}
    for name, key in keys.items():

        def again(name: str = name) -> dict[str, np.ndarray]:
            return made[name] if name in made else _score(road, base, corpus, [name], progress)[name]

        arrays = road.store.table(key, again)
        found[name] = HeadScores(name, arrays["scores"], float(arrays["uniform"]))
    return found


def verdict(
    road: Road,
    base: Recipe,
    layers: str,
    head: tuple[int, int],
    corpus: Corpus,
    progress: Progress = silent,
) -> Verdict:
    """One head on a corpus, by the road: its interval, and its paired difference from uniform weights."""
    ditto, _ = road.similarities(with_head(base, layers, *head), corpus, progress)
    uniform, _ = road.similarities(base.replace(layers=layers), corpus, progress)
    return Verdict(evaluate(ditto, corpus), compare(uniform, ditto, corpus))


def table_key(road: Road, base: Recipe, corpus: Corpus, *more: object) -> str:
    """What results about the heads of a model on a corpus depend on."""
    source, settings = road.source(base), road.settings
    reference = road.reference(base).fingerprint if base.needs_reference() else ""
    limit = source.location.max_tokens
    precision = (settings.forward, settings.storage)
    return key_of(
        source.revision, limit, precision, base.spelled(), corpus.fingerprint, reference, list(more)
    )


def _score(
    road: Road, base: Recipe, corpus: Corpus, settings: Sequence[str], progress: Progress
) -> dict[str, dict[str, np.ndarray]]:
    place = road.source(base).location
    grids = {name: np.full((place.depth, place.heads), np.nan) for name in settings}
    for name, (layer, head), similarities in head_similarities(road, base, corpus, settings, progress):
        grids[name][layer - 1, head - 1] = 100 * spearman(similarities, corpus.gold)
    uniform = {name: road.similarities(base.replace(layers=name), corpus, progress)[0] for name in settings}
    return {
        name: {"scores": grids[name], "uniform": np.array(100 * spearman(uniform[name], corpus.gold))}
        for name in settings
    }


def _refuse_base(base: Recipe, corpus: Corpus, dim: int) -> None:
    """Raise :class:`RecipeError` for what a search cannot follow."""
    if base != replace(base_of(base, post=True), similarity=base.similarity):
        raise RecipeError(
            "A search of heads takes its own layers and weight, pool=mean and mix=none; got "
            f"{base.label()}. Source, template, tokens, post and similarity are taken as they are."
        )
    for choice in base.post:
        _refuse_post(choice, corpus, dim)


def _refuse_post(choice: Choice, corpus: Corpus, dim: int) -> None:
    text = POST.text((choice,))
    if POST.arguments(choice).get("fit") == "reference" or POST.find(choice).traits.get("trained"):
        raise RecipeError(
            f"post={text} is not searched: a step is learnt anew for each head, so it must be quick to "
            "learn and learn from the target. Take fit=target, or search without post-processing."
        )
    need, got = least(choice, dim), len(corpus.sentences)
    if got < need:
        raise RecipeError(
            f"post={text} would be learnt from {got:,} different sentences and needs {need:,}; search "
            "without post-processing, or on a larger corpus."
        )
