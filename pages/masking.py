"""Perturbed masking: how far hiding one word moves what a model makes of another."""

import streamlit as st

from components import selection, sentence_links
from components.bar import bar
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.errors import notes, require
from components.masking import corpus as masking_corpus
from components.masking import matrices
from components.masking import page as masking
from components.masking import words as masking_words

engine = shared_engine()
corpus, a, b = bar.show(
    engine,
    corpus=True,
    unused=bar.all_but("source", why="Impact is measured on the model alone."),
)
masking.head()
if bar.unread(a, corpus):
    end_page()
reference = require(lambda: engine.references.of(a))
first, place, layers, others, rest = masking.places()
with first:
    sentence = selection.sentence(sentence_links.compare)
with others:
    models = masking.choose_models(engine, a, b)
if sentence is None or not models:
    end_page()
choices = masking.choose(models, layers, rest)
impacts = masking.impacts(engine, models, sentence, choices)
if not impacts:
    end_page()

narrow = matrices.is_narrow(impacts)
left, right = st.columns(2, gap="medium") if narrow else (st.container(), st.container())
with left:
    matrices.show(impacts, choices, place)
    notes([note for impact in impacts for note in impact.plan.notes])
    if a.spelled()["template"] != "none":
        st.caption(":material/info: Recipe A's template plays no role here: the sentence is read alone.")
with right:
    learn = masking_words.learnt(corpus, reference)
    masking_words.show(engine, impacts, choices, learn)
folded(
    "Over a corpus: does impact follow tf-idf?",
    lambda: masking_corpus.show(engine, impacts, choices, corpus, learn),
    "tfidf",
)
