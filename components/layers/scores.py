"""Scores by layer and by pair of layers on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, selection, state, take, theme
from components.figure_frame import Framed
from components.figures.layers import layer_name, scores_by_layer, scores_by_pair
from components.jobs import asked, done
from components.progress import working
from components.text import escape
from core.analysis.layer_scores import (
    ByLayer,
    ByPair,
    Cell,
    by_layer,
    by_pair,
    cells,
    is_closed,
    is_kept,
    with_layers,
)
from core.corpus import Corpus
from core.embed import Road
from core.errors import CorpusError, StrataError
from core.evaluation.sts import check_scorable
from core.recipe import POST, Recipe

_CELL = "layers.cell"
"""The set of layers that was clicked."""


_PROBLEM = "layers.problem"
"""What was asked for and could not be scored, and why."""


def show(road: Road, recipe: Recipe, corpus: Corpus) -> None:
    """The curve by layer, the grid of pairs, and the chosen set of layers as a recipe."""
    st.markdown("#### Scores by layer")
    try:
        check_scorable(corpus)
        if not is_closed(recipe) and not is_kept(road, recipe, corpus):
            _ask(road, recipe, corpus)
            return
        with working("layer.scores") as progress:
            layers = by_layer(road, recipe, corpus, progress=progress)
            pairs = by_pair(road, recipe, corpus, progress=progress)
    except CorpusError as error:
        st.info(f"No scores by layer. {escape(str(error))}", icon=":material/block:")
        return
    except StrataError as error:
        st.error(f"**Recipe A.** {escape(str(error))}", icon=":material/error:")
        return
    clicked = _clicked(pairs)
    left, right = st.columns(2, gap="medium")
    with left:
        curve(road, recipe, corpus, layers, clicked)
    with right:
        grid(road, recipe, corpus, pairs, clicked)
    offer(recipe, pairs, clicked or pairs.best or (pairs.layers[-1],))


def _ask(road: Road, recipe: Recipe, corpus: Corpus) -> None:
    """Where every set of layers walks the road by itself: a button, and the work behind it."""
    what = f"{with_layers(recipe, (0,))} {corpus.fingerprint}"
    problem = st.session_state.get(_PROBLEM)
    if problem and problem[0] == what:
        st.error(f"**Recipe A.** {escape(problem[1])}", icon=":material/error:")
    layers = len(road.passes.layers(road.source(recipe, corpus)))
    trained = [choice.name for choice in recipe.post if POST.find(choice).traits.get("trained")]
    each = f", each with a training of {' and '.join(trained)}" if trained else ""
    about = (
        f"Under recipe A every set of layers is a walk of its own: {layers + 1 + cells(layers)} of "
        f"them{each}. It can be stopped."
    )
    if not asked("layer.scores", what, "Score every layer and pair", about):
        return
    st.session_state.pop(_PROBLEM, None)
    try:
        with working("layer.walks") as progress:
            by_layer(road, recipe, corpus, progress=progress)
            by_pair(road, recipe, corpus, progress=progress)
    except StrataError as error:
        st.session_state[_PROBLEM] = (what, str(error))
    done()


def _clicked(pairs: ByPair) -> Cell:
    """The layers that were clicked last, as far as this model has them; none at first."""
    cell = tuple(st.session_state.get(_CELL, ()))
    return cell if set(cell) <= set(pairs.layers) else ()


def curve(road: Road, recipe: Recipe, corpus: Corpus, found: ByLayer, cell: Cell) -> None:
    """Each layer alone, with its interval."""
    title = layer_finding(found)

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            at = int(points[0]["x"])
            choose((found.layers[at],) if at < len(found.layers) else (1, found.layers[-1]))

    look = theme.of(state.theme_name())
    figure_frame.show(
        Framed(
            key="layer.curve",
            title=title,
            figure=scores_by_layer(found, look.a, look, cell),
            caption=_caption(road, recipe, corpus, "Bars: 95 % intervals over pairs. Dashed: first+last."),
            alt=title,
            numbers=layer_numbers(found),
            on_select=take,
        )
    )


def grid(road: Road, recipe: Recipe, corpus: Corpus, found: ByPair, cell: Cell) -> None:
    """Every pair of layers; a click chooses it."""
    title = pair_finding(found)

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            choose({found.layers[int(points[0][axis])] for axis in ("x", "y")})

    boxes = "Pink: best. White: first+last. Orange: chosen by a click; on the diagonal, layers alone."
    figure_frame.show(
        Framed(
            key="layer.grid",
            title=title,
            figure=scores_by_pair(found, theme.of(state.theme_name()), cell),
            caption=_caption(road, recipe, corpus, boxes),
            alt=title,
            numbers=pair_numbers(found),
            on_select=take,
        )
    )


def choose(layers: set[int] | Cell) -> None:
    """Remember a set of layers; one alone is the layer that every page looks at."""
    cell = tuple(sorted(set(layers)))
    st.session_state[_CELL] = cell
    if len(cell) == 1 and cell[0] >= 0:
        selection.take("layer", str(cell[0]))


def offer(recipe: Recipe, pairs: ByPair, cell: Cell) -> None:
    """Buttons that make the chosen layers those of recipe A or B."""
    made = with_layers(recipe, cell)
    value = pairs.spearman[pairs.layers.index(cell[0]), pairs.layers.index(cell[-1])]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        score = f"{value:.1f}" if np.isfinite(value) else "no score"
        st.markdown(f"Layers **{escape(made.spelled()['layers'])}**: {score}")
        take.buttons(made, "Recipe A with these layers", "layers.take")


def layer_finding(found: ByLayer) -> str:
    """Which layer scores highest, in one sentence."""
    if found.best is None:
        return "No layer has a score under recipe A: all similarities are equal"
    i = found.layers.index(found.best)
    spread = (found.high[i] - found.low[i]) / 2
    both = f" (first+last {found.first_last[0]:.1f})" if np.isfinite(found.first_last[0]) else ""
    return f"Best layer: {layer_name(found.best)}, {found.spearman[i]:.1f} ± {spread:.1f}{both}"


def pair_finding(found: ByPair) -> str:
    """Which set of one or two layers scores highest, in one sentence."""
    if found.best is None:
        return "No pair of layers has a score"
    value = np.nanmax(found.spearman)
    if len(found.best) == 1:
        return f"No pair beats layer {layer_name(found.best[0])} alone: {value:.1f}"
    i, j = found.best
    return f"Best pair: layers {layer_name(i)} and {layer_name(j)}, {value:.1f}"


def layer_numbers(found: ByLayer) -> pd.DataFrame:
    """One row for each layer, and one for first + last."""
    names = [layer_name(i) for i in found.layers]
    rows = [
        *zip(names, found.spearman, found.low, found.high, strict=True),
        ("first+last", *found.first_last),
    ]
    return pd.DataFrame(rows, columns=["layer", "spearman", "low", "high"])


def pair_numbers(found: ByPair) -> pd.DataFrame:
    """One row for each pair of layers, and for each alone."""
    i, j = np.triu_indices(len(found.layers))
    names = [layer_name(layer) for layer in found.layers]
    columns = {"layer": [names[k] for k in i], "other layer": [names[k] for k in j]}
    return pd.DataFrame(columns | {"spearman": found.spearman[i, j]})


def _caption(road: Road, recipe: Recipe, corpus: Corpus, last: str) -> tuple[str, ...]:
    source, bare = road.source(recipe, corpus), with_layers(recipe, (0,)).spelled()
    kept = "; ".join(f"{stage}={value}" for stage, value in bare.items() if stage != "layers")
    return (
        f"Recipe A with other layers: {kept}",
        f"{source.name} ({source.revision}) · {corpus.name} {corpus.taken} · {len(corpus):,} pairs · one "
        f"correlation over all pairs · {corpus.origin} · fingerprint {corpus.fingerprint}",
        last,
    )
