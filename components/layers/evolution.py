"""The evolution map and the hop curves, on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import selection
from components.layers import evolution_map, hop_curves
from components.layers.evolutions import caption, evolutions, subject, summary
from components.layers.page import VIEWS, LayeredModel, Places
from core.analysis.layers.trajectories import Trajectories
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.work import Job


def show(
    engine: Engine,
    models: Sequence[LayeredModel],
    view: str,
    token: int,
    corpus: Corpus,
    sentence: str,
    trajectories: Sequence[Job[Trajectories]],
    places: Places,
) -> None:
    """Both figures for the chosen view; of the sentence until a model has read the corpus."""
    with places.evolution:
        if view == "corpus" and not any(each.state.is_answered for each in trajectories):
            view = VIEWS[1]
            st.caption(":material/info: The corpus is not read yet: shown is the sentence.")
        drawn = evolutions(models, view, token, trajectories)
    if not drawn:
        return
    named = selection.token_name(models[0].paths.tokens, token)
    lines, short = caption(engine, drawn, view, corpus, sentence), summary(drawn, view, corpus)
    with places.evolution:
        evolution_map.show(drawn, subject(view, named, drawn[0].evolution.tokens), lines, short)
    with places.hops:
        hop_curves.show(drawn, lines, short)
