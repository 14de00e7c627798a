"""The pairs that a recipe ranks furthest from their gold score, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from components import sentence_links, table_numbers, table_row
from components.controls import segments
from components.wording import lower_first
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.evaluation.worst_pairs import worst_pairs
from core.storage.keys import key_of

MOST_DECIMALS = 3
"""Decimals of a gold score at most; it may be a mean of ratings."""

PLACES = "places, % of pairs"
PLACES_HELP = "Rank by similarity less rank by gold score, in % of the pairs. Below 0: too far apart."
"""What that column says, over the tables and over its name."""


def show(corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """Two tables for the chosen recipe: pairs too far apart, and pairs too close; a row opens elsewhere."""
    st.markdown("## The pairs that go most wrong")
    st.caption(f"{PLACES}: {lower_first(PLACES_HELP)}")
    side, *others = sides
    if others:
        side = segments("Under", list(sides), "worst.side", label_visibility="collapsed")
    too_far, too_close = worst_pairs(sides[side].similarities, corpus)
    tables = {
        "Too far apart: gold high, similarity low": too_far,
        "Too close: gold low, similarity high": too_close,
    }
    gold = st.column_config.NumberColumn(format=gold_format([*too_far["gold"], *too_close["gold"]]))
    for words, table in tables.items():
        st.markdown(words)
        chosen = st.dataframe(
            table_numbers.written(table, {"similarity": 3, "places": 0}),
            key=f"worst.{side}.{key_of(words, table.to_dict('list'))[:8]}",  # a row is one of these pairs
            hide_index=True,
            on_select="rerun",
            selection_mode=table_row.MODE,
            selection_default=table_row.start(0 if len(table) else None, table.columns[0]),
            column_config={
                "gold": gold,
                "places": st.column_config.Column(PLACES, help=PLACES_HELP),
            },
            alt=f"{words}, under {side}",
        )
        if len(table):
            _open(table.iloc[table_row.chosen(chosen, len(table)) or 0])


def gold_format(scores: Sequence[float]) -> str:
    """How gold scores are written: all with as many decimals as one of them needs, three at most."""
    needed = (len(f"{score:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2]) for score in scores)
    return f"%.{max(needed, default=0)}f"


def _open(pair: pd.Series) -> None:
    """Links that take a pair, or one of its sentences, to the pages that look at them."""
    sentences = [str(pair[name]) for name in ("sentence 1", "sentence 2")]
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        sentence_links.to_compare("Both on Compare", sentences, pair="1,2")
        for number, sentence in enumerate(sentences, 1):
            sentence_links.show(f"Sentence {number} on", sentence)
