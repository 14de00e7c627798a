"""What many recipes gain over one: paired differences on the same pairs, each kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.difference import Difference
from core.evaluation.scoring import about_corpus, about_recipe, kept_under
from core.evaluation.sts import check_scorable, compare, evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

GAINS = TableKind("gains", 1, RECIPE_LIBRARIES, forward=True)


@dataclass(frozen=True)
class Gain:
    """A recipe's Spearman × 100, and its difference from the plain recipe's with its paired 95 % interval.

    Numbers are NaN where one of the two recipes has no correlation.
    """

    spearman: float
    difference: Difference


def gains(
    engine: Engine,
    plain: Recipe,
    recipes: Mapping[str, Recipe],
    corpus: Corpus,
    progress: Progress = silent,
) -> dict[str, Gain | str]:
    """The gain of each recipe over the plain one on all pairs, by name; or why one cannot be followed.

    Each gain is kept in the store, so that a stopped computation goes on where it was.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    StrataError
        The plain recipe cannot be followed.
    """
    check_scorable(corpus)
    about_recipe(engine, plain)
    results: dict[str, Gain | str] = {}
    for done, (name, recipe) in enumerate(recipes.items()):
        progress(Step("Comparing recipes", done, len(recipes)))
        try:
            results[name] = gain(engine, plain, recipe, corpus, progress)
        except StrataError as error:
            results[name] = str(error)
    return results


def are_kept(engine: Engine, plain: Recipe, recipes: Iterable[Recipe], corpus: Corpus) -> bool:
    """Whether the gains of all these recipes are in the store; those that cannot be followed apart."""
    for recipe in recipes:
        with suppress(StrataError):
            if not engine.store.has_table(GAINS, _parts(engine, plain, recipe, corpus)):
                return False
    return True


def gain(
    engine: Engine,
    plain: Recipe,
    recipe: Recipe,
    corpus: Corpus,
    progress: Progress = silent,
) -> Gain:
    """The gain of one recipe over another; raises what :meth:`Engine.embed` raises."""

    def compute() -> Arrays:
        ours, theirs = (engine.similarities(r, corpus, progress)[0] for r in (recipe, plain))
        difference = compare(theirs, ours, corpus)
        spearman = evaluate(ours, corpus, intervals=False).spearman
        return {"gain": np.array([spearman, difference.value, difference.low, difference.high])}

    kept = engine.store.table(GAINS, _parts(engine, plain, recipe, corpus), compute, progress)
    spearman, *difference = kept["gain"].tolist()
    return Gain(spearman, Difference(*difference))


def _parts(engine: Engine, plain: Recipe, recipe: Recipe, corpus: Corpus) -> list[object]:
    """What a gain depends on."""
    about = [kept_under(engine, r) for r in (recipe, plain)]
    return [about, about_corpus(corpus, "all")]
