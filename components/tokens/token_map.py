"""The map of tokens on the page Tokens: what must be read for it, and where its parts stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import errors, job, selection, works
from components.job import Question
from components.tokens import map_figure, reading
from components.tokens.controls import CORPUS, STATIC, MapRequest
from components.tokens.drawn import TokenModel, draw, map_question
from core.analysis.token_maps import projection
from core.analysis.token_maps.vocabulary import Space, averaged_space, static_space
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import State, Work


def show(engine: Engine, named: Sequence[tuple[str, Recipe]], corpus: Corpus, request: MapRequest) -> None:
    """The map, the token that was searched for, and the group that is drawn around."""
    models, asked = spaces(engine, named, corpus, request)
    if not models:
        return
    models = at_layer(models)
    reading.keep(models, request)
    maps = draw(engine, models, corpus, request, asked=asked)
    if not maps:
        return
    wide, narrow = st.columns([3, 1], gap="medium")
    with narrow:
        reading.show(maps, request)
    with wide:
        map_figure.show(engine, maps, corpus, request)


def spaces(
    engine: Engine, named: Sequence[tuple[str, Recipe]], corpus: Corpus, request: MapRequest
) -> tuple[list[TokenModel], bool]:
    """The models with their vectors once all are there, and whether a visitor started the reading.

    The question before long reading counts the maps that follow; the page says which model has no vectors.
    """
    works_ = [_space_work(engine, name, recipe, corpus, request.rows) for name, recipe in named]
    jobs = job.show_all(works_, lambda: _question(engine, named, works_, request))
    models = []
    for (name, recipe), each in zip(named, jobs, strict=True):
        try:
            space = each.value()
        except StrataError as error:
            errors.tell(error)
            continue
        if space is not None:
            layer = space.layers[-1]
            models.append(TokenModel(name, recipe, space, layer, space.alike(layer)))
    waits = any(not each.state.is_final or each.state is State.STOPPED for each in jobs)
    return [] if waits else models, any(each.pressed for each in jobs)


def _space_work(engine: Engine, name: str, recipe: Recipe, corpus: Corpus, rows: str) -> Work[Space]:
    """The vectors of all tokens of a model."""
    plain = Recipe(source=recipe.source, reference=recipe.reference)
    if rows == STATIC:
        what = f"Static rows of {name}"
        key = ("space", *works.identity(engine, plain))
        return Work(key, what, partial(static_space, engine, recipe))
    compute = partial(averaged_space, engine, recipe, corpus if rows == CORPUS else None)
    try:
        over = corpus if rows == CORPUS else engine.references.of(recipe)
    except StrataError:
        over = corpus
    what, reference = f"Averaging tokens of {name} over {over.name}", works.reference_of(engine, recipe)
    return works.recipe_work("space", what, engine, plain, over, compute, rows, reference)


def at_layer(models: Sequence[TokenModel]) -> list[TokenModel]:
    """The models at the layer of the slider; one that does not have it shows its last."""
    if len(models[0].shared) < 2:
        return list(models)
    layers = models[0].shared
    chosen = selection.layer_slider(layers, layers[-1])
    if models[0].space.layers != layers:
        st.caption(
            ":material/info: The static rows are of another width than the layers: they have their own map."
        )
    return [
        TokenModel(m.name, m.recipe, m.space, chosen if chosen in m.shared else m.shared[-1], m.shared)
        for m in models
    ]


def _question(
    engine: Engine, named: Sequence[tuple[str, Recipe]], spaces: Sequence[Work[Space]], request: MapRequest
) -> Question | None:
    """What is said before long reading, with the maps that follow."""
    seconds = sum(work.seconds for work in spaces)
    if request.method != "pca":
        depths = [engine.source(recipe).location.depth for _, recipe in named]
        seconds += sum(projection.seconds(request.method, 4000 * (depth + 2)) for depth in depths)
    return map_question(seconds, request)
