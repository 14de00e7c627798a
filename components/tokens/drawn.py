"""A model whose tokens are looked at, and the map of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components import job, works
from components.figures.layers import layer_name
from components.job import Question
from components.tokens.controls import MapRequest, places_of, values_of
from components.wording import duration_range
from core.analysis.token_maps import projection
from core.analysis.token_maps.projection import METHODS, Projection, plane_r_squared
from core.analysis.token_maps.vocabulary import Space
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.storage.keys import key_of
from core.work import LONG, Work


@dataclass(frozen=True, eq=False)
class TokenModel:
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


MapKey = tuple[str, str, str]
"""Which map it is, at whatever layer and in whatever colour: see :func:`map_key`."""


def map_key(model: TokenModel, request: MapRequest) -> MapKey:
    """The vectors, the projection and the tokens: while these stay, points keep their places."""
    return model.space.key, request.method, request.drawn


@dataclass(frozen=True, eq=False)
class TokenMap:
    """A model's map: which of its tokens, in words which, where they lie, and the colour of all tokens."""

    model: TokenModel
    places: np.ndarray
    which: str
    map: Projection
    values: np.ndarray

    @property
    def points(self) -> np.ndarray:
        """The points of the layer that is shown."""
        return self.map.at(self.model.layer)

    @property
    def r_squared(self) -> float:
        """The share of the colour's variance that a plane over the map accounts for; NaN for none."""
        return plane_r_squared(self.points, self.values[self.places])


def what_of(model: TokenModel, places: np.ndarray) -> list[object]:
    """Everything that the vectors of a map depend on."""
    return [model.space.key, model.shared, places.tolist()]


def draw(
    engine: Engine, models: Sequence[TokenModel], corpus: Corpus, request: MapRequest, *, asked: bool
) -> list[TokenMap]:
    """The maps that are there; the page says why a model has none.

    ``asked`` says that the visitor has agreed to the maps already.
    """
    jobs = job.show_all(
        [_work(engine, model, corpus, request, asks=not asked) for model in models],
        lambda: map_question(sum(_seconds(engine, model, request) for model in models), request),
    )
    drawn = job.results(models, jobs, lambda model: model.name)
    return [TokenMap(model, *one) for model, one in drawn]


def map_question(seconds: float, request: MapRequest) -> Question | None:
    """What is said before a map that takes long."""
    if seconds < LONG:
        return None
    after = "" if request.method == "pca" else "; PCA is at once"
    return Question(
        f"The map ({METHODS[request.method]}, {request.drawn}, {request.rows}), with what must be read for "
        f"it, takes {duration_range(seconds)}, once. After that it is instant{after}."
    )


def _work(
    engine: Engine, model: TokenModel, corpus: Corpus, request: MapRequest, *, asks: bool
) -> Work[tuple[np.ndarray, str, Projection, np.ndarray]]:
    """Which tokens are drawn, in words which, where they lie, and the colour of all tokens."""

    def compute(progress: Progress) -> tuple[np.ndarray, str, Projection, np.ndarray]:
        places, which = places_of(request.drawn, model.space)
        made = projection.project(
            engine.store,
            request.method,
            model.shared,
            lambda layer: model.space.rows(layer, places),
            what_of(model, places),
            progress,
        )
        values = values_of(request.colour, engine, model.recipe, model.space, corpus, progress)
        return places, which, made, values

    reference = works.reference_of(engine, model.recipe)
    key = (request.rows, request.method, request.drawn, request.colour, model.shared)
    return Work(
        ("token map", key_of(model.space.key), *key, corpus.fingerprint, reference),
        f"Map of {model.name} by {METHODS[request.method]}",
        compute,
        _seconds(engine, model, request),
        asks=asks,
    )


def _seconds(engine: Engine, model: TokenModel, request: MapRequest) -> float:
    """About how long the map takes; 0 when it is kept."""
    if request.method == "pca":
        return 0.0
    places, _ = places_of(request.drawn, model.space)
    if projection.is_kept(engine.store, request.method, what_of(model, places)):
        return 0.0
    return projection.seconds(request.method, len(places) * len(model.shared))
