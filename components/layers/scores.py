"""Scores by layer and by pair of layers on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import errors, figure_frame, job, provenance, selection, state, take, theme
from components.controls import forget
from components.figure_frame import Framed
from components.figures.layers import layer_name, scores_by_layer, scores_by_pair
from components.job import Question
from components.layers.on_corpus import Scores
from components.provenance import Summary
from components.text import escape
from components.wording import UNIT, listed, plus_minus, upper_first, with_interval
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.analysis.layers.layer_similarities import Cell, with_layers
from core.corpora.corpus import Corpus
from core.errors import CorpusError, StrataError, counted, they
from core.evaluation.sts import FEW_PAIRS
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe

CELL = "layers.cell"
"""Key of the set of layers that was chosen."""

ALIKE = 0.05
"""Points by which scores differ that are the same in the digits shown."""


def show(engine: Engine, recipe: Recipe, corpus: Corpus, scores: Scores | StrataError) -> None:
    """The curve by layer, the chosen set of layers as a recipe, and the grid of pairs.

    What takes long and has not begun is asked for here.
    """
    try:
        if isinstance(scores, StrataError):
            raise scores
        layers, pairs = _computed(scores)
    except CorpusError as error:
        st.info(f"No scores by layer. {escape(str(error))}", icon=":material/block:")
        return
    except StrataError as error:
        errors.tell(error, "a")
        return
    if layers is None:
        return
    if scores.follow:
        job.ahead([scores.pairs])
    above = st.container()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        clicked, offered = _chosen(layers), st.container(horizontal=True, vertical_alignment="bottom")
    with above:
        curve(engine, recipe, corpus, layers, clicked)
    if scores.begun:
        pairs = _pairs(scores)
    best = pairs.best if pairs else (layers.best,) if layers.best is not None else None
    with offered:
        offer(recipe, layers, pairs, clicked or best or (layers.layers[-1],))
    if pairs:
        grid(engine, recipe, corpus, pairs, clicked)


def _computed(scores: Scores) -> tuple[ByLayer | None, ByPair | None]:
    """The scores of the layers, if they are there; where they have not begun, a question for both."""
    if scores.begun:
        return scores.begun.value(), None
    asking = [replace(work, asks=True) for work in (scores.layers, scores.pairs)]
    layers, pairs = job.show_all(asking, lambda: _question(scores, "layer and pair"))
    return layers.value(), pairs.value()


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
    about = (
        f"Under recipe A every set of layers is computed by itself: {scores.sets} of them{each}. It can be "
        "stopped."
    )
    return Question(about, f"Score every {what}", aside=True)


def _chosen(found: ByLayer) -> Cell:
    """The layers that were chosen, by a click or in the menu; none at first."""
    layers = found.layers
    cells_of = {
        cell_name(cell): cell
        for i, one in enumerate(layers)
        for cell in ((one,), *((one, other) for other in layers[i + 1 :]))
    }
    forget(CELL, cells_of, None)
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
    title = layer_finding(found, len(corpus))

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
                engine,
                recipe,
                corpus,
                f"{'Bars: 95 % intervals over pairs. ' * (len(corpus) >= FEW_PAIRS)}Dashed: first+last.",
            ),
            summary=_summary(engine, recipe, corpus),
            alt=title,
            numbers=lambda: layer_numbers(found),
            above=400,
            hint="A click on a layer chooses it.",
            on_select=take,
        )
    )


def grid(engine: Engine, recipe: Recipe, corpus: Corpus, found: ByPair, cell: Cell) -> None:
    """Every pair of layers; a click chooses it."""
    title = pair_finding(found, len(corpus))

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            choose({found.layers[int(points[0][axis])] for axis in ("x", "y")})

    what = "On the diagonal, layers alone. Orange frames: the best; white: first+last; pink: chosen."
    figure_frame.show(
        Framed(
            key="layer.grid",
            title=title,
            figure=scores_by_pair(found, theme.of(state.theme_name()), cell),
            caption=_caption(engine, recipe, corpus, what),
            summary=_summary(engine, recipe, corpus),
            alt=title,
            numbers=lambda: pair_numbers(found),
            hint="A click on a cell chooses its layers. Orange: best; white: first+last; pink: chosen.",
            on_select=take,
        )
    )


def choose(layers: set[int] | Cell) -> None:
    """Remember a set of layers; one alone is the layer that every page looks at."""
    cell = tuple(sorted(set(layers)))
    st.session_state[CELL] = cell_name(cell)
    if len(cell) == 1 and cell[0] >= 0:
        selection.take("layer", str(cell[0]))


def offer(recipe: Recipe, layers: ByLayer, pairs: ByPair | None, cell: Cell) -> None:
    """Buttons that make the chosen layers those of recipe A or B."""
    made = with_layers(recipe, cell)
    if pairs:
        value = pairs.at(cell)
    else:
        value = layers.spearman[layers.layers.index(cell[0])] if len(cell) == 1 else np.nan
    score = fixed(value) if np.isfinite(value) else "no score" if pairs else "not scored yet"
    st.markdown(f"Layers **{escape(made.spelled()['layers'])}**: {score}", width="content")
    take.buttons(made, "Recipe A with these layers", "layers.take")


def layer_finding(found: ByLayer, pairs: int | None = None) -> str:
    """Which layer scores highest, in one sentence; ``pairs`` are told where they are too few."""
    if found.best is None:
        return "No layer has a score under recipe A: all similarities are equal"
    names = [f"layer {layer_name(i)}" for i in found.layers] + ["first+last"]
    values = np.array([*found.spearman, found.first_last[0]])
    best = int(np.nanargmax(values))
    low, high = (np.array([*ends, found.first_last[i]]) for i, ends in ((1, found.low), (2, found.high)))
    if (known := np.isfinite(values)).sum() > 1 and np.ptp(values[known]) < ALIKE:
        one = values[best]
        bounded = np.isfinite([low[best], high[best]]).all()
        said = fixed(one) if bounded else plus_minus(one, np.nan, np.nan, pairs)
        return f"All layers score alike: {UNIT} = {said}"
    said = plus_minus(values[best], low[best], high[best], pairs)
    first = [name for name, value in zip(names, values, strict=True) if value == values[best]]
    words = f"{upper_first(_named(first))} {they(len(first), 'score')} highest: {UNIT} = {said}"
    last = len(found.layers) - 1
    if best != last and found.differences[last].shown:
        words += f"; the last layer {fixed(values[last])} ({with_interval(found.differences[last])})"
    alike = [
        name
        for i, (name, difference) in enumerate(zip(names, found.differences, strict=True))
        if name not in first and difference.known and not difference.shown
    ]
    return f"{words}; no difference shown to {_named(alike)}" if alike else words


def _named(names: Sequence[str]) -> str:
    """Layers in one list: ``layers 4, 5 and first+last``."""
    layers = [name.removeprefix("layer ") for name in names if name.startswith("layer ")]
    if len(layers) < 2:
        return listed(names)
    return f"layers {listed([*layers, *names[len(layers) :]])}"


def pair_finding(found: ByPair, pairs: int | None = None) -> str:
    """Which set of one or two layers scores highest, in one sentence; few ``pairs`` are told."""
    if found.best is None:
        return "No pair of layers has a score"
    pair, alone = found.best_pair, found.best_alone
    few = f" ({counted(pairs, 'pair')})" if pairs is not None and pairs < FEW_PAIRS else ""
    if pair is None or alone is None:
        only = f"layer {layer_name(found.best[0])} alone" if pair is None else _together(pair)
        return f"Only score: {UNIT} = {fixed(found.at(found.best))}{few} of {only}"
    together, single = fixed(found.at(pair)), fixed(found.at((alone,)))
    by_itself = f"layer {layer_name(alone)} alone"
    if len(found.best) == 1:
        words = f"No pair scores above {by_itself}: {UNIT} = {single}{few}; "
        words += f"best pair {_together(pair)}, {together}"
    else:
        words = f"Best pair: {_together(pair)}, {UNIT} = {together}{few}; {by_itself} {single}"
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
