"""A method's token weights on a sentence of the visitor's, on the page Methods."""

from __future__ import annotations

import streamlit as st

from components import job, selection, state, theme, token_strip, works
from components.errors import tried
from components.methods.scores import Outcome
from components.text import escape
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.literature.presets import Preset
from core.pipeline.engine import Engine
from core.recipe import POOL, WEIGHT, Recipe


def show(engine: Engine, preset: Preset, recipe: Recipe, outcome: Outcome) -> None:
    """The tokens of a sentence that the visitor writes, tinted by their weight."""
    st.markdown("## Its token weights")
    sentence = selection.sentence()
    if sentence is None:
        return
    if preset.needs and not isinstance(outcome, Scored):
        st.caption("They are shown once what the method needs is here.")
        return
    corpus, own_recipe = Corpus.pasted([sentence]), recipe.on_reference()
    work = works.token_weights(engine, "Weights of the sentence", own_recipe, corpus)
    by_sentence = tried(lambda: job.show(work))
    if by_sentence is None:
        return
    if isinstance(by_sentence, str):
        st.caption(f":material/info: {escape(by_sentence)}")
        return
    text_of = recipe.spelled()
    weighted = POOL.find(recipe.pool).weighted
    uses = (
        text_of["weight"]
        if weighted
        else f"none: pool={text_of['pool']} weighs tokens by itself, if at all"
    )
    st.markdown(f"weights {escape(uses)} · tokens {escape(text_of['tokens'])}")
    st.html(
        "".join(
            token_strip.strip(weights, theme.of(state.theme_name()).a, 1, weighted=weighted)
            for weights in by_sentence
        )
    )
    if WEIGHT.arguments(recipe.weight).get("fit") == "target":
        st.caption(
            "One sentence says nothing of how frequent its words are: the weights are shown as learnt "
            f"from the reference {escape(text_of['reference'])}; a score learns them from its corpus."
        )
