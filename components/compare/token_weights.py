"""Every sentence with its tokens tinted by their weight, on the page Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components import job, state, theme, token_strip, works
from components.text import escape
from core.analysis.comparison import as_corpus
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.recipe import POOL, Recipe

UNSCROLLED = 12
"""Sentences up to which all are seen at once; more scroll in a box of their own."""


def read(
    engine: Engine, sentences: Sequence[str], recipes: Mapping[str, Recipe]
) -> dict[str, list[TokenWeights]]:
    """The tokens and weights of each sentence under each recipe, as far as they are there."""
    corpus = as_corpus(sentences)
    rows = corpus.rows_of(sentences).tolist()
    jobs = job.show_each(
        {
            side: works.token_weights(engine, f"Weights of tokens under {side}", recipe, corpus)
            for side, recipe in recipes.items()
        }
    )
    by_side = {side: each.value() for side, each in jobs.items()}
    return {side: [texts[i] for i in rows] for side, texts in by_side.items() if texts is not None}


def show(weights: Mapping[str, Sequence[TokenWeights]], recipes: Mapping[str, Recipe]) -> None:
    """The weights under each recipe, A beside B."""
    look = theme.of(state.theme_name())
    for column, (side, recipe) in zip(st.columns(len(recipes)), recipes.items(), strict=True):
        if side not in weights:
            continue
        height = 390 if len(weights[side]) > UNSCROLLED else "content"
        with column, st.container(height=height, border=False):
            spelled = recipe.spelled()
            weighted = POOL.find(recipe.pool).weighted
            uses = spelled["weight"] if weighted else f"none: pool={spelled['pool']}"
            st.markdown(f"**{side}** · weights {escape(uses)} · tokens {escape(spelled['tokens'])}")
            color = look.side(side)
            strips = (
                token_strip.strip(each, color, n, weighted=weighted)
                for n, each in enumerate(weights[side], 1)
            )
            st.html("".join(strips))
