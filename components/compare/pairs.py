"""The table of all pairs with their ranks, on the page Compare."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from components import chooser, table_numbers, table_row
from components.compare import chosen_pair, one_pair
from core.analysis.close_pairs import Pair

KEY = "compare.pairs"


def show(table: pd.DataFrame, chosen: Pair | None, *, shared: bool) -> None:
    """All pairs in a table to sort; a row chooses its pair, which stands far above then.

    ``shared`` says that A and B are the same similarity, so that they have a difference.
    """
    st.caption("A row chooses its pair." + (f" {_above(chosen)}" if chosen else ""))
    columns = {
        "words shared": st.column_config.Column(help="Jaccard index of the two sets of words"),
        "change": st.column_config.Column("change of rank", help="Above 0: closer under B than under A"),
    }
    shown = table
    if shared and "B" in table:
        shown = table.copy()
        shown.insert(int(table.columns.get_loc("B")) + 1, "B − A", table["B"] - table["A"])
    key = chooser.key(KEY, chosen and (chosen.first, chosen.second))
    st.dataframe(
        table_numbers.written(shown, {"A": 3, "B": 3, "B − A": 3, "words shared": 2, "change": 0}),
        hide_index=True,
        column_config=columns,
        height=300,
        key=key,
        on_select=partial(_take, table, key),
        selection_mode=table_row.MODE,
        alt=f"All {len(table):,} pairs of sentences with their similarities",
    )


def _above(pair: Pair) -> str:
    """A link to the panel of the chosen pair."""
    return f"[Sentences {pair.first} and {pair.second} stand above](#{one_pair.ANCHOR})."


def _take(table: pd.DataFrame, key: str) -> None:
    """Choose the pair of the selected row."""
    if (number := table_row.chosen(st.session_state[key], len(table))) is not None:
        row = table.iloc[number]
        pair = int(row["first"]), int(row["second"])
        if chooser.makes(KEY, key, pair):
            chosen_pair.put(pair)
