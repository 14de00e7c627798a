"""Attention heads: of one sentence, and as token weights on a corpus."""

import streamlit as st

from components import sidebar
from components.cached import road
from components.errors import attempt, notes
from components.heads import page as heads
from components.heads import search as head_search
from components.progress import working
from core.analysis.attention import attention, source_with_heads

engine = road()
corpus, a, _ = sidebar.show(engine, corpus=True)
heads.head()
if a is None:
    st.info("Recipe A cannot be read: the sidebar says why.", icon=":material/arrow_back:")
    st.stop()
source = attempt("a", a, lambda: source_with_heads(engine, a))
if source is None:
    st.stop()
sentence, chosen, place = heads.choose(source, a)
if sentence is not None:
    with working("sentence") as progress:
        found = attempt("a", a, lambda: attention(engine, a, sentence, progress))
        weights = heads.weights_of(engine, a, sentence, chosen, progress) if found else None
    if found is not None:
        heads.pictures(found, weights, a, chosen, place)
        heads.spelled_out(found, weights, a, chosen)
if corpus is None:
    st.info("The corpus cannot be read: the sidebar says why.", icon=":material/arrow_back:")
    st.stop()
planned = head_search.plan(engine, a, corpus)
head_search.show(engine, planned, source, chosen)
notes(corpus.notes)
