"""Published methods as recipes that run: what each does, and what it scores here and there."""

import streamlit as st

from components import later, take
from components.bar import bar
from components.cached import shared_engine
from components.ending import end_page
from components.errors import notes, require
from components.methods import against_published, card, headline, stages, table, token_weights, two_models
from components.methods import every as method_every
from components.methods import page as methods
from components.methods import scores as method_scores
from components.methods import times as method_times
from core.evaluation.scoring import Scored
from core.evaluation.sts import check_scorable

engine = shared_engine()
corpus, base, _ = bar.show(
    engine,
    corpus=True,
    unused={"b": "This page takes the model and reference of A alone."}
    | bar.all_but("source", why="Each method brings its own."),
)
methods.head()
if bar.unread(base, corpus):
    end_page()
require(lambda: check_scorable(corpus))
model = require(lambda: engine.source(base).name)
here = method_scores.ScoresHere(engine, base, corpus)

family = methods.choose_family()
left, right = st.columns(2, gap="medium")
with left:
    preset = methods.choose()
    scored, listed = st.container(), st.container()
recipe = preset.apply(base)
with right:
    outcome = method_scores.score_method(here, preset, recipe)
    against_published.show(preset, outcome, recipe, corpus, model)
    card.show(preset)
with scored:
    headline.show(preset, outcome, corpus, model)
    take.buttons(recipe, preset.name)
later.first_screen()
against_published.explain(preset, outcome, corpus, model)
stages.show(recipe)
token_weights.show(engine, preset, recipe, outcome)
if isinstance(outcome, Scored):
    notes(outcome.notes)
every, encoders, times = st.container(), st.container(), st.container()
with times:
    method_times.show(here)
with encoders:
    gains = two_models.show(engine, base, corpus).get(base.spelled()["source"], {})
with every:
    method_every.show(here, family, model, gains)
with listed:
    table.show(family, preset, here, model, gains)
