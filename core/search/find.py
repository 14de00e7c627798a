"""The best recipe for a model and a corpus: chosen on dev, reported on test.

What is tried are proposals of a search and the published methods. No score of test is seen before the
choice is made. The choice is compared with plain mean pooling, and with the published method that does best
on dev, on the same rows of test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.statistics import interval
from core.evaluation.tasks.groups import mean_of
from core.evaluation.tasks.task import TaskResult, task_for
from core.literature.presets.comparable import comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.search.aims import part
from core.search.alike import alike
from core.search.budget import Budget
from core.search.cost import milliseconds
from core.search.found import PLAIN_MEAN, Compared, Found, Outcome, Ranked, is_plain
from core.search.importance import effects, matters
from core.search.measured import Measured, Trial, best_first, front
from core.search.optimism import optimism
from core.search.question import Question
from core.search.trials import check_source, halving_of, measured_on_dev, rows_of_rungs, run, timed
from core.search.tried import is_recipe
from core.storage import json_arrays
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

FOUND = TableKind("found", 4, (*RECIPE_LIBRARIES, "optuna"), forward=True)
"""What a search found, once it is over."""


BEST = 10
"""Recipes that are set beside the choice with intervals, the best on dev first."""


def find(
    engine: Engine,
    question: Question | Corpus,
    budget: Budget | str = "200",
    progress: Progress = silent,
) -> Found:
    """Search on the dev of a question, and report the choice on test; what was found before is read.

    A corpus, with all its splits, asks what is best of all default stages on the default model for the task
    that it is for. ``budget`` is a number of trials or a time, as :meth:`Budget.parse` reads it.

    Raises
    ------
    RecipeError
        No recipe of the space could be scored.
    StrataError
        The source is not there, or a corpus cannot be scored.
    """
    if isinstance(question, Corpus):
        question = Question.of(engine, Recipe(), [part(question, task_for(question))])
    return _find(engine, question, Budget.parse(budget) if isinstance(budget, str) else budget, progress)


def _find(engine: Engine, question: Question, budget: Budget, progress: Progress) -> Found:
    def compute() -> Arrays:
        return {"found": json_arrays.as_array(_searched(engine, question, budget, progress).as_data())}

    parts = _parts(engine, question, budget)
    kept = engine.store.table(FOUND, parts, compute, progress, f"the same search on {question.name}")
    found = Found.of_data(json_arrays.from_array(kept["found"]))
    given = [note for part in question.parts for note in (*part.notes, *part.test.corpus.notes)]
    return replace(found, notes=tuple(dict.fromkeys([*given, *found.notes])))


def is_kept(engine: Engine, question: Question, budget: Budget) -> bool:
    """Whether a search is over, and what it found is there."""
    return engine.store.has_table(FOUND, _parts(engine, question, budget))


def _parts(engine: Engine, question: Question, budget: Budget) -> list[object]:
    """What was found depends on, and the names that its notes say."""
    tests = [part.test.depends_on for part in question.parts]
    return [question.depends_on(engine), tests, budget.trials, budget.seconds, question.name]


def _searched(engine: Engine, question: Question, budget: Budget, progress: Progress) -> Found:
    on_dev = measured_on_dev(engine, question)
    trials = run(engine, question, budget, progress, on_dev)
    published = _published(engine, question, on_dev, progress)
    every = best_first([*trials, *published.values()])
    progress(Step("Telling apart what scores the same", 0, 1))
    known = {trial.recipe for trial in published.values()}
    same = alike(on_dev, every, known, question.cost or "dimensions")
    scored = best_first(trial for trial in every if trial.recipe not in same)
    chosen = Recipe.parse(scored[0].recipe)
    progress(Step("Estimating the optimism of the choice", 0, 1))
    told = optimism(on_dev.results(Recipe.parse(trial.recipe)) for trial in scored)
    ranked = _ranked(engine, question, on_dev, scored, progress)
    on_test = Measured(engine, [part.test for part in question.parts])
    results = on_test.results(chosen, progress)
    plain = plain_mean(question.space.base.replace(source=chosen.spelled()["source"]))
    names = _told_apart([part.test.name for part in question.parts])
    tests = {name: _outcome([each]) for name, each in zip(names, results, strict=True)}
    of_results = zip(question.parts, results, strict=True)
    notes = [
        note for part, result in of_results for note in result.notes if note not in part.test.corpus.notes
    ]
    if budget.trials and len(trials) < budget.trials:
        few = counted(sum(map(is_recipe, trials)), "different recipe")
        notes.append(f"The search proposes {few} in what is searched; {budget.trials:,} were asked for.")
    return Found(
        metric=_metric(results),
        recipe=str(chosen),
        dev=scored[0].dev,
        optimism=told,
        test=_outcome(results),
        tests=tests,
        baseline=_compared(on_test, PLAIN_MEAN, plain, chosen, same),
        preset=_best_method(on_test, published, chosen, same),
        trials=tuple(trials),
        published=published,
        alike=same,
        ranked=ranked,
        matters=matters(trials, question.space.searched),
        effects=tuple(effects(trials, question.space.searched)),
        rungs=rows_of_rungs(engine, question),
        rows=(sum(p.dev.rows for p in question.parts), sum(p.test.rows for p in question.parts)),
        unit=question.unit,
        cost=question.cost or "dimensions",
        notes=tuple(dict.fromkeys(notes)),
    )


def _told_apart(names: Sequence[str]) -> list[str]:
    """Names with a number behind those that were there before: corpora of two folders may share one."""
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return [f"{name} ({often + 1})" if often else name for name, often in zip(names, before, strict=True)]


def _best_method(
    on_test: Measured, published: Mapping[str, Trial], chosen: Recipe, same: Mapping[str, str]
) -> Compared | None:
    """The published method that is best on dev beside the choice on test; None where that is the choice.

    Plain mean pooling is none: it is compared by itself.
    """
    methods = {name: trial for name, trial in published.items() if not is_plain(name)}
    best = best_first(methods.values())
    if not best:
        return None
    name = next(name for name, trial in methods.items() if trial.recipe == best[0].recipe)
    return _compared(on_test, name, Recipe.parse(best[0].recipe), chosen, same)


def _published(
    engine: Engine, question: Question, on_dev: Measured, progress: Progress
) -> dict[str, Trial]:
    """Plain mean and the published methods that the space holds, by name, with their scores on dev.

    The methods are halved among themselves; plain mean is measured on all of dev.
    """
    halving, held = halving_of(engine, question, on_dev), dict[str, Recipe]()
    for number, space in enumerate(question.space.every):
        on = f", source={space.base.spelled()['source']}" if number else ""
        every = {PLAIN_MEAN: plain_mean(space.base)} | comparable(space.base)
        held |= {f"{name}{on}": recipe for name, recipe in every.items() if space.holds(recipe)}

    def failed() -> None:
        check_source(engine, question)

    kept = {name for name in held if is_plain(name)}
    found = halving.best(held, kept, progress, failed)
    return {name: timed(engine, question, trial, progress) for name, trial in found.items()}


def _ranked(
    engine: Engine, question: Question, on_dev: Measured, scored: Sequence[Trial], progress: Progress
) -> tuple[Ranked, ...]:
    """The best recipes, and those of the front of costs, each beside the choice."""
    ends = front(scored, question.cost or "dimensions")
    shown = [*scored[:BEST], *(trial for trial in ends if trial not in scored[:BEST])]
    best = on_dev.samples(Recipe.parse(scored[0].recipe))
    corpus, ranked = question.parts[0].dev.corpus, []
    for number, trial in enumerate(shown):
        progress(Step("Measuring what the best cost", number, len(shown)))
        recipe = Recipe.parse(trial.recipe)
        samples = on_dev.samples(recipe)
        behind = NO_DIFFERENCE
        if trial is not scored[0]:
            behind = Difference.paired(trial.dev, samples, scored[0].dev, best)
        low, high = interval(samples)
        cost = milliseconds(engine, recipe, corpus, progress)
        ranked.append(Ranked(trial.recipe, trial.dev, low, high, behind, trial.dimensions, cost))
    return tuple(ranked)


def _compared(
    on_test: Measured, name: str, recipe: Recipe, chosen: Recipe, same: Mapping[str, str]
) -> Compared | None:
    """Another recipe on test; None where it cannot be followed, or is the choice in other words."""
    if same.get(str(recipe), str(recipe)) == str(chosen):
        return None
    try:
        value = _value(on_test.results(recipe))
    except StrataError:
        return None
    ours = _value(on_test.results(chosen))
    gain = Difference.paired(value, on_test.samples(recipe), ours, on_test.samples(chosen))
    return Compared(name, str(recipe), value, gain)


def _outcome(results: Sequence[TaskResult]) -> Outcome:
    """The mean of some results, with the interval of the mean."""
    low, high = mean_of(results).bounds
    return Outcome(_value(results), low, high, sum(result.n for result in results))


def _value(results: Sequence[TaskResult]) -> float:
    return float(np.mean([result.value for result in results]))


def _metric(results: Sequence[TaskResult]) -> str:
    """``Spearman × 100``; for several corpora that it is their mean."""
    names = list(dict.fromkeys("Spearman" if r.metric == "spearman" else r.metric for r in results))
    unit = f"{' and '.join(names)} × 100"
    return unit if len(results) == 1 else f"mean {unit} of {len(results)} corpora"
