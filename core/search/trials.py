"""The trials of a search: recipes that Optuna proposes, each scored on dev, and kept.

Optuna (Akiba et al. 2019) proposes with a tree-structured Parzen estimator (Bergstra et al. 2011). What was
asked and told is kept in a file of the cache folder, so that a search that is stopped or killed goes on. A
trial costs milliseconds from stored passes: each is scored on all pairs of dev, none is given up early.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from core.errors import RecipeError, StrataError
from core.evaluation.scoring import kept_under
from core.evaluation.sts import evaluate
from core.pipeline.engine import Embedded, Engine
from core.progress import Progress, Step, silent
from core.recipe import STAGES, Recipe
from core.search.budget import Budget
from core.search.question import Question
from core.storage.keys import key_of

if TYPE_CHECKING:  # it is imported when a search begins
    import optuna

VERSION = 1
"""Raised when a search that was stopped cannot go on as it began."""

_RECIPE, _PROBLEM = "recipe", "problem"


@dataclass(frozen=True)
class Trial:
    """A recipe that was tried, and its Spearman × 100 on dev; NaN where it has none, and then why."""

    recipe: str
    dev: float
    problem: str = ""


def run(engine: Engine, question: Question, budget: Budget, progress: Progress = silent) -> list[Trial]:
    """The trials within a budget, those before a stop included; a time is of this run alone.

    Raises :class:`RecipeError` where no recipe could be scored.
    """
    study, begin = _study(engine, question), time.monotonic()
    done = len(_finished(study))
    while not budget.is_spent(done, time.monotonic() - begin):
        progress(Step("Trying recipes", done, budget.trials or done + 1))
        _try_one(engine, question, study)
        done += 1
    trials = [_as_trial(each) for each in _finished(study)[: budget.trials]]
    if all(math.isnan(trial.dev) for trial in trials):
        ((problem, times),) = Counter(trial.problem for trial in trials).most_common(1)
        raise RecipeError(
            f"find: none of {len(trials)} recipes could be scored on {question.dev.name}; "
            f"{times} times because: {problem}"
        )
    return trials


def _try_one(engine: Engine, question: Question, study: optuna.Study) -> None:
    """Ask for a recipe, score it and tell the score; one that cannot be followed is told as pruned."""
    from optuna.trial import TrialState

    asked = study.ask()
    try:
        recipe = question.space.propose(asked)
        asked.set_user_attr(_RECIPE, str(recipe))
        study.tell(asked, score_on_dev(engine, question, recipe))
    except StrataError as error:
        asked.set_user_attr(_PROBLEM, str(error))
        study.tell(asked, state=TrialState.PRUNED)


def score_on_dev(engine: Engine, question: Question, recipe: Recipe) -> float:
    """Spearman × 100 on dev; raises :class:`StrataError` where there is none."""
    if recipe.post:  # too wide ones are refused before a step learns from them
        _refuse_wide(engine.embed(recipe.replace(post="none"), question.dev), question)
    similarities, embedded = engine.similarities(recipe, question.dev)
    _refuse_wide(embedded, question)
    score = evaluate(similarities, question.dev, question.aggregate, intervals=False)
    if score.problem or not math.isfinite(score.spearman):
        raise RecipeError(score.problem or "It has no score.")
    return score.spearman


def _refuse_wide(embedded: Embedded, question: Question) -> None:
    if (dim := embedded.vectors.shape[1]) > question.width:
        raise RecipeError(f"Its vectors have {dim:,} dimensions; allowed are {question.width:,}.")


def _study(engine: Engine, question: Question) -> optuna.Study:
    """The study of a question, new or as it was left."""
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    folder = engine.settings.cache / "searches"
    folder.mkdir(parents=True, exist_ok=True)
    name = _name(engine, question)
    storage = JournalStorage(JournalFileBackend(str(folder / f"{name}.jsonl")))
    study = optuna.create_study(storage=storage, study_name=name, direction="maximize", load_if_exists=True)
    # A search that goes on draws other numbers than it began with.
    study.sampler = optuna.samplers.TPESampler(seed=question.seed + len(study.trials), n_startup_trials=20)
    return study


def _name(engine: Engine, question: Question) -> str:
    """A name that holds all that the proposals and their scores depend on."""
    space = question.space
    options = {name: [o.describe() for o in STAGES[name]] for name in space.stages}
    about = kept_under(engine, space.held) | {"reference": str(space.reference)}
    limits = [question.width, question.seed, question.aggregate, space.depth, space.heads]
    return "search-" + key_of(VERSION, about, options, limits, question.dev.fingerprint)


def _finished(study: optuna.Study) -> list[Any]:
    """The trials that were told, in the order asked."""
    return [trial for trial in study.get_trials(deepcopy=False) if trial.state.is_finished()]


def _as_trial(trial: Any) -> Trial:
    recipe = cast("str", trial.user_attrs.get(_RECIPE, ""))
    if trial.value is None:
        return Trial(recipe, float("nan"), trial.user_attrs.get(_PROBLEM, "It was not scored."))
    return Trial(recipe, float(trial.value))
