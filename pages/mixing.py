"""Score by share of averaged token vectors and by layer: BERT+Avg."""

import streamlit as st

from components import mixing, sidebar
from components.cached import road
from components.errors import notes, require
from components.progress import may_run, working
from core.analysis.mixing import fared, mean_of, mixed, mixture
from core.evaluation.sts import check_scorable

engine = road()
corpus, a, _ = sidebar.show(engine, corpus=True)
mixing.head()
if sidebar.unread(a, corpus):
    st.stop()
require(lambda: check_scorable(corpus))
picture, controls = st.container(), st.container()
with controls:
    scored = mixing.corpora(engine, corpus)
one = require(lambda: mixed(a, 0.5, "first+last"))
for each in scored:
    if not may_run(engine, [one], each):
        st.stop()
with picture, working("mixing") as progress:
    found = [require(lambda c=c: mixture(engine, a, c, progress=progress)) for c in scored]
mean = mean_of(found)
with controls:
    mixing.show(engine, a, scored, mean, picture)
notes([*corpus.notes, *mean.notes])

st.markdown("#### Chosen on dev, shown on test")
if not {"dev", "test"} <= set(engine.corpus(corpus.name, "all").splits):
    st.caption(f"{corpus.name} has no dev and test split to choose on one and report on the other.")
    st.stop()
dev, test = (engine.corpus(corpus.name, split) for split in ("dev", "test"))
if may_run(engine, [one], dev):
    with working("dev") as progress:
        sides = [(c, require(lambda c=c: mixture(engine, a, c, progress=progress))) for c in (dev, test)]
        result = require(lambda: fared(engine, a, *sides))
    mixing.fared(result, dev, test, sides[0][1].spearman.size)
