"""Successive halving: a recipe that scores low on a subsample of dev is given up, and never reads the rest.

A recipe is measured on the smallest subsample first. One in four goes on from there, and one in three from
a larger one: a recipe that is among the best of the latest that were measured on the same rows while not
so many of these went on, or better than all of them: asynchronous successive halving (Li et al. 2020, A
System for Massively Parallel Hyperparameter Tuning), with a bound for proposals that get better. Subsamples
are fixed, each holds the smaller ones, and a score is compared with scores on the same rows alone. Optuna's
own pruner would judge a recipe that a subsample is too small for by its score on a larger one, so the rungs
are kept here, and Optuna is told the scores.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError, TooFewSentencesError
from core.pipeline.engine import Engine
from core.progress import Progress, Step
from core.recipe import Recipe
from core.search.aims import Aim
from core.search.measured import Measured, Trial

FACTOR = 3
"""One of so many recipes goes on from a subsample, and the next one is so many times as large."""

FIRST = 4
"""One of so many recipes goes on from the smallest subsample, behind which most of the time goes."""

FEWEST_ROWS = 150
"""Rows of each corpus that the smallest subsample has at least."""


LATEST = 60
"""Recipes that a new one is compared with: proposals get better, and nearly all beat the first ones."""


LONG = 3.0
"""Seconds up to which the next, larger part of dev is measured, whatever a recipe takes on average."""

PATIENCE = 10
"""How many times the average seconds of a recipe the next part may take beyond :data:`LONG`."""


def shares(aims: Sequence[Aim]) -> tuple[float, ...]:
    """The shares of dev that recipes are measured on before all of it, the smallest first."""
    fewest, found = min(aim.rows for aim in aims), list[float]()
    share = 1 / FACTOR
    while share * fewest >= FEWEST_ROWS:
        found.insert(0, share)
        share /= FACTOR
    return tuple(found)


@dataclass(eq=False)
class Rung:
    """A subsample of dev, the scores of the recipes that were measured on it, and those that went on.

    One in ``one_in`` of the latest goes on.
    """

    measured: Measured
    one_in: int = FACTOR
    scores: dict[str, float] = field(default_factory=dict)
    gone_on: set[str] = field(default_factory=set)

    @property
    def rows(self) -> int:
        """Rows of all corpora."""
        return sum(aim.rows for aim in self.measured.aims)

    def keeps(self, recipe: str, score: float) -> bool:
        """Note a score on these rows, and say whether the recipe is among the best that go on.

        Of equal ones the first go on: mostly they are one recipe, written otherwise. Once one in
        :attr:`one_in` of the latest has gone on, only one that is better than all of them does: proposals
        get better, and most would be among the best of those before them.
        """
        self.forget(recipe)
        latest = dict([*self.scores.items()][1 - LATEST :])
        better = sum(other >= score for other in latest.values())
        gone_on, allowed = len(self.gone_on & latest.keys()), (len(latest) + 1) // self.one_in
        goes_on = not better or max(better, gone_on) < allowed
        self.note(recipe, score, goes_on=goes_on)
        return goes_on

    def note(self, recipe: str, score: float, *, goes_on: bool) -> None:
        """Take a recipe as the latest one, in the place of what was known of it."""
        self.forget(recipe)
        self.scores[recipe] = score
        if goes_on:
            self.gone_on.add(recipe)

    def forget(self, recipe: str) -> None:
        """Have a recipe count nowhere."""
        self.scores.pop(recipe, None)
        self.gone_on.discard(recipe)


class Halving:
    """Recipes on the rungs of a search and then on all of dev.

    Parameters
    ----------
    engine
        What gives the vectors.
    on_dev
        Measures on all of dev.
    taken
        The share of dev of each rung, the smallest first; see :func:`shares`.
    reference
        What recipes learn from with ``fit=reference``; on a rung as many of its texts as the rung has.
    """

    def __init__(
        self, engine: Engine, on_dev: Measured, taken: Sequence[float], reference: Corpus | None
    ) -> None:
        self._engine, self._on_dev, self._reference = engine, on_dev, reference
        self.rungs = [self._rung(share, FACTOR if i else FIRST) for i, share in enumerate(taken)]
        self._seconds: list[float] = []

    def _rung(self, share: float, one_in: int) -> Rung:
        aims = [aim.sampled(share) for aim in self._on_dev.aims]
        texts = sum(len(aim.corpus.sentences) for aim in aims)
        reference = None if self._reference is None else some_texts(self._reference, texts)
        return Rung(Measured(self._engine, aims, self._on_dev.width, reference), one_in)

    def restore(self, trials: Iterable[Trial]) -> None:
        """Take what was measured before a stop."""
        for trial in trials:
            for rung, score in zip(self.rungs, trial.rungs, strict=False):
                if math.isfinite(score):
                    rung.note(trial.recipe, score, goes_on=trial.given_up != rung.rows)

    def read(self, base: Recipe, progress: Progress) -> None:
        """Cut the passes over the subsamples from those over all of dev and of the reference."""
        if not self.rungs:
            return
        whole = [aim.corpus for aim in self._on_dev.aims]
        source, passes = self._engine.source(base, whole[0]), self._engine.passes
        if not source.is_model:
            return
        progress(Step("Cutting subsamples of dev", 0, 1))
        for corpus in [*whole, *([] if self._reference is None else [self._reference])]:
            passes.get(source, corpus, progress, ())
        for rung in self.rungs:
            parts = [aim.corpus for aim in rung.measured.aims]
            for corpus, some in zip(whole, parts, strict=True):
                passes.cut(source, corpus, some, progress)
            if self._reference is not None and rung.measured.reference is not None:
                passes.cut(source, self._reference, rung.measured.reference, progress)

    def best(
        self,
        recipes: Mapping[str, Recipe],
        kept: AbstractSet[str],
        progress: Progress,
        failed: Callable[[], None],
    ) -> dict[str, Trial]:
        """Given recipes by name, the best of each rung on the next; those that have a score.

        Parameters
        ----------
        kept
            Names of recipes that are measured on all of dev, whatever they score.
        failed
            Called for each recipe that cannot be followed.
        """
        found: dict[str, Trial] = {}
        left, before = dict(recipes), dict.fromkeys(recipes, tuple[float, ...]())
        for rung in [*self.rungs, None]:
            measured, judged = rung.measured if rung else self._on_dev, dict[str, Trial]()
            for number, (name, recipe) in enumerate(tried := [*left.items()]):
                progress(Step("Scoring published methods on dev", number, len(tried)))
                try:
                    judged[name] = measured.trial(recipe, progress)
                except StrataError as error:
                    too_few = isinstance(error, TooFewSentencesError | CorpusError)
                    if rung is None or not too_few:  # it takes a layer, or learns from what is not here
                        failed()
                        del left[name]
                    before[name] += (math.nan,)
            if rung is None:
                return found | {name: replace(t, rungs=before[name]) for name, t in judged.items()}
            order = sorted(judged, key=lambda name: -judged[name].dev)
            for place, name in enumerate(order):
                trial, before[name] = judged[name], (*before[name], judged[name].dev)
                if place >= math.ceil(len(order) / rung.one_in) and name not in kept:
                    found[name] = _given_up(trial, before[name], rung)
                    del left[name]
        return found

    def trial(self, recipe: Recipe, progress: Progress) -> tuple[Trial, list[tuple[int, float]]]:
        """The recipe with its scores on the rungs, and on all of dev unless it was given up before.

        With it the rows and score of each rung that judged it; one that is too small for it to learn from
        does not. A recipe ends as well where the next part would take long beside what others take. Raises
        :class:`~core.errors.StrataError` where it has no score; it then counts nowhere.
        """
        begin = time.perf_counter()
        try:
            found = self._trial(recipe, progress)
            self._seconds.append(time.perf_counter() - begin)
            return found
        except StrataError:
            for rung in self.rungs:
                rung.forget(str(recipe))
            raise

    @property
    def _allowed(self) -> float:
        """The seconds that the next part may take; any of the first recipes, which say what is usual."""
        if len(self._seconds) < PATIENCE:
            return math.inf
        return max(LONG, PATIENCE * fmean(self._seconds))

    def _trial(self, recipe: Recipe, progress: Progress) -> tuple[Trial, list[tuple[int, float]]]:
        scores: list[float] = []
        judged: list[tuple[int, float]] = []
        for rung in self.rungs:
            begin = time.perf_counter()
            try:
                there = rung.measured.trial(recipe, progress)
            except (TooFewSentencesError, CorpusError):
                scores.append(math.nan)
                continue
            scores.append(there.dev)
            judged.append((rung.rows, there.dev))
            if not rung.keeps(str(recipe), there.dev):
                return _given_up(there, tuple(scores), rung), judged
            if (seconds := FACTOR * (time.perf_counter() - begin)) > self._allowed:
                problem = f"The next part of dev would take about {seconds:.0f} s."
                return replace(_given_up(there, tuple(scores), rung), problem=problem), judged
        return replace(self._on_dev.trial(recipe, progress), rungs=tuple(scores)), judged


def _given_up(there: Trial, scores: tuple[float, ...], rung: Rung) -> Trial:
    """The trial of a recipe that ends on a rung."""
    return Trial(there.recipe, math.nan, "", there.dimensions, rungs=scores, given_up=rung.rows)


def some_texts(corpus: Corpus, number: int) -> Corpus:
    """So many different texts of a corpus by a hash of them, in its order; fewer of them are all."""
    if number >= len(corpus.sentences):
        return corpus
    digests = [hashlib.sha256(text.encode()).digest() for text in corpus.sentences]
    taken = np.array(sorted(sorted(range(len(digests)), key=digests.__getitem__)[:number]), int)
    texts = tuple(corpus.sentences[int(i)] for i in taken)
    return Corpus(corpus.name, corpus.origin, texts, corpus.repeats[taken])
