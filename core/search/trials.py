"""The trials of a search: recipes that Optuna proposes, each scored on dev, and kept.

Optuna (Akiba et al. 2019) proposes with a tree-structured Parzen estimator (Bergstra et al. 2011). What was
asked and told is kept in a file of the cache folder, so that a search that is stopped or killed goes on. A
trial costs milliseconds from stored passes: each is scored on all rows of dev, none is given up early. Some
options take seconds: they get a share of the time (:class:`Times`).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from core.errors import RecipeError, StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import LAYERS, POOL, Recipe
from core.search.budget import Budget
from core.search.cost import milliseconds
from core.search.journal import Journal, Kept
from core.search.measured import Measured, Trial
from core.search.question import Question
from core.storage.keys import key_of

if TYPE_CHECKING:  # it is imported when a search begins
    import optuna

VERSION = 3
"""Raised when a search that was stopped cannot go on as it began."""

SLOW = 1.0
"""Seconds of a recipe from which on an option is slow, if another one takes a tenth of that."""

SHARE = 0.2
"""The most of the search's time that a slow option gets."""

TRIED = {POOL.name: 1, LAYERS.name: 3}
"""The stages whose options may be slow, and how often each is tried: a slow trial is blamed on both."""


class Times:
    """The seconds of trials by their pooling and layers: a slow option gets a share of the time."""

    def __init__(self) -> None:
        self._seconds: dict[str, dict[str, list[float]]] = {stage: {} for stage in TRIED}

    def add(self, trial: Trial, seconds: float) -> None:
        """Note a trial; one that could not be scored counts where that took long (too wide vectors)."""
        if trial.recipe and (math.isfinite(trial.dev) or seconds >= SLOW):
            recipe = Recipe.parse(trial.recipe)
            for stage, by_option in self._seconds.items():
                by_option.setdefault(_option(recipe, stage), []).append(seconds)

    def check(self, recipe: Recipe) -> None:
        """Raise :class:`RecipeError` for a recipe with a slow option that had its share."""
        for stage, by_option in self._seconds.items():
            name = _option(recipe, stage)
            own = by_option.get(name, [])
            if len(own) < TRIED[stage]:
                continue
            usual = median(own)
            fastest = min(median(each) for each in by_option.values())
            total = sum(map(sum, by_option.values()))
            if usual >= SLOW and usual >= 10 * fastest and sum(own) > SHARE * total:
                raise RecipeError(
                    f"{stage}={name} takes {usual:.1f} s a recipe; it had its {100 * SHARE:.0f} % of the "
                    "search's time."
                )


def _option(recipe: Recipe, stage: str) -> str:
    """The pooling of a recipe; the option that weighs its layers for each token anew, else average."""
    if stage == POOL.name:
        return str(recipe.pool.name)
    fused = [choice.name for choice in recipe.layers if LAYERS.find(choice).fuse is not None]
    return fused[0] if fused else "average"


def run(
    engine: Engine,
    question: Question,
    budget: Budget,
    progress: Progress = silent,
    on_dev: Measured | None = None,
) -> list[Trial]:
    """The trials within a budget, those before a stop included; a time is of this run alone.

    ``on_dev`` measures, and remembers. Raises :class:`RecipeError` where no recipe could be scored.
    """
    on_dev = on_dev or measured_on_dev(engine, question)
    journal, begin = Journal(_path(engine, question)), time.monotonic()
    before = journal.read()
    study, times = _study(question, before), Times()
    for kept in before:
        times.add(kept.trial, kept.seconds)
    trials = [kept.trial for kept in before]
    best = max((trial.dev for trial in trials if math.isfinite(trial.dev)), default=math.nan)
    while not budget.is_spent(len(trials), time.monotonic() - begin):
        told = f", best on dev {best:.1f}" if math.isfinite(best) else ""
        step = Step(f"Trying recipes{told}", len(trials), budget.trials or len(trials) + 1)
        progress(step)
        kept = _one(engine, on_dev, question, study, times, partial(_told, progress, step))
        journal.add(kept)
        trials.append(kept.trial)
        best = float(np.fmax(best, kept.trial.dev))
    trials = trials[: budget.trials]
    if all(math.isnan(trial.dev) for trial in trials):
        ((problem, often),) = Counter(trial.problem for trial in trials).most_common(1)
        raise RecipeError(
            f"find: none of {len(trials)} recipes could be scored on {question.name}; "
            f"{often} times because: {problem}"
        )
    return trials


