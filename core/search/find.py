"""The best recipe for a model and a corpus: chosen on dev, reported on test.

What is tried are proposals of a search and the published methods. No score of test is seen before the
choice is made. The choice is compared with plain mean pooling, and with the published method that does best
on dev, on the same pairs of test.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError
from core.evaluation.sts import Difference, Score, check_scorable, compare, evaluate
from core.literature.presets.comparable import comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.search.budget import Budget
from core.search.optimism import optimism
from core.search.question import Question
from core.search.trials import Trial, run, score_on_dev

_PLAIN = "plain mean of the last layer"

FEWEST = 20
"""Pairs of dev and of test that a search needs."""


@dataclass(frozen=True)
class Compared:
    """Another recipe on test, and what the choice scores above it, with a paired 95 % interval."""

    name: str
    recipe: str
    test: float
    gain: Difference


@dataclass(frozen=True)
class Found:
    """The recipe with the highest score on dev, and what it is worth.

    Attributes
    ----------
    recipe
        The choice.
    dev
        Spearman × 100 on dev of the choice.
    optimism
        Points of it that are owed to choosing the best of so many recipes.
    test
        The score of the choice on test, with its 95 % interval.
    baseline, preset
        Plain mean pooling, and the published method that is best on dev; None where none could be scored,
        or where it is the choice itself.
    trials
        All that was proposed, in order.
    scored
        Each recipe with its score on dev, the published methods included, the best first.
    pairs
        Pairs of dev and of test.
    notes
        What a reader must know.
    """

    recipe: str
    dev: float
    optimism: float
    test: Score
    baseline: Compared | None
    preset: Compared | None
    trials: tuple[Trial, ...]
    scored: Mapping[str, float]
    pairs: tuple[int, int]
    notes: tuple[str, ...]


def split_in_two(corpus: Corpus) -> tuple[Corpus, Corpus, tuple[str, ...]]:
    """Dev and test of a corpus, and a note where it has none: then each pair goes to one by its hash.

    Raises :class:`CorpusError` where one of them has too few pairs, or gold scores that are all the same.
    """
    notes: tuple[str, ...] = ()
    if {"dev", "test"} <= set(corpus.splits):
        dev, test = corpus.take("dev"), corpus.take("test")
    else:
        held = np.array([_hash(corpus, row) for row in range(len(corpus))], int) % 2
        dev, test = (
            replace(corpus.of_rows(np.flatnonzero(held == side)), split=(name,) * int((held == side).sum()))
            for side, name in enumerate(("dev", "test"))
        )
        notes = (
            f"{corpus.name} has no dev and test; each pair went to one of them by a hash of its text.",
        )
    for part, name in ((dev, "dev"), (test, "test")):
        if len(part) < FEWEST:
            raise CorpusError(
                f"find: {name} of {corpus.name} has {len(part)} pairs; a search needs {FEWEST} in "
                "each of dev and test."
            )
        check_scorable(part)
    return dev, test, notes


def find(
    engine: Engine, question: Question, test: Corpus, budget: Budget, progress: Progress = silent
) -> Found:
    """Search on the dev of a question, and report the choice on test.

    Raises
    ------
    RecipeError
        No recipe of the space could be scored.
    CorpusError
        Dev or test allows no correlation.
    """
    check_scorable(question.dev)
    check_scorable(test)
    trials = run(engine, question, budget, progress)
    published = _published(engine, question, progress)
    scored = {trial.recipe: trial.dev for trial in trials if math.isfinite(trial.dev)}
    scored |= {str(recipe): dev for recipe, dev in published.values()}
    scored = dict(sorted(scored.items(), key=lambda item: -item[1]))
    chosen = next(iter(scored))
    progress(Step("Estimating the optimism of the choice", 0, 1))
    rows = [engine.similarities(Recipe.parse(text), question.dev)[0] for text in scored]
    similarities, embedded = engine.similarities(Recipe.parse(chosen), test, progress)
    plain = plain_mean(question.space.base)
    baseline = _compared(engine, question, test, _PLAIN, plain, similarities)
    published.pop(_PLAIN, None)
    best = max(published, key=lambda name: published[name][1], default=None)
    preset = None
    if best is not None and str(published[best][0]) != chosen:
        preset = _compared(engine, question, test, best, published[best][0], similarities)
    return Found(
        chosen,
        scored[chosen],
        optimism(rows, question.dev, question.aggregate),
        evaluate(similarities, test, question.aggregate),
        baseline,
        preset,
        tuple(trials),
        scored,
        (len(question.dev), len(test)),
        embedded.notes,
    )


def _published(engine: Engine, question: Question, progress: Progress) -> dict[str, tuple[Recipe, float]]:
    """Plain mean and the published methods that the space holds, by name, with their scores on dev."""
    base, found = question.space.base, {}
    every = {_PLAIN: plain_mean(base)} | comparable(base)
    held = {name: recipe for name, recipe in every.items() if question.space.holds(recipe)}
    for number, (name, recipe) in enumerate(held.items()):
        progress(Step("Scoring published methods on dev", number, len(held)))
        try:
            found[name] = recipe, score_on_dev(engine, question, recipe)
        except StrataError:  # it takes a layer, or learns from what is not here
            continue
    return found


def _compared(
    engine: Engine, question: Question, test: Corpus, name: str, recipe: Recipe, ours: np.ndarray
) -> Compared | None:
    """Another recipe on test; None where it cannot be followed."""
    try:
        similarities, _ = engine.similarities(recipe, test)
    except StrataError:
        return None
    score = evaluate(similarities, test, question.aggregate, intervals=False).spearman
    return Compared(name, str(recipe), score, compare(similarities, ours, test, question.aggregate))


def _hash(corpus: Corpus, row: int) -> int:
    """A number that depends on the texts of a pair alone, in either order."""
    texts = sorted(corpus.sentences[int(side[row])] for side in (corpus.first, corpus.second))
    return hashlib.sha256("\0".join(texts).encode()).digest()[0]


def left_out(trials: tuple[Trial, ...]) -> int:
    """How many proposals could not be scored."""
    return sum(math.isnan(trial.dev) for trial in trials)
