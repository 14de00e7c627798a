"""Tables as files to take away."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.exports import tables


def csv(table: pd.DataFrame, name: str) -> None:
    """A small button that gives ``table`` as ``name``.csv, readable by spreadsheets."""
    st.download_button(
        "CSV",
        lambda: tables.csv((), table),
        f"{name}.csv",
        "text/csv",
        icon=":material/table:",
        type="tertiary",
        on_click="ignore",
        key=f"{name}.csv",
    )
