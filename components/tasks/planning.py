"""What there is to do for recipes on tasks: what is read, and the work of each recipe on each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components import failures, works
from components.errors import tried
from components.tasks.choice import ChosenTask
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import TaskScored, is_kept, run_task
from core.evaluation.tasks.task import check_task
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import Work

Cell = tuple[str, str]
"""The name of a recipe, and the text of a task."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is to be done for recipes on tasks.

    Attributes
    ----------
    corpora
        By task all rows of its corpus.
    works, learning
        Of each cell the work, and the seconds that learning takes in it.
    read
        What is read for tasks of which a result is not there.
    failed
        Why other cells cannot be had.
    """

    corpora: dict[str, Corpus]
    works: dict[Cell, Work[TaskScored]]
    learning: dict[Cell, float]
    read: list[Corpus]
    failed: dict[Cell, str]


def plan_of(engine: Engine, recipes: Mapping[str, Recipe], tasks: Sequence[ChosenTask]) -> Plan:
    """The work of recipes on tasks, and why the rest cannot be had."""
    plan = Plan({}, {}, {}, [], {})
    read: dict[str, Corpus] = {}
    for asked in tasks:
        whole = tried(lambda asked=asked: _corpus(engine, asked))  # type: ignore[misc]
        if isinstance(whole, str):
            plan.failed.update({(name, asked.text): whole for name in recipes})
            continue
        plan.corpora[asked.text] = whole
        for name, recipe in recipes.items():
            cell = name, asked.text
            kept = _is_kept(engine, recipe, asked, whole)
            seconds = 0.0 if kept else works.learning(engine, recipe, asked.task, whole)
            work = _work(engine, name, recipe, asked, whole, seconds, kept=kept)
            if (why := failures.why(work.key)) is not None:
                plan.failed[cell] = why
                continue
            plan.works[cell], plan.learning[cell] = work, seconds
            if not kept:
                part = _part(asked, whole)
                read[part.text_digest] = part
    plan.read.extend(read.values())
    return plan


def _corpus(engine: Engine, asked: ChosenTask) -> Corpus:
    """All rows of the corpus; raises where the task does not take it."""
    whole = engine.corpus(asked.corpus, "all")
    check_task(whole, asked.task)
    return whole


def _work(
    engine: Engine,
    name: str,
    recipe: Recipe,
    asked: ChosenTask,
    whole: Corpus,
    learning: float,
    *,
    kept: bool,
) -> Work[TaskScored]:
    def compute(progress: Progress) -> TaskScored:
        return run_task(engine, recipe, whole, asked.task, progress=progress)

    return works.recipe_work(
        "task",
        f"{name} on {asked.text}",
        engine,
        recipe,
        _part(asked, whole),
        compute,
        TASK.text(asked.task),
        whole.labelled_fingerprint,
        learning=learning,
        kept=lambda _: kept,
    )


def _is_kept(engine: Engine, recipe: Recipe, asked: ChosenTask, whole: Corpus) -> bool:
    """Whether a result is there: then nothing is read or learnt for it."""
    try:
        return is_kept(engine, recipe, whole, asked.task)
    except StrataError:
        return False


def _part(asked: ChosenTask, whole: Corpus) -> Corpus:
    """What is read for a task: the scored rows alone where nothing is trained."""
    return whole if TASK.find(asked.task).supervised else whole.take(None)
