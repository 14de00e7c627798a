"""A table of a slide on the page Deck: numbers on the right, with the digits they are presented with."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.deck.document import Table

_FRACTION = re.compile(r"-?[0-9]+\.([0-9]+)")


def show(table: Table, *, alt: str) -> None:
    """The table nearly as it is presented: a column of numbers can be sorted by them."""
    frame = table.frame()
    rows = table.as_read()
    read = [[row[place] for row in rows] for place in range(len(table.columns))]
    columns, looks = {}, {}
    for place, (name, right) in enumerate(zip(_names(table), table.on_right(), strict=True)):
        column = frame.iloc[:, place]
        is_text = not pd.api.types.is_numeric_dtype(column.dtype)
        columns[name] = pd.Series(read[place], dtype=str) if is_text else column  # Arrow mixes no kinds
        if right and is_text:
            looks[name] = st.column_config.TextColumn(alignment="right")
        elif right:
            looks[name] = st.column_config.NumberColumn(format=_form(read[place]))
    st.dataframe(pd.DataFrame(columns), hide_index=True, placeholder="", alt=alt, column_config=looks)


def _names(table: Table) -> list[str]:
    """The names of the columns; where two are the same, all are numbered."""
    if len(set(table.columns)) == len(table.columns):
        return [*table.columns]
    return [f"{place} {name}" for place, name in enumerate(table.columns, 1)]


def _form(cells: Sequence[str]) -> str | None:
    """How fractions are written: with as many digits behind the point as the longest, none with powers."""
    digits = [len(found[1]) for cell in cells if (found := _FRACTION.fullmatch(cell))]
    return f"%.{max(digits)}f" if digits and not any("e" in cell for cell in cells) else None
