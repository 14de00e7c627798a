"""What does not add up in print: computed from the tables, and a few that are told.

A slip says nothing about a method. It says which printed figure or label cannot be taken at its word, so
that nobody looks here for the cause of a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.literature.tables.catalogue import (
    CLUSTERING,
    OF_CLUSTERING,
    OF_SIMILARITY,
    SIMILARITY,
    SINGLE_TASKS,
)
from core.literature.tables.papers import paper
from core.literature.tables.same_systems import SAME_CELLS, SAME_ROWS, Row
from core.literature.tables.table import DIMENSIONS, Cell, Table, find_table, tables

Kind = Literal["average", "mean of tables", "two tables", "emphasis", "sum", "label", "text"]
"""An average that is not the mean of its row, one that is not the mean of the tables of single tasks, one
system with two figures, a bold figure that is not the best, a sum of unlike terms, a label, a statement."""

AVERAGE = "Avg."
"""The column of averages; in paper 000 a model is called so."""

_A_MODEL = "000"

_LOWER_IS_BETTER = ("error rate (%)", "ms")


@dataclass(frozen=True)
class Slip:
    """One thing that does not add up.

    Attributes
    ----------
    kind
        What kind of thing.
    paper, table
        Where it stands: numbers, as in :func:`~core.literature.tables.table.find_table`.
    row, column
        The labels of the cell; empty where the slip is about more than one.
    told
        What does not add up, in a sentence or two.
    """

    kind: Kind
    paper: str
    table: str
    row: str
    column: str
    told: str

    def is_of(self, cell: Cell) -> bool:
        """Whether it is about a cell; one of a whole row is about each of its cells."""
        return self.row == cell.row and self.column in ("", cell.column)


@cache
def slips() -> tuple[Slip, ...]:
    """All slips that are known, by paper and table in the order of the tables."""
    found = [
        *_averages(),
        *_means_of_tables(),
        *_two_figures(),
        *_emphasis(),
        *_sums(),
        *_without_effect(),
        *_TOLD,
    ]
    order = {(table.paper.number, table.name): number for number, table in enumerate(tables())}
    return tuple(sorted(found, key=lambda slip: order[slip.paper, slip.table]))


def slips_of(table: Table) -> tuple[Slip, ...]:
    """The slips of one table."""
    return tuple(slip for slip in slips() if (slip.paper, slip.table) == (table.paper.number, table.name))


def mean_of_row(table: Table, row: str, group: str | None = None) -> tuple[float, float] | None:
    """The mean of a row's results, and how far the printed average may be from it by rounding alone.

    None where the table has no column of averages, or the row nothing beside it.
    """
    if table.paper.number == _A_MODEL:
        return None
    cells = [cell for cell in table.of_row(row, group) if cell.is_result]
    averages = [cell for cell in cells if cell.column == AVERAGE]
    others = [cell for cell in cells if cell.column != AVERAGE]
    if not averages or not others:
        return None
    return _mean(others, averages[0])


def is_mean_of_row(table: Table, row: str, group: str | None = None) -> bool:
    """Whether a printed average is the mean of its row, within rounding; true where nothing can be said."""
    mean = mean_of_row(table, row, group)
    average = table.get(row, AVERAGE, group)
    if mean is None or average is None or average.value is None:
        return True
    return abs(average.value - mean[0]) <= mean[1]


def _rounding(cell: Cell) -> float:
    """Half a unit of the last printed digit."""
    return 0.5 * 10.0**-cell.decimals


def _values(cells: list[Cell]) -> list[float]:
    return [cell.value for cell in cells if cell.value is not None]


def _mean(cells: list[Cell], average: Cell) -> tuple[float, float]:
    values = _values(cells)
    rounding = sum(map(_rounding, cells)) / len(cells) + _rounding(average)
    return sum(values) / len(values), rounding + 1e-9


def _averages() -> Iterator[Slip]:
    for table in tables():
        for group, row in table.rows:
            mean = mean_of_row(table, row, group)
            if mean is None or is_mean_of_row(table, row, group):
                continue
            printed = table.cell(row, AVERAGE, group).printed
            told = f"The average is printed as {printed}; the mean of the row is {mean[0]:.2f}."
            yield Slip("average", table.paper.number, table.name, row, AVERAGE, told)


def _means_of_tables() -> Iterator[Slip]:
    """Averages of Tables 4 and 5 of paper 000 against Tables 6 to 19, by more than rounding."""
    single = {task: find_table("000", number) for number, task in SINGLE_TASKS.items()}
    kinds = {OF_SIMILARITY: SIMILARITY, OF_CLUSTERING: CLUSTERING}
    parts = {heading: [single[task] for task in tasks] for heading, tasks in kinds.items()}
    for name in ("4", "5"):
        table = find_table("000", name)
        for cell in table.cells:
            found = [part.get(cell.row, cell.column, "") for part in parts.get(cell.group, ())]
            cells = [one for one in found if one is not None]
            if not cells or cell.value is None:
                continue
            mean, rounding = _mean(cells, cell)
            if abs(cell.value - mean) > rounding:
                told = f"Printed is {cell.printed}; the mean of the tables of single tasks is {mean:.2f}."
                yield Slip("mean of tables", "000", name, cell.row, cell.column, told)


def task(column: str) -> str:
    """A column's task under one name: papers write STSB, STS-12, SST2."""
    plain = re.sub(r"^STS-(\d\d)$", r"STS\1", column)
    return {"STSB": "STS-B", "SST2": "SST"}.get(plain, plain)