def check_source(engine: Engine, question: Question) -> None:
    """Raise :class:`~core.errors.StrataError` where the source of a search is not there any more."""
    engine.source(question.space.base, question.parts[0].dev.corpus)


def measured_on_dev(engine: Engine, question: Question) -> Measured:
    """What measures recipes on the dev of a question."""
    return Measured(engine, [part.dev for part in question.parts], question.width)


def tried(
    engine: Engine, question: Question, on_dev: Measured, recipe: Recipe, progress: Progress
) -> Trial:
    """A recipe with its scores on dev, and with its time where the search weighs that."""
    trial = on_dev.trial(recipe, progress)
    if question.cost != "milliseconds":
        return trial
    corpus = question.parts[0].dev.corpus
    return replace(trial, milliseconds=milliseconds(engine, recipe, corpus, progress))


def done(engine: Engine, question: Question) -> int:
    """How many trials of a search are kept from before a stop; nothing is begun."""
    return len(Journal(_path(engine, question)).read())


def _told(progress: Progress, step: Step, _: Step) -> None:
    """Tell the step of the search in the place of one inside a trial."""
    progress(step)


def _one(
    engine: Engine,
    on_dev: Measured,
    question: Question,
    study: optuna.Study,
    times: Times,
    progress: Progress,
) -> Kept:
    """Ask for a recipe, score it and tell the score; one that cannot be followed is told as pruned."""
    from optuna.trial import TrialState

    asked, text, begin = study.ask(), "", time.monotonic()
    try:
        recipe = question.space.propose(asked)
        text = str(recipe)
        times.check(recipe)
        trial = tried(engine, question, on_dev, recipe, progress)
    except StrataError as error:
        check_source(engine, question)  # a model that is gone would fail every trial that follows
        study.tell(asked, state=TrialState.PRUNED)
        trial = Trial(text, math.nan, str(error))
    else:
        study.tell(asked, _told_values(question, trial))
    seconds = time.monotonic() - begin
    times.add(trial, seconds)
    return Kept(trial, asked.params, asked.distributions, seconds)


def _told_values(question: Question, trial: Trial) -> list[float]:
    return [trial.dev, float(getattr(trial, question.cost))] if question.cost else [trial.dev]


def _study(question: Question, before: Sequence[Kept]) -> optuna.Study:
    """The study of a question, as it was left."""
    try:
        import optuna
        from optuna.study import StudyDirection
        from optuna.trial import TrialState, create_trial
    except ImportError as error:
        raise StrataError("A search needs the package optuna: pip install optuna.") from error

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    # A search that goes on draws other numbers than it began with.
    sampler = optuna.samplers.TPESampler(seed=question.seed + len(before), n_startup_trials=20)
    high, low = StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE
    directions = [high, low] if question.cost else [high]
    study = optuna.create_study(sampler=sampler, directions=directions)
    for kept in before:
        scored = math.isfinite(kept.trial.dev)
        study.add_trial(
            create_trial(
                state=TrialState.COMPLETE if scored else TrialState.PRUNED,
                values=_told_values(question, kept.trial) if scored else None,
                params=kept.parameters,
                distributions=kept.distributions,
            )
        )
    return study


def _path(engine: Engine, question: Question) -> Path:
    """The file of a question's trials."""
    name = key_of(VERSION, *question.depends_on(engine))
    return engine.settings.cache / "searches" / f"{name}.jsonl"
