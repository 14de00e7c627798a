"""The score of one recipe on one corpus, with what it depends on under one set of names."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.evaluation.difference import Difference
from core.evaluation.statistics import RESAMPLES, interval
from core.evaluation.sts import Aggregate, Score, check_scorable, compare, evaluate, few, resampled
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.recipe.in_vain import in_vain
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

SIMILARITIES = TableKind("similarities", 1, RECIPE_LIBRARIES, forward=True)
"""Similarities of a corpus' pairs. Such tables come with the installation and are not written by visits."""

AnswerValue = str | int | float | list[str] | list[int] | None
"""A value in the answer about a score: JSON and a cell of a table hold it."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The score of a recipe on a corpus, and the time that it took.

    Attributes
    ----------
    recipe
        The recipe.
    about
        What the score depends on; see :func:`about_recipe` and :func:`about_corpus`.
    similarities
        The similarity of each pair.
    score
        The correlations with their interval.
    samples
        Spearman × 100 of each bootstrap resample, of which the interval is; NaN where the score is none.
    pass_seconds
        The time of the forward passes; 0 when all were stored.
    seconds
        The time from the stored pass to the score, without the interval.
    notes
        What limits the score: texts that were cut, pairs that were left out.
    """

    recipe: Recipe
    about: Mapping[str, str | int]
    similarities: Float[np.ndarray, " pair"]
    score: Score
    samples: Float[np.ndarray, " resample"]
    pass_seconds: float
    seconds: float
    notes: tuple[str, ...]

    def answer(self) -> dict[str, AnswerValue]:
        """All values but the scores of subsets; a number that does not exist is None."""
        score = self.score
        return {
            **self.about,
            "spearman": number(score.spearman),
            "pearson": number(score.pearson),
            "low": number(score.low),
            "high": number(score.high),
            "pass_seconds": number(self.pass_seconds),
            "seconds": number(self.seconds),
            "notes": list(self.notes),
        }


def about_recipe(engine: Engine, recipe: Recipe) -> dict[str, str]:
    """The recipe, model, reference and precision that a score depends on.

    ``reference_fingerprint`` is empty for a recipe that learns nothing from the reference. Raises
    :class:`~core.errors.StrataError` when the model or the reference cannot be found.
    """
    source = engine.source(recipe)
    return {
        "recipe": str(recipe),
        "model": source.name,
        "revision": source.revision,
        "reference_fingerprint": engine.references.fingerprint(recipe),
        "forward": engine.settings.forward,
        "storage": engine.settings.storage,
    }


def kept_under(engine: Engine, recipe: Recipe) -> dict[str, str]:
    """What kept results of a recipe are found by: :func:`about_recipe`, and what that does not say."""
    return about_recipe(engine, recipe) | _unsaid(engine, recipe)


def _unsaid(engine: Engine, recipe: Recipe) -> dict[str, str]:
    """The editions of a recipe's options, and the content of a source that its revision does not name."""
    source = engine.source(recipe)
    return editions(recipe) | ({"content": source.content} if source.content != source.revision else {})


def editions(recipe: Recipe) -> dict[str, str]:
    """The editions of a recipe's options; empty where all are of the first one, as most are."""
    spelled, keyed = recipe.spelled(), recipe.keyed()
    changed = [text for name, text in keyed.items() if text != spelled[name]]
    return {"editions": ";".join(changed)} if changed else {}


def about_corpus(corpus: Corpus, aggregate: Aggregate) -> dict[str, str | int]:
    """The corpus, split and aggregate that a score depends on."""
    return {
        "corpus": corpus.name,
        "split": corpus.split_name,
        "fingerprint": corpus.fingerprint,
        "pairs": len(corpus),
        "aggregate": aggregate,
    }


def score(
    engine: Engine,
    recipe: Recipe | str,
    corpus: Corpus,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> Scored:
    """Embed a corpus under a recipe or its text, and score the similarities of its pairs.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    StrataError
        The recipe cannot be followed; see :meth:`core.pipeline.engine.Engine.embed`.
    """
    check_scorable(corpus)
    recipe = Recipe.of(recipe)
    of_recipe = about_recipe(engine, recipe)
    about = of_recipe | about_corpus(corpus, aggregate)
    begin = time.perf_counter()
    identity = (of_recipe | _unsaid(engine, recipe)).values()
    similarities, said, pass_seconds = similarities_of(engine, recipe, corpus, progress, identity)
    value = evaluate(similarities, corpus, aggregate, intervals=False)  # timed without its interval
    seconds = time.perf_counter() - begin - pass_seconds
    samples = np.full(RESAMPLES, np.nan)
    if math.isfinite(value.spearman):
        samples = resampled(similarities, corpus, aggregate)
        low, high = interval(samples)
        value = replace(value, low=low, high=high)
    problem = (value.problem,) if value.problem else ()
    told = few(len(corpus), value.low, value.high)
    notes = tuple(dict.fromkeys((*corpus.notes, *told, *in_vain(recipe), *said, *problem)))
    return Scored(recipe, about, similarities, value, samples, pass_seconds, seconds, notes)


def difference(a: Scored, b: Scored, corpus: Corpus) -> Difference:
    """B minus A with its paired interval, as :func:`~core.evaluation.sts.compare` gives it.

    Both are scores on this corpus under the same aggregate: their resamples are the same, pair by pair.
    """
    if not are_of_the_same_subsets(a, b):
        return compare(a.similarities, b.similarities, corpus, a.score.aggregate)
    return Difference.paired(a.score.spearman, a.samples, b.score.spearman, b.samples)


def are_of_the_same_subsets(a: Scored, b: Scored) -> bool:
    """Whether both are means over the same subsets; one without a correlation is left out of a mean."""
    if a.score.aggregate == "all":
        return True
    first, second = (
        {name for name, (spearman, *_) in one.score.subsets.items() if math.isfinite(spearman)}
        for one in (a, b)
    )
    return first == second


def has_similarities(engine: Engine, identity: Iterable[object], corpus: Corpus) -> bool:
    """Whether the similarities of a corpus' pairs are kept under a recipe.

    ``identity`` are the values of :func:`kept_under`.
    """
    return engine.store.has_table(SIMILARITIES, similarities_parts(identity, corpus))


def similarities_parts(identity: Iterable[object], corpus: Corpus) -> tuple[object, ...]:
    """What the similarities of a corpus' pairs depend on."""
    return (*identity, corpus.fingerprint)


def similarities_of(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    progress: Progress = silent,
    identity: Iterable[object] | None = None,
) -> tuple[Float[np.ndarray, " pair"], tuple[str, ...], float]:
    """The similarity of each pair, kept or computed; their notes; and the seconds of forward passes.

    ``identity`` are the values of :func:`kept_under`, where the caller has them.
    """
    known = kept_under(engine, recipe).values() if identity is None else identity
    seconds = 0.0

    def compute() -> Arrays:
        nonlocal seconds
        similarities, embedded = engine.similarities(recipe, corpus, progress)
        seconds = embedded.pass_seconds
        return {"similarities": similarities, "notes": np.array(embedded.notes, str)}

    arrays = engine.shipped_table(SIMILARITIES, similarities_parts(known, corpus), compute)
    return arrays["similarities"], tuple(arrays["notes"].tolist()), seconds


def number(value: float) -> float | None:
    """``value`` with four decimals; None when it is not a number."""
    return round(float(value), 4) if math.isfinite(value) else None
