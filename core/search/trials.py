"""The trials of a search: recipes that Optuna proposes, each scored on dev, and kept.

Optuna (Akiba et al. 2019) proposes with a tree-structured Parzen estimator (Bergstra et al. 2011). What was
asked and told is kept in a file of the cache folder, so that a search that is stopped or killed goes on; of
two same searches one waits, and takes what the other one found. A trial costs milliseconds from stored
passes, and most are given up on a subsample of dev (:mod:`core.search.halving`). Poolings that learn and
layers that are fused take seconds: they get a share of the time (:mod:`core.search.option_times`).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import RecipeError, StrataError, counted
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.search.budget import Budget
from core.search.cost import milliseconds
from core.search.halving import Halving
from core.search.journal import Entry, Journal
from core.search.measured import Measured, Trial
from core.search.option_times import OptionTimes
from core.search.question import Question
from core.search.study import sampler, settled, study_of, told_values
from core.search.tried import distinct, in_vain, is_open, is_recipe
from core.storage.keys import key_of

if TYPE_CHECKING:  # it is imported when a search begins
    import optuna

VERSION = 7
"""Raised when a search that was stopped cannot go on as it began."""

IN_VAIN = 100
"""Proposals in a row of recipes that were tried before, after which a search ends: there are few others."""


def run(
    engine: Engine,
    question: Question,
    budget: Budget,
    progress: Progress = silent,
    on_dev: Measured | None = None,
) -> list[Trial]:
    """The trials within a budget, those before a stop included; a time is of this run alone.

    Each recipe is one trial: there are fewer where no other recipe is proposed (:data:`IN_VAIN`).
    ``on_dev`` measures, and remembers. While another visitor or process runs the same search this one
    waits, and then goes on from what that one tried. Raises :class:`RecipeError` where no recipe could be
    scored.
    """
    on_dev = on_dev or measured_on_dev(engine, question)
    path = _path(engine, question)
    with engine.store.exclusively(f"search-{path.stem}", progress, f"the same search on {question.name}"):
        return _run(engine, question, budget, progress, on_dev, Journal(path))


def _run(
    engine: Engine,
    question: Question,
    budget: Budget,
    progress: Progress,
    on_dev: Measured,
    journal: Journal,
) -> list[Trial]:
    journal.make_room()
    before = journal.read()
    halving = halving_of(engine, question, on_dev)
    halving.restore(kept.trial for kept in before)
    rungs, times, told_of = [rung.rows for rung in halving.rungs], OptionTimes(), list(before)
    study = study_of(question, told_of, rungs)
    for kept in before:
        times.add(kept.trial, kept.seconds)
    judged = [kept.trial for kept in before]
    trials, vain = distinct(judged), in_vain(judged)
    best = max((trial.dev for trial in trials if math.isfinite(trial.dev)), default=math.nan)
    best_of = f"best {question.metric} on dev".replace("  ", " ")
    if not budget.is_spent(len(trials), 0.0):
        for space in question.space.every:
            halving.read(space.base, progress)
    begin = time.monotonic()  # reading is no part of the time: it would leave none
    while vain < IN_VAIN and not (trials and budget.is_spent(len(trials), time.monotonic() - begin)):
        told = f"{best_of} {best:.1f}" if math.isfinite(best) else ""
        step = Step("Trying recipes", len(trials), budget.trials or len(trials) + 1, found=told)
        progress(step)
        study.sampler = sampler(question, len(told_of), vain)
        over = {trial.recipe for trial in trials if is_recipe(trial) and not is_open(trial)}
        entry = _one(engine, halving, question, study, times, over, partial(_told, progress, step))
        if entry is None:
            vain += 1
            continue
        journal.add(entry)
        told_of.append(entry)
        if settled(len(told_of)) == len(told_of):
            study = study_of(question, told_of, rungs)
        judged.append(entry.trial)
        trials, vain = distinct(judged), in_vain(judged)
        best = float(np.fmax(best, entry.trial.dev))
    trials = distinct(judged, budget.trials)
    if all(math.isnan(trial.dev) for trial in trials):  # the first that can be scored is given up nowhere
        ((problem, often),) = Counter(t.problem for t in trials if not t.barred).most_common(1)
        raise RecipeError(
            f"find: none of {len(trials)} recipes could be scored on {question.name}; "
            f"{counted(often, 'time')} because: {problem} A larger budget proposes others."
        )
    return trials


def check_source(engine: Engine, question: Question) -> None:
    """Raise :class:`~core.errors.StrataError` where a source of a search is not there any more."""
    for space in question.space.every:
        engine.source(space.base, question.parts[0].dev.corpus)


def measured_on_dev(engine: Engine, question: Question) -> Measured:
    """What measures recipes on the dev of a question."""
    return Measured(engine, [part.dev for part in question.parts], question.width)


def timed(engine: Engine, question: Question, trial: Trial, progress: Progress) -> Trial:
    """A trial with its time where the search weighs that."""
    if question.cost != "milliseconds":
        return trial
    corpus = question.parts[0].dev.corpus
    return replace(trial, milliseconds=milliseconds(engine, Recipe.parse(trial.recipe), corpus, progress))


def rows_of_rungs(engine: Engine, question: Question) -> tuple[int, ...]:
    """The rows of the subsamples of dev that recipes are measured on first, the smallest first."""
    return tuple(
        rung.rows for rung in halving_of(engine, question, measured_on_dev(engine, question)).rungs
    )


def halving_of(engine: Engine, question: Question, on_dev: Measured) -> Halving:
    """The rungs of a question, of which nothing is measured, and behind them all of dev."""
    space = question.space
    reference = engine.references.of(space.base) if space.reference and question.shares else None
    return Halving(engine, on_dev, question.shares, reference)


def done(engine: Engine, question: Question) -> int:
    """How many trials of a search are kept from before a stop; nothing is begun."""
    return len(distinct([kept.trial for kept in Journal(_path(engine, question)).read()]))


def _told(progress: Progress, step: Step, _: Step) -> None:
    """Tell the step of the search in the place of one inside a trial."""
    progress(step)


def _one(
    engine: Engine,
    halving: Halving,
    question: Question,
    study: optuna.Study,
    times: OptionTimes,
    over: AbstractSet[str],
    progress: Progress,
) -> Entry | None:
    """Ask for a recipe, score it and tell the score; None for one of those that are ``over``.

    One that was given up, is left out to save time, or cannot be followed, is told as pruned, and one that
    is over as failed: of that the sampler learns nothing.
    """
    from optuna.trial import TrialState

    asked, text, begin = study.ask(), "", time.process_time()
    try:
        recipe = question.space.propose(asked)
        text = str(recipe)
        if text in over:
            study.tell(asked, state=TrialState.FAIL)
            return None
        if barred := times.barred(recipe):
            study.tell(asked, state=TrialState.PRUNED)
            return Entry(Trial(text, math.nan, barred=barred), asked.params, asked.distributions, 0.0)
        trial, judged = halving.trial(recipe, progress)
        trial = timed(engine, question, trial, progress)
    except StrataError as error:
        check_source(engine, question)  # a model that is gone would fail every trial that follows
        study.tell(asked, state=TrialState.PRUNED)
        trial = Trial(text, math.nan, str(error))
    else:
        for rows, score in judged:
            asked.report(score, rows)
        if trial.given_up:
            study.tell(asked, state=TrialState.PRUNED)
        else:
            study.tell(asked, told_values(question, trial))
    seconds = time.process_time() - begin
    times.add(trial, seconds)
    return Entry(trial, asked.params, asked.distributions, seconds)


def _path(engine: Engine, question: Question) -> Path:
    """The file of a question's trials."""
    name = key_of(VERSION, *question.depends_on(engine))
    return engine.settings.cache / "searches" / f"{name}.jsonl"
