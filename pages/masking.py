"""Perturbed masking: how far hiding one word moves what a model makes of another."""

import streamlit as st

from components import selection, sidebar
from components.cached import road
from components.errors import notes, require
from components.masking import corpus as masking_corpus
from components.masking import page as masking
from components.masking import words as masking_words

engine = road()
corpus, a, b = sidebar.show(engine, corpus=True)
masking.head()
if sidebar.unread(a, corpus):
    st.stop()
reference = require(lambda: engine.reference(a))
left, place, right = st.columns([5, 2, 3], gap="small")
with left:
    sentence = selection.sentence()
with right:
    models = masking.models(engine, a, b)
if sentence is None or not models:
    st.stop()
choices = masking.choose(models)
found = masking.ask(engine, models, sentence, choices)
if not found:
    st.stop()

narrow = masking.is_narrow(found)
left, right = st.columns(2, gap="medium") if narrow else (st.container(), st.container())
with left:
    masking.matrices(found, choices, place)
    notes([note for one in found for note in one.plan.notes])
    if a.spelled()["template"] != "none":
        st.caption(":material/info: Recipe A's template plays no role here: the sentence is read alone.")
with right:
    learn = masking_words.learnt(corpus, reference)
    masking_words.show(engine, found, choices, learn)
over = st.expander(
    "Over a corpus: does impact follow tf-idf?", key="tfidf", on_change="rerun", bind="query-params"
)
if over.open:
    with over:
        masking_corpus.show(engine, found, choices, corpus, learn)
