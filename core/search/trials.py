"""The trials of a search: recipes that Optuna proposes, each scored on dev, and kept.

Optuna (Akiba et al. 2019) proposes with a tree-structured Parzen estimator (Bergstra et al. 2011). What was
asked and told is kept in a file of the cache folder, so that a search that is stopped or killed goes on; of
two same searches one waits, and takes what the other one found. A trial costs milliseconds from stored
passes, and most are given up on a subsample of dev (:mod:`core.search.halving`). Poolings that learn and
layers that are fused take seconds: they get a share of the time (:class:`Times`).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from core.errors import RecipeError, StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import LAYERS, POOL, Recipe
from core.search.budget import Budget
from core.search.cost import milliseconds
from core.search.halving import Halving
from core.search.journal import Journal, Kept
from core.search.measured import Measured, Trial
from core.search.question import Question
from core.storage.keys import key_of

if TYPE_CHECKING:  # it is imported when a search begins
    import optuna

VERSION = 6
"""Raised when a search that was stopped cannot go on as it began."""

SLOW = 0.3
"""CPU seconds of a recipe from which on a dear option is slow, if another one takes a quarter of that."""

SHARE = 0.05
"""The most of the search's CPU time that a slow option gets."""

SEEN = 150
"""Trials that the sampler looks at: its time for a proposal grows with them."""

TRIED = {POOL.name: 2, LAYERS.name: 3}
"""Stages that have dear options, and how often one is tried before it may be barred as slow.

A slow trial is blamed on its options of both stages.
"""


class Times:
    """The CPU seconds of trials by their pooling and layers: a slow option gets a share of the time.

    Only a dear option may be slow; see :func:`_dear`. A trial may read, average or fit what others then
    find, so its time says little of a pooling that does nothing of the kind. CPU seconds are those of this
    process: what other programs take is in none.
    """

    def __init__(self) -> None:
        self._seconds: dict[str, dict[str, list[float]]] = {stage: {} for stage in TRIED}

    def add(self, trial: Trial, seconds: float) -> None:
        """Note a trial; one that could not be scored counts where that took long (too wide vectors)."""
        measured = math.isfinite(trial.dev) or trial.given_up
        if trial.recipe and (measured or seconds >= SLOW):
            recipe = Recipe.parse(trial.recipe)
            for stage, by_option in self._seconds.items():
                by_option.setdefault(_option(recipe, stage), []).append(seconds)

    def barred(self, recipe: Recipe) -> str:
        """The dear option of a recipe that is slow and had its share, as ``pool=gem``; empty for none."""
        for stage, by_option in self._seconds.items():
            name = _option(recipe, stage)
            own = by_option.get(name, [])
            if not _dear(recipe, stage) or len(own) < TRIED[stage]:
                continue
            # The slowest of them may have read or learnt what is kept since, whatever it pooled. The median
            # of many that are given up says nothing of those that are not.
            usual = fmean(sorted(own)[:-1])
            fastest = min(fmean(each) for each in by_option.values())
            total = sum(map(sum, by_option.values()))
            if usual >= SLOW and usual >= 4 * fastest and sum(own) > SHARE * total:
                return f"{stage}={name}"
        return ""


def _option(recipe: Recipe, stage: str) -> str:
    """The pooling of a recipe; the option that weighs its layers for each token anew, else average."""
    if stage == POOL.name:
        return str(recipe.pool.name)
    fused = [choice.name for choice in recipe.layers if LAYERS.find(choice).fuse is not None]
    return fused[0] if fused else "average"


def _dear(recipe: Recipe, stage: str) -> bool:
    """Whether a recipe's option of a stage says that it costs: a pooling that learns, fused layers."""
    if stage == POOL.name:
        return bool(POOL.find(recipe.pool).learns)
    return _option(recipe, stage) != "average"


