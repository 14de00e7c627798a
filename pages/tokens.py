"""What token and sentence vectors lie near each other for."""

import streamlit as st

from components.bar import bar
from components.cached import shared_engine
from components.ending import end_page
from components.errors import notes, require
from components.tokens import controls, sentence_map, token_map
from components.tokens import frequency as frequency_components
from components.tokens import page as tokens

engine = shared_engine()
unused = tokens.unused()
corpus, a, b = bar.show(engine, corpus=True, unused=unused)
tokens.head()
corpus = tokens.stand_in(corpus, a, unused)
if bar.unread(a, corpus):
    end_page()
left, right = st.columns([4, 3], vertical_alignment="bottom")
with left:
    part = tokens.choose()
if part == "sentences":
    sentence_map.show(engine, a, b, corpus)
else:
    source = require(lambda: engine.source(a, corpus))
    with right:
        named = tokens.choose_models(engine, a, b)
    if part == "tokens":
        token_map.show(engine, named, corpus, controls.choose(source))
    else:
        frequency_components.show(engine, named, corpus, source)
notes([*([] if "corpus" in unused else corpus.notes), *engine.references.notes(a)])
