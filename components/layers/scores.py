"""Scores by layer and by pair of layers on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, selection, state, take, theme
from components.controls import forget
from components.figure_frame import Framed
from components.figures.layers import layer_name, scores_by_layer, scores_by_pair
from components.job import Question
from components.layers.on_corpus import scores_work
from components.provenance import Summary
from components.text import escape
from components.wording import UNIT, listed, plus_minus, with_interval
from core.analysis.layers.layer_scores import (
    ByLayer,
    ByPair,
    Cell,
    cells,
    with_layers,
)
from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError
from core.evaluation.sts import check_scorable
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.plan import PostStep
from core.work import Job

CELL = "layers.cell"
"""Key of the set of layers that was chosen."""


def show(
    engine: Engine, recipe: Recipe, corpus: Corpus, scores: Job[tuple[ByLayer, ByPair]] | None
) -> None:
    """The curve by layer, the grid of pairs, and the chosen set of layers as a recipe.

    Without a job the scores take long, and are asked for here.
    """
    st.markdown("## Scores by layer")
    try:
        check_scorable(corpus)
        if scores is None:
            work = replace(scores_work(engine, recipe, corpus), asks=True)
            found = job.show(work, lambda: _question(engine, recipe, corpus))
        else:
            found = scores.value()
    except CorpusError as error:
        st.info(f"No scores by layer. {escape(str(error))}", icon=":material/block:")
        return
    except StrataError as error:
        st.error(f"**Recipe A.** {escape(str(error))}", icon=":material/error:")
        return
    if found is None:
        return
    layers, pairs = found
    figures = st.container()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        clicked = _chosen(pairs)
        offer(recipe, pairs, clicked or pairs.best or (pairs.layers[-1],))
    left, right = figures.columns(2, gap="medium")
    with left:
        curve(engine, recipe, corpus, layers, clicked)
    with right:
        grid(engine, recipe, corpus, pairs, clicked)


def _question(engine: Engine, recipe: Recipe, corpus: Corpus) -> Question:
    """What is said where every set of layers needs vectors of its own."""
    layers = len(engine.source(recipe, corpus).layers)
    trained = [choice.name for choice in recipe.post if PostStep.of(choice).trainable]
    each = f", each with a training of {' and '.join(trained)}" if trained else ""
    about = (
        f"Under recipe A every set of layers is computed by itself: {layers + 1 + cells(layers)} of "
        f"them{each}. It can be stopped."
    )
    return Question(about, "Score every layer and pair", aside=True)


def _chosen(pairs: ByPair) -> Cell:
    """The layers that were chosen, by a click or in the menu; none at first."""
    layers = pairs.layers
    cells_of = {
        cell_name(cell): cell
        for i, one in enumerate(layers)
        for cell in ((one,), *((one, other) for other in layers[i + 1 :]))
    }
    forget(CELL, cells_of)
    chosen = st.selectbox(
        "Layers of the figures",
        list(cells_of),
        index=None,
        placeholder="the best",
        key=CELL,
        bind="query-params",
        persist_state="session",
        width=170,
        help="One layer, or two. A click in the figures chooses them too.",
    )
    return cells_of.get(chosen or "", ())


def cell_name(cell: Cell) -> str:
    """``0+2``: the layers of a cell."""
    return "+".join(map(layer_name, cell))


def curve(engine: Engine, recipe: Recipe, corpus: Corpus, found: ByLayer, cell: Cell) -> None:
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
            caption=_caption(
                engine, recipe, corpus, "Bars: 95 % intervals over pairs. Dashed: first+last."
            ),
            summary=_summary(engine, recipe, corpus),
            alt=title,
            numbers=lambda: layer_numbers(found),
            hint="A click on a layer chooses it.",
            on_select=take,
        )
    )


def grid(engine: Engine, recipe: Recipe, corpus: Corpus, found: ByPair, cell: Cell) -> None:
    """Every pair of layers; a click chooses it."""
    title = pair_finding(found)

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            choose({found.layers[int(points[0][axis])] for axis in ("x", "y")})

    boxes = "Pink: best. White: first+last. On the diagonal, layers alone."
    figure_frame.show(
        Framed(
            key="layer.grid",
            title=title,
            figure=scores_by_pair(found, theme.of(state.theme_name()), cell),
            caption=_caption(engine, recipe, corpus, boxes),
            summary=_summary(engine, recipe, corpus),
            alt=title,
            numbers=lambda: pair_numbers(found),
            hint="A click on a cell chooses its layers, framed in orange; on the diagonal, layers alone.",
            on_select=take,
        )
    )


def choose(layers: set[int] | Cell) -> None:
    """Remember a set of layers; one alone is the layer that every page looks at."""
    cell = tuple(sorted(set(layers)))
    st.session_state[CELL] = cell_name(cell)
    if len(cell) == 1 and cell[0] >= 0:
        selection.take("layer", str(cell[0]))


def offer(recipe: Recipe, pairs: ByPair, cell: Cell) -> None:
    """Buttons that make the chosen layers those of recipe A or B."""
    made = with_layers(recipe, cell)
    value = pairs.spearman[pairs.layers.index(cell[0]), pairs.layers.index(cell[-1])]
    score = f"{value:.1f}" if np.isfinite(value) else "no score"
    st.markdown(f"Layers **{escape(made.spelled()['layers'])}**: {score}", width="content")
    take.buttons(made, "Recipe A with these layers", "layers.take")


def layer_finding(found: ByLayer) -> str:
    """Which layer scores highest, in one sentence."""
    if found.best is None:
        return "No layer has a score under recipe A: all similarities are equal"
    names = [f"layer {layer_name(i)}" for i in found.layers] + ["first+last"]
    values = np.array([*found.spearman, found.first_last[0]])
    best = int(np.nanargmax(values))
    low, high = (np.array([*ends, found.first_last[i]]) for i, ends in ((1, found.low), (2, found.high)))
    first = names[best][:1].upper() + names[best][1:]
    words = f"{first} scores highest: {UNIT} = {plus_minus(values[best], low[best], high[best])}"
    alike = [
        name
        for i, (name, difference) in enumerate(zip(names, found.differences, strict=True))
        if i != best and difference.known and not difference.shown
    ]
    return f"{words}; no difference shown to {_named(alike)}" if alike else words


def _named(names: Sequence[str]) -> str:
    """Layers in one list: ``layers 4, 5 and first+last``."""
    layers = [name.removeprefix("layer ") for name in names if name.startswith("layer ")]
    if len(layers) < 2:
        return listed(names)
    return f"layers {listed([*layers, *names[len(layers) :]])}"


def pair_finding(found: ByPair) -> str:
    """Which set of one or two layers scores highest, in one sentence."""
    if found.best is None:
        return "No pair of layers has a score"
    pair, alone = found.best_pair, found.best_alone
    if pair is None or alone is None:
        only = f"layer {layer_name(found.best[0])} alone" if pair is None else _together(pair)
        return f"Only score: {UNIT} = {fixed(found.at(found.best))} of {only}"
    together, single = fixed(found.at(pair)), fixed(found.at((alone,)))
    by_itself = f"layer {layer_name(alone)} alone"
    if len(found.best) == 1:
        words = (
            f"No pair scores above {by_itself}: {UNIT} = {single}; best pair {_together(pair)}, {together}"
        )
    else:
        words = f"Best pair: {_together(pair)}, {UNIT} = {together}; {by_itself} {single}"
    if found.gain.shown:
        return f"{words} ({with_interval(found.gain)})"
    return f"{words}; no difference shown ({with_interval(found.gain)})"


def _together(pair: Cell) -> str:
    return f"layers {layer_name(pair[0])} and {layer_name(pair[1])}"


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


def _summary(engine: Engine, recipe: Recipe, corpus: Corpus) -> Summary:
    source = engine.source(recipe, corpus)
    return provenance.summary(
        "layers", {"A": recipe}, {"A": source}, provenance.split(corpus), provenance.pairs(corpus)
    )


def _caption(engine: Engine, recipe: Recipe, corpus: Corpus, last: str) -> tuple[str, ...]:
    source, bare = engine.source(recipe, corpus), with_layers(recipe, (0,)).spelled()
    kept = "; ".join(f"{stage}={value}" for stage, value in bare.items() if stage != "layers")
    return (
        f"Recipe A with other layers: {kept}",
        provenance.line(
            [provenance.model(source)],
            corpus,
            provenance.pairs(corpus),
            "one correlation over all pairs",
        ),
        last,
    )
