"""The map of tokens on the page Tokens: which models, when it may be made, and where its parts stand."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import beside, selection
from components.progress import may_take, pending, working
from components.text import escape
from components.tokens.controls import CORPUS, STATIC, Asked, places_of
from components.tokens.drawn import Model, draw, what_of
from components.tokens.map import figure
from components.tokens.reading import read
from core.analysis import projection
from core.analysis.projection import METHODS
from core.analysis.vocabulary import averaged_space, static_space
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress
from core.recipe import Recipe

MOST = 2
"""Maps that fit beside each other."""


def show(road: Road, named: Sequence[tuple[str, Recipe]], corpus: Corpus, asked: Asked) -> None:
    """The map, the token that was searched for, and the group in the lasso."""
    if not may_begin(road, named, corpus, asked):
        return
    with working("tokens") as progress:
        models = spaces(road, named, corpus, asked.rows, progress)
    if not models:
        return
    models = at_layer(models)
    with working("map") as progress:
        drawn = [one for model in models if (one := draw(road, model, corpus, asked, progress)) is not None]
    if not drawn:
        return
    wide, narrow = st.columns([3, 1], gap="medium")
    with narrow:
        read(drawn, asked)
    with wide:
        figure(road, drawn, corpus, asked)


def some_models(road: Road, a: Recipe, b: Recipe | None) -> list[tuple[str, Recipe]]:
    """Recipe A on the models beside each other; no more than fit."""
    named = beside.show(road, a, b)
    if len(named) > MOST:
        left = ", ".join(name for name, _ in named[MOST:])
        st.caption(f":material/info: Two maps fit beside each other; left out: {escape(left)}.")
    return named[:MOST]


def spaces(
    road: Road, named: Sequence[tuple[str, Recipe]], corpus: Corpus, rows: str, progress: Progress
) -> list[Model]:
    """The models that have such vectors; the page says which have not."""
    made = []
    for name, recipe in named:
        try:
            if rows == STATIC:
                space = static_space(road, recipe, progress)
            else:
                space = averaged_space(road, recipe, corpus if rows == CORPUS else None, progress)
            layer = space.layers[-1]
            made.append(Model(name, recipe, space, layer, space.alike(layer)))
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
    return made


def at_layer(models: Sequence[Model]) -> list[Model]:
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
        Model(m.name, m.recipe, m.space, chosen if chosen in m.shared else m.shared[-1], m.shared)
        for m in models
    ]


def may_begin(road: Road, named: Sequence[tuple[str, Recipe]], corpus: Corpus, asked: Asked) -> bool:
    """Whether to go on: the reading of the corpus and the map together, when they take long."""
    needed = 0.0
    for name, recipe in named:
        reading = 0.0
        if asked.rows != STATIC:
            plainly = Recipe(source=recipe.source, reference=recipe.reference)
            try:
                over = corpus if asked.rows == CORPUS else road.reference(recipe)
                reading = sum(pending(road, [plainly], over).values())
            except StrataError:
                continue  # the page says why when it asks for the tokens
        needed += reading + _map_seconds(road, name, recipe, corpus, asked, known=not reading)
    return may_take(
        needed,
        f"{asked.method} {asked.rows} {asked.drawn} {corpus.fingerprint} {named}",
        f"The map ({METHODS[asked.method]}, {asked.drawn}, {asked.rows}), with what must be read for it,",
        f"After that it is instant{'' if asked.method == 'pca' else '; PCA is at once'}.",
    )


def _map_seconds(
    road: Road, name: str, recipe: Recipe, corpus: Corpus, asked: Asked, *, known: bool
) -> float:
    if asked.method == "pca":
        return 0.0
    if not known:
        return projection.seconds(asked.method, 4000 * (road.source(recipe).location.depth + 2))
    with working("size") as progress:
        models = spaces(road, [(name, recipe)], corpus, asked.rows, progress)
    if not models:
        return 0.0
    places, _ = places_of(asked.drawn, models[0].space)
    what = what_of(models[0], places)
    if road.store.has_table(projection.key(asked.method, what)):
        return 0.0
    return projection.seconds(asked.method, len(places) * len(models[0].shared))
