"""SBERT-WK's weights of layers and tokens in the visitor's sentence, on the page Layers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, take, theme, token_strip
from components.errors import tried
from components.figure_frame import Framed
from components.figures.layers import OTHERS, Curve, curves
from components.layers.page import Model, layered_recipe
from components.progress import working
from components.text import escape
from core import evolution
from core.corpus import Corpus
from core.embed import Road
from core.recipe import Recipe

START = 4
"""The paper's first layer of twelve; a third of the layers where there are fewer."""


def show(road: Road, model: Model, token: int, sentence: str) -> None:
    """Sliders, α of one token over layers, and the weights of the sentence's tokens."""
    st.markdown("#### SBERT-WK: the weights of layers and tokens")
    depth = model.paths.layers[-1]
    if depth < 1:
        st.info("This model has one layer only: there is nothing to weigh.", icon=":material/block:")
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        window, start, omega, form = _arguments(depth)
    recipe = recipe_of(model.recipe, window, start, omega, form)
    written = model.paths.tokens.written(slice(0, len(model.paths.tokens)))[token]
    with right:
        _alphas(road, model, token, written, sentence, window, start, omega, form)
    with left:
        _tokens(road, recipe, sentence)
        take.buttons(recipe, "SBERT-WK with these settings", "wk.take")


def _arguments(depth: int) -> tuple[int, int, float, evolution.Form]:
    """The method's settings."""
    form = st.segmented_control(
        "Form",
        ("paper", "released"),
        default="paper",
        required=True,
        key="wk.form",
        help="released: the arithmetic of the authors' program, which has no ω",
    )
    with st.container(horizontal=True, gap="medium"):
        window = st.slider("Window", 1, max(2, depth), 2, key=f"wk.window/{depth}")
        start = 0
        if depth > 1:
            start = st.slider("First layer", 0, depth - 1, min(START, depth // 3), key=f"wk.start/{depth}")
        omega = st.slider(
            "ω, share of alignment", 0.0, 1.0, 0.5, 0.05, key="wk.omega", disabled=form == "released"
        )
    return int(window), int(start), float(omega), "released" if form == "released" else "paper"


def recipe_of(base: Recipe, window: int, start: int, omega: float, form: evolution.Form) -> Recipe:
    """SBERT-WK with these settings on the source of ``base``; released, as its program chooses tokens."""
    released = form == "released"
    share = "" if released else f",omega={omega:g}"
    return layered_recipe(base).replace(
        layers=f"wk(window={window},start={start}{share},form={form})",
        tokens="noseparator" if released else "all",
        weight=f"variance(start={start})" if released else "variance",
    )


def weights(
    model: Model, token: int, window: int, start: int, omega: float, form: evolution.Form
) -> dict[str, np.ndarray]:
    """Alignment, novelty and combined weights of one token's layers from ``start`` on, each of sum 1."""
    gram = model.paths.own(start)[token : token + 1]
    return {
        "alignment": evolution.alignment(gram, window, form)[0],
        "novelty": evolution.novelty(gram, window, form)[0],
        "combined": evolution.alphas(gram, window, omega, form)[0],
    }


def _alphas(
    road: Road,
    model: Model,
    token: int,
    written: str,
    sentence: str,
    window: int,
    start: int,
    omega: float,
    form: evolution.Form,
) -> None:
    look = theme.of(state.theme_name())
    found = weights(model, token, window, start, omega, form)
    numbers = [str(i) for i in range(start, start + len(found["combined"]))]
    colors = dict(zip(found, (OTHERS[0], OTHERS[1], look.a), strict=True))
    lines = [
        Curve(
            "α" if name == "combined" else name, colors[name], values, None, 4 if name == "combined" else 2
        )
        for name, values in found.items()
    ]
    lines.reverse()  # the combined one lies under its halves
    top = max(float(values.max()) for values in found.values())
    most = int(found["combined"].argmax())
    title = f"Of “{written}”, layer {numbers[most]} counts most: {100 * found['combined'][most]:.0f} %"
    share = "alignment and novelty count the same" if form == "released" else f"ω = {omega:g}"
    source = road.source(model.recipe)
    figure_frame.show(
        Framed(
            key="alphas",
            title=title,
            figure=curves(
                lines,
                numbers,
                look,
                x_title="layer",
                y_title="weight",
                bounds=(0.0, top * 1.05),
                height=360,
            ),
            caption=(
                f"{source.name} ({source.revision}) · window {window}, layers from {start}, {share}, "
                f"{form} form",
                f"Token {token + 1} of “{sentence if len(sentence) <= 90 else sentence[:89] + '…'}”",
            ),
            alt=title,
            numbers=pd.DataFrame({"layer": numbers} | found),
        )
    )


def _tokens(road: Road, recipe: Recipe, sentence: str) -> None:
    st.markdown("Tokens, tinted by their share of the sentence vector")
    corpus = Corpus.of_texts("pasted", [sentence], origin="pasted")
    with working("wk") as progress:
        made = tried(lambda: road.token_weights(recipe, corpus, progress))
    if isinstance(made, str):
        st.caption(f":material/info: {escape(made)}")
        return
    st.html("".join(token_strip.strip(one, theme.of(state.theme_name()).a, 1) for one in made))
    st.code(str(recipe), language=None, wrap_lines=True)
