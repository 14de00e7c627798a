"""Compare sentences under two recipes: the page one arrives at."""

import streamlit as st

from components import sidebar
from components.cached import road
from components.compare import page as compare
from components.compare.sentences import show as sentence_box
from components.errors import attempt, notes
from components.explain import heading
from components.progress import may_run, working
from core.comparison import as_corpus, pair_table, similarity_matrix

engine = road()
_, a, b = sidebar.show(engine, corpus=False)
heading(
    "Compare sentences",
    "How close are these sentences, and how much does that depend on how you pool?",
    "Each square is the similarity of two sentences. A and B share one colour scale; the third panel is "
    "B − A, and the box marks the pair whose rank changes most. High values everywhere are a property of "
    "the space (anisotropy), not of the sentences: read the order of pairs, not the numbers "
    "(Ethayarajh 2019). A dozen sentences show how recipes differ, not which is better: that is what the "
    "page Scores is for.",
)
answer = st.container()
left, right = st.columns([2, 3], gap="medium")
with left:
    sentences = sentence_box()
if a is None:
    answer.info("Recipe A cannot be read: the sidebar says why.", icon=":material/arrow_back:")
if a is None or sentences is None:
    st.stop()

with answer:
    if not may_run(engine, [recipe for recipe in (a, b) if recipe], as_corpus(sentences)):
        st.stop()
with answer, working() as progress:
    found_a = attempt("a", a, lambda: similarity_matrix(engine, a, sentences, progress))
    found_b = b and attempt("b", b, lambda: similarity_matrix(engine, b, sentences, progress))
    if found_a is not None:
        compare.heatmaps(sentences, found_a, found_b)
    shown = [("A", a, found_a), ("B", b, found_b)]
    notes([note for _, _, found in shown if found for note in found.embedded.notes])
walked = [(side, recipe) for side, recipe, found in shown if recipe and found]
if not walked:
    st.stop()
with right, working("weights") as progress:
    st.markdown("Tokens, tinted by their weight in the sentence vector")
    compare.weights(engine, sentences, walked, progress)
if found_a is not None:
    with st.expander("All pairs, with their ranks under A and B"):
        compare.pairs(pair_table(sentences, found_a, found_b))