def run(
    engine: Engine,
    question: Question,
    budget: Budget,
    progress: Progress = silent,
    on_dev: Measured | None = None,
) -> list[Trial]:
    """The trials within a budget, those before a stop included; a time is of this run alone.

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
    before, begin = journal.read(), time.monotonic()
    halving = halving_of(engine, question, on_dev)
    halving.restore(kept.trial for kept in before)
    rungs, times, told_of = [rung.rows for rung in halving.rungs], Times(), list(before)
    study = _study(question, told_of, rungs)
    for kept in before:
        times.add(kept.trial, kept.seconds)
    trials = [kept.trial for kept in before]
    best = max((trial.dev for trial in trials if math.isfinite(trial.dev)), default=math.nan)
    best_of = f"best {question.metric} on dev".replace("  ", " ")
    if not budget.is_spent(len(trials), 0.0):
        for space in question.space.every:
            halving.read(space.base, progress)
    while not budget.is_spent(len(trials), time.monotonic() - begin):
        told = f"{best_of} {best:.1f}" if math.isfinite(best) else ""
        step = Step("Trying recipes", len(trials), budget.trials or len(trials) + 1, found=told)
        progress(step)
        study.sampler = _sampler(question, len(told_of))
        kept = _one(engine, halving, question, study, times, partial(_told, progress, step))
        journal.add(kept)
        told_of.append(kept)
        if _settled(told_of) == len(told_of):
            study = _study(question, told_of, rungs)
        trials.append(kept.trial)
        best = float(np.fmax(best, kept.trial.dev))
    trials = trials[: budget.trials]
    if all(math.isnan(trial.dev) for trial in trials):  # the first that can be scored is given up nowhere
        ((problem, often),) = Counter(t.problem for t in trials if not t.barred).most_common(1)
        raise RecipeError(
            f"find: none of {len(trials)} recipes could be scored on {question.name}; "
            f"{often} times because: {problem}"
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
    return len(Journal(_path(engine, question)).read())


def _told(progress: Progress, step: Step, _: Step) -> None:
    """Tell the step of the search in the place of one inside a trial."""
    progress(step)


def _one(
    engine: Engine,
    halving: Halving,
    question: Question,
    study: optuna.Study,
    times: Times,
    progress: Progress,
) -> Kept:
    """Ask for a recipe, score it and tell the score.

    One that was given up, is left out to save time, or cannot be followed, is told as pruned.
    """
    from optuna.trial import TrialState

    asked, text, begin = study.ask(), "", time.process_time()
    try:
        recipe = question.space.propose(asked)
        text = str(recipe)
        if barred := times.barred(recipe):
            study.tell(asked, state=TrialState.PRUNED)
            return Kept(Trial(text, math.nan, barred=barred), asked.params, asked.distributions, 0.0)
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
            study.tell(asked, _told_values(question, trial))
    seconds = time.process_time() - begin
    times.add(trial, seconds)
    return Kept(trial, asked.params, asked.distributions, seconds)


def _told_values(question: Question, trial: Trial) -> list[float]:
    return [trial.dev, float(getattr(trial, question.cost))] if question.cost else [trial.dev]


def _sampler(question: Question, before: int) -> optuna.samplers.TPESampler:
    """What proposes after so many trials, of random numbers of its own: also where a search goes on."""
    import optuna

    (seed,) = np.random.SeedSequence([question.seed, before]).generate_state(1).tolist()
    return optuna.samplers.TPESampler(seed=seed, n_startup_trials=20)


def _settled(before: Sequence[Kept]) -> int:
    """How many of the trials the sampler sees a choice of; it sees all that came after them."""
    settled = len(before) // (SEEN // 3) * (SEEN // 3)
    return settled if settled > SEEN else 0


def _seen(question: Question, before: Sequence[Kept]) -> Sequence[Kept]:
    """What the sampler looks at of many trials: the best third of so many, and others evenly over time.

    For a whole front all.
    """
    if len(before) <= SEEN or question.cost:
        return before

    def worth(number: int) -> tuple[bool, int, float]:
        trial = before[number].trial
        known = [score for score in (*trial.rungs, trial.dev) if math.isfinite(score)]
        return math.isfinite(trial.dev), trial.given_up, known[-1] if known else -math.inf

    order = sorted(range(len(before)), key=worth, reverse=True)
    best, others = order[: SEEN // 3], sorted(order[SEEN // 3 :])
    places = np.linspace(0, len(others) - 1, SEEN - len(best)).astype(int)
    return [before[number] for number in sorted([*best, *(others[place] for place in places.tolist())])]


def _study(question: Question, before: Sequence[Kept], rungs: Sequence[int]) -> optuna.Study:
    """A study of what was tried before; ``rungs`` are the rows of subsamples."""
    try:
        import optuna
    except ImportError as error:
        raise StrataError("A search needs the package optuna: pip install optuna.") from error
    from optuna.study import StudyDirection
    from optuna.trial import TrialState, create_trial

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    high, low = StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE
    directions = [high, low] if question.cost else [high]
    study, settled = optuna.create_study(directions=directions), _settled(before)
    for kept in [*_seen(question, before[:settled]), *before[settled:]]:
        scored = math.isfinite(kept.trial.dev)
        study.add_trial(
            create_trial(
                state=TrialState.COMPLETE if scored else TrialState.PRUNED,
                values=_told_values(question, kept.trial) if scored else None,
                intermediate_values={
                    rows: score
                    for rows, score in zip(rungs, kept.trial.rungs, strict=False)
                    if math.isfinite(score)
                },
                params=kept.parameters,
                distributions=kept.distributions,
            )
        )
    return study


def _path(engine: Engine, question: Question) -> Path:
    """The file of a question's trials."""
    name = key_of(VERSION, *question.depends_on(engine))
    return engine.settings.cache / "searches" / f"{name}.jsonl"
