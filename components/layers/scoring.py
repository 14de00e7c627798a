"""The work that scores every layer, and every pair of layers, under a recipe on the page Layers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from components import provenance, works
from core.analysis import inner_products
from core.analysis.layered_source import layered_source
from core.analysis.layers import layer_scores
from core.analysis.layers.layer_scores import ByLayer, ByPair, by_layer, by_layer_and_pair, cells
from core.corpora.corpus import Corpus
from core.evaluation.sts import check_scorable
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.recipe.plan import Plan
from core.sources.source import Source
from core.work import Job, Work

MOST = 250_000_000
"""Numbers in the vectors of all sets of layers up to which they are scored without being asked for: some
seconds, as 105 sets of 2,552 sentences in 768 dimensions."""

AtOnce = Literal["nothing", "layers", "pairs"]


@dataclass(frozen=True, eq=False)
class Scores:
    """The work that scores every layer and every pair of layers under a recipe, and when it begins.

    Attributes
    ----------
    side, recipe
        The recipe, and its letter.
    layers, pairs
        The work; the pairs take longer.
    alone, sets
        How many different sets of layers are scored for the curve, and in all.
    trained
        The steps of the recipe that learn for long, once for each set.
    at_once
        How much begins by itself; a visitor is asked before the rest.
    begun
        The job of the layers where it begins by itself.
    """

    side: str
    recipe: Recipe
    layers: Work[ByLayer]
    pairs: Work[ByPair]
    alone: int
    sets: int
    trained: tuple[str, ...]
    at_once: AtOnce
    begun: Job[ByLayer] | None = None

    @property
    def follow(self) -> bool:
        """Whether the pairs begin by themselves once the layers are there."""
        return self.at_once == "pairs"


def of_recipe(engine: Engine, side: str, recipe: Recipe, corpus: Corpus) -> Scores:
    """What is to be scored; raises :class:`StrataError` where corpus or recipe allow no scores."""
    check_scorable(corpus)
    source = layered_source(engine, recipe, corpus)

    def score_layers(progress: Progress) -> ByLayer:
        if side == "A" and inner_products.suffice_for(recipe):  # the pairs come along
            return by_layer_and_pair(engine, recipe, corpus, progress=progress)[0]
        return by_layer(engine, recipe, corpus, progress=progress)

    def score_pairs(progress: Progress) -> ByPair:
        return by_layer_and_pair(engine, recipe, corpus, progress=progress)[1]

    on = provenance.split(corpus)
    is_kept = partial(layer_scores.is_kept, engine, recipe, corpus)
    layers: Work[ByLayer] = works.recipe_work(
        "layer scores",
        f"Scoring every layer on {on}",
        engine,
        recipe,
        corpus,
        score_layers,
        kept=works.if_kept(partial(is_kept, pairs=False)),
    )
    pairs: Work[ByPair] = works.recipe_work(
        "pair scores",
        f"Scoring every pair of layers on {on}",
        engine,
        recipe,
        corpus,
        score_pairs,
        kept=works.if_kept(is_kept),
    )
    turns = frozenset({layers.key})  # the pairs take what the layers have scored
    return Scores(
        side,
        recipe,
        replace(layers, reads=layers.reads | turns),
        replace(pairs, reads=pairs.reads | turns),
        len(source.layers) + 1,
        _sets(source),
        Plan.of(recipe).trained,
        _at_once(engine, recipe, corpus),
    )


def foresee(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> None:
    """Store the scores that a page of this recipe computes without a question."""
    match _at_once(engine, recipe, corpus):
        case "pairs":
            by_layer_and_pair(engine, recipe, corpus, progress=progress)
        case "layers":
            by_layer(engine, recipe, corpus, progress=progress)


def _at_once(engine: Engine, recipe: Recipe, corpus: Corpus) -> AtOnce:
    """How much is computed without a question; the pairs come with the layers."""
    if inner_products.suffice_for(recipe) or layer_scores.is_kept(engine, recipe, corpus):
        return "pairs"
    source = layered_source(engine, recipe, corpus)
    numbers = len(corpus.sentences) * source.location.dim
    most = 0 if Plan.of(recipe).trained else MOST
    if numbers * _sets(source) <= most:
        return "pairs"
    alone = numbers * (len(source.layers) + 1) <= most
    return "layers" if alone or layer_scores.is_kept(engine, recipe, corpus, pairs=False) else "nothing"


def _sets(source: Source) -> int:
    """How many different sets of layers are scored in all."""
    return 1 + cells(len(source.layers))
