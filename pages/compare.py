"""Compare sentences under two recipes: the page one arrives at."""

from functools import partial

import streamlit as st

from components import later, token_strip, unknown_tokens
from components.bar import bar, score
from components.cached import shared_engine
from components.compare import by_layer, heatmaps, one_pair, pairs, token_weights, why
from components.compare import page as compare
from components.controls import folded
from components.corpus import choice as corpus_choice
from components.ending import end_page
from components.errors import notes
from components.tokens import sentence_map
from core.analysis.close_pairs import close_pairs
from core.analysis.comparison import as_corpus, pair_table

engine = shared_engine()
corpus, a, b = bar.show(engine, corpus=True)
compare.head()
if corpus is None:
    corpus_choice.unread()
score.tell_difference(engine, a, b, corpus)
left, right = compare.columns()
with left:
    pasted = compare.choose(right)
if a is None:
    with right:
        bar.recipe_unread()
if a is None or pasted is None:
    end_page()

sentences = pasted.sentences
recipes = {"A": a} | ({"B": b} if b else {})
with right:
    choices = heatmaps.choose(len(sentences))
if choices.view == "map":
    with right:
        texts = as_corpus(sentences)
        sentence_map.show(engine, a, b, texts, compare.neighbours(len(sentences)), wide=False)
else:
    chosen, table, close, units = None, None, None, None
    with right:
        matrices = compare.matrices(engine, recipes, sentences)
        if "A" in matrices:
            units = heatmaps.units_of(matrices["A"], matrices.get("B"))
            table = pair_table(sentences, matrices["A"], matrices.get("B"))
            close = close_pairs(table)
            chosen = heatmaps.show(sentences, table, close, matrices["A"], matrices.get("B"), choices)
        notes([note for matrix in matrices.values() for note in matrix.notes])
    later.first_screen()
    if not matrices:
        end_page()
    drawn = {side: recipes[side] for side in matrices}
    weights = token_weights.read(engine, sentences, drawn)
    with pasted.below:
        notes(unknown_tokens.of_sentences(weights))
    if chosen is not None and close is not None and units is not None:
        with one_pair.panel(chosen):
            one_pair.show(chosen, close.pairs, units, weights, drawn)
            why.show(engine, sentences, chosen, matrices, weights)
            by_layer.show(engine, sentences, chosen, matrices)
    st.markdown(f"Tokens, tinted by their weight in the sentence vector; {token_strip.SCALE}")
    token_weights.show(weights, drawn)
    if table is not None and units is not None:
        every = partial(pairs.show, table, chosen, shared=units.shared)
        folded("All pairs, with their ranks under A and B", every, "all.pairs")
