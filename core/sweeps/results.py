"""Tables of results on disk, which grow row by row and can be continued after an interruption.

The format is CSV with a header and one row per line. A row that is cut while it is written leaves the rows
before it whole.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from core.corpora.cleaning import clean
from core.errors import StrataError, shorten
from core.evaluation.scoring import AnswerValue
from core.storage.files import replacing
from core.trust import no_file

Row = dict[str, str]


@dataclass(frozen=True)
class Results:
    """A table in a ``.csv`` file.

    ``added`` are the last columns, which tables of earlier versions lack, all or from one on; they are
    read as empty.
    """

    path: Path
    columns: tuple[str, ...]
    added: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a file that cannot be written, before any work is done."""
        if self.path.suffix != ".csv":
            raise StrataError(f"output: got {shorten(self.path)}; allowed is a file ending in .csv.")
        if not self.path.parent.is_dir():
            raise StrataError(f"output: the folder {shorten(self.path.parent)} does not exist.")

    def read(self) -> list[Row]:
        """The rows of the file; none when there is no file. A half-written last line is dropped.

        Raises :class:`StrataError` for a file that is no such table, so that it is not replaced.
        """
        if not self.path.exists():
            return []
        if why := no_file(self.path):
            raise StrataError(f"{shorten(self.path)} cannot be read: it {why}.")
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise StrataError(f"{shorten(self.path)} cannot be read: {error.strerror}.") from error
        least = len(self.columns) - len(self.added)
        headers = [self.columns[:length] for length in range(least, len(self.columns) + 1)]
        if any(self._line(header).encode().startswith(content) for header in headers):
            return []  # stopped before the first row
        whole = content[: content.rfind(b"\n") + 1]
        try:
            text = whole.decode("utf-8-sig")
            cells = [tuple(line) for line in csv.reader(StringIO(text, newline=""))]
        except (UnicodeDecodeError, csv.Error):
            cells = []
        if not cells or cells[0] not in headers:
            raise StrataError(
                f"{shorten(self.path)} is there and holds something else than the results of this "
                "command; name another file, or remove it."
            )
        header, *lines = cells
        rows = [dict(zip(header, line, strict=True)) for line in lines if len(line) == len(header)]
        return [{name: row.get(name, "") for name in self.columns} for row in rows]

    def write(self, rows: Sequence[Row]) -> None:
        """Replace the file by a table of these rows in one step."""
        lines = [self.columns, *(tuple(row.values()) for row in rows)]
        with self._writing(), replacing(self.path) as temporary:
            temporary.write_text("".join(map(self._line, lines)), "utf-8", newline="")

    def append(self, row: Row) -> None:
        """Add a row at the end of the file."""
        with self._writing(), self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._line(tuple(row.values())))

    def _line(self, cells: Sequence[str]) -> str:
        line = StringIO()
        csv.writer(line, lineterminator="\n").writerow(cells)
        return line.getvalue()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StrataError(f"{shorten(self.path)} cannot be written: {error.strerror}.") from error


def row_of(values: Mapping[str, AnswerValue], columns: Sequence[str]) -> Row:
    """The cells of a row, each on one line; a missing value and None are empty."""
    return {name: _cell(values.get(name)) for name in columns}


def _cell(value: AnswerValue) -> str:
    return (
        "" if value is None else clean(" ".join(map(str, value)) if isinstance(value, list) else str(value))
    )
