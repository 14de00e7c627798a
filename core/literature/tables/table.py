"""Reading the tables: a file of ``data`` is read when it is first asked for, and kept.

Each line is one printed figure: paper, table, group (the heading that the row stands under), row, column,
the value as it is printed, its unit, whether it is bold or underlined, and a note. Row and column are the
labels of the paper; a row that is printed under another bears its name too ("idf^W + zscore"). ``-`` stands
where the table has a dash. A column that begins with ``?`` says that the text at hand has lost the column.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from core.errors import StrataError, closest, shorten
from core.literature.tables.catalogue import TABLES, Listed
from core.literature.tables.papers import Paper, paper

DIMENSIONS = "dimensions"
"""The unit of a column that says how long a system's vectors are; it is no result."""

FIELDS = ("paper", "table", "group", "row", "column", "value", "unit", "bold", "note")
"""The columns of a file."""

_FOLDER = files(__package__) / "data"


@dataclass(frozen=True)
class Cell:
    """One printed figure.

    Attributes
    ----------
    paper, table
        The number of the paper, and the table's name there.
    group
        The heading that the row stands under; empty without one.
    row, column
        Their labels.
    printed
        The figure as it is printed, with its zeros; ``-`` for a dash.
    unit
        ``Spearman × 100``, ``Pearson × 100``, ``accuracy (%)``, ``error rate (%)``, ``ms``, ``cosine`` or
        :data:`DIMENSIONS`.
    emphasis
        ``bold`` or ``underlined`` where the text at hand marks the figure; it has lost most marks.
    note
        What else the table says of the figure.
    """

    paper: str
    table: str
    group: str
    row: str
    column: str
    printed: str
    unit: str
    emphasis: str
    note: str

    @property
    def value(self) -> float | None:
        """The figure as a number; none for a dash and for a range of dimensions."""
        try:
            return float(self.printed)
        except ValueError:
            return None

    @property
    def decimals(self) -> int:
        """How many decimals the cell is printed with."""
        return len(self.printed.partition(".")[2])

    @property
    def scale(self) -> float:
        """What a printed figure is multiplied by to stand beside one here: cosines are printed as such."""
        return 100.0 if self.unit == "cosine" else 1.0

    @property
    def digits(self) -> int:
        """Decimals that tell a figure here from the printed one: those of print for a cosine, else two."""
        return self.decimals if self.unit == "cosine" else 2

    @property
    def is_result(self) -> bool:
        """Whether the figure is a measured one, rather than a dash or a number of dimensions."""
        return self.value is not None and self.unit != DIMENSIONS

    @property
    def is_placed(self) -> bool:
        """Whether its column is known."""
        return not self.column.startswith("?")


@dataclass(frozen=True)
class Table:
    """A printed table.

    Attributes
    ----------
    paper
        The paper.
    name
        Its number, or a word for it.
    title
        What it shows.
    cells
        Its figures, row by row.
    """

    paper: Paper
    name: str
    title: str
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        """``Table 4``, or the name alone where it is no number."""
        return self.name if self.name[:1].islower() or " " in self.name else f"Table {self.name}"

    @property
    def place(self) -> str:
        """``000 11``, by which it is told apart from all others."""
        return f"{self.paper.number} {self.name}"

    @cached_property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Group and label of each row, in their order."""
        return tuple(dict.fromkeys((cell.group, cell.row) for cell in self.cells))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns in their order, less lost ones."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells if cell.is_placed))

    @cached_property
    def _at(self) -> dict[tuple[str, str, str], Cell]:
        return {(cell.group, cell.row, cell.column): cell for cell in self.cells}

    def group_of(self, row: str) -> str:
        """The heading that the row of this label stands under.

        Raises
        ------
        StrataError
            The table has no such row, or one under several headings.
        """
        groups = [group for group, label in self.rows if label == row]
        if len(groups) != 1:
            known = dict.fromkeys(label for _, label in self.rows)
            what = f"has no such row.{closest(row, known)} Its rows are {', '.join(known)}."
            if groups:
                what = f"has it under several headings: {', '.join(groups)}."
            raise StrataError(f"row {shorten(row)}: paper {self.paper.number}, {self.label}, {what}")
        return groups[0]

    def get(self, row: str, column: str, group: str | None = None) -> Cell | None:
        """The cell there, or none; without a group the row stands under one heading alone."""
        return self._at.get((self.group_of(row) if group is None else group, row, column))

    def cell(self, row: str, column: str, group: str | None = None) -> Cell:
        """The cell there.

        Raises
        ------
        StrataError
            The table has no such cell.
        """
        if (found := self.get(row, column, group)) is None:
            raise StrataError(
                f"paper {self.paper.number}, {self.label}, has no cell in row {shorten(row)}, "
                f"column {shorten(column)}; its columns are {', '.join(self.columns)}."
            )
        return found

    def value(self, row: str, column: str, group: str | None = None) -> float | None:
        """The figure of :meth:`cell`; none where the table has a dash."""
        return self.cell(row, column, group).value

    def of_row(self, row: str, group: str | None = None) -> tuple[Cell, ...]:
        """The cells of a row, in the order of the columns."""
        group = self.group_of(row) if group is None else group
        return tuple(cell for cell in self.cells if (cell.group, cell.row) == (group, row))

    @property
    def results(self) -> int:
        """How many measured figures it holds."""
        return sum(cell.is_result for cell in self.cells)


def tables(number: str | None = None) -> tuple[Table, ...]:
    """All tables, or those of the paper of this number.

    Raises
    ------
    StrataError
        There is no such paper.
    """
    known = None if number is None else paper(number).number
    return tuple(_read(listed) for listed in TABLES if known in (None, listed.paper))


def find_table(number: str, name: str) -> Table:
    """The table of this name in the paper of this number; ``III`` and ``3`` are the same.

    Raises
    ------
    StrataError
        There is no such paper, or it has no such table.
    """
    of_paper = [listed for listed in TABLES if listed.paper == paper(number).number]
    wanted = name.strip().casefold().removeprefix("table ")
    for listed in of_paper:
        if wanted in _names(listed):
            return _read(listed)
    allowed = "; ".join(listed.name for listed in of_paper)
    raise StrataError(f"table of paper {paper(number).number}: got {shorten(name)}; allowed is {allowed}.")


_ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8"}


def _names(listed: Listed) -> Iterator[str]:
    """What a table may be called, in small letters."""
    yield listed.name.casefold()
    if listed.name in _ROMAN:
        yield _ROMAN[listed.name]


@cache
def _read(listed: Listed) -> Table:
    text = (_FOLDER / f"{listed.file}.tsv").read_text("utf-8")
    lines = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    cells = tuple(
        Cell(
            paper=listed.paper,
            table=listed.name,
            group=line["group"],
            row=line["row"],
            column=line["column"],
            printed=line["value"],
            unit=line["unit"],
            emphasis=line["bold"],
            note=line["note"],
        )
        for line in lines
    )
    return Table(paper(listed.paper), listed.name, listed.title, cells)
