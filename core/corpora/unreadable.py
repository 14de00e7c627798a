"""Why a file cannot be read as a table or as text, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from core.corpora.opened import opened
from core.errors import CorpusError, shorten
from core.trust import ABSENT, no_file

TEXT = "text file"

_ARCHIVES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How .xlsx, .ods and other zip files begin, and .xls."""

_SIXTEEN_BITS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 4096

_OPEN_QUOTE = re.compile(r"EOF inside string starting at row (\d+)")
_CELLS = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
_LIBRARY = re.compile(r"Error tokenizing data\. C error: |Could not open Parquet input source '.*?': ")


@contextmanager
def table_of(path: Path, kind: str) -> Iterator[None]:
    """What reading a table raises, as a :class:`CorpusError` that names no folder."""
    no_table = f"{shorten(path.name)} is not a {kind}"
    try:
        refuse_other_kinds(path, kind)
        yield
    except CorpusError:
        raise
    except UnicodeDecodeError as error:
        raise not_utf8(path.name, kind) from error
    except pd.errors.EmptyDataError as error:
        raise CorpusError(f"{no_table}: nothing stands in its first line.") from error
    except Exception as error:  # pandas and pyarrow raise many kinds for what is not a table
        if said := _OPEN_QUOTE.search(str(error)):
            raise open_quote(path.name, int(said[1]) + 1) from error
        if said := _CELLS.search(str(error)):
            most, line, got = said.groups()
            raise CorpusError(
                f"{no_table}: near line {line} a row has {got} cells, not {most}. Put a cell that has what "
                "stands between cells in double quotes."
            ) from error
        raise CorpusError(f"{no_table}: {_reason(error, path)}.") from error


def refuse_no_file(path: Path) -> None:
    """Raise :class:`CorpusError` for a path where no file is, or something that has no end."""
    if not (why := no_file(path)):
        return
    name = shorten(path)
    raise CorpusError(f"There is no file {name}." if why == ABSENT else f"{name} {why} and no file.")


def refuse_other_kinds(path: Path, kind: str) -> None:
    """Raise :class:`CorpusError` for a spreadsheet, an archive, and text of sixteen bits a character.

    ``kind`` is what the file should be: :data:`TEXT`, or a table of an ending.
    """
    with opened(path) as file:
        head = file.read(_HEAD)
    if head.startswith(_ARCHIVES):
        raise CorpusError(
            f"{shorten(path.name)} is not a {kind} but a spreadsheet or an archive: save it as CSV "
            "in UTF-8, or unpack it."
        )
    sixteen = head.startswith(_SIXTEEN_BITS) or head.count(0) * 4 > len(head)
    if sixteen and path.suffix.lower() != ".parquet":
        raise not_utf8(path.name, kind)


def not_utf8(name: str, kind: str) -> CorpusError:
    """Text in another encoding."""
    if kind == TEXT:
        return CorpusError(f"{shorten(name)} cannot be read as UTF-8 text: save it as UTF-8.")
    return CorpusError(
        f"{shorten(name)} is not UTF-8 text: save it as UTF-8, in a spreadsheet as CSV UTF-8."
    )


def open_quote(name: str, line: int) -> CorpusError:
    """A quote that is never closed makes one cell of many lines."""
    return CorpusError(
        f"{shorten(name)}: near line {line} a double quote is opened and never closed, so one cell "
        "swallows the lines after it. Double or remove the quotes in the file."
    )


def _reason(error: Exception, path: Path) -> str:
    """The first line of what a library says, without the folder of the file and a full stop."""
    said = _LIBRARY.sub("", str(error)).replace(f"{path.parent}/", "").strip() or type(error).__name__
    return said.splitlines()[0][:240].rstrip(". ")
