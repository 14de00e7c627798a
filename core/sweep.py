"""Many recipes on many corpora: a table with one row for each.

Rows are kept as they finish, so that a sweep that was stopped goes on where it was. Whatever cannot be
scored becomes a row that says why. Recipes of the same source and template share one forward pass per
corpus: they are one task, wherever tasks run.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from core.corpus import Corpus
from core.embed import Road
from core.errors import RecipeError, StrataError, first_line, shorten
from core.evaluation.scoring import about_corpus, about_recipe, score
from core.evaluation.sts import Aggregate, check_scorable
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.results import Results, Row, row_of
from core.settings import Settings
from core.tables import read_lines
from core.workers import Workers

DEPENDS = (
    *("recipe", "corpus", "split", "fingerprint", "model", "revision", "pairs", "aggregate"),
    *("reference_fingerprint", "forward", "storage"),
)
"""Columns a score depends on: a row that has them all alike need not be computed again."""

COLUMNS = (
    *DEPENDS,
    *("spearman", "pearson", "low", "high", "pass_seconds", "seconds", "notes", "error"),
)

Key = tuple[str, ...]

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comment>\s#(?:\s|$)|\s{2,}#)')


@dataclass(frozen=True)
class Request:
    """What a sweep is asked for; ``recipes`` are texts, and ``split`` as :meth:`Road.corpus` takes it."""

    recipes: tuple[str, ...]
    corpora: tuple[str, ...]
    split: str | None = None
    aggregate: Aggregate = "all"


@dataclass(frozen=True)
class Swept:
    """How many rows the table has for a request, how many of them say why there is no score."""

    rows: int
    failed: int


@dataclass(frozen=True)
class RowStep(Step):
    """A step of a sweep, and what it was about."""

    about: str

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.about}"


class Cell(NamedTuple):
    """A recipe to be scored on a corpus, and its row so far."""

    row: Row
    recipe: Recipe
    corpus: Corpus
    aggregate: Aggregate


class Done(NamedTuple):
    """A finished row, the key it was planned under, and the traceback of a mistake of ours."""

    key: Key
    row: Row
    trace: str = ""


def read_recipes(path: Path) -> tuple[str, ...]:
    """The recipes of a file, one a line, as they are written there.

    Lines that begin with ``#`` are comments, and so is what follows `` # `` or two spaces and ``#``
    outside quotes. Raises :class:`StrataError` for a file that cannot be read or has no recipe.
    """
    lines = (_without_comment(line) for line in read_lines(path))
    found = tuple(dict.fromkeys(line for line in lines if line))
    if not found:
        raise RecipeError(f"{shorten(path)} holds no recipe; one a line is needed, as layers=last.")
    return found


def sweep(
    road: Road, request: Request, output: Path, workers: Workers | None = None, progress: Progress = silent
) -> Swept:
    """Score every recipe on every corpus, and write the table to ``output``.

    The file gets a row as soon as it is there, and in the end the order of recipes and corpora. Rows
    that are there already are not computed again unless what they depend on is another now, or they
    say that something failed. Rows of other recipes and corpora stay, after these.

    Raises
    ------
    StrataError
        ``output`` cannot be written, or is something else; or the workers cannot be reached.
    """
    results = Results(output, COLUMNS)
    old = results.read()
    results.write(old)
    planned = {_key(item.row): item for item in _plan(road, request)}
    rows = {key: row for row in old if not row["error"] and (key := _key(row)) in planned}
    if rows:
        progress(RowStep("Sweep", len(rows), len(planned), f"found in {output.name}"))
    missing = [item for key, item in planned.items() if key not in rows]
    with closing(_finish(road, missing, workers or Workers(), progress)) as finished:
        for done in finished:
            results.append(done.row)
            rows[done.key] = done.row
            sys.stderr.write(done.trace)
            about = f"{done.row['recipe'] or '(defaults)'} on {done.row['corpus']}"
            progress(RowStep("Sweep", len(rows), len(planned), about))
    asked = [rows[key] for key in planned]
    renewed = {_place(row) for row in asked if not row["error"]}
    others = {_key(row): row for row in old if not row["error"] and _place(row) not in renewed}
    results.write([*asked, *others.values()])
    return Swept(len(asked), sum(bool(row["error"]) for row in asked))


def _without_comment(line: str) -> str:
    line = line.removeprefix("\ufeff").strip()
    if line.startswith("#"):
        return ""
    starts = (found.start() for found in _COMMENT.finditer(line) if found["comment"])
    return line[: next(starts, None)].rstrip()


def _key(row: Row) -> Key:
    return tuple(row[name] for name in DEPENDS)


def _place(row: Row) -> Key:
    """What a table has one row for."""
    return tuple(row[name] for name in ("recipe", "corpus", "split", "aggregate"))


# -- what is to be done --------------------------------------------------------------------------


def _plan(road: Road, request: Request) -> Iterator[Cell | Done]:
    """A cell for each recipe on each corpus, or its row where one of the two is not to be had."""
    corpora = [_corpus(road, name, request) for name in request.corpora]
    for text in request.recipes:
        recipe, about = _recipe(road, text)
        for corpus, about_it in corpora:
            row = row_of({**about_it, **about}, COLUMNS)
            if recipe is None or corpus is None:
                yield Done(_key(row), row)
            else:
                yield Cell(row, recipe, corpus, request.aggregate)


def _recipe(road: Road, text: str) -> tuple[Recipe | None, dict[str, Any]]:
    """A recipe and what its rows say of it; None and why when it cannot be had."""
    about = {"recipe": text, "forward": road.settings.forward, "storage": road.settings.storage}
    try:
        recipe = Recipe.parse(text)
        about["recipe"] = str(recipe)
        return recipe, about_recipe(road, recipe)
    except Exception as error:
        sys.stderr.write(_trace(error))
        return None, about | {"error": _why(error)}


def _corpus(road: Road, name: str, request: Request) -> tuple[Corpus | None, dict[str, Any]]:
    """A corpus and what its rows say of it; None and why when it cannot be had."""
    about = {"corpus": name, "split": request.split, "aggregate": request.aggregate}
    try:
        corpus = road.corpus(name, request.split)
        about |= about_corpus(corpus, request.aggregate)
        check_scorable(corpus)
        return corpus, about
    except Exception as error:
        sys.stderr.write(_trace(error))
        return None, about | {"error": _why(error)}


def _groups(cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Cells that share a forward pass, together."""
    groups: dict[Key, list[Cell]] = {}
    for cell in cells:
        spelled = cell.recipe.spelled()
        key = (spelled["source"], spelled["template"], cell.corpus.text_digest)
        groups.setdefault(key, []).append(cell)
    return [tuple(group) for group in groups.values()]


