"""What stands between the cells of a table as text, and how many cells its first rows have.

Nothing is read beyond those rows, and no cell is kept: a row may have millions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from core.errors import CorpusError

SEPARATORS = ("\t", ";", ",")
"""What may stand between the cells of a table, what texts have least first."""

ROWS_CUT = 20
"""First rows of a table by which that is found."""

MOST_COLUMNS = 1_000
"""Columns of a table."""

_FIRST, _TIMES = 64_000, 8
_MARK = b"\xef\xbb\xbf"
_EMPTY = re.compile(rb"[\r\n]*+")
_LINE, _FILLED_LINE = re.compile(rb"[^\r\n]*+"), re.compile(rb"[^\r\n]++")


@dataclass(frozen=True)
class Cut:
    """What a table is cut by, and the cells of the longest of its first rows, counted to one too many.

    Of what tabs cut, lines count as well: quotes may be characters there.
    """

    separator: str
    columns: int


def cut(parts: Iterable[bytes], *, tabbed: bool) -> Cut:
    """What cuts a table's first rows into the most cells alike.

    Where nothing cuts them alike, that is a tab where the file's ending says so (``tabbed``), else a comma
    or, as the first line has it, a semicolon. A tab in a first row of a ``tabbed`` file is what cuts it.
    ``parts`` are the table's bytes, of which no more are asked for than needed.
    """
    rows, head = dict[str, _Rows](), b""
    for head in _heads(parts):
        rows = {separator: _Rows.of(head, separator) for separator in SEPARATORS}
        if all(found.whole for found in rows.values()):
            break
    counts = {separator: found.cells for separator, found in rows.items()}
    chosen = _chosen(counts, tabbed)
    lines = islice(_FILLED_LINE.finditer(head), ROWS_CUT) if chosen == "\t" else ()
    tabs = [line[0].count(b"\t") for line in lines]
    columns = max([*counts[chosen], *(count + 1 for count in tabs)], default=0)
    return Cut(chosen, min(columns, MOST_COLUMNS + 1))


def refuse_wide(columns: int) -> None:
    """Raise :class:`CorpusError` for more columns than a table may have."""
    if columns > MOST_COLUMNS:
        raise CorpusError(
            f"The table has more columns than {MOST_COLUMNS:,}, which is the most. Leave out those that "
            "are not needed."
        )


def _chosen(counts: Mapping[str, Sequence[int]], tabbed: bool) -> str:
    if tabbed and max(counts["\t"], default=1) > 1:
        return "\t"
    if alike := {separator: cells[0] for separator, cells in counts.items() if len({*cells}) == 1}:
        most = max(alike, key=lambda separator: alike[separator])  # the first of several
        if alike[most] > 1:
            return most
    if tabbed:
        return "\t"
    return ";" if counts[","][:1] == [1] and [*counts[";"][:1]] > [1] else ","


def _heads(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The beginning of a file, several times as long each time, and all of it at last."""
    held, given, asked = bytearray(), -1, _FIRST
    for part in parts:
        held += part
        if len(held) >= asked:
            yield bytes(held).removeprefix(_MARK)
            given, asked = len(held), _TIMES * len(held)
    if len(held) > given:
        yield bytes(held).removeprefix(_MARK)


@dataclass(frozen=True)
class _Rows:
    """How many cells each of the first rows has, and whether all of these rows are there to their ends."""

    cells: list[int]
    whole: bool

    @classmethod
    def of(cls, head: bytes, separator: str) -> _Rows:
        mark, cell = separator.encode(), _cell(separator)
        cells, ended = list[int](), False
        at = _end(_EMPTY, head, 0)
        while at < len(head) and len(cells) < ROWS_CUT:
            count, at = 1, _end(cell, head, at)
            while head[at : at + 1] == mark and count <= MOST_COLUMNS:
                count, at = count + 1, _end(cell, head, at + 1)
            at = _end(_LINE, head, at)  # of a row with too many
            ended = at < len(head)
            cells.append(count)
            at = _end(_EMPTY, head, at)
        return cls(cells, ended and len(cells) == ROWS_CUT)


@cache
def _cell(separator: str) -> re.Pattern[bytes]:
    """A cell, in quotes where it begins with one."""
    return re.compile(rb'(?:"(?:[^"]++|"")*+"?+)?+[^%b\r\n]*+' % re.escape(separator.encode()))


def _end(pattern: re.Pattern[bytes], text: bytes, start: int) -> int:
    """Where what the pattern matches ends: each of those here matches at least nothing."""
    found = pattern.match(text, start)
    return start if found is None else found.end()
