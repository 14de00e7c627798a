"""How states change from layer to layer, and what each layer is good for."""

import streamlit as st

from components import beside, selection, sidebar
from components.cached import road
from components.errors import notes
from components.layers import evolution, word_groups
from components.layers import page as layers
from components.layers import scores as layer_scores
from components.layers import weights as layer_weights
from components.progress import may_run, working

engine = road()
corpus, a, b = sidebar.show(engine, corpus=True)
layers.head()
if sidebar.unread(a, corpus):
    st.stop()
left, middle, right = st.columns([4, 3, 3], gap="small")
with left:
    sentence = selection.sentence()
with middle:
    view = layers.view()
with right:
    named = beside.show(engine, a, b)
if sentence is None or not layers.has_layers(engine, a):
    st.stop()
with working("sentence") as progress:
    found = layers.models(engine, named, b, sentence, progress)
if not found or (token := layers.choose_token(found[0])) is None:
    st.stop()
bare = [layers.layered_recipe(model.recipe) for model in found]
ready = may_run(engine, [*bare, a], corpus)
evolution.show(engine, found, view, token, corpus, sentence, ready=ready)
if ready:
    layer_scores.show(engine, a, corpus)
    word_groups.show(engine, bare[0], corpus)
layer_weights.show(engine, found[0], token, sentence)
notes(corpus.notes)
