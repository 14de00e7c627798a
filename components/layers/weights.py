"""SBERT-WK's weights of layers and tokens in the visitor's sentence, on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, selection, state, take, theme, token_strip, works
from components.controls import renew, segments
from components.errors import tried
from components.figure_frame import Framed
from components.figures.layers import Curve, curves
from components.layers.page import LayeredModel, quoted_start
from components.text import escape
from core.corpora.corpus import Corpus
from core.evaluation.wording import quoted
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.stages import sbert_wk

SAME = 1e-6
"""Weights that differ by less are called the same."""

START = 4
"""The paper's first layer of twelve; a third of the layers where there are fewer."""

WINDOW = 2
"""The paper's window: layers on either side of one."""


@dataclass(frozen=True)
class WkSettings:
    """What SBERT-WK takes: layers on either side, the first layer, the share of alignment, and the form."""

    window: int
    start: int
    omega: float
    form: sbert_wk.Form

    def recipe(self, base: Recipe) -> Recipe:
        """SBERT-WK with these settings on the source of ``base``; released, as its program takes tokens."""
        released = self.form == "released"
        share = "" if released else f",omega={self.omega:g}"
        return base.as_read().replace(
            layers=f"wk(window={self.window},start={self.start}{share},form={self.form})",
            tokens="noseparator" if released else "all",
            weight=f"variance(start={self.start})" if released else "variance",
        )

    def weights(self, model: LayeredModel, token: int) -> dict[str, np.ndarray]:
        """Alignment, novelty and combined weights of one token's layers, each of sum 1."""
        gram = model.paths.own(self.start)[token : token + 1]
        return {
            "alignment": sbert_wk.alignment(gram, self.window, self.form)[0],
            "novelty": sbert_wk.novelty(gram, self.window, self.form)[0],
            "combined": sbert_wk.alphas(gram, self.window, self.omega, self.form)[0],
        }

    def __str__(self) -> str:
        """The settings in the words of a caption."""
        share = f"ω = {self.omega:g}"
        if self.form == "released":
            share = "alignment and novelty count the same"
        return f"window {self.window}, layers from {self.start}, {share}, {self.form} form"


def head() -> None:
    """The head of the section, under which a token is chosen."""
    st.markdown("## SBERT-WK: the weights of layers and tokens")


def show(engine: Engine, model: LayeredModel, token: int, sentence: str) -> None:
    """Sliders, α of one token over layers, and the weights of the sentence's tokens."""
    depth = model.paths.layers[-1]
    if depth < 1:
        st.info("This model has one layer only: there is nothing to weigh.", icon=":material/block:")
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        settings = _settings(depth)
    recipe = settings.recipe(model.recipe)
    with right:
        _alphas(engine, model, token, sentence, settings)
    with left:
        _tokens(engine, recipe, sentence)
        take.buttons(recipe, "SBERT-WK with these settings", "wk.take")


def _settings(depth: int) -> WkSettings:
    """Sliders for the method's settings."""
    form = segments(
        "Form",
        ("paper", "released"),
        "wk.form",
        help="released: the arithmetic of the authors' program, which has no ω",
    )
    with st.container(horizontal=True, gap="medium"):
        renew("wk.window", depth, WINDOW)
        window = st.slider(
            "Window",
            1,
            max(WINDOW, depth),
            WINDOW,
            key="wk.window",
            bind="query-params",
            persist_state="session",
        )
        start = 0
        if depth > 1:
            first = min(START, depth // 3)
            renew("wk.start", depth, first)
            start = st.slider(
                "First layer",
                0,
                depth - 1,
                first,
                key="wk.start",
                bind="query-params",
                persist_state="session",
            )
        omega = st.slider(
            "ω, share of alignment",
            0.0,
            1.0,
            0.5,
            0.05,
            key="wk.omega",
            bind="query-params",
            persist_state="session",
            disabled=form == "released",
        )
    return WkSettings(int(window), int(start), float(omega), "released" if form == "released" else "paper")


def _alphas(
    engine: Engine,
    model: LayeredModel,
    token: int,
    sentence: str,
    settings: WkSettings,
) -> None:
    look = theme.of(state.theme_name())
    found = settings.weights(model, token)
    numbers = [str(i) for i in range(settings.start, settings.start + len(found["combined"]))]
    colors = dict(zip(found, (theme.OTHERS[0], theme.OTHERS[1], look.a), strict=True))
    lines = [
        Curve(
            "α" if name == "combined" else name, colors[name], values, None, 4 if name == "combined" else 2
        )
        for name, values in found.items()
    ]
    lines.reverse()  # the combined one lies under its halves
    top = max(float(values.max()) for values in found.values())
    title = finding(selection.token_name(model.paths.tokens, token), numbers, found["combined"])
    source = engine.source(model.recipe)
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
                f"{provenance.model(source)} · {settings}",
                f"Token {token + 1} of {quoted_start(sentence)}",
            ),
            summary=provenance.summary(
                "layers",
                {"": settings.recipe(model.recipe)},
                {"": source},
                quoted(selection.token_name(model.paths.tokens, token)),
            ),
            alt=title,
            numbers=lambda: pd.DataFrame({"layer": numbers} | found),
        )
    )


def finding(surface_form: str, layers: Sequence[str], alphas: np.ndarray) -> str:
    """Which layer weighs most in one token's vector, in one sentence."""
    if np.ptp(alphas) < SAME:
        return f"Every layer has the same weight α in {quoted(surface_form)}: {100 * alphas[0]:.0f} %"
    most = int(alphas.argmax())
    return f"Largest weight α in {quoted(surface_form)}: layer {layers[most]}, {100 * alphas[most]:.0f} %"


def _tokens(engine: Engine, recipe: Recipe, sentence: str) -> None:
    st.markdown(f"Tokens, tinted by their share of the sentence vector; {token_strip.SCALE}")
    corpus = Corpus.pasted([sentence])
    made = tried(lambda: job.show(works.token_weights(engine, "Weights of the sentence", recipe, corpus)))
    if made is None:
        return
    if isinstance(made, str):
        st.caption(f":material/info: {escape(made)}")
        return
    st.html("".join(token_strip.strip(one, theme.of(state.theme_name()).a, 1) for one in made))
    st.code(str(recipe), language=None, wrap_lines=True)
