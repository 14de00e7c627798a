"""The pair of sentences that was chosen: both with their tokens, and what other pages say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import sentence_links, state, theme, token_strip
from components.compare import chosen_pair, findings
from components.compare.findings import Units
from components.text import escape
from core.analysis.close_pairs import Pair
from core.pipeline.token_weights import TokenWeights
from core.recipe import POOL, Recipe

ANCHOR = "pair"
"""Where links within the page find the panel."""


def panel(pair: Pair) -> DeltaGenerator:
    """The panel that a chosen pair opens, with its head."""
    box = st.container(border=True, key="compare-pair")
    box.html(f'<span id="{ANCHOR}" class="strata-anchor"></span>')
    with box, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        shared = f"{100 * pair.shared:.0f} % of their words in common"
        st.markdown(f"## Sentences {pair.first} and {pair.second}: {shared}")
        st.button(
            "Close",
            icon=":material/close:",
            type="tertiary",
            key="pair.close",
            on_click=chosen_pair.put,
            args=(None,),
        )
    return box


def show(
    pair: Pair,
    pairs: int,
    units: Units,
    weights: Mapping[str, Sequence[TokenWeights]],
    recipes: Mapping[str, Recipe],
) -> None:
    """Both sentences one under the other, their tokens tinted by weight under A and under B.

    ``weights`` gives for each side the tokens of every sentence of the box.
    """
    look = theme.of(state.theme_name())
    sides = findings.of_pair(pair, pairs, units)
    for column, (side, value) in zip(st.columns(len(sides)), sides, strict=True):
        with column:
            st.markdown(f"**{side}** · {escape(value)}")
            if side in weights:
                used = POOL.find(recipes[side].pool).weighted
                strips = (
                    token_strip.strip(weights[side][number - 1], look.side(side), number, weighted=used)
                    for number in (pair.first, pair.second)
                )
                st.html("".join(strips))
    with st.container(horizontal=True, gap="large"):
        for number, sentence in zip((pair.first, pair.second), pair.sentences, strict=True):
            sentence_links.show(f"Sentence {number} on", sentence)
