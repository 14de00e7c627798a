"""The corpus on the page Layers: its words followed through layers, and the scores of all layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from components import job, provenance, works
from components.layers import scoring
from components.layers.page import LayeredModel
from components.layers.scoring import Scores
from core.analysis.layers import trajectories
from core.analysis.layers.layer_similarities import with_layers
from core.analysis.layers.trajectories import Trajectories, of_corpus
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Job, State


@dataclass(frozen=True, eq=False)
class OnCorpus:
    """Trajectories of each model, and scores of all layers under A and B, or why there are none.

    B is left out of the scores where it is A but for its layers: its scores are A's.
    """

    trajectories: Sequence[Job[Trajectories]]
    scores: Mapping[str, Scores | StrataError]

    @property
    def asked_for(self) -> bool:
        """Whether the corpus is read, or being read."""
        return not any(each.state in (State.NEW, State.STOPPED) for each in self.trajectories)


def read_corpus(
    engine: Engine, models: Sequence[LayeredModel], a: Recipe, b: Recipe | None, corpus: Corpus
) -> OnCorpus:
    """Read a corpus with all models, after one question, and score the layers of recipes A and B on it.

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
    scored = {"A": a}
    if b is not None and with_layers(a, (0,)) != with_layers(b, (0,)):
        scored["B"] = b
    scores = {side: _scores(engine, side, recipe, corpus) for side, recipe in scored.items()}
    quick = {side: of for side, of in scores.items() if isinstance(of, Scores) and of.at_once != "nothing"}
    jobs = job.show_all(
        [*reading, *(of.layers for of in quick.values())],
        lambda: works.reading(engine, [*recipes, *scored.values()], corpus),
    )
    for (side, of), begun in zip(quick.items(), jobs[len(reading) :], strict=True):
        scores[side] = replace(of, begun=begun)
    return OnCorpus(jobs[: len(reading)], scores)


def _scores(engine: Engine, side: str, recipe: Recipe, corpus: Corpus) -> Scores | StrataError:
    try:
        return scoring.of_recipe(engine, side, recipe, corpus)
    except StrataError as error:
        return error
