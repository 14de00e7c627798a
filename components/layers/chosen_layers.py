"""The set of layers that was chosen in the scores of the page Layers, and the recipe that takes it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components import selection, take
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
