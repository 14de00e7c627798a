"""Scores by layer and by pair of layers on the page Layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from components import errors, job
from components.job import Question
from components.layers import chosen_layers, score_curve, score_grid
from components.layers.scoring import Scores
from components.text import escape
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe


def show(
    engine: Engine, b: Recipe | None, corpus: Corpus, scores: Mapping[str, Scores | StrataError]
) -> None:
    """The curves by layer, the chosen set of layers as a recipe, and the grid of pairs under recipe A.

    ``scores`` are those of A, and of recipe ``b`` where it has some of its own. What takes long and has not
    begun is asked for here.
    """
    of_a = scores["A"]
    try:
        if isinstance(of_a, StrataError):
            raise of_a
        layers, pairs = _computed(of_a)
    except CorpusError as error:
        st.info(f"No scores by layer. {escape(str(error))}", icon=":material/block:")
        return
    except StrataError as error:
        errors.tell(error, "a")
        return
    if layers is None:
        return
    if of_a.follow:
        job.ahead([of_a.pairs])
    above, beside = st.container(), st.container()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        clicked = chosen_layers.menu(layers)
        offered = st.container(horizontal=True, vertical_alignment="bottom")
    with beside:
        of_b = _of_b(scores["B"]) if "B" in scores else None
        if b is not None and "B" not in scores:
            st.caption(":material/info: B differs from A in its layers alone: the curve is that of both.")
    found = {"A": layers} | ({"B": of_b} if of_b else {})
    recipes = {side: of.recipe for side, of in scores.items() if isinstance(of, Scores)}
    with above:
        score_curve.show(engine, recipes, corpus, found, clicked)
    if of_a.begun:
        pairs = _pairs(of_a)
    best = pairs.best if pairs else (layers.best,) if layers.best is not None else None
    with offered:
        chosen_layers.offer(recipes, found, pairs, clicked or best or (layers.layers[-1],))
    if pairs:
        score_grid.show(engine, of_a.recipe, corpus, pairs, clicked, alone=of_b is None)


def _computed(scores: Scores) -> tuple[ByLayer | None, ByPair | None]:
    """The scores of the layers, if they are there; where they have not begun, a question for both."""
    if scores.begun:
        return scores.begun.value(), None
    asking = [replace(work, asks=True) for work in (scores.layers, scores.pairs)]
    layers, pairs = job.show_all(asking, lambda: _question(scores, "layer and pair"))
    return layers.value(), pairs.value()


def _of_b(scores: Scores | StrataError) -> ByLayer | None:
    """The scores of the layers under B, if they are there; else a question, or why it has none."""
    try:
        if isinstance(scores, StrataError):
            raise scores
        if scores.begun:
            return scores.begun.value()
        return job.show(replace(scores.layers, asks=True), lambda: _question(scores, "layer"))
    except StrataError as error:
        st.caption(f":material/info: B has no curve. {escape(str(error))}")
        return None


def _pairs(scores: Scores) -> ByPair | None:
    """The scores of the pairs, which come after the layers; a question before where they are many."""
    try:
        if scores.follow:
            return job.show(scores.pairs)
        return job.show(replace(scores.pairs, asks=True), lambda: _question(scores, "pair of layers"))
    except StrataError as error:
        errors.tell(error, "a")
        return None


def _question(scores: Scores, what: str) -> Question:
    """What is said where every set of layers needs vectors of its own."""
    each = f", each with a training of {' and '.join(scores.trained)}" if scores.trained else ""
    sets = scores.sets if "pair" in what else scores.alone
    about = (
        f"Under recipe {scores.side} every set of layers is computed by itself: {sets} of them{each}. "
        "It can be stopped."
    )
    return Question(about, f"Score every {what}{f' of {scores.side}' * (scores.side != 'A')}", aside=True)
