"""Tables of results on disk: they grow row by row, and an interrupted one can be gone on with.

CSV with a header, a row a line. Whatever happens while a row is written, those before it stay whole.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from core.corpus import clean
from core.errors import StrataError, shorten
from core.files import replacing

Row = dict[str, str]


@dataclass(frozen=True)
class Results:
    """A table in a ``.csv`` file, its columns known."""

    path: Path
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse a file that could not be written before any work is done."""
        if self.path.suffix != ".csv":
            raise StrataError(f"output: got {shorten(self.path)}; allowed is a file ending in .csv.")
        if not self.path.parent.is_dir():
            raise StrataError(f"output: the folder {shorten(self.path.parent)} does not exist.")

    def read(self) -> list[Row]:
        """The rows there are; none when there is no file. A half-written last line is dropped.

        Raises :class:`StrataError` for a file that is no such table: it is not ours to replace.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StrataError(f"{shorten(self.path)} cannot be read: {error.strerror}.") from error
        if self._line(self.columns).encode().startswith(content):  # stopped before the first row
            return []
        whole = content[: content.rfind(b"\n") + 1]
        try:
            text = whole.decode("utf-8-sig")
            cells = [tuple(line) for line in csv.reader(StringIO(text, newline=""))]
        except (UnicodeDecodeError, csv.Error):
            cells = []
        if not cells or cells[0] != self.columns:
            raise StrataError(
                f"{shorten(self.path)} is there and holds something else than the results of this "
                "command; name another file, or remove it."
            )
        width = len(self.columns)
        return [dict(zip(self.columns, line, strict=True)) for line in cells[1:] if len(line) == width]

    def write(self, rows: Sequence[Row]) -> None:
        """Replace the file by a table of these rows, at once."""
        lines = [self.columns, *(tuple(row.values()) for row in rows)]
        with self._told(), replacing(self.path) as temporary:
            temporary.write_text("".join(map(self._line, lines)), "utf-8", newline="")

    def append(self, row: Row) -> None:
        """Add a row at the end of the file, where it stays whatever comes after."""
        with self._told(), self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._line(tuple(row.values())))

    def _line(self, cells: Sequence[str]) -> str:
        written = StringIO()
        csv.writer(written, lineterminator="\n").writerow(cells)
        return written.getvalue()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StrataError(f"{shorten(self.path)} cannot be written: {error.strerror}.") from error


def row_of(values: dict[str, Any], columns: Sequence[str]) -> Row:
    """The cells of a row, each on one line; what is missing or None is empty."""
    return {name: _cell(values.get(name)) for name in columns}


def _cell(value: object) -> str:
    return "" if value is None else clean(" ".join(value) if isinstance(value, list) else str(value))
