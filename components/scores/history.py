"""Every score of A and B seen in this visit, as a table to sort, to take recipes from, and to take away."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import downloads, names, seen_scores, table_numbers, table_row, take
from components.scores import kept
from components.text import escape
from core.errors import counted
from core.pipeline.engine import Engine
from core.recipe import Recipe

_KEY = "history"


def show(engine: Engine) -> None:
    """The table, best first, with a download; a row that is chosen can be taken as A or B, or kept."""
    table = pd.DataFrame(seen_scores.rows()).sort_values(
        "Spearman × 100", ascending=False, ignore_index=True
    )
    table.insert(0, "name", names.called([Recipe.parse(text) for text in table["recipe"]]))
    st.markdown(f"## {finding(table)}")
    decimals = dict.fromkeys(("Spearman × 100", "low", "high", "Pearson × 100"), 2)
    chosen = st.dataframe(
        table_numbers.written(table, decimals | {"seconds": 3}),
        hide_index=True,
        key=f"{_KEY}.table/{len(table)}",
        on_select="rerun",
        selection_mode=table_row.MODE,
        alt=finding(table),
        column_order=[c for c in table.columns if c != "fingerprint"],
    )
    if (row := table_row.chosen(chosen, len(table))) is not None:
        _offer(engine, Recipe.parse(table["recipe"][row]))
    st.caption(
        "The best of many tries looks better than it is: with 20 recipes, expect one to lead by chance. "
        "Choose on dev, report on test. A row that is chosen can be taken as A or B, or kept by name."
    )
    downloads.csv(table, "recipes")


def _offer(engine: Engine, recipe: Recipe) -> None:
    """What is done with a recipe that was tried."""
    (name,) = names.called([recipe])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{escape(name)}**", width="content")
        take.buttons(recipe, name, f"{_KEY}.take")
        kept.offer(engine, recipe, f"{_KEY}.keep")


def finding(table: pd.DataFrame) -> str:
    """How many scores of how many recipes were seen as A or B, in the bar of any page or here."""
    scores, recipes = len(table), table["recipe"].nunique()
    words = counted(recipes, "recipe")
    return f"Tried in this visit: {words if scores == recipes else f'{scores} scores of {words}'}"
