"""The cell of a map of shares and layers that a visitor chooses, and its recipe to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from components import selection, take
from components.controls import forget, renew
from components.mixing.cells import share_name
from components.text import escape
from components.wording import layers_named, metrics_unit
from core.analysis.mixing import Cell, Mixture, mixed
from core.evaluation.wording import fixed
from core.recipe import Recipe


@dataclass(frozen=True)
class CellControls:
    """The controls of a map's cell by their keys, which are their names in the link too."""

    share: str
    layers: str

    def show(self, found: Mixture, made_for: object = None) -> Cell | None:
        """The chosen cell, by controls or by a click on the map; the best one to start with.

        It is that again when the map is ``made_for`` something else.
        """
        start = found.best
        if start is None:
            return None
        left, right = st.columns(2, gap="medium")
        names, first = [f"{w:g}" for w in found.shares], f"{start[0]:g}"
        renew(self.share, made_for, first)
        renew(self.layers, made_for, start[1])
        forget(self.share, names, first)
        forget(self.layers, found.layers, start[1])
        with left:
            w = st.select_slider(
                "w", names, value=first, key=self.share, bind="query-params", persist_state="session"
            )
        with right:
            layers = st.selectbox(
                "Layers",
                found.layers,
                index=found.layers.index(start[1]),
                key=self.layers,
                bind="query-params",
                persist_state="session",
                help="A click on a cell of the map chooses both.",
            )
        return float(w), str(layers)

    def take(self, found: Mixture, points: Sequence[dict[str, Any]]) -> None:
        """Choose the cell of a click on the map, in a callback."""
        if points:
            selection.take(self.share, f"{found.shares[int(points[0]['y'])]:g}")
            selection.take(self.layers, found.layers[int(points[0]["x"])])


def offer(recipe: Recipe, found: Mixture, chosen: Cell, key: str) -> None:
    """The cell's score in words, and buttons that take its recipe; ``key`` tells maps apart."""
    share, layers = share_name(chosen[0]), layers_named(chosen[1])
    value = found.at(*chosen)
    score = f"{metrics_unit(found.metrics)} = {fixed(value)}" if np.isfinite(value) else "no score"
    st.markdown(f"w = **{share}** on **{escape(layers)}**: {score}")
    take.buttons(
        mixed(recipe, *chosen),
        f"Recipe A with w = {share} on {layers}",
        key,
        named=f"w = {share}, {layers}",
    )
