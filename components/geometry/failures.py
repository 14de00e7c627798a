"""Recipes that could not be measured, on the page Geometry."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.geometry.page import Measured
from components.text import escape


def show(measured: Measured) -> None:
    """The recipes that could not be measured, and why."""
    if not measured.failed:
        return
    with st.expander(f"{len(measured.failed)} could not be measured here, and why"):
        rows = pd.DataFrame(measured.failed.items(), columns=["recipe", "why"])
        st.table(rows.map(escape), hide_index=True, alt="Recipes that could not be measured, and why")
