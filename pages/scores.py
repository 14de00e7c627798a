"""Scores of two recipes on a corpus of scored pairs, live."""

import streamlit as st

from components import sidebar
from components.cached import road
from components.errors import attempt, notes, require
from components.explain import heading
from components.progress import may_run, working
from components.scores import history
from components.scores import page as scores
from core.evaluation.sts import AGGREGATES, check_aggregate, check_scorable

engine = road()
corpus, a, b = sidebar.show(engine, corpus=True)
heading(
    "Scores",
    "How well do similarities follow human judgement, and is B really better than A?",
    "The score is the rank correlation (Spearman × 100) of similarity with the gold score. The interval "
    "says how far it would move on other pairs of the same kind (bootstrap over pairs); the difference "
    "is bootstrapped on the same pairs for both, so that it can be clear even where the two intervals "
    "overlap. A score on one corpus says nothing about another, and text matters: SentEval's files are "
    "lower-cased and tokenised, the hub's are raw.",
)
if sidebar.unread(a, corpus):
    st.stop()
chosen = st.segmented_control(
    "Aggregate over subsets",
    AGGREGATES,
    default="all",
    required=True,
    key="aggregate",
    bind="query-params",
    help="all: one correlation over all pairs. mean: of the subsets' scores. wmean: weighted by size.",
)
aggregate = check_aggregate(chosen or "all")
recipes = [("a", a), *([("b", b)] if b else [])]
require(lambda: check_scorable(corpus))
if not may_run(engine, [recipe for _, recipe in recipes], corpus):
    st.stop()

with working() as progress:
    found = [
        attempt(s, r, lambda s=s, r=r: scores.score(engine, s.upper(), r, corpus, aggregate, progress))
        for s, r in recipes
    ]
sides = [one for one in found if one is not None]
if not sides:
    st.stop()
for one in sides:
    history.add(corpus, str(one.recipe) or "(defaults)", one.model, one.score, one.seconds)
scores.headline(corpus, sides, aggregate)
notes([*corpus.notes, *(note for one in sides for note in one.notes)])
wide, narrow = st.columns([3, 2], gap="large")
with wide:
    scores.scatter(corpus, sides)
with narrow:
    scores.subsets(corpus, sides)
steps = st.expander(
    f"What each turning of {sides[-1].side} adds", key="steps", on_change="rerun", bind="query-params"
)
if steps.open:
    with steps, working("ladder") as progress:
        scores.stage_ladder(engine, corpus, sides[-1], aggregate, progress)
scores.worst(corpus, sides)
history.show()
