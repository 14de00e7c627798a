"""A recipe scored on a task: from the engine's vectors to one kept result."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.evaluation.difference import Difference
from core.evaluation.scoring import AnswerValue, Scored, about_recipe, kept_under, number
from core.evaluation.sts import Aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.similarity import protocol
from core.evaluation.tasks.task import Rows, TaskData, TaskResult, check_task
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe
from core.recipe.options import Choice
from core.recipe.plan import Plan
from core.storage import json_arrays
from core.storage.tables import RECIPE_LIBRARIES, Arrays, TableKind

TASK_RESULTS = TableKind("task-result", 1, RECIPE_LIBRARIES, forward=True)


@dataclass(frozen=True, eq=False)
class TaskScored:
    """The result of a recipe on a task, with what it depends on and the time that it took.

    ``pass_seconds`` are those of forward passes, 0 when all were stored; ``seconds`` those from the stored
    pass to the value, without the interval.
    """

    recipe: Recipe
    task: Choice
    about: Mapping[str, str | int]
    result: TaskResult
    pass_seconds: float
    seconds: float

    def answer(self) -> dict[str, AnswerValue]:
        """All values under the names of the command line; a number that does not exist is None."""
        low, high = self.result.bounds
        return {
            **self.about,
            **task_keys(self.task, self.result),
            "low": number(low),
            "high": number(high),
            **{name: number(value) for name, value in self.result.others.items()},
            "pass_seconds": number(self.pass_seconds),
            "seconds": number(self.seconds),
            "notes": list(self.result.notes),
        }


def task_keys(task: Choice, result: TaskResult) -> dict[str, AnswerValue]:
    """What an answer says of a task: its name, metric, value, protocol, seeds and number of rows."""
    return {
        "task": TASK.text(task),
        "metric": result.metric,
        "value": number(result.value),
        "protocol": result.protocol,
        "seeds": list(result.seeds),
        "n": result.n,
    }


def of_similarity(scored: Scored, corpus: Corpus) -> dict[str, AnswerValue]:
    """The same keys for a score of similarity, as :func:`~core.evaluation.scoring.score` gives it."""
    aggregate = scored.score.aggregate
    return {
        "task": "sts",
        "metric": "spearman",
        "value": number(scored.score.spearman),
        "protocol": protocol(corpus, aggregate, learns(scored.recipe)),
        "seeds": [],
        "n": scored.score.pairs,
    }


def about_task(corpus: Corpus, task: Choice, split: str | None, aggregate: Aggregate) -> dict[str, str]:
    """The corpus, split and task that a result depends on beside the recipe.

    ``corpus`` is whole for a supervised task, which scores one of its splits.
    """
    about = {
        "corpus": corpus.name,
        "split": corpus.split_asked_for(split) if TASK.find(task).supervised else corpus.split_name,
        "fingerprint": corpus.labelled_fingerprint,
        "task": TASK.text(task),
    }
    return about | ({"aggregate": aggregate} if task.name == "sts" else {})


def learns(recipe: Recipe) -> tuple[str, ...]:
    """What a recipe learns from the texts that it embeds, by the titles of its options."""
    return tuple(stage.find(choice).title for stage, choice in recipe.on_target())


def run_task(
    engine: Engine,
    recipe: Recipe,
    whole: Corpus,
    task: Choice,
    split: str | None = None,
    aggregate: Aggregate = "all",
    progress: Progress = silent,
) -> TaskScored:
    """Score a recipe on a task; a result that is kept is read instead.

    Parameters
    ----------
    engine, recipe
        What gives the vectors.
    whole
        The corpus with all its splits.
    task
        The task, with its arguments.
    split
        The split that is scored; None for test where there is one.
    aggregate
        How subsets are put together, for ``sts``.
    progress
        Told of passes, folds and runs.

    Raises
    ------
    CorpusError
        The corpus is none for the task.
    StrataError
        The recipe cannot be followed; see :meth:`core.pipeline.engine.Engine.embed`.
    """
    option = TASK.find(task)
    corpus = whole if option.supervised else whole.take(split)
    check_task(corpus, task)
    task_itself = about_task(corpus, task, split, aggregate)
    about, parts = about_recipe(engine, recipe) | task_itself, task_parts(engine, recipe, task, task_itself)
    if task.name == "sts":  # what scores of similarity say everywhere: labels have no part in it
        about["fingerprint"] = corpus.fingerprint
    spent = 0.0

    def compute() -> Arrays:
        nonlocal spent
        result, seconds, spent = _timed(engine, recipe, corpus, task, split, aggregate, progress, None)
        meta = {
            "metric": result.metric,
            "protocol": result.protocol,
            "seeds": result.seeds,
            "n": result.n,
            "notes": [note for note in result.notes if note not in corpus.notes],
            "others": list(result.others),
        }
        return {
            "numbers": np.array([result.value, seconds, *result.others.values()]),
            "samples": result.samples,
            "meta": json_arrays.as_array(meta),
        }

    kept = engine.store.table(TASK_RESULTS, [parts], compute, progress)
    result, seconds = _restored(kept)
    result = replace(result, notes=tuple(dict.fromkeys((*corpus.notes, *result.notes))))
    return TaskScored(recipe, task, about, result, spent, seconds)


def is_kept(
    engine: Engine,
    recipe: Recipe,
    whole: Corpus,
    task: Choice,
    split: str | None = None,
    aggregate: Aggregate = "all",
) -> bool:
    """Whether the result is there without any work; raises what :func:`run_task` raises."""
    corpus = whole if TASK.find(task).supervised else whole.take(split)
    about = about_task(corpus, task, split, aggregate)
    return engine.store.has_table(TASK_RESULTS, [task_parts(engine, recipe, task, about)])


def task_parts(engine: Engine, recipe: Recipe, task: Choice, about: dict[str, str]) -> dict[str, str]:
    """What a kept result is found by; ``about`` is of :func:`about_task`, which does not say an edition."""
    return kept_under(engine, recipe) | about | {"task": TASK.keyed(task)}


def difference(a: TaskResult, b: TaskResult) -> Difference:
    """B minus A with its paired 95 % interval; both are of the same rows and task."""
    return Difference.paired(a.value, a.samples, b.value, b.samples)


def compute_task(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    task: Choice,
    split: str | None,
    aggregate: Aggregate,
    progress: Progress,
    reference: Corpus | None,
) -> TaskResult:
    """The same as :func:`run_task`, nothing kept; ``corpus`` holds what is scored and learnt from alone.

    ``reference`` is what is learnt from with ``fit=reference``; the corpus that the recipe names when None.
    """
    check_task(corpus, task)
    return _timed(engine, recipe, corpus, task, split, aggregate, progress, reference)[0]


def _timed(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    task: Choice,
    split: str | None,
    aggregate: Aggregate,
    progress: Progress,
    reference: Corpus | None,
) -> tuple[TaskResult, float, float]:
    """The result, the seconds from the stored pass to it, and those of passes."""
    learnt, notes, passes = learns(recipe), list(corpus.notes), 0.0

    def embed(rows: Rows | None = None, /) -> Float[np.ndarray, "sentence dim"]:
        nonlocal passes
        part = corpus if rows is None or not learnt else corpus.counted_in(rows)
        embedded = engine.embed(recipe, part, progress, reference)
        passes += embedded.pass_seconds
        notes.extend(note for note in embedded.notes if note not in notes)
        return embedded.vectors

    data = TaskData(corpus, split, embed, Plan.of(recipe).compare, learnt, aggregate, progress)
    begin = time.perf_counter()
    result = TASK.bind(task)(data)
    seconds = time.perf_counter() - begin - passes
    return replace(result, notes=tuple(dict.fromkeys([*notes, *result.notes]))), seconds, passes


def _restored(kept: Arrays) -> tuple[TaskResult, float]:
    """A result as it was kept, and its seconds."""
    meta = json_arrays.from_array(kept["meta"])
    value, seconds, *others = kept["numbers"].tolist()
    result = TaskResult(
        meta["metric"],
        value,
        lambda: kept["samples"],
        meta["protocol"],
        tuple(meta["seeds"]),
        meta["n"],
        dict(zip(meta["others"], others, strict=True)),
        tuple(meta["notes"]),
    )
    return result, seconds
