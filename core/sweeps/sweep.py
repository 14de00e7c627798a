"""Many recipes on many corpora: a table with one row for each.

Every row is written when it is finished, so that a sweep that was stopped continues where it stopped. A
recipe or corpus that cannot be scored gives a row with the reason. Recipes of one source and template share
a forward pass per corpus and are one task for the workers.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from core.corpora.corpus import Corpus
from core.corpora.table_files import read_lines
from core.errors import RecipeError, StrataError, first_line, shorten
from core.evaluation.scoring import AnswerValue, about_corpus, kept_under, score
from core.evaluation.sts import Aggregate
from core.evaluation.tasks import TASK
from core.evaluation.tasks.groups import Asked
from core.evaluation.tasks.running import about_task, of_similarity, run_task
from core.evaluation.tasks.task import check_task, task_for
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.recipe.options import Choice
from core.settings import Settings
from core.sweeps.results import Results, Row, row_of
from core.sweeps.sharded_reading import Before, engine_of, is_here, read_in_shards
from core.sweeps.workers import Workers

ADDED = ("scale", "task", "metric", "value", "protocol", "seeds", "n", "editions", "content")
"""Columns that tables of earlier versions lack; they scored similarity alone, by first editions."""

_FIRST = (
    *("recipe", "corpus", "split", "fingerprint", "model", "revision", "pairs", "aggregate"),
    *("reference_fingerprint", "forward", "storage"),
)

DEPENDS = (*_FIRST, "scale", "task", "editions", "content")
"""Columns that a score depends on: a row that has the same values in all of them is not computed again."""

COLUMNS = (
    *_FIRST,
    *("spearman", "pearson", "low", "high", "pass_seconds", "seconds", "notes", "error"),
    *ADDED,
)

SIMILARITY = Choice("sts")
"""The task whose rows have the columns of scored pairs as well."""

Key = tuple[str, ...]
Cells = Mapping[str, AnswerValue]

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comment>\s#(?:\s|$)|\s{2,}#)')


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


@dataclass(frozen=True)
class SweepCounts:
    """The number of rows of a request in the table, and how many of them have an error and no score."""

    rows: int
    failed: int


@dataclass(frozen=True)
class RowStep(Step):
    """A step of a sweep, and the row that it finished."""

    about: str

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.about}"


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


def read_recipes(path: Path) -> tuple[str, ...]:
    """The different recipes of a file, one per line, in the file's order and spelling.

    A comment begins with ``#`` at the start of a line, or outside quotes with `` # `` or two spaces and
    ``#``. Raises :class:`StrataError` for a file that cannot be read or has no recipe.
    """
    lines = (_without_comment(line) for line in read_lines(path))
    recipes = tuple(dict.fromkeys(line for line in lines if line))
    if not recipes:
        raise RecipeError(f"{shorten(path)} holds no recipe; one a line is needed, as layers=last.")
    return recipes


def sweep(
    engine: Engine,
    request: Request,
    output: Path,
    workers: Workers | None = None,
    progress: Progress = silent,
) -> SweepCounts:
    """Score every recipe on every corpus, and write the table to ``output``.

    A row is appended to the file when it is finished; at the end the rows are sorted by recipe and corpus.
    A row that the file holds already is computed again if a column of :data:`DEPENDS` has another value
    now, or if the row has an error. ``editions`` are those of options whose numbers were mended,
    ``content`` is what a model's numbers depend on where its revision does not name all of it, as its limit
    on lengths. Rows of other recipes and corpora are kept at the end.

    Raises
    ------
    StrataError
        ``output`` cannot be written, or is no such table; or the workers cannot be reached.
    """
    results = Results(output, COLUMNS, ADDED)
    stored = [_completed(row) for row in results.read()]
    results.write(stored)
    planned = {_key(item.row): item for item in _plan(engine, request)}
    rows = {key: row for row in stored if not row["error"] and (key := _key(row)) in planned}
    if rows:
        progress(RowStep("Sweep", len(rows), len(planned), f"found in {output.name}"))
    missing = [item for key, item in planned.items() if key not in rows]
    with closing(_finish(engine, missing, workers or Workers(), progress)) as finished_rows:
        for finished in finished_rows:
            results.append(finished.row)
            rows[finished.key] = finished.row
            sys.stderr.write(finished.trace)
            about = f"{finished.row['recipe'] or '(defaults)'} on {finished.row['corpus']}"
            progress(RowStep("Sweep", len(rows), len(planned), about))
    requested = [rows[key] for key in planned]
    renewed = {_identity(row) for row in requested if not row["error"]}
    others = {_key(row): row for row in stored if not row["error"] and _identity(row) not in renewed}
    results.write([*requested, *others.values()])
    return SweepCounts(len(requested), sum(bool(row["error"]) for row in requested))


def _without_comment(line: str) -> str:
    line = line.removeprefix("\ufeff").strip()
    if line.startswith("#"):
        return ""
    starts = (match.start() for match in _COMMENT.finditer(line) if match["comment"])
    return line[: next(starts, None)].rstrip()


def _key(row: Row) -> Key:
    return tuple(row[name] for name in DEPENDS)


def _identity(row: Row) -> Key:
    """What a request names; the table keeps one row for each."""
    return tuple(row[name] for name in ("recipe", "corpus", "split", "aggregate", "scale", "task"))


def _completed(row: Row) -> Row:
    """A row as this version has it: without a task it is of one that scored similarity alone."""
    if row["task"] or row["error"]:
        return row
    value = {"metric": "spearman", "value": row["spearman"], "n": row["pairs"]}
    return {**row, "task": "sts", **value}


# -- planning ------------------------------------------------------------------------------------


def _plan(engine: Engine, request: Request) -> Iterator[Cell | FinishedRow]:
    """A cell for each recipe on each corpus, or a row with the error of the recipe or the corpus."""
    corpora = [_corpus(engine, asked, request) for asked in request.corpora]
    for text in request.recipes:
        recipe, recipe_cells = _recipe(engine, text)
        for found, corpus_cells in corpora:
            row = row_of({**corpus_cells, **recipe_cells}, COLUMNS)
            if recipe is None or found is None:
                yield FinishedRow(_key(row), row)
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
        sys.stderr.write(_trace(error))
        return None, {**about, "error": _error_text(error)}


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
        task = asked.task or task_for(whole)
        supervised = TASK.find(task).supervised
        corpus = whole if supervised else engine.corpus(asked.corpus, request.split, request.scale)
        about |= {"task": TASK.text(task), **_about(corpus, task, request)}
        check_task(corpus, task)
        return (corpus, task), about
    except Exception as error:
        sys.stderr.write(_trace(error))
        return None, {**about, "error": _error_text(error)}


def _about(corpus: Corpus, task: Choice, request: Request) -> Cells:
    """What score --json says that its answer depends on, beside the recipe."""
    if task == SIMILARITY:
        return about_corpus(corpus, request.aggregate)
    return {"aggregate": None, **about_task(corpus, task, request.split, request.aggregate)}


def _groups(cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Cells that share a forward pass, together."""
    groups: dict[Key, list[Cell]] = {}
    for cell in cells:
        spelled = cell.recipe.spelled()
        key = (spelled["source"], spelled["template"], cell.corpus.text_digest)
        groups.setdefault(key, []).append(cell)
    return [tuple(group) for group in groups.values()]


