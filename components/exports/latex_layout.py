r"""How a table of LaTeX comes onto a page: its type, its columns, and the parts of one that is too wide.

Widths are those of Computer Modern, and the page is that of LaTeX's article. What fits is set as it is.
What does not gets names of columns on several lines and texts that break theirs, then smaller type, then a
page on its side; what is wider still is parted, and each part repeats the columns that tell its rows apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

LINE, HEIGHT = 345.0, 550.0
"""Points of a page of article: a line and all lines; the other way round where the page is on its side."""

AROUND = 40.0
"""Points of a page that rules, names of columns and spaces around a table take."""

ONE_PAGE = 40
"""Rows from which on a table goes on over pages, however low they are."""

FEW_LINES, LINES = 3, 6
"""Lines that a long text takes in its column, about: if there is room, and at most."""

LONG = 100.0
"""Points of a text from which on its column breaks lines where the table is too wide."""

MOST = 0.45
"""Share of a line that a column of texts gets however long they are; more if there is room."""

KEYS = 0.4
"""Share of a line that the columns which name the rows of a part may take, beside their numbers."""

ROW = "row"
"""What the column is called that numbers the rows of parts, where no others tell them apart."""

RAGGED = 1.15
"""How much longer lines are than their words: they break between words."""

_LETTERS = {
    2.78: " !'`,.:;ijl[]|",
    3.9: "-()rstf",
    5.0: "acegoz0123456789/",
    5.6: '?S\\"*$_^~#bdhknpquvxyI{}',
    7.8: "ABCDEFGHJKLNOPQRTUVXYZ+=<>&w",
    10.3: "MW%@m",
}
"""Letters by their points in type of 10 points, or a little more; others count as the widest."""

_POINTS = {letter: points for points, letters in _LETTERS.items() for letter in letters}

_WIDEST = max(_LETTERS)

BREAKS = re.compile(r"(?<=;)(?=\S)|(?<=[+,/])(?=[^\W\d])")
"""Where lines may break beside blanks and hyphens: between the stages of a recipe, which has no blanks."""

_PIECES = re.compile(rf"(?<=[\s-])(?=\S)|{BREAKS.pattern}")


@dataclass(frozen=True)
class Look:
    """The command for a size of type, how wide it is, the height of a line, and points beside columns."""

    size: str
    scale: float
    high: float
    beside: float
    on_side: bool = False

    @property
    def line(self) -> float:
        """Points of a line."""
        return HEIGHT if self.on_side else LINE

    @property
    def height(self) -> float:
        """Points of all lines of a page."""
        return LINE if self.on_side else HEIGHT


PLAIN = Look("", 1.0, 12.0, 6.0)
"""As LaTeX has it."""

LOOKS = (
    PLAIN,
    Look("small", 0.93, 11.0, 4.0),
    Look("footnotesize", 0.86, 9.5, 3.0),
    Look("scriptsize", 0.8, 8.0, 2.5),
    Look("footnotesize", 0.86, 9.5, 3.0, on_side=True),
    Look("scriptsize", 0.8, 8.0, 2.0, on_side=True),
)
"""Looks of a table, the one that is read best first."""

TRIED = (
    *((look, lines) for lines in range(FEW_LINES, LINES) for look in LOOKS if not look.on_side),
    *((look, LINES) for look in LOOKS),
)
"""Each look with the lines of long texts."""

PARTED = LOOKS[2]
"""The look of a table that is set in parts."""


@dataclass(frozen=True)
class Column:
    """A column of a part: its place in the table, points, its name line by line, and how it is set.

    The place behind the last one is that of the numbers of the rows. ``breaks`` is whether its texts break
    their lines.
    """

    place: int
    points: float
    name: tuple[str, ...]
    number: bool
    breaks: bool = False


@dataclass(frozen=True)
class Layout:
    """The look of a table, the columns of each of its parts, and whether rows go on over pages."""

    look: Look
    parts: tuple[tuple[Column, ...], ...]
    over_pages: bool


def layout(
    names: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], caption: str = ""
) -> Layout:
    """The first look in which the table fits; parts of it where it fits in none."""
    cells = [
        _Cells(place, name, [row[place] for row in rows], numbers[place])
        for place, name in enumerate(names)
    ]
    plain = tuple(one.plain() for one in cells)
    if _taken(plain, PLAIN) <= LINE:
        return Layout(PLAIN, (plain,), _over_pages(plain, cells, PLAIN, caption))
    for look, lines in TRIED:
        if (fitted := _fitted(cells, look, lines)) is not None:
            return Layout(look, (fitted,), _over_pages(fitted, cells, look, caption))
    counted = _Cells(len(cells), ROW, row_numbers(len(rows)), True)
    parts = tuple(_spread(part, [*cells, counted], PARTED) for part in _parts(cells, counted, rows))
    are_long = any(_over_pages(part, [*cells, counted], PARTED, caption) for part in parts)
    return Layout(PARTED, parts, are_long)


def row_numbers(rows: int) -> list[str]:
    """The cells of the column that numbers rows."""
    return [str(number) for number in range(1, rows + 1)]


def width(text: str) -> float:
    """About how many points ``text`` is wide in type of 10 points, and rarely more."""
    return sum(_POINTS.get(letter, _WIDEST) for letter in text)


class _Cells:
    """The cells of a column, measured: the widest, and the widest piece that does not break."""

    def __init__(self, place: int, name: str, cells: Sequence[str], number: bool) -> None:
        self.place, self.name, self.number = place, name, number
        self.widths = [width(cell) for cell in cells]
        self.widest = max(self.widths, default=0.0)
        self.piece = max((_piece(cell) for cell in cells), default=0.0)

    def plain(self) -> Column:
        """As wide as it is."""
        return Column(self.place, max(self.widest, width(self.name)), (self.name,), self.number)

    def narrow(self, look: Look, lines: int = LINES) -> Column:
        """As narrow as it can be read, long texts on so many lines."""
        name = _piece(self.name)
        if self.number or self.widest <= LONG or self.piece == self.widest:
            body = max(self.widest, name)
            return Column(self.place, body * look.scale, _lines(self.name, body), self.number)
        least = min(RAGGED * self.widest / lines * look.scale, MOST * look.line)
        least = max(least, self.piece * look.scale, name * look.scale)
        return Column(self.place, min(least, look.line), (self.name,), number=False, breaks=True)

    def high(self, column: Column, look: Look) -> list[int]:
        """How many lines each cell takes."""
        if not column.breaks:
            return [1] * len(self.widths)
        return [max(1, math.ceil(RAGGED * one * look.scale / column.points)) for one in self.widths]


def _piece(text: str) -> float:
    """The widest piece of ``text`` that does not break."""
    return max(width(piece.strip()) for piece in _PIECES.split(text))


def _lines(name: str, points: float) -> tuple[str, ...]:
    """A name on lines of so many points."""
    lines = [""]
    for piece in _PIECES.split(name):
        if lines[-1] and width((lines[-1] + piece).strip()) > points:
            lines.append("")
        lines[-1] += piece
    return tuple(line.strip() for line in lines)


def _taken(columns: Sequence[Column], look: Look) -> float:
    return sum(column.points + 2 * look.beside for column in columns)


def _fitted(cells: Sequence[_Cells], look: Look, lines: int) -> tuple[Column, ...] | None:
    """The columns in a look; None where they are too wide for it."""
    narrow = [one.narrow(look, lines) for one in cells]
    return None if _taken(narrow, look) > look.line else _spread(narrow, cells, look)


def _spread(columns: Sequence[Column], cells: Sequence[_Cells], look: Look) -> tuple[Column, ...]:
    """Columns of texts with what the others leave of the line, by what they want."""
    free = max(0.0, look.line - _taken(columns, look))
    wanted = [
        max(0.0, RAGGED * cells[column.place].widest * look.scale - column.points) if column.breaks else 0.0
        for column in columns
    ]
    share = min(1.0, free / sum(wanted)) if sum(wanted) else 0.0
    return tuple(
        replace(column, points=column.points + share * more)
        for column, more in zip(columns, wanted, strict=True)
    )


def _parts(cells: Sequence[_Cells], counted: _Cells, rows: Sequence[Sequence[str]]) -> list[list[Column]]:
    """As many columns a part as a line holds, each after those that tell the rows apart.

    Those are the first columns, or with them the numbers of the rows (``counted``).
    """
    columns = [one.narrow(PARTED) for one in cells]
    named = _keys(columns, rows)
    keys = named if _tell_apart(len(named), rows) else [counted.narrow(PARTED), *named]
    parts = [list(keys)]
    for column in columns[len(named) :]:
        if len(parts[-1]) > len(keys) and _taken([*parts[-1], column], PARTED) > LINE:
            parts.append(list(keys))
        parts[-1].append(column)
    return parts


def _keys(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[Column]:
    """The columns that name the rows: the texts that the table begins with, or its first column.

    With as many more as tell the rows apart, where there is room for these.
    """
    texts = list(takewhile(lambda column: not column.number, columns))
    while len(texts) > 1 and _taken(texts, PARTED) > KEYS * LINE:
        texts.pop()
    first = texts or list(columns[:1])
    first = [replace(key, points=min(key.points, KEYS * LINE)) if key.breaks else key for key in first]
    for many in range(len(first), len(columns) + 1):
        keys = [*first, *columns[len(first) : many]]
        if many > len(first) and _taken(keys, PARTED) > KEYS * LINE:
            break
        if _tell_apart(many, rows):
            return keys
    return first


def _tell_apart(columns: int, rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows that are alike in so many first columns are alike."""
    return len({tuple(row[:columns]) for row in rows}) == len({*map(tuple, rows)})


def _over_pages(columns: Sequence[Column], cells: Sequence[_Cells], look: Look, caption: str) -> bool:
    """Whether the rows are more, or higher, than a page holds."""
    lines = [max(row) for row in zip(*(cells[one.place].high(one, look) for one in columns), strict=True)]
    above = PLAIN.high * math.ceil(RAGGED * width(caption) / look.line)
    return len(lines) > ONE_PAGE or sum(lines) * look.high > look.height - above - AROUND
