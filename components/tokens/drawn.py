"""A model whose tokens are looked at, and the map of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from components.figures.layers import layer_name
from components.text import escape
from components.tokens.controls import Asked, places_of, values_of
from core.analysis import projection
from core.analysis.projection import Projection, plane
from core.analysis.vocabulary import Space
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress
from core.recipe import Recipe


@dataclass(frozen=True, eq=False)
class Model:
    """Recipe A's model, or another beside it, with its tokens.

    ``shared`` are the layers that share a map: all of one width.
    """

    name: str
    recipe: Recipe
    space: Space
    layer: int
    shared: tuple[int, ...]

    @property
    def title(self) -> str:
        """The model with its layer."""
        kind = "static rows" if self.space.over is None else f"layer {layer_name(self.layer)}"
        return f"{self.name} · {kind}"


@dataclass(frozen=True, eq=False)
class Drawn:
    """A model's map: which of its tokens, in words which, where they lie, and the colour of all tokens."""

    model: Model
    places: np.ndarray
    which: str
    map: Projection
    values: np.ndarray

    @property
    def points(self) -> np.ndarray:
        """The points of the layer that is shown."""
        return self.map.at(self.model.layer)

    @property
    def told(self) -> float:
        """The share of the colour's variance that a plane over the map accounts for; NaN for none."""
        return plane(self.points, self.values[self.places])


def what_of(model: Model, places: np.ndarray) -> list[object]:
    """Everything that the vectors of a map depend on."""
    return [model.space.key, model.shared, places.tolist()]


def draw(road: Road, model: Model, corpus: Corpus, asked: Asked, progress: Progress) -> Drawn | None:
    """The map of a model; None, and the reason on the page, when there is none."""
    places, which = places_of(asked.drawn, model.space)
    try:
        made = projection.project(
            road.store,
            asked.method,
            model.shared,
            lambda layer: model.space.rows(layer, places),
            what_of(model, places),
            progress,
        )
        values = values_of(asked.colour, road, model.recipe, model.space, corpus, progress)
    except StrataError as error:
        st.error(f"{escape(model.name)}: {escape(str(error))}", icon=":material/error:")
        return None
    return Drawn(model, places, which, made, values)
