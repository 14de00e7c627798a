"""Ditto's token weights with the chosen head, over the text of the sentence, on the page Heads."""

from __future__ import annotations

import streamlit as st

from components import selection, state, theme, token_strip
from components.heads.page import Side
from components.text import escape
from core.analysis.heads.attention import heaviest
from core.evaluation.wording import quoted
from core.pipeline.token_weights import TokenWeights
from core.tokens.marks import without_begin


def show(weights: TokenWeights, side: Side, chosen: tuple[int, int]) -> None:
    """The sentence, its tokens tinted by weight, the heaviest framed."""
    largest = heaviest(weights.shares)
    st.markdown(f"## {escape(finding(weights, chosen))}")
    color = theme.of(state.theme_name()).side(side.letter)
    st.html(token_strip.strip(weights, color, f"L{chosen[0]}-H{chosen[1]}", marked=largest))
    st.caption(
        f"A token's share of the sentence vector is its diagonal attention, scaled to sum 1 over "
        f"{escape(_selection(side))}; the {len(largest)} heaviest are framed, and {token_strip.SCALE}."
    )


def finding(weights: TokenWeights, chosen: tuple[int, int]) -> str:
    """The tokens with the largest shares of the sentence vector, in one sentence."""
    name = f"Ditto with L{chosen[0]}-H{chosen[1]}"
    largest = heaviest(weights.shares)[:3]
    if not largest:
        return f"{name} gives no token a weight"
    names = selection.token_names([*map(without_begin, weights.surface_forms)])
    named = ", ".join(f"{quoted(names[i])} {100 * weights.shares[i]:.0f} %" for i in largest)
    return f"Largest shares of the sentence vector under {name}: {named}"


def _selection(side: Side) -> str:
    """Which tokens the recipe takes, in words."""
    if side.recipe.tokens.name == "all":
        return "all tokens, special ones too (tokens=all)"
    return f"the tokens that recipe {side.letter} takes (tokens={side.recipe.spelled()['tokens']})"
