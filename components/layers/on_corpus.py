"""The corpus on the page Layers: its words followed through layers, and the scores of all layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from components import job, provenance, works
from components.layers.page import LayeredModel, layered_recipe
from core.analysis import inner_products
from core.analysis.layers.layer_scores import ByLayer, ByPair, by_layer_and_pair, is_kept
from core.analysis.layers.trajectories import Trajectories, of_corpus
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.sts import check_scorable
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Job, State, Work


@dataclass(frozen=True, eq=False)
class OnCorpus:
    """The jobs: trajectories of each model, and scores of all layers where they are quick."""

    trajectories: Sequence[Job[Trajectories]]
    scores: Job[tuple[ByLayer, ByPair]] | None

    @property
    def asked_for(self) -> bool:
        """Whether the corpus is read, or being read."""
        return not any(each.state in (State.NEW, State.STOPPED) for each in self.trajectories)


def read_corpus(engine: Engine, models: Sequence[LayeredModel], recipe: Recipe, corpus: Corpus) -> OnCorpus:
    """Read a corpus with all models, after one question, and score the layers of recipe A on it."""
    recipes = [layered_recipe(model.recipe) for model in models]
    reading = [
        works.recipe_work(
            "trajectories",
            f"Following words of {provenance.split(corpus)} through {model.name}",
            engine,
            bare,
            corpus,
            partial(of_corpus, engine, bare, corpus),
        )
        for model, bare in zip(models, recipes, strict=True)
    ]
    scoring = [scores_work(engine, recipe, corpus)] if scores_are_quick(engine, recipe, corpus) else []
    jobs = job.show_all([*reading, *scoring], lambda: works.reading(engine, [*recipes, recipe], corpus))
    return OnCorpus(jobs[: len(models)], jobs[-1] if scoring else None)


def scores_are_quick(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether all layers can be scored at once: by inner products, or because their scores are kept."""
    try:
        check_scorable(corpus)
        return inner_products.suffice_for(recipe) or is_kept(engine, recipe, corpus)
    except StrataError:
        return False


def scores_work(engine: Engine, recipe: Recipe, corpus: Corpus) -> Work[tuple[ByLayer, ByPair]]:
    """The score of each layer and of each pair of layers."""

    def compute(progress: Progress) -> tuple[ByLayer, ByPair]:
        return by_layer_and_pair(engine, recipe, corpus, progress=progress)

    what = f"Scoring every layer on {provenance.split(corpus)}"
    return works.recipe_work("layer scores", what, engine, recipe, corpus, compute)
