"""The map of a corpus' sentences at each layer, in one frame of reference.

Each map is the PCA of the sentences under a recipe with one layer, as drawn when that layer is chosen.
Axes of such maps are arbitrary: the maps of a layer are turned, mirrored and scaled together, so that the
first lies as near as possible to the map that is shown (orthogonal Procrustes, Schönemann 1966).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Int
from scipy.linalg import orthogonal_procrustes

from core.analysis.layered_source import layered_source
from core.analysis.token_maps.projection import compute_projection
from core.analysis.token_maps.sentence_map import Map, aligned
from core.corpora.corpus import Corpus
from core.errors import RecipeError, StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe

LayerMaps = dict[int, Map]
"""The map of the sentences at each layer that has one."""


def layers_of(engine: Engine, recipe: Recipe, corpus: Corpus) -> tuple[int, ...]:
    """Layers 0 … L of a recipe's source; none where it has none."""
    try:
        return tuple(layer for layer in layered_source(engine, recipe, corpus).layers if layer >= 0)
    except RecipeError:
        return ()


def layer_maps(
    engine: Engine,
    recipe: Recipe,
    corpus: Corpus,
    places: Int[np.ndarray, " sentence"],
    progress: Progress = silent,
) -> LayerMaps:
    """The PCA of the sentences at ``places`` under a recipe with each of its source's layers alone.

    A layer is left out where all its vectors are equal, as those of [CLS] are in layer 0.
    """
    found: LayerMaps = {}
    layers = layers_of(engine, recipe, corpus)
    for done, layer in enumerate(layers):
        progress(Step("Maps of sentences: layers", done, len(layers)))
        try:
            vectors = engine.embed(recipe.replace(layers=str(layer)), corpus, progress).vectors[places]
            found[layer] = _map(vectors)
        except StrataError:
            continue
    return found


def _map(vectors: np.ndarray) -> Map:
    return compute_projection("pca", (0,), lambda _: vectors).at(0)


def laid_on(maps: Sequence[Map], shown: Map) -> list[Map]:
    """The maps of one layer under one or two recipes, laid on the map that is shown of the first.

    The second is laid over the first as :func:`aligned` does; then both are turned, mirrored and scaled as
    one. Raises :class:`StrataError` where all points of a map coincide.
    """
    first, second, _ = aligned(maps[0], maps[-1])
    centre = shown.mean(axis=0, dtype=np.float64)
    turn, _ = orthogonal_procrustes(first.astype(np.float64), shown - centre)
    size = float(np.linalg.norm(shown - centre))
    return [(size * one @ turn + centre).astype(np.float32) for one in (first, second)[: len(maps)]]


def steps(sides: Sequence[LayerMaps], shown: Sequence[Map]) -> Mapping[int, list[Map]]:
    """The maps of every layer that all sides with layers have, laid on those shown; other sides stay.

    A layer whose points coincide is left out.
    """
    layered = [set(maps) for maps in sides if maps]
    found: dict[int, list[Map]] = {}
    for layer in sorted(set.intersection(*layered)) if layered else ():
        at = [maps.get(layer, own) for maps, own in zip(sides, shown, strict=True)]
        try:
            found[layer] = laid_on(at, shown[0])
        except StrataError:
            continue
    return found
