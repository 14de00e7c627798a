"""Published methods as recipes that run: what each does, and what it scores here and there."""

import streamlit as st

from components import sidebar, take
from components.cached import road
from components.errors import notes, require
from components.methods import every as method_every
from components.methods import page as methods
from components.methods import scores as method_scores
from components.methods import times as method_times
from core.evaluation.scoring import Scored
from core.evaluation.sts import check_scorable

engine = road()
corpus, base, _ = sidebar.show(engine, corpus=True)
methods.head()
if sidebar.unread(base, corpus):
    st.stop()
require(lambda: check_scorable(corpus))
model = require(lambda: engine.source(base).name)

family = methods.families()
left, right = st.columns(2, gap="medium")
with left:
    chosen = methods.choose()
    listed = st.container()
recipe = chosen.apply(base)
with right:
    methods.card(chosen)
    found = method_scores.find(engine, chosen, recipe, corpus)
    method_scores.numbers(chosen, found, corpus, model)
    take.buttons(recipe, chosen.name)
with listed:
    methods.table(family, chosen, base, corpus, model)
methods.spelled(recipe)
methods.weights(engine, chosen, recipe, found)
method_scores.against_published(chosen, found, recipe, corpus, model)
if isinstance(found, Scored):
    notes(found.notes)
every, times = st.container(), st.container()
with times:
    method_times.show(engine, base, corpus)
with every:
    method_every.show(engine, base, corpus, family, model)