# -- scoring -------------------------------------------------------------------------------------


def _finish(
    engine: Engine, items: Sequence[Cell | FinishedRow], workers: Workers, progress: Progress
) -> Generator[FinishedRow, None, None]:
    """Rows as they finish, in any order."""
    yield from (item for item in items if isinstance(item, FinishedRow))
    groups = _groups([item for item in items if isinstance(item, Cell)])
    if workers.alone:
        yield from (_score(engine, cell, progress) for group in groups for cell in group)
        return
    settings = _with_absolute_paths(engine.settings)
    left = {_key(cell.row): cell for group in groups for cell in group}
    try:
        with workers.held() as held:
            read = [(group[0].recipe, group[0].corpus) for group in groups]
            before = read_in_shards(engine, settings, read, held, progress)
            calls = [(settings, i, group, before.get(i, Before())) for i, group in enumerate(groups)]
            for i, found in held.run(_score_group, calls):
                rows = _rows(engine, groups[i], before[i], progress) if found is None else found
                for finished in rows:
                    del left[finished.key]
                    yield finished
    except StrataError:
        raise
    except Exception as error:  # a worker that dies takes the tasks of the others along
        sys.stderr.write(_trace(error))
        yield from (_failed(cell, error) for cell in left.values())


# -- one group -------------------------------------------------------------------------------------


def _score_group(
    settings: Settings, number: int, cells: Sequence[Cell], before: Before
) -> tuple[int, list[FinishedRow] | None]:
    """The rows of one group: the task of a worker. None for a pass in shards that is not in its store."""
    engine = engine_of(settings)
    if before.kept and not is_here(engine, cells[0].recipe, cells[0].corpus):
        return number, None
    return number, [*_rows(engine, cells, before, silent)]


def _rows(
    engine: Engine, cells: Sequence[Cell], before: Before, progress: Progress
) -> Iterator[FinishedRow]:
    """The rows of one group. The first has the seconds of reading shards."""
    for place, cell in enumerate(cells):
        finished = _score(engine, cell, progress)
        row = finished.row
        if not row["error"]:
            row["notes"] = " ".join(filter(None, [row["notes"], before.note]))
            if place == 0 and before.seconds:
                row["pass_seconds"] = str(round(float(row["pass_seconds"]) + before.seconds, 4))
        yield finished


def _score(engine: Engine, cell: Cell, progress: Progress) -> FinishedRow:
    try:
        answer = _answer(engine, cell, progress)
    except Exception as error:
        return _failed(cell, error)._replace(trace=_trace(error))
    return FinishedRow(_key(cell.row), row_of({**cell.row, **answer}, COLUMNS))


def _answer(engine: Engine, cell: Cell, progress: Progress) -> Cells:
    """What score --json says of the cell, but for its subsets."""
    if cell.task == SIMILARITY:
        scored = score(engine, cell.recipe, cell.corpus, cell.aggregate, progress)
        return scored.answer() | of_similarity(scored, cell.corpus)
    # the rows of the split are cut already where nothing is learnt from labels
    split = cell.split if TASK.find(cell.task).supervised else "all"
    return run_task(engine, cell.recipe, cell.corpus, cell.task, split, cell.aggregate, progress).answer()


def _failed(cell: Cell, error: Exception) -> FinishedRow:
    return FinishedRow(_key(cell.row), row_of({**cell.row, "error": _error_text(error)}, COLUMNS))


def _with_absolute_paths(settings: Settings) -> Settings:
    """The same settings for a process that works in another folder."""
    data = settings.data and settings.data.absolute()
    return replace(settings, cache=settings.cache.absolute(), data=data)


def _error_text(error: Exception) -> str:
    """An error as a cell: the message of a :class:`StrataError`, any other with its class."""
    if isinstance(error, StrataError):
        return str(error)
    name, message = type(error).__name__, first_line(error)
    return name if message == name else f"{name}: {message}"


def _trace(error: Exception) -> str:
    """The traceback of an unexpected error; empty for a :class:`StrataError`."""
    return "" if isinstance(error, StrataError) else "".join(traceback.format_exception(error))
