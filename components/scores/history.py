"""Every recipe scored in this visit, as a table to sort and to take away."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import downloads
from core.corpora.corpus import Corpus
from core.evaluation.sts import Score

_KEY = "history"


def add(corpus: Corpus, recipe_text: str, model: str, score: Score, seconds: float) -> None:
    """Remember a score; the same recipe on the same corpus stands once, at its first place."""
    row = {
        "recipe": recipe_text,
        "Spearman × 100": score.spearman,
        "low": score.low,
        "high": score.high,
        "Pearson × 100": score.pearson,
        "corpus": corpus.name,
        "split": corpus.split_name,
        "pairs": score.pairs,
        "aggregate": score.aggregate,
        "seconds": seconds,
        "model": model,
        "fingerprint": corpus.fingerprint,
    }
    kept = st.session_state.setdefault(_KEY, {})
    kept.setdefault((recipe_text, model, corpus.fingerprint, score.aggregate), row)


def show() -> None:
    """The table, best first, with a download."""
    rows = list(st.session_state.get(_KEY, {}).values())
    table = pd.DataFrame(rows).sort_values("Spearman × 100", ascending=False, ignore_index=True)
    st.markdown(f"##### {finding(table)}")
    st.dataframe(
        table,
        hide_index=True,
        column_order=[c for c in table.columns if c != "fingerprint"],
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in ("Spearman × 100", "low", "high", "Pearson × 100")
        }
        | {"seconds": st.column_config.NumberColumn("seconds", format="%.3f")},
    )
    st.caption(
        "The best of many tries looks better than it is: with 20 recipes, expect one to lead by chance. "
        "Choose on dev, report on test."
    )
    downloads.csv(table, "recipes")


def finding(table: pd.DataFrame) -> str:
    """How many scores of how many recipes were computed."""
    scores, recipes = len(table), table["recipe"].nunique()
    words = f"{recipes} recipe{'s' if recipes > 1 else ''}"
    return f"Tried in this visit: {words if scores == recipes else f'{scores} scores of {words}'}"
