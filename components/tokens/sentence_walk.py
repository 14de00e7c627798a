"""The maps of sentences through the layers, for a slide: each point from layer to layer in one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from components import works
from components.figures.animation import Animation
from components.figures.layers import layer_name
from components.tokens.sentence_neighbours import RecipeMap
from core.analysis.token_maps.projection import METHODS, ProjectionError
from core.analysis.token_maps.sentence_walk import LayerMaps, layer_maps, layers_of, steps
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.storage.keys import key_of
from core.work import Work

Draw = Callable[[Sequence[np.ndarray], np.ndarray], go.Figure]
"""Draws the sides' points within a frame that holds the points given last."""


def work(
    engine: Engine, sides: Sequence[RecipeMap], corpus: Corpus, places: np.ndarray
) -> Work[list[LayerMaps]] | None:
    """The maps of every layer under every side; None where no source has layers, or a map is no PCA."""
    if any(side.map.method != "pca" for side in sides):
        return None
    layered = [side.recipe for side in sides if layers_of(engine, side.recipe, corpus)]
    if not layered:
        return None

    def compute(progress: Progress) -> list[LayerMaps]:
        return [layer_maps(engine, side.recipe, corpus, places, progress) for side in sides]

    every_layer: list[Recipe] = [recipe.replace(layers="all") for recipe in layered]
    seconds = works.pending(engine, every_layer, corpus)
    key = ("sentence steps", key_of(*(side.identity for side in sides)))
    return Work(key, "Maps of sentences at every layer", compute, seconds)


def walk(
    sides: Sequence[RecipeMap], shown: Sequence[np.ndarray], draw: Draw, maps: Sequence[LayerMaps] | None
) -> Animation | None:
    """The shown maps and those of every layer; the shown one is a step of its own.

    Raises
    ------
    ProjectionError
        The maps are no PCA: other methods place the sentences of each layer anew.
    """
    if maps is None:
        method = sides[0].map.method
        if method != "pca":
            raise ProjectionError(f"{METHODS[method]} places the sentences of each layer anew; PCA moves")
        return None
    found = steps(maps, shown)
    every = [list(shown), *found.values()]
    frame = np.concatenate([points for one in every for points in one])
    called = f"as in {' and '.join(side.letter for side in sides)}"
    names = (called, *map(layer_name, found))
    return Animation("layers", names, tuple(draw(one, frame) for one in every), called)
