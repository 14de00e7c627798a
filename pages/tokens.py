"""What token and sentence vectors lie near each other for."""

import streamlit as st

from components import sidebar
from components.cached import road
from components.errors import notes, require
from components.tokens import controls as token_controls
from components.tokens import frequency as frequency_components
from components.tokens import page as tokens
from components.tokens import sentence_map

engine = road()
corpus, a, b = sidebar.show(engine, corpus=True)
token_controls.head()
if sidebar.unread(a, corpus):
    st.stop()
left, right = st.columns([4, 3], vertical_alignment="bottom")
with left:
    part = token_controls.part()
if part == "sentences":
    sentence_map.show(engine, a, b, corpus)
else:
    source = require(lambda: engine.source(a, corpus))
    with right:
        named = tokens.some_models(engine, a, b)
    if part == "tokens":
        tokens.show(engine, named, corpus, token_controls.ask(source))
    else:
        frequency_components.show(engine, named, corpus, source)
notes(corpus.notes)
