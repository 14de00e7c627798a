"""The cell of a map of shares and layers that a visitor chooses, and its recipe to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from components import chooser, held, link, selection, take
from components.controls import forget, renew
from components.text import escape
from components.wording import layers_named, metrics_unit
from core.analysis.mixing import Cell, Mixture, mixed
from core.errors import shorten
from core.evaluation.wording import fixed, shortest
from core.recipe import Recipe


@dataclass(frozen=True)
class CellControls:
    """The controls of a map's cell by their keys, which are their names in the link too."""

    share: str
    layers: str

    def show(self, found: Mixture, made_for: object = None) -> Cell | None:
        """The chosen cell, by controls or by a click on the map; the best one until another is chosen.

        It is that again when the map is ``made_for`` something else.
        """
        start = found.best
        if start is None:
            return None
        left, right = st.columns(2, gap="medium")
        names, first = [f"{w:g}" for w in found.shares], f"{start[0]:g}"
        self._follow((first, start[1]))
        renew(self.share, made_for, first)
        renew(self.layers, made_for, start[1])
        forget(self.share, names, first)
        forget(self.layers, found.layers, start[1])
        with left:
            w = self._share(names, first)
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
            held.tell_behind(self.layers)
        return w, str(layers)

    def _follow(self, best: tuple[str, str]) -> None:
        """Go on with the best cell where the one before was shown: of another corpus, or another recipe."""
        name = f"{self.share}.best"
        shown = tuple(st.session_state.get(key) for key in (self.share, self.layers))
        if shown == st.session_state.get(name, best) != best:
            st.session_state[self.share], st.session_state[self.layers] = best
        st.session_state[name] = best

    def _share(self, names: Sequence[str], first: str) -> float:
        """The share by a slider that writes a minus; a hidden field holds it as the link says it."""
        with st.container(key=f"{self.share}.bound"):
            said = str(
                st.text_input(
                    "Share of Avg.",
                    value=first,
                    key=self.share,
                    bind="query-params",
                    persist_state="session",
                )
            )
        if said not in names:
            shown = shortest(float(first))
            link.explain(self.share, f"The link says w = {shorten(said)}, which is not tried: w = {shown}.")
        name = f"{self.share}.slider"
        chosen = said if said in names else first
        key = chooser.key(name, chosen)

        def choose() -> None:
            if chooser.makes(name, key, share := st.session_state[key]):
                held.hold(self.share, share)

        st.select_slider(
            "w",
            names,
            value=chosen,
            format_func=lambda share: shortest(float(share)),
            key=key,
            on_change=choose,
        )
        return float(chosen)

    def take(self, found: Mixture, points: Sequence[dict[str, Any]]) -> None:
        """Choose the cell of a click on the map, in a callback."""
        if points:
            selection.take(self.share, f"{found.shares[int(points[0]['y'])]:g}")
            selection.take(self.layers, found.layers[int(points[0]["x"])])


def offer(recipe: Recipe, found: Mixture, chosen: Cell, key: str) -> None:
    """The cell's score in words, and buttons that take its recipe; ``key`` tells maps apart."""
    share, layers = shortest(chosen[0]), layers_named(chosen[1])
    value = found.at(*chosen)
    score = f"{metrics_unit(found.metrics)} = {fixed(value)}" if np.isfinite(value) else "no score"
    st.markdown(f"w = **{share}** on **{escape(layers)}**: {score}")
    take.buttons(
        mixed(recipe, *chosen),
        f"Recipe A with w = {share} on {layers}",
        key,
        named=f"w = {share}, {layers}",
    )
