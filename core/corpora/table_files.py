"""Corpus files as they are on disk: their endings, and the tables and lines in them."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from core.corpora import quotes, separators
from core.corpora.columns import repeated
from core.corpora.first_line import LOOKED_AT, NAMES, FirstLine, judge
from core.corpora.opened import opened
from core.corpora.table_lines import LINE, empty_lines, with_lines
from core.corpora.unreadable import TEXT, not_utf8, refuse_no_file, refuse_other_kinds, table_of
from core.errors import CorpusError, shorten

TABLES = (".tsv", ".csv", ".parquet")
TEXTS = (".txt",)
ENDINGS = tuple(e + z for e in (*TABLES, *TEXTS) for z in ("", ".gz") if e + z != ".parquet.gz")

_READ = 64_000


def ending_of(path: Path) -> str:
    """``.tsv.gz`` of ``STS12.tsv.gz``; raises :class:`CorpusError` for an unknown ending."""
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return path.name[-len(ending) :].lower()
    raise CorpusError(f"{shorten(path.name)} is no corpus file; allowed endings: {', '.join(ENDINGS)}.")


def _separator(path: Path) -> str:
    """What stands between the cells of a table as text; CorpusError where it has too many columns."""
    with opened(path) as file:
        parts = iter(lambda: file.read(_READ), b"")
        found = separators.cut(parts, tabbed=ending_of(path).startswith(".tsv"))
    separators.refuse_wide(found.columns)
    return found.separator


def header_of(path: Path) -> tuple[str, ...]:
    """The names of a table's columns; none for what is no table."""
    try:
        if ending_of(path) == ".parquet":
            from pyarrow import parquet

            return tuple(parquet.read_schema(path).names)
        separator = _separator(path)
        return tuple(map(str, pd.read_csv(path, sep=separator, dtype=str, nrows=0).columns))
    except Exception:  # whoever reads the corpus is told why
        return ()


def names_in(path: Path) -> list[str]:
    """What a table itself calls its columns: pandas gives one of two with the same name another."""
    with table_of(path, f"{ending_of(path)} table"):
        if ending_of(path) == ".parquet":
            from pyarrow import parquet

            return list(parquet.read_schema(path).names)
        return list(pd.read_csv(path, header=None, nrows=1, **_text(path)).iloc[0])


def refuse_repeated(names: Iterable[str], name: str) -> None:
    """Raise :class:`CorpusError` where two columns are called the same: nobody can say which is meant."""
    if twice := repeated(names):
        raise CorpusError(
            f"{shorten(name)} has two columns called {shorten(twice)}: give each its own name."
        )


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, compressed or not, without their line ends and a byte-order mark.

    A file without any line feed has lines that carriage returns end.
    """
    refuse_no_file(path)
    try:
        refuse_other_kinds(path, TEXT)
        with opened(path, "rt", encoding="utf-8-sig", newline="\n") as file:
            first = file.readline()
            if first.endswith("\n"):
                return [line.rstrip("\r\n") for line in (first, *file)]
            return first.removesuffix("\r").split("\r") if first else []
    except UnicodeDecodeError as error:
        raise not_utf8(path.name, TEXT) from error
    except (EOFError, OSError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CorpusError(f"{shorten(path.name)} cannot be read: {reason}.") from error


def first_line_of(path: Path) -> FirstLine:
    """What the first line of a table is; names where it is no text, or no table."""
    if ending_of(path) == ".parquet":
        return NAMES
    with table_of(path, f"{ending_of(path)} table"):
        head = pd.read_csv(path, header=None, nrows=LOOKED_AT, on_bad_lines="skip", **_text(path))
    return judge(head.iloc[0], head.iloc[1:])


def read_table(path: Path, *, names: bool = True) -> pd.DataFrame:
    """A table as its ending says; cells of TSV and CSV are texts, and the index their lines (:data:`LINE`).

    With ``names`` the first line of TSV and CSV names the columns, else it is a row. Lines without anything
    are rows of empty cells; those at the end are left away.
    Raises :class:`CorpusError` for what is no such table.
    """
    with table_of(path, f"{ending_of(path)} table"):
        if ending_of(path) == ".parquet":
            table = _as_objects(_with_labels(pd.read_parquet(path)))
            return table.set_index(LINE) if LINE in table.columns else table
        how = _text(path)
        table = pd.read_csv(path, header=0 if names else None, **how)
    if not names:
        table.columns = [f"column {i}" for i in range(1, table.shape[1] + 1)]
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes what is too many for labels of rows
        raise CorpusError(f"{shorten(path.name)}: rows have more cells than the header has names.")
    return with_lines(table, how["skiprows"], names=names)


def _text(path: Path) -> dict[str, Any]:
    """How the cells of TSV and CSV are read: as texts, from the first line that holds anything."""
    separator = _separator(path)
    return {
        "sep": separator,
        "quoting": csv.QUOTE_MINIMAL if separator != "\t" or _is_quoted(path) else csv.QUOTE_NONE,
        "dtype": str,
        "keep_default_na": False,
        "na_values": [],
        "encoding": "utf-8",
        "skiprows": empty_lines(path),
        "skip_blank_lines": False,
    }


def _is_quoted(path: Path) -> bool:
    """Whether quotes enclose cells of a table that tabs part (:func:`core.corpora.quotes.enclose`)."""
    with opened(path) as file:
        return quotes.enclose(file.read(), path.name)


def _with_labels(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the labels of its rows as columns, where pandas wrote them under a name."""
    names = [name for name in table.index.names if name is not None and name not in table.columns]
    return table.reset_index(names) if names else table


def _as_objects(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts as Python has them: only then are texts that are no UTF-8 noticed."""
    texts = [column for column in table.columns if pd.api.types.is_string_dtype(table[column])]
    return table.astype(dict.fromkeys(texts, object))
