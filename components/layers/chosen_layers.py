"""The set of layers that was chosen in the scores of the page Layers, and the recipe that takes it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from components import selection, state, take
from components.controls import forget
from components.figures.layers import layer_name
from components.text import escape
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.analysis.layers.layer_similarities import Cell, with_layers
from core.evaluation.wording import fixed
from core.recipe import Recipe

CELL = "layers.cell"
"""Key of the set of layers that was chosen."""


def menu(found: ByLayer) -> Cell:
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


def choose(layers: set[int] | Cell) -> None:
    """Remember a set of layers; one alone is the layer that every page looks at."""
    cell = tuple(sorted(set(layers)))
    st.session_state[CELL] = cell_name(cell)
    if len(cell) == 1 and cell[0] >= 0:
        selection.take("layer", str(cell[0]))


def offer(
    recipes: Mapping[str, Recipe], found: Mapping[str, ByLayer], pairs: ByPair | None, cell: Cell
) -> None:
    """The scores of the chosen layers, and buttons that make them those of recipes.

    Where B has scores of its own it keeps its other steps; else recipe A with these layers becomes B.
    ``pairs`` are A's.
    """
    able = [side for side, one in found.items() if {*cell} <= {*one.layers}]
    made = {side: with_layers(recipes[side], cell) for side in able}
    numbers = f"**{escape(made['A'].spelled()['layers'])}**"
    layers = f"Layers {numbers}" if len(cell) > 1 else f"Layer {numbers}"
    scores = {side: _score(found[side], pairs if side == "A" else None, cell) for side in made}
    if len(found) == 1:
        st.markdown(f"{layers}: {scores['A']}", width="content")
        take.buttons(made["A"], "Recipe A with these layers", "layers.take")
        return
    told = ", ".join(f"{side} {score}" for side, score in scores.items() if side == "A" or len(cell) == 1)
    st.markdown(f"{layers}: {told}", width="content")
    for side, recipe in made.items():
        st.button(
            f"Take for {side}",
            key=f"layers.take.{side.lower()}",
            on_click=state.put,
            args=(side.lower(), recipe),
            help=f"Recipe {side} with these layers, its other steps as they are",
        )


def _score(found: ByLayer, pairs: ByPair | None, cell: Cell) -> str:
    if pairs is None and len(cell) > 1:
        return "not scored yet"
    value = pairs.at(cell) if pairs else found.spearman[found.layers.index(cell[0])]
    return fixed(value) if np.isfinite(value) else "no score"
