"""The best recipe for a model and a corpus, chosen on dev and reported on test."""

import streamlit as st

from components.bar import bar
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.errors import notes, require
from components.find import chosen, headline, proxies, ranking, search, stages
from components.find import page as find

engine = shared_engine()
corpus, a, _ = bar.show(
    engine,
    corpus=True,
    unused={"b": "This page searches on recipe A's model, template and reference."},
)
find.head()
if bar.unread(a, corpus):
    end_page()
asked = require(lambda: find.choose(engine, corpus, a))
found = require(lambda: search.show(engine, asked))
if found is not None:
    headline.show(asked, found)
    chosen.show(asked, found)
    left, right = st.columns(2, gap="large")
    with left:
        ranking.show_best(asked, found)
        stages.show_matters(asked, found)
    with right:
        ranking.show_costs(asked, found)
        stages.show_effects(asked, found)
    folded(
        "All trials over the stages", lambda: stages.show_coordinates(asked, found), "find.coordinates.open"
    )
folded(proxies.LABEL, lambda: proxies.show(engine, corpus, a), "find.proxies")
notes([*corpus.notes, *(found.notes if found else ())])
