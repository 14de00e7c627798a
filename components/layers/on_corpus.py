"""The corpus on the page Layers: its words followed through layers, and the scores of all layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from components import job, provenance, works
from components.layers.page import LayeredModel
from core.analysis import inner_products
from core.analysis.layered_source import layered_source
from core.analysis.layers import layer_scores, trajectories
from core.analysis.layers.layer_scores import ByLayer, ByPair, by_layer, by_layer_and_pair, cells
from core.analysis.layers.trajectories import Trajectories, of_corpus
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.sts import check_scorable
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.recipe.plan import Plan
from core.sources.source import Source
from core.work import Job, State, Work

MOST = 250_000_000
"""Numbers in the vectors of all sets of layers up to which they are scored without being asked for: some
seconds, as 105 sets of 2,552 sentences in 768 dimensions."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The work that scores every layer and every pair of layers under recipe A, and when it begins.

    Attributes
    ----------
    layers, pairs
        The work; the pairs take longer.
    sets
        How many different sets of layers are scored in all.
    trained
        The steps of the recipe that learn for long, once for each set.
    begun
        The job of the layers where it begins by itself; None where a visitor is asked first, and then for
        the pairs as well.
    follow
        Whether the pairs begin by themselves once the layers are there; else a visitor is asked.
    """

    layers: Work[ByLayer]
    pairs: Work[ByPair]
    sets: int
    trained: tuple[str, ...]
    begun: Job[ByLayer] | None = None
    follow: bool = False


@dataclass(frozen=True, eq=False)
class OnCorpus:
    """Trajectories of each model, and scores of all layers, or why there are none."""

    trajectories: Sequence[Job[Trajectories]]
    scores: Scores | StrataError

    @property
    def asked_for(self) -> bool:
        """Whether the corpus is read, or being read."""
        return not any(each.state in (State.NEW, State.STOPPED) for each in self.trajectories)


def read_corpus(engine: Engine, models: Sequence[LayeredModel], recipe: Recipe, corpus: Corpus) -> OnCorpus:
    """Read a corpus with all models, after one question, and score the layers of recipe A on it.

    What takes long for the scores alone is left to be asked for.
    """
    recipes = [model.recipe.as_read() for model in models]
    reading = [
        works.recipe_work(
            "trajectories",
            f"Following words of {provenance.split(corpus)} through {model.name}",
            engine,
            bare,
            corpus,
            partial(of_corpus, engine, bare, corpus),
            kept=works.if_kept(partial(trajectories.is_kept, engine, bare, corpus)),
        )
        for model, bare in zip(models, recipes, strict=True)
    ]
    scores: Scores | StrataError
    try:
        scores = _scores(engine, recipe, corpus)
        quick = _quick(engine, recipe, corpus, scores)
    except StrataError as error:
        scores, quick = error, []
    jobs = job.show_all([*reading, *quick[:1]], lambda: works.reading(engine, [*recipes, recipe], corpus))
    if isinstance(scores, Scores) and quick:
        *jobs, begun = jobs
        scores = replace(scores, begun=begun, follow=len(quick) > 1)
    return OnCorpus(jobs, scores)


def _scores(engine: Engine, recipe: Recipe, corpus: Corpus) -> Scores:
    """What is to be scored; raises :class:`StrataError` where corpus or recipe allow no scores."""
    check_scorable(corpus)
    sets = _sets(layered_source(engine, recipe, corpus))

    def score_layers(progress: Progress) -> ByLayer:
        if inner_products.suffice_for(recipe):  # the pairs come along
            return by_layer_and_pair(engine, recipe, corpus, progress=progress)[0]
        return by_layer(engine, recipe, corpus, progress=progress)

    def score_pairs(progress: Progress) -> ByPair:
        return by_layer_and_pair(engine, recipe, corpus, progress=progress)[1]

    on = provenance.split(corpus)
    kept = works.if_kept(partial(layer_scores.is_kept, engine, recipe, corpus))
    layers = works.recipe_work(
        "layer scores", f"Scoring every layer on {on}", engine, recipe, corpus, score_layers, kept=kept
    )
    pairs = works.recipe_work(
        "pair scores",
        f"Scoring every pair of layers on {on}",
        engine,
        recipe,
        corpus,
        score_pairs,
        kept=kept,
    )
    turns = frozenset({layers.key})  # the pairs take what the layers have scored
    return Scores(
        replace(layers, reads=layers.reads | turns),
        replace(pairs, reads=pairs.reads | turns),
        sets,
        Plan.of(recipe).trained,
    )


def foresee(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> None:
    """Store the scores that a page of this recipe computes without a question."""
    match _at_once(engine, recipe, corpus):
        case "pairs":
            by_layer_and_pair(engine, recipe, corpus, progress=progress)
        case "layers":
            by_layer(engine, recipe, corpus, progress=progress)


def _quick(engine: Engine, recipe: Recipe, corpus: Corpus, scores: Scores) -> Sequence[Work[object]]:
    """The scores by layer and by pair that are computed without a question, as they are quick or kept."""
    works: dict[str, Sequence[Work[object]]] = {
        "pairs": [scores.layers, scores.pairs],
        "layers": [scores.layers],
        "nothing": [],
    }
    return works[_at_once(engine, recipe, corpus)]


def _at_once(engine: Engine, recipe: Recipe, corpus: Corpus) -> Literal["nothing", "layers", "pairs"]:
    """How much is computed without a question; the pairs come with the layers."""
    if inner_products.suffice_for(recipe) or layer_scores.is_kept(engine, recipe, corpus):
        return "pairs"
    source = layered_source(engine, recipe, corpus)
    numbers = len(corpus.sentences) * source.location.dim
    if Plan.of(recipe).trained or numbers * (len(source.layers) + 1) > MOST:
        return "nothing"
    return "pairs" if numbers * _sets(source) <= MOST else "layers"


def _sets(source: Source) -> int:
    """How many different sets of layers are scored in all."""
    return 1 + cells(len(source.layers))
