"""Links between a printed figure on the page Papers and the methods that it is published of."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import link
from components.papers.page import named_row, titled
from components.text import escape
from core.literature.presets.of_paper import presets_with
from core.literature.tables import find_table
from core.literature.tables.table import Cell


def place(cell: Cell) -> dict[str, str]:
    """The parameters of the page Papers that show this cell."""
    table = find_table(cell.paper, cell.table)
    title = next(title for title, one in titled(table.paper).items() if one == table)
    return {
        "paper": table.paper.citation,
        "table": title,
        "papers.row": named_row(table, cell),
        "papers.column": cell.column,
    }


def to_papers(cell: Cell) -> None:
    """The link to the cell."""
    table = find_table(cell.paper, cell.table)
    st.page_link(
        "pages/papers.py",
        label=escape(f"{cell.printed} in {table.label} of {table.paper.citation}"),
        icon=":material/arrow_forward:",
        query_params=link.setting(link.kept() | place(cell)),
        help=escape(f"The page Papers, at {cell.row}, {cell.column}"),
    )


def to_methods(cell: Cell, corpus: Mapping[str, str]) -> None:
    """A link to each method that the cell is published of; ``corpus`` are parameters that choose one."""
    for preset in presets_with(cell):
        st.page_link(
            "pages/methods.py",
            label=escape(f"The method {preset.name}"),
            icon=":material/arrow_forward:",
            query_params=link.setting(link.kept() | {"method": preset.name} | corpus),
            help="The page Methods: what it does stage by stage, and all its published figures",
        )
