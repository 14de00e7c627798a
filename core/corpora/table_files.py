"""Corpus files as they are on disk: their endings, and the tables and lines in them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from core.corpora.table_lines import LINE, empty_lines, with_lines
from core.errors import CorpusError, first_line, shorten

TABLES = (".tsv", ".csv", ".parquet")
TEXTS = (".txt",)
ENDINGS = tuple(e + z for e in (*TABLES, *TEXTS) for z in ("", ".gz") if e + z != ".parquet.gz")


def ending_of(path: Path) -> str:
    """``.tsv.gz`` of ``STS12.tsv.gz``; raises :class:`CorpusError` for an unknown ending."""
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return path.name[-len(ending) :].lower()
    raise CorpusError(f"{shorten(path.name)} is no corpus file; allowed endings: {', '.join(ENDINGS)}.")


def _separator(path: Path) -> str:
    """What stands between cells: a tab, or in a .csv a comma or, as its first line has it, a semicolon."""
    if ending_of(path).startswith(".tsv"):
        return "\t"
    first, *others = pd.read_csv(path, sep=",", dtype=str, nrows=0).columns
    return ";" if not others and ";" in first else ","


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


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, compressed or not, without their line ends."""
    opener: Callable[..., object] = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", newline="\n") as file:  # type: ignore[attr-defined]
            return [line.rstrip("\r\n") for line in file]
    except FileNotFoundError:
        raise CorpusError(f"There is no file {shorten(path)}.") from None
    except (UnicodeDecodeError, EOFError, OSError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CorpusError(f"{shorten(path.name)} cannot be read as UTF-8 text: {reason}.") from error


def read_table(path: Path) -> pd.DataFrame:
    """A table as its ending says; cells of TSV and CSV are texts, and the index their lines (:data:`LINE`).

    Lines without anything are rows of empty cells; those at the end are left away.
    Raises :class:`CorpusError` for what is no such table.
    """
    ending = ending_of(path)
    try:
        if ending == ".parquet":
            table = _as_objects(pd.read_parquet(path))
            return table.set_index(LINE) if LINE in table.columns else table
        separator, before = _separator(path), empty_lines(path)
        table = pd.read_csv(
            path,
            sep=separator,
            dtype=str,
            keep_default_na=False,
            na_values=[],
            encoding="utf-8",
            skiprows=before,
            skip_blank_lines=False,
        )
    except UnicodeDecodeError as error:
        raise CorpusError(f"{shorten(path.name)} is not UTF-8 text: {error.reason}.") from error
    except Exception as error:  # pandas and pyarrow raise many kinds for what is not a table
        raise CorpusError(f"{shorten(path.name)} is not a {ending} table: {first_line(error)}.") from error
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes what is too many for labels of rows
        raise CorpusError(f"{shorten(path.name)}: rows have more cells than the header has names.")
    if separator == "\t":
        _refuse_swallowed_lines(table, path.name, before)
    return with_lines(table, before)


def _as_objects(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts as Python has them: only then are texts that are no UTF-8 noticed."""
    texts = [column for column in table.columns if pd.api.types.is_string_dtype(table[column])]
    return table.astype(dict.fromkeys(texts, object))


def _refuse_swallowed_lines(table: pd.DataFrame, name: str, before: int) -> None:
    """A quote that is never closed makes one cell of many lines, and they would be lost.

    ``before`` lines stand before the header.
    """
    for column in table.columns:
        swallowed = table[column].astype(str).str.contains("[\t\n]", regex=True)
        if swallowed.any():
            line = int(np.flatnonzero(swallowed)[0]) + before + 2
            raise CorpusError(
                f"{shorten(name)}: near line {line} a double quote is opened and never closed, so one "
                "cell swallows the lines after it. Double or remove the quotes in the file."
            )
