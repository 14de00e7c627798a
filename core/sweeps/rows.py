"""The columns of a sweep's table, what tells its rows apart, and errors as they stand in a cell."""

from __future__ import annotations

import traceback
from collections.abc import Mapping

from core.errors import StrataError, first_line
from core.evaluation.scoring import AnswerValue
from core.sweeps.results import Row

ADDED = ("scale", "task", "metric", "value", "protocol", "seeds", "n", "editions", "content", "place")
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

Key = tuple[str, ...]
Cells = Mapping[str, AnswerValue]


def key_of_row(row: Row) -> Key:
    """What a row's score depends on."""
    return tuple(row[name] for name in DEPENDS)


def identity_of_row(row: Row) -> Key:
    """What a request names; the table keeps one row for each. Corpora of one name may be in two places."""
    return tuple(row[name] for name in ("recipe", "corpus", "split", "aggregate", "scale", "task", "place"))


def completed(row: Row) -> Row:
    """A row as this version has it: without a task it is of one that scored similarity alone."""
    if row["task"] or row["error"]:
        return row
    value = {"metric": "spearman", "value": row["spearman"], "n": row["pairs"]}
    return {**row, "task": "sts", **value}


def error_text(error: Exception) -> str:
    """An error as a cell: the message of a :class:`StrataError`, any other with its class."""
    if isinstance(error, StrataError):
        return str(error)
    name, message = type(error).__name__, first_line(error)
    return name if message == name else f"{name}: {message}"


def trace_of(error: Exception) -> str:
    """The traceback of an unexpected error; empty for a :class:`StrataError`."""
    return "" if isinstance(error, StrataError) else "".join(traceback.format_exception(error))
