"""Score by share of Avg. and by layers, on the page Mixing: the map, and the chosen cell as a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from components import figure_frame, selection, state, take, theme
from components.controls import forget
from components.figure_frame import Framed
from components.figures.mixing import heatmap
from components.figures.share_walk import walk
from components.mixing.cells import best_at, gained, numbers, share_name
from components.mixing.page import caption, summary
from components.text import escape
from components.wording import UNIT, layers_named
from core.analysis.mixing import SHARES, Mixture, mixed
from core.analysis.mixing_gains import MixtureGains
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe


def show(
    engine: Engine,
    recipe: Recipe,
    corpora: Sequence[Corpus],
    mixture: Mixture,
    gains: MixtureGains | None,
    place: Any,
) -> None:
    """The map in ``place``; under the controls of the chosen cell its score, and its recipe to take.

    ``gains`` is None while the intervals are computed.
    """
    chosen = cell(mixture)
    title = finding(mixture, gains.best if gains else NO_DIFFERENCE)

    def choose(points: Sequence[dict[str, Any]]) -> None:
        if points:
            selection.take("w", f"{mixture.shares[int(points[0]['y'])]:g}")
            selection.take("mixed", mixture.layers[int(points[0]["x"])])

    look = theme.of(state.theme_name())
    with place:
        figure_frame.show(
            Framed(
                key="mixing",
                title=title,
                figure=heatmap(mixture, look, chosen),
                caption=caption(engine, recipe, corpora, mixture),
                summary=summary(engine, recipe, corpora),
                hint="A click on a cell chooses its share and layers.",
                alt=title,
                numbers=lambda: numbers(mixture, "spearman"),
                on_select=choose,
                animation=lambda: walk(mixture, look, chosen),
            )
        )
    if chosen is None:
        return
    spearman = mixture.at(*chosen)
    score = f"{UNIT} = {fixed(spearman)}" if np.isfinite(spearman) else "no score"
    st.markdown(f"w = **{share_name(chosen[0])}** on **{escape(layers_named(chosen[1]))}**: {score}")
    take.buttons(mixed(recipe, *chosen), "Recipe A with this share and these layers", "mixing.take")


def cell(mixture: Mixture) -> tuple[float, str] | None:
    """The chosen cell, by controls or by a click on the map; the best one to start with."""
    start = mixture.best
    if start is None:
        return None
    left, right = st.columns(2, gap="medium")
    names = [f"{w:g}" for w in SHARES]
    forget("w", names, f"{start[0]:g}")
    forget("mixed", mixture.layers, start[1])
    with left:
        w = st.select_slider(
            "w", names, value=f"{start[0]:g}", key="w", bind="query-params", persist_state="session"
        )
    with right:
        layers = st.selectbox(
            "Layers",
            mixture.layers,
            index=mixture.layers.index(start[1]),
            key="mixed",
            bind="query-params",
            persist_state="session",
            help="A click on a cell of the map chooses both.",
        )
    return float(w), str(layers)


def finding(mixture: Mixture, gain: Difference) -> str:
    """Which cell is best, and what it gains over the best one without Avg."""
    if mixture.best is None:
        return "No cell has a score: all similarities are equal"
    share, layers = mixture.best
    best = (
        f"{UNIT} = {fixed(mixture.at(share, layers))} at {best_at(share, mixture.shares)}, "
        f"{layers_named(layers)}, the best cell on these pairs"
    )
    return gained(share, best, mixture, gain)
