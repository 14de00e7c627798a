"""The pairs that a recipe ranks furthest from their gold score, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.controls import segments
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.evaluation.sts import worst_pairs


def show(corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """Two tables for the chosen recipe: pairs too far apart, and pairs too close."""
    st.markdown("##### The pairs that go most wrong")
    side, *others = sides
    if others:
        side = segments("Under", list(sides), "worst.side", label_visibility="collapsed")
    too_far, too_close = worst_pairs(sides[side].similarities, corpus)
    tables = {
        "Too far apart: gold high, similarity low": too_far,
        "Too close: gold low, similarity high": too_close,
    }
    for words, table in tables.items():
        st.markdown(words)
        st.dataframe(
            table,
            hide_index=True,
            column_config={"similarity": st.column_config.NumberColumn(format="%.3f")},
        )
