"""Score by share of averaged token vectors and by layer: BERT+Avg."""

import streamlit as st

from components import later
from components.bar import bar, foreseen
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.errors import notes, require
from components.mixing import best_shares, held_out, score_map, task_maps
from components.mixing import page as mixing
from components.text import escape
from core.analysis.mixing import mean_of
from core.evaluation.sts import check_scorable

engine = shared_engine()
corpus, a, _ = bar.show(
    engine,
    corpus=True,
    unused={
        "b": "This page shows recipe A alone.",
        "layers": "Every choice of layers is shown.",
        "mix": "Every share is shown; the reference, which Avg. is averaged over, counts.",
    },
    averaged="mix",
)
mixing.head()
if bar.unread(a, corpus):
    end_page()
require(lambda: check_scorable(corpus))
picture, controls = st.container(), st.container()
with controls:
    corpora = mixing.choose(engine, corpus)
splits = mixing.dev_and_test(engine, corpus)
with picture:
    mixtures = mixing.mixtures(engine, a, [*corpora, *splits])
    scored = [require(mixtures[each.fingerprint].value) for each in corpora]
if all(scored):
    mean = mean_of(scored)
    with controls:
        gains = mixing.measured_gains(engine, a, corpora, mean)
        score_map.show(engine, a, corpora, mean, gains, picture)
        if gains:
            best_shares.show(engine, a, corpora, mean, gains)
    notes([*corpus.notes, *mean.notes])
later.first_screen()

held_out.head(corpora)
if splits:
    held_out.show(engine, a, splits, mixtures)
else:
    st.caption(f"{escape(corpus.name)} has no dev and test split to choose on one and report on the other.")

folded(
    "Clustering, classification and other tasks by share and layers",
    lambda: task_maps.show(engine, a),
    "mixed.tasks",
)
foreseen.begin(engine, {"a": a}, corpus, "mixing", mixing.foresee)
