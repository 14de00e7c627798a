"""Attention heads: of one sentence, and as token weights on a corpus."""

import streamlit as st

from components import later, unknown_tokens
from components.bar import bar
from components.cached import shared_engine
from components.corpus import choice as corpus_choice
from components.ending import end_page
from components.errors import attempt, notes
from components.heads import diagonals, one_head, search, search_plan, tiles, token_weights
from components.heads import page as heads
from core.analysis.heads.attention import source_with_heads

engine = shared_engine()
corpus, a, b = bar.show(engine, corpus=True, unused=heads.unused())
heads.head()
if a is None:
    bar.recipe_unread()
    end_page()
side, places = heads.choose_side(a, b)
source = attempt(side.key, side.recipe, lambda: source_with_heads(engine, side.recipe))
if source is None:
    end_page()
sentence, chosen, place = heads.choose(source, side.recipe, places)
if sentence is not None:
    sentence_attention = heads.attention_of(engine, side, sentence)
    weights = heads.weights_of(engine, side, sentence, chosen) if sentence_attention else None
    if sentence_attention is not None:
        token = heads.choose_token(sentence_attention, place)
        notes(unknown_tokens.of_sentence(weights) if weights is not None else ())
        left, right = st.columns([11, 10], gap="medium")
        with left:
            tiles.show(sentence_attention, side, chosen)
        with right:
            one_head.show(sentence_attention, weights, side, chosen, token)
        later.first_screen()
        one_head.show_lines(sentence_attention, side, chosen)
        if weights is not None:
            token_weights.show(weights, side, chosen)
        diagonals.show(sentence_attention, side, chosen)
if corpus is None:
    corpus_choice.unread()
    end_page()
plan = search_plan.choose(engine, side, corpus)
search.show(engine, plan, source, chosen)
notes([*corpus.notes, *engine.references.notes(side.recipe)])
