"""Many recipes on many corpora: a table with one row for each.

Every row is written when it is finished, so that a sweep that was stopped continues where it stopped. A
recipe or corpus that cannot be scored gives a row with the reason. Recipes of one source and template share
a forward pass per corpus and are one task for the workers.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import StrataError
from core.evaluation.scoring import score
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import of_similarity, run_task
from core.evaluation.tasks.similarity import STS
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import shown
from core.settings import Settings
from core.sweeps.planning import Cell, FinishedRow, Request, groups_of, plan
from core.sweeps.results import Results, row_of
from core.sweeps.rows import (
    ADDED,
    COLUMNS,
    Cells,
    completed,
    error_text,
    identity_of_row,
    key_of_row,
    trace_of,
)
from core.sweeps.sharded_reading import Before, engine_of, is_here, read_in_shards
from core.sweeps.workers import Workers


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


def sweep(
    engine: Engine,
    request: Request,
    output: Path,
    workers: Workers | None = None,
    progress: Progress = silent,
) -> SweepCounts:
    """Score every recipe on every corpus, and write the table to ``output``.

    A row is appended to the file when it is finished; at the end the rows are sorted by recipe and corpus.
    A row that the file holds already is computed again if a column of
    :data:`~core.sweeps.rows.DEPENDS` has another value now, or if the row has an error. ``editions`` are
    those of options whose numbers were mended, ``content`` is what a model's numbers depend on where its
    revision does not name all of it, as its limit on lengths. Rows of other recipes and corpora are
    kept at the end; ``place``, where a corpus is, tells apart those of one name.

    Raises
    ------
    StrataError
        ``output`` cannot be written, or is no such table; or the workers cannot be reached.
    """
    results = Results(output, COLUMNS, ADDED)
    stored = [completed(row) for row in results.read()]
    results.write(stored)
    planned = {key_of_row(item.row): item for item in plan(engine, request)}
    rows = {
        key: {**row, "place": planned[key].row["place"]}
        for row in stored
        if not row["error"] and (key := key_of_row(row)) in planned
    }
    if rows:
        progress(RowStep("Sweep", len(rows), len(planned), f"found in {output.name}"))
    missing = [item for key, item in planned.items() if key not in rows]
    with closing(_finish(engine, missing, workers or Workers(), progress)) as finished_rows:
        for finished in finished_rows:
            results.append(finished.row)
            rows[finished.key] = finished.row
            sys.stderr.write(finished.trace)
            about = f"{shown(finished.row['recipe'])} on {finished.row['corpus']}"
            progress(RowStep("Sweep", len(rows), len(planned), about))
    requested = [rows[key] for key in planned]
    new = [row for row in requested if not row["error"]]
    # a row of an earlier version has no place, and gives way to a corpus of its name in any
    renewed = {identity_of_row(row) for row in (*new, *({**row, "place": ""} for row in new))}
    others = {
        key_of_row(row): row for row in stored if not row["error"] and identity_of_row(row) not in renewed
    }
    results.write([*requested, *others.values()])
    return SweepCounts(len(requested), sum(bool(row["error"]) for row in requested))


# -- scoring -------------------------------------------------------------------------------------


def _finish(
    engine: Engine, items: Sequence[Cell | FinishedRow], workers: Workers, progress: Progress
) -> Generator[FinishedRow, None, None]:
    """Rows as they finish, in any order."""
    yield from (item for item in items if isinstance(item, FinishedRow))
    groups = groups_of([item for item in items if isinstance(item, Cell)])
    if workers.alone:
        yield from (_score(engine, cell, progress) for group in groups for cell in group)
        return
    settings = _with_absolute_paths(engine.settings)
    left = {key_of_row(cell.row): cell for group in groups for cell in group}
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
        sys.stderr.write(trace_of(error))
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
        return _failed(cell, error)._replace(trace=trace_of(error))
    return FinishedRow(key_of_row(cell.row), row_of({**cell.row, **answer}, COLUMNS))


def _answer(engine: Engine, cell: Cell, progress: Progress) -> Cells:
    """What score --json says of the cell, but for its subsets."""
    if cell.task == STS:
        scored = score(engine, cell.recipe, cell.corpus, cell.aggregate, progress)
        return scored.answer() | of_similarity(scored, cell.corpus)
    # the rows of the split are cut already where nothing is learnt from labels
    split = cell.split if TASK.find(cell.task).supervised else "all"
    return run_task(engine, cell.recipe, cell.corpus, cell.task, split, cell.aggregate, progress).answer()


def _failed(cell: Cell, error: Exception) -> FinishedRow:
    return FinishedRow(key_of_row(cell.row), row_of({**cell.row, "error": error_text(error)}, COLUMNS))


def _with_absolute_paths(settings: Settings) -> Settings:
    """The same settings for a process that works in another folder."""
    data = settings.data and settings.data.absolute()
    return replace(settings, cache=settings.cache.absolute(), data=data)
