"""How sentence vectors lie in their space: alignment, uniformity, isotropy, ratings, whitening."""

import streamlit as st

from components import later
from components.bar import bar, foreseen
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.geometry import (
    alignment,
    densities,
    failures,
    iso_over_tasks,
    iso_scores,
    isotropy,
    whitening,
)
from components.geometry import page as geometry

engine = shared_engine()
corpus, a, b = bar.show(engine, corpus=True)
geometry.head()
chosen = geometry.choose(a, b)
if bar.unread(a, corpus):
    end_page()
begun = geometry.begin(engine, corpus, chosen, a, b)
for part in (isotropy, densities):
    part.begin(engine, corpus, geometry.own(a, b))
left, right = st.columns([6, 5], gap="medium")
with left:
    sides, measured = geometry.measure(engine, corpus, chosen, begun)
    if measured:
        alignment.show(corpus, measured)
        failures.show(measured)
if sides:
    with right:
        isotropy.show(engine, corpus, sides)
    later.first_screen()
    densities.show(engine, corpus, sides)
if "A" in sides:
    whitening.show(engine, corpus, a)
if measured:
    iso_scores.show(corpus, measured)
    folded(
        "IsoScore against the mean over tasks",
        lambda: iso_over_tasks.show(engine, corpus, measured),
        "isotropy.tasks",
    )
foreseen.begin(engine, {"a": a, "b": b}, corpus, "geometry", geometry.foresee)
