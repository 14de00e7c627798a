"""Recipes as a search measures them: each once, on every aim."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.evaluation.ranks import mean_ranks
from core.evaluation.statistics import RESAMPLES
from core.evaluation.tasks.groups import mean_of
from core.evaluation.tasks.task import Samples, TaskResult
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import POOL, Recipe
from core.search.aims import Aim
from core.storage.memo import Memo
from core.threads import one_thread

_One = TypeVar("_One")


@dataclass(frozen=True)
class Trial:
    """A recipe that was tried, and its score on dev × 100; NaN where it has none, and then why.

    ``each`` are the scores on each corpus, whose mean ``dev`` is; ``dimensions`` are those of its vectors,
    ``milliseconds`` those of a sentence where the search weighs them, else 0. ``rungs`` are its scores on
    subsamples of dev, the smallest first, NaN on one that was too small for it to learn from; each is
    compared with scores on the same rows alone. ``given_up`` are the rows after which it was given up, 0
    for a recipe that was not. ``barred`` is the dear option for which it was left out to save time, as
    ``pool=gem``: that had had its share.
    """

    recipe: str
    dev: float
    problem: str = ""
    dimensions: int = 0
    each: tuple[float, ...] = ()
    milliseconds: float = 0.0
    rungs: tuple[float, ...] = ()
    given_up: int = 0
    barred: str = ""


SHARE = 32
"""One in so many bytes of the memory for results is for what a search measured on the same aims."""


class Measured:
    """Recipes on some aims: their trials are kept as long as this is, their results while there is room.

    A result holds what it is resampled from, as the similarity of each row; one that had to go is measured
    anew when it is asked for. ``width`` is the most dimensions that vectors may have, before and after
    post-processing; ``reference`` what recipes learn from with ``fit=reference``, the corpus that they name
    when None.
    """

    def __init__(
        self,
        engine: Engine,
        aims: Sequence[Aim],
        width: int | None = None,
        reference: Corpus | None = None,
    ) -> None:
        self._engine, self.aims, self.width, self.reference = engine, tuple(aims), width, reference
        self._trials: dict[str, Trial] = {}
        self._results: Memo[tuple[TaskResult, ...]] = Memo(engine.settings.memory_bytes // SHARE, _bytes)

    def trial(self, recipe: Recipe, progress: Progress = silent) -> Trial:
        """The recipe with its scores; raises :class:`~core.errors.StrataError` where it has none."""
        if str(recipe) not in self._trials:
            self.results(recipe, progress)
        return self._trials[str(recipe)]

    def results(self, recipe: Recipe, progress: Progress = silent) -> tuple[TaskResult, ...]:
        """The result on each aim; raises :class:`~core.errors.StrataError` where one has no value."""
        return self._results.get(str(recipe), lambda: self._measured(recipe, progress))

    def _measured(self, recipe: Recipe, progress: Progress) -> tuple[TaskResult, ...]:
        reference = self.reference if recipe.needs_reference() else None
        with one_thread(0):  # trials are many and small: threads wait for each other where others work
            dim = self._checked(recipe, progress, reference)
            results = tuple(aim.measure(self._engine, recipe, progress, reference) for aim in self.aims)
        for result in results:
            if not math.isfinite(result.value):
                raise RecipeError(result.notes[-1] if result.notes else "It has no score.")
        values = tuple(result.value for result in results)
        self._trials[str(recipe)] = Trial(str(recipe), float(np.mean(values)), "", dim, values)
        return results

    def samples(self, recipe: Recipe) -> Samples:
        """The mean over the aims of each bootstrap resample; each corpus is resampled by itself."""
        return mean_of(self.results(recipe)).samples

    def _checked(self, recipe: Recipe, progress: Progress, reference: Corpus | None) -> int:
        """The dimensions of its vectors; too wide ones are refused before a step learns from them."""
        corpus, option = self.aims[0].corpus, POOL.find(recipe.pool)
        if option.width is not None:  # told before anything is learnt
            self._refuse(
                option.width(POOL.arguments(recipe.pool), self._engine.source(recipe).location.dim)
            )
        for one in dict.fromkeys((recipe.replace(post="none"), recipe)):
            learns = reference if one.needs_reference() else None
            dim = int(self._engine.embed(one, corpus, progress, learns).vectors.shape[1])
            self._refuse(dim)
        return dim

    def _refuse(self, dim: int) -> None:
        """Raise :class:`RecipeError` for too many dimensions."""
        if self.width is not None and dim > self.width:
            raise RecipeError(f"Its vectors have {dim:,} dimensions; allowed are {self.width:,}.")


def _bytes(results: Sequence[TaskResult]) -> int:
    """What results hold: the arrays that they are resampled from, and the resamples."""
    given = (one for r in results if isinstance(r.resample, partial) for one in r.resample.args)
    arrays = sum(one.nbytes for one in given if isinstance(one, np.ndarray))
    return arrays + len(results) * RESAMPLES * np.dtype(float).itemsize


def on_same_rows(trials: Iterable[Trial]) -> list[tuple[Trial, float]]:
    """Trials with scores that can be compared: on the smallest subsample where there is one, else on dev.

    Trials without that score are left out.
    """
    known = list(trials)
    on_subsamples = any(trial.rungs for trial in known)
    scored = [(trial, (trial.rungs or (math.nan,))[0] if on_subsamples else trial.dev) for trial in known]
    return [(trial, score) for trial, score in scored if math.isfinite(score)]


def best_first(trials: Iterable[Trial]) -> list[Trial]:
    """Different recipes that have scores, the best first: by their mean rank over the corpora.

    On one corpus that is the order of the scores. Recipes of equal mean rank are in the order of the mean.
    """
    known = list({trial.recipe: trial for trial in trials if math.isfinite(trial.dev)}.values())
    if not known:
        return []
    ranks = mean_ranks(np.array([trial.each for trial in known]))
    order = sorted(range(len(known)), key=lambda i: (ranks[i], -known[i].dev))
    return [known[i] for i in order]


def front(trials: Iterable[Trial], cost: str = "dimensions") -> list[Trial]:
    """Recipes that no other one equals or betters at as low a cost, the cheapest first.

    ``cost`` names an attribute of :class:`Trial`.
    """
    known = [trial for trial in trials if math.isfinite(trial.dev)]
    return best_by_cost(known, lambda trial: getattr(trial, cost), lambda trial: trial.dev)


def best_by_cost(
    every: Iterable[_One], cost: Callable[[_One], float], score: Callable[[_One], float]
) -> list[_One]:
    """Those of some things that no other one equals or betters at as low a cost, the cheapest first."""
    kept: list[_One] = []
    for one in sorted(every, key=lambda one: (cost(one), -score(one))):
        if not kept or score(one) > score(kept[-1]):
            kept.append(one)
    return kept
