r"""Whether double quotes enclose the cells of a table that tabs part, or are characters of its texts.

Spreadsheets and pandas put a cell in quotes that holds a quote, a tab or a line break, and double the
quotes in it. Benchmarks put nothing in quotes, and a sentence of theirs may begin with one that does not
end it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import CorpusError, shorten

_MARK = b"\xef\xbb\xbf"
_START, _END = rb"(?:(?<=[\t\r\n])|\A)", rb"(?=[\t\r\n]|\Z)"
_IN_QUOTES = rb'"(?:[^"]++|"")*+"' + _END
_IN_LINE = rb'"(?:[^"\t\r\n]++|"")*+"' + _END

_CELLS, _SHORT_CELLS = (
    re.compile(rb'(?:[^"\t\r\n][^\t\r\n]*+|%b|[\t\r\n])*+' % quoted) for quoted in (_IN_QUOTES, _IN_LINE)
)
"""Cells as far as those in quotes are whole; the short ones hold neither tabs nor line breaks."""

_ENCLOSED = re.compile(_START + _IN_QUOTES)
_DOUBLED = re.compile(_START + rb'"[^"\t\r\n]*+""(?:[^"\t\r\n]++|"")*+"' + _END)
_ALL_ENCLOSED = re.compile(rb"%b(?:\t%b)*+" % (_IN_LINE, _IN_LINE))


def enclose(content: bytes, name: str) -> bool:
    """Whether quotes enclose cells: where each cell that begins with one ends with one, others doubled.

    A cell in quotes may hold tabs and line breaks where fewer rows are of another length then than if
    quotes were characters. ``name`` is what an error calls the file.

    Raises :class:`CorpusError` where both readings are as good, and where one cell that begins with a quote
    does not end with one although quotes clearly enclose others.
    """
    content = content.removeprefix(_MARK)
    if _end(_SHORT_CELLS, content) == len(content):
        return True
    if (wrong := _end(_CELLS, content)) < len(content):
        if _is_quoted_elsewhere(content) or _breaks_lines(content):
            raise CorpusError(
                f"{shorten(name)}: near line {_line(content, wrong)} a cell begins with a double quote and "
                "does not end with one, while quotes enclose others. Double the quotes that are part of a "
                "text, and enclose their cell."
            )
        return False
    enclosed, bare = _odd_rows(content)
    if enclosed == bare:
        raise CorpusError(
            f"{shorten(name)}: near line {_line(content, _end(_SHORT_CELLS, content))} a double quote is "
            "opened, and what stands up to the next could be one cell as well as several. Remove the "
            "quotes in the file, or save it as CSV."
        )
    return enclosed < bare


def _is_quoted_elsewhere(content: bytes) -> bool:
    """Whether a cell has doubled quotes in quotes, or the first line is of cells in quotes alone."""
    first = next(filter(None, content.splitlines()), b"")
    return _ALL_ENCLOSED.fullmatch(first) is not None or _DOUBLED.search(content) is not None


def _breaks_lines(content: bytes) -> bool:
    """Whether a cell in quotes has line breaks that are not the rows': without it the rows are alike."""
    if not any(len(found[0].splitlines()) > 1 for found in _ENCLOSED.finditer(content)):
        return False
    enclosed, bare = _odd_rows(content)
    return enclosed < bare


def _odd_rows(content: bytes) -> tuple[int, int]:
    """How many rows have not as many cells as the first, if quotes enclose cells, and if they do not."""
    return _odd(_ENCLOSED.sub(b"x", content).splitlines()), _odd(content.splitlines())


def _odd(rows: Sequence[bytes]) -> int:
    """How many rows that hold anything have not as many cells as the first."""
    cells = [row.count(b"\t") for row in rows if row.strip()]
    return sum(count != cells[0] for count in cells)


def _line(content: bytes, at: int) -> int:
    """The line of a place in the file, from 1 on."""
    return len((content[:at] + b"x").splitlines())


def _end(cells: re.Pattern[bytes], content: bytes) -> int:
    """Where the first cell begins that is none of these; the end where there is no other."""
    found = cells.match(content)
    return 0 if found is None else found.end()
