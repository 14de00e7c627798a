"""How states change from layer to layer, and what each layer is good for."""

import streamlit as st

from components import later
from components.bar import bar, foreseen
from components.cached import shared_engine
from components.controls import folded
from components.ending import end_page
from components.errors import notes
from components.layers import evolution, on_corpus, scoring, task_curves, word_groups
from components.layers import page as layers
from components.layers import scores as layer_scores
from components.layers import weights as layer_weights

engine = shared_engine()
corpus, a, b = bar.show(
    engine,
    corpus=True,
    unused={"layers": "Every layer is shown."},
)
layers.head()
if bar.unread(a, corpus):
    end_page()
choices = layers.choose(engine, a, b)
if choices.sentence is None or not layers.has_layers(engine, a, b):
    end_page()
models = layers.read_models(engine, choices.named, b, choices.sentence)
if not models:
    end_page()
above, figures, below = (st.container() for _ in range(3))
with below:
    layer_weights.head()
with above if choices.view == "token" else below:  # beside the first figure that it changes
    token = layers.choose_token(models[0])
if token is None:
    end_page()
with figures:
    jobs = on_corpus.read_corpus(engine, models, a, b, corpus)
    places = layers.places(len(models), scored=jobs.asked_for)
    evolution.show(engine, models, choices.view, token, corpus, choices.sentence, jobs.trajectories, places)
    if jobs.asked_for:
        with places.scores:
            layer_scores.show(engine, b, corpus, jobs.scores)
        later.first_screen()
        word_groups.show(engine, models, corpus, jobs.trajectories)
with below:
    layer_weights.show(engine, models[0], token, choices.sentence)
    notes([*corpus.notes, *engine.references.notes(a)])
    folded(
        "Clustering, classification and other tasks by layer",
        lambda: task_curves.show(engine, a, b),
        "layers.tasks",
    )
foreseen.begin(engine, {"a": a, "b": b}, corpus, "layers", scoring.foresee)
