"""The table of all pairs with their ranks, on the page Compare."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from components.compare import chosen_pair

KEY = "compare.pairs"


def show(table: pd.DataFrame) -> None:
    """All pairs in a table to sort; a row chooses its pair."""
    number = st.column_config.NumberColumn(format="%.3f")
    shared = st.column_config.NumberColumn(format="%.2f", help="Jaccard index of the two sets of words")
    st.dataframe(
        table,
        hide_index=True,
        column_config={"A": number, "B": number, "words shared": shared},
        height=300,
        key=KEY,
        on_select=partial(_take, table),
        selection_mode="single-row",
    )


def _take(table: pd.DataFrame) -> None:
    """Choose the pair of the selected row."""
    rows = st.session_state[KEY]["selection"]["rows"]
    if rows:
        row = table.iloc[rows[0]]
        chosen_pair.put((int(row["first"]), int(row["second"])))
