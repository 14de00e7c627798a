"""Scores of two recipes on a corpus of scored pairs, live."""

import streamlit as st

from components import later, seen_scores
from components.bar import bar, foreseen
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.errors import notes, require
from components.scores import (
    error_words,
    gold_and_similarity,
    headline,
    history,
    kept,
    stepwise,
    subsets,
    take_away,
    worst_pairs,
)
from components.scores import page as scores
from core.evaluation.scoring import similarities_of
from core.evaluation.sts import check_scorable

engine = shared_engine()
corpus, a, b = bar.show(engine, corpus=True)
scores.head()
if bar.unread(a, corpus):
    end_page()
scored_here, choice = scores.places()
with choice:
    aggregate = scores.choose(corpus)
recipes = {"A": a} | ({"B": b} if b else {})
require(lambda: check_scorable(corpus))
sides = scores.score_all(engine, recipes, corpus, aggregate)
if not sides:
    end_page()
for scored in sides.values():
    seen_scores.note(scored)
with scored_here:
    headline.show(sides, corpus)
wide, narrow = st.columns([3, 2], gap="large")
with wide:
    gold_and_similarity.show(corpus, sides)
    last = list(sides)[-1]
    folded(
        f"What each step of {last} adds",
        lambda: stepwise.show(engine, corpus, last, sides[last], aggregate),
        "steps",
    )
with narrow:
    subsets.show(engine, corpus, sides)
later.first_screen()
notes([*corpus.notes, *(note for scored in sides.values() for note in scores.notes_of(scored))])
worst_pairs.show(corpus, sides)
folded(error_words.LABEL, lambda: error_words.show(engine, corpus, sides), "errors")
history.show(engine)
kept.show(engine, corpus, sides)
st.page_link(
    "pages/find.py", label="Find a better recipe for this model and corpus", icon=":material/search:"
)
folded(take_away.LABEL, lambda: take_away.show(engine, corpus, sides), "take", icon=":material/output:")
foreseen.begin(engine, {"a": a, "b": b}, corpus, "scores", similarities_of)
