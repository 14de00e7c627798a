"""Attention heads: of one sentence, and as token weights on a corpus."""

import streamlit as st

from components import corpus_choice
from components.bar import bar
from components.cached import shared_engine
from components.ending import end_page
from components.errors import attempt, notes
from components.heads import diagonals, one_head, search, search_plan, tiles, token_weights
from components.heads import page as heads
from core.analysis.heads.attention import source_with_heads

engine = shared_engine()
corpus, a, _ = bar.show(
    engine,
    corpus=True,
    unused={"b": "This page shows recipe A alone.", "weight": "Each head is tried as the weight."},
)
heads.head()
if a is None:
    st.info("Recipe A cannot be read: the reason stands under the bar.", icon=":material/arrow_upward:")
    end_page()
source = attempt("a", a, lambda: source_with_heads(engine, a))
if source is None:
    end_page()
sentence, chosen, place = heads.choose(source, a)
if sentence is not None:
    sentence_attention = heads.attention_of(engine, a, sentence)
    weights = heads.weights_of(engine, a, sentence, chosen) if sentence_attention else None
    if sentence_attention is not None:
        token = heads.choose_token(sentence_attention, place)
        left, right = st.columns([11, 10], gap="medium")
        with left:
            tiles.show(sentence_attention, a, chosen)
        with right:
            one_head.show(sentence_attention, weights, a, chosen, token)
        one_head.show_lines(sentence_attention, a, chosen)
        if weights is not None:
            token_weights.show(weights, a, chosen)
        diagonals.show(sentence_attention, a, chosen)
if corpus is None:
    corpus_choice.unread()
    end_page()
plan = search_plan.choose(engine, a, corpus)
search.show(engine, plan, source, chosen)
notes([*corpus.notes, *engine.reference_notes(a)])