def _find(row: Row, column: str) -> Cell:
    return find_table(row.paper, row.table).cell(row.label, column, row.group)


def _same_cells() -> Iterator[tuple[Row, Cell, Row, Cell]]:
    for row, other in SAME_ROWS:
        there = {task(cell.column): cell for cell in find_table(*other[:2]).of_row(*other[2:])}
        for cell in find_table(*row[:2]).of_row(*row[2:]):
            if cell.unit != DIMENSIONS and task(cell.column) in there:
                yield row, cell, other, there[task(cell.column)]
    for row, column, other, other_column in SAME_CELLS:
        yield row, _find(row, column), other, _find(other, other_column)


def _two_figures() -> Iterator[Slip]:
    differ: dict[tuple[Row, Row], list[tuple[Cell, Cell]]] = {}
    for row, cell, other, also in _same_cells():
        if cell.printed != also.printed and (cell.value is None or cell.value != also.value):
            differ.setdefault((row, other), []).append((cell, also))
    for (row, other), cells in differ.items():
        where = f"{paper(other.paper).citation}, {find_table(other.paper, other.table).label}"
        both = "; ".join(f"{cell.column} {cell.printed} and {also.printed}" for cell, also in cells)
        column = cells[0][0].column if len(cells) == 1 else ""
        told = f"The same system has other figures in {where} ({other.label}): {both}."
        yield Slip("two tables", row.paper, row.table, row.label, column, told)


def _emphasis() -> Iterator[Slip]:
    """Bold figures of the slides that are not the best of their column."""
    for name in ("scoreboard", "error rates, SST", "error rates, IMDB", "classification"):
        table = find_table("004", name)
        for column in table.columns:
            cells = [cell for cell in table.cells if cell.column == column]
            best = min if cells[0].unit in _LOWER_IS_BETTER else max
            top = best(cells, key=lambda cell: cell.value or 0.0)
            for cell in cells:
                if cell.emphasis == "bold" and cell.value != top.value:
                    told = f"{cell.printed} is bold; {top.row} has {top.printed}."
                    yield Slip("emphasis", "004", name, cell.row, column, told)


def _sums() -> Iterator[Slip]:
    """SBERT-WK's time on a GPU is SBERT's there and an overhead measured on the CPU."""
    parts, whole = find_table("001", "VIII"), find_table("003", "IV")
    overhead = parts.cell("Overhead of SBERT-WK (SVD)", "CPU")
    missing = parts.cell("Overhead of SBERT-WK (SVD)", "GPU")
    base, total = parts.cell("SBERT", "GPU"), whole.cell("SBERT-WK", "GPU")
    values = _values([base, overhead, total])
    if missing.value is None and abs(values[0] + values[1] - values[2]) < 0.005:
        told = (
            f"{total.printed} ms on the GPU are SBERT's {base.printed} there and the {overhead.printed} of "
            "Wang & Kuo 2020 on the CPU; no overhead on a GPU is printed."
        )
        yield Slip("sum", "003", "IV", "SBERT-WK", "GPU", told)


def _without_effect() -> Iterator[Slip]:
    """The weights printed as idf^T change nothing for word vectors from a file."""
    for number in SINGLE_TASKS:
        table = find_table("000", number)
        rows = [row for _, row in table.rows if row.startswith("avg.")]
        pairs = [
            (table.value(row, column), table.value(row.replace("avg.", "idf^T"), column))
            for row in rows
            for column in ("B2S", "B2S-100")
        ]
        alike = sum(plain == weighted for plain, weighted in pairs)
        if alike > len(pairs) / 2:
            told = (
                f"{alike} of {len(pairs)} figures of B2S and B2S-100 under idf^T are those of plain "
                "averages, as if these weights did not apply to them."
            )
            yield Slip("label", "000", table.name, "idf^T", "B2S", told)


_TOLD: tuple[Slip, ...] = (
    Slip(
        "label",
        "000",
        "4",
        "idf^W",
        "",
        "The labels idf^W and idf^T are interchanged, in Tables 6 to 19 too: with random embeddings, which "
        "need no model, idf of the target gives what is printed as idf^W, and idf of WikiText-2 what is "
        "printed as idf^T.",
    ),
    Slip(
        "text",
        "000",
        "4",
        "",
        "",
        "The text on clustering gives tweet 8091 different tokens, Table 2 gives it 5091: it has the "
        "smallest vocabulary by far, and stackoverflow (7332) the next.",
    ),
    Slip(
        "text",
        "001",
        "VIII",
        "Overhead of SBERT-WK (QR)",
        "CPU",
        "The text calls it about 5 % of baseline BERT: 8.59 ms are 5.1 % of SBERT's 168.67 and 9.9 % of "
        "BERT's 86.89.",
    ),
    Slip(
        "text",
        "003",
        "IV",
        "",
        "",
        "The processor is an i7-5930 here and an i7-5930K in Wang & Kuo 2020, with the same time for "
        "InferSent.",
    ),
    Slip(
        "text",
        "004",
        "ablation",
        "last-avg (second row)",
        "",
        "Five poolings are announced, four are printed, and last-avg stands there twice.",
    ),
)
"""Slips that cannot be computed from the tables alone."""
