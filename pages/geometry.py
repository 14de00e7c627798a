"""How sentence vectors lie in their space: alignment, uniformity, isotropy, ratings, whitening."""

import streamlit as st

from components import pins, sidebar
from components.cached import road
from components.geometry import densities, isotropy, places, whitening
from components.geometry import page as geometry
from components.progress import may_run, working

engine = road()
corpus, a, b = sidebar.show(engine, corpus=True)
geometry.head()
pinned = pins.show(a, b)
if sidebar.unread(a, corpus):
    st.stop()
if not may_run(engine, geometry.recipes(pinned, a, b), corpus):
    st.stop()

left, right = st.columns([6, 5], gap="medium")
with left, working("places") as progress:
    sides = geometry.walked(engine, corpus, a, b, progress)
    shown = geometry.collect(engine, corpus, pinned, a, sides, progress)
with left:
    places.alignment(corpus, shown)
    geometry.failures(shown)
with right, working("isotropy") as progress:
    isotropy.show(engine, corpus, sides, progress)
with working("densities") as progress:
    densities.show(engine, corpus, sides, progress)
if "A" in sides:
    whitening.show(engine, corpus, a)
places.iso_scores(corpus, shown)