# -- doing it ------------------------------------------------------------------------------------


def _finish(
    road: Road, items: Sequence[Cell | Done], workers: Workers, progress: Progress
) -> Generator[Done, None, None]:
    """Rows as they finish, in any order."""
    yield from (item for item in items if isinstance(item, Done))
    groups = _groups([item for item in items if isinstance(item, Cell)])
    if workers.alone:
        yield from (_score(road, cell, progress) for group in groups for cell in group)
        return
    settings = _anywhere(road.settings)
    left = {_key(cell.row): cell for group in groups for cell in group}
    try:
        for finished in workers.run(_score_group, [(settings, group) for group in groups]):
            for done in finished:
                del left[done.key]
                yield done
    except StrataError:
        raise
    except Exception as error:  # a worker that dies takes the tasks of the others along
        sys.stderr.write(_trace(error))
        yield from (_failed(cell, error) for cell in left.values())


def _score_group(settings: Settings, cells: Sequence[Cell]) -> list[Done]:
    """What a worker does: the rows of one group."""
    return [_score(_road(settings), cell, silent) for cell in cells]


def _score(road: Road, cell: Cell, progress: Progress) -> Done:
    try:
        scored = score(road, cell.recipe, cell.corpus, cell.aggregate, progress)
    except Exception as error:
        return _failed(cell, error)._replace(trace=_trace(error))
    return Done(_key(cell.row), row_of(scored.answer(), COLUMNS))


def _failed(cell: Cell, error: Exception) -> Done:
    return Done(_key(cell.row), row_of(cell.row | {"error": _why(error)}, COLUMNS))


@lru_cache(maxsize=1)
def _road(settings: Settings) -> Road:
    """A worker's road: what one task loaded serves the next."""
    return Road(settings)


def _anywhere(settings: Settings) -> Settings:
    """The same settings for a process that works in another folder."""
    data = settings.data and settings.data.absolute()
    return replace(settings, cache=settings.cache.absolute(), data=data)


def _why(error: Exception) -> str:
    """What a row says of an error: a message of ours as it is, any other with its kind."""
    if isinstance(error, StrataError):
        return str(error)
    kind, said = type(error).__name__, first_line(error)
    return kind if said == kind else f"{kind}: {said}"


def _trace(error: Exception) -> str:
    """The traceback of a mistake of ours; empty for a message to the reader."""
    return "" if isinstance(error, StrataError) else "".join(traceback.format_exception(error))
