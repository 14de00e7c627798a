"""What a sweep is to score: a cell for each recipe on each corpus, or a row that says why there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.corpora.corpus import Corpus
from core.evaluation.scoring import AnswerValue, about_corpus, kept_under
from core.evaluation.sts import Aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Asked
from core.evaluation.tasks.running import about_task
from core.evaluation.tasks.similarity import STS
from core.evaluation.tasks.task import check_task, task_for
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.options import Choice
from core.sweeps.results import Row, row_of
from core.sweeps.rows import COLUMNS, Cells, Key, error_text, key_of_row, trace_of


@dataclass(frozen=True)
class Request:
    """What a sweep scores; ``split`` and ``scale`` are as :meth:`Engine.corpus` takes them.

    ``recipes`` are texts, ``corpora`` names or paths with their tasks; one without a task is scored on the
    one that it is for.
    """

    recipes: tuple[str, ...]
    corpora: tuple[Asked, ...]
    split: str | None = None
    aggregate: Aggregate = "all"
    scale: tuple[float, float] | None = None


class Cell(NamedTuple):
    """A recipe to be scored on a corpus, which is whole where a task learns, and the row so far."""

    row: Row
    recipe: Recipe
    corpus: Corpus
    task: Choice
    split: str | None
    aggregate: Aggregate


class FinishedRow(NamedTuple):
    """A finished row, the key it was planned under, and the traceback of an unexpected error."""

    key: Key
    row: Row
    trace: str = ""


def plan(engine: Engine, request: Request) -> Iterator[Cell | FinishedRow]:
    """A cell for each recipe on each corpus, or a row with the error of the recipe or the corpus."""
    corpora = [_corpus(engine, asked, request) for asked in request.corpora]
    for text in request.recipes:
        recipe, recipe_cells = _recipe(engine, text)
        for found, corpus_cells in corpora:
            row = row_of({**corpus_cells, **recipe_cells}, COLUMNS)
            if recipe is None or found is None:
                yield FinishedRow(key_of_row(row), row)
            else:
                yield Cell(row, recipe, *found, request.split, request.aggregate)


def _recipe(engine: Engine, text: str) -> tuple[Recipe | None, Cells]:
    """A recipe and its cells of a row; None and the error when it cannot be read."""
    about: Cells = {"recipe": text, "forward": engine.settings.forward, "storage": engine.settings.storage}
    try:
        recipe = Recipe.parse(text)
        about = {**about, "recipe": str(recipe)}
        return recipe, {**kept_under(engine, recipe)}
    except Exception as error:
        sys.stderr.write(trace_of(error))
        return None, {**about, "error": error_text(error)}


def _corpus(engine: Engine, asked: Asked, request: Request) -> tuple[tuple[Corpus, Choice] | None, Cells]:
    """A corpus with its task and its cells of a row; None and the error when it cannot be scored."""
    scale = request.scale and "{:g}:{:g}".format(*request.scale)
    about: dict[str, AnswerValue] = {
        "corpus": asked.corpus,
        "split": request.split,
        "aggregate": request.aggregate,
        "scale": scale,
        "task": None if asked.task is None else TASK.text(asked.task),
    }
    try:
        whole = engine.corpus(asked.corpus, "all", request.scale)
        about["corpus"] = whole.name
        about["place"] = engine.catalogue.stamp(asked.corpus)[0]
        task = asked.task or task_for(whole)
        supervised = TASK.find(task).supervised
        corpus = whole if supervised else engine.corpus(asked.corpus, request.split, request.scale)
        about |= {"task": TASK.text(task), **_about(corpus, task, request)}
        check_task(corpus, task)
        return (corpus, task), about
    except Exception as error:
        sys.stderr.write(trace_of(error))
        return None, {**about, "error": error_text(error)}


def _about(corpus: Corpus, task: Choice, request: Request) -> Cells:
    """What score --json says that its answer depends on, beside the recipe."""
    if task == STS:
        return about_corpus(corpus, request.aggregate)
    return {"aggregate": None, **about_task(corpus, task, request.split, request.aggregate)}


def groups_of(cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Cells that share a forward pass, together."""
    groups: dict[Key, list[Cell]] = {}
    for cell in cells:
        spelled = cell.recipe.spelled()
        key = (spelled["source"], spelled["template"], cell.corpus.text_digest)
        groups.setdefault(key, []).append(cell)
    return [tuple(group) for group in groups.values()]
