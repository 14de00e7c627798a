"""The page Papers: its head, and the paper, table and cell that a visitor looks at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import held, selection
from components.controls import forget
from components.explain import heading
from core.literature.tables import PAPERS, Paper, Table, find_table, tables
from core.literature.tables.table import Cell

START = ("000", "11")
"""The table one arrives on: one task, and a column that needs no model."""

START_CELL = ("idf^W + zscore", "RE")

CHARACTER, ARROW = 7, 50
"""Pixels of a character in a menu, and of what stands beside its name."""

ROOM = 335
"""Pixels up to which the menus of row and column stand beside each other with whole names."""

_CELLS, _TABLE = "papers.cells", "papers.looked_at"
"""Keys of the cell that each table had in this visit, and of the table that was looked at last."""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Papers",
        "What do papers print, and what does the same recipe give here?",
        "A cell shows the **printed** figure and, behind the dot, the one that is **measured here**, "
        "coloured by the difference: blue is higher here, red lower. A cell on the page's own colour can "
        "be computed, a grey one cannot; why stands on hover and under the table. The recipe of a cell "
        "follows the paper's definition. Rows on BERT take the **model of recipe A**; where that is "
        "another model, or anything else is known to differ, the figure is in italics and is not expected "
        "to be the printed one. The interval is a bootstrap over the rows of the corpus: a printed figure "
        "outside of it is not met by chance alone. △ marks what does not add up in print.",
    )


def choose() -> Table:
    """The chosen table."""
    left, right = st.columns([2, 3], gap="small")
    cited = {paper.citation: paper for paper in PAPERS}
    first = find_table(*START)
    forget("paper", cited, first.paper.citation)
    with left:
        chosen = st.selectbox(
            "Paper",
            list(cited),
            index=list(cited).index(first.paper.citation),
            key="paper",
            bind="query-params",
            persist_state="session",
        )
    paper = cited.get(chosen or "", first.paper)
    offered = titled(paper)
    names = list(offered)
    start = next((number for number, table in enumerate(offered.values()) if table == first), 0)
    forget("table", names, names[start])
    with right:
        name = st.selectbox(
            "Table",
            names,
            index=start,
            key="table",
            bind="query-params",
            persist_state="session",
        )
    return offered.get(name or "", offered[names[start]])


def choose_cell(table: Table) -> Cell:
    """The chosen cell, by menus or by a click on the table."""
    rows, columns = rows_of(table), columns_of(table)
    row, column = START_CELL
    names = list(rows)
    first_row = row if row in rows else names[0]
    first_column = column if column in columns else columns[_first_result(table, columns)]
    _recall(table)
    forget("papers.row", names, first_row)
    forget("papers.column", columns, first_column)
    wide = [ARROW + CHARACTER * max(map(len, every)) for every in (names, columns)]
    beside = sum(wide) <= ROOM
    with st.container(horizontal=beside, gap="small"):
        named = st.selectbox(
            "Row",
            names,
            index=names.index(first_row),
            key="papers.row",
            bind="query-params",
            persist_state="session",
        )
        in_column = st.selectbox(
            "Column",
            columns,
            index=columns.index(first_column),
            key="papers.column",
            bind="query-params",
            persist_state="session",
            width=max(wide[1], 110) if beside else "stretch",
        )
        held.tell_behind("papers.cell")
    st.session_state[_CELLS][table.place] = {"papers.row": named, "papers.column": in_column}
    group, label = rows.get(named or "", rows[names[0]])
    found = table.get(label, in_column or columns[0], group)
    return found or next(cell for cell in table.of_row(label, group) if cell.is_placed)


def _recall(table: Table) -> None:
    """Choose the cell that a table had, where another one was looked at in between.

    A column of that one may have the name of another thing here: Avg. is a mean over tasks, or a method.
    """
    cells, place = st.session_state.setdefault(_CELLS, {}), table.place
    if st.session_state.get(_TABLE, place) != place:
        for key, chosen in cells.get(place, {}).items():
            if key in st.session_state:  # a link that was just followed says its own
                st.session_state[key] = chosen
    st.session_state[_TABLE] = place


def take_cell(table: Table, cell: Cell) -> None:
    """Choose a cell from a callback."""
    selection.take("papers.row", named_row(table, cell))
    selection.take("papers.column", cell.column)


def named_row(table: Table, cell: Cell) -> str:
    """The name of the cell's row in the menu."""
    return next(name for name, place in rows_of(table).items() if place == (cell.group, cell.row))


def rows_of(table: Table) -> dict[str, tuple[str, str]]:
    """Group and label of each row that has a place, by a name that tells rows apart."""
    placed = dict.fromkeys((cell.group, cell.row) for cell in table.cells if cell.is_placed)
    labels = [row for _, row in placed]
    return {row if labels.count(row) == 1 else f"{row} ({group})": (group, row) for group, row in placed}


def columns_of(table: Table) -> list[str]:
    """The columns in the order of print."""
    return list(table.columns)


def titled(paper: Paper) -> dict[str, Table]:
    """The tables of a paper by their names in the menu."""
    return {f"{table.label}: {table.title}": table for table in tables(paper.number)}


def _first_result(table: Table, columns: Sequence[str]) -> int:
    """The first column that holds results: not that of dimensions."""
    results = {cell.column for cell in table.cells if cell.is_result}
    return next(number for number, column in enumerate(columns) if column in results)
