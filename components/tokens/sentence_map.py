"""Sentences under recipes A and B side by side, and whose neighbours change, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import menu
from components.errors import attempt
from components.figure_frame import Framed
from components.job import Question
from components.plot import WAYS
from components.text import escape
from components.tokens import sentence_group, sentence_walk, text_neighbours
from components.tokens.controls import which_map
from components.tokens.sentence_figure import SentenceMaps
from components.tokens.sentence_neighbours import RecipeMap, both, ranked
from components.wording import duration_range
from core.analysis.token_maps import projection, sentence_map
from core.analysis.token_maps.projection import METHODS
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.corpora.corpus import Corpus
from core.errors import StrataError, counted
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.storage.keys import key_of
from core.work import LONG, Work

COLOURS = ("gold", "label", "length")
WITHOUT_PAIRS = ("length",)
"""Colours for sentences that are in no scored pair."""


def show(
    engine: Engine,
    a: Recipe,
    b: Recipe | None,
    corpus: Corpus,
    k: int = sentence_map.NEIGHBOURS,
    *,
    wide: bool = True,
) -> None:
    """Two maps, and the sentences whose ``k`` nearest neighbours change most; ``wide`` on a whole page."""
    left, right, _ = st.columns([2, 3, 5], gap="small")
    with left:
        method = which_map()
    with right:
        colours = COLOURS if len(corpus) else WITHOUT_PAIRS
        by = menu("Colour", colours, "by", help="Gold: the mean of a sentence's pairs.")
    recipes = [("A", a), *([("B", b)] if b else [])]
    places = sentence_map.sample(corpus)
    sides = _sides(engine, recipes, corpus, method, places)
    if not sides:
        return
    changed = None
    if len(sides) == 2:
        try:
            changed = job.show(_change(engine, sides, k))
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/block:")
    chosen = None
    picture = st.container()
    if changed is not None:
        chosen = ranked(changed, corpus, places)
        both(changed, sides, corpus, places, chosen, wide=wide)
    elif b is None:
        st.info(
            "Recipe B is none: write one to see whose neighbours change.", icon=":material/compare_arrows:"
        )
    with picture:
        _figure(engine, SentenceMaps(sides, corpus, places, by, changed, chosen))
        sentence_group.show(corpus)
    text_neighbours.show(engine, [(side.letter, side.recipe) for side in sides], corpus, k)


def _sides(
    engine: Engine, recipes: Sequence[tuple[str, Recipe]], corpus: Corpus, method: str, places: np.ndarray
) -> list[RecipeMap]:
    """The maps that are there, after one question for reading and maps when they take long."""
    jobs = job.show_all(
        [_work(engine, side, recipe, corpus, places, method) for side, recipe in recipes],
        lambda: _question(engine, [recipe for _, recipe in recipes], corpus, method, places),
    )
    sides = []
    for (letter, recipe), each in zip(recipes, jobs, strict=True):
        side = attempt(letter.lower(), recipe, each.value)
        if side is not None:
            sides.append(replace(side, letter=letter, recipe=recipe))
    return sides


def _question(
    engine: Engine, recipes: Sequence[Recipe], corpus: Corpus, method: str, places: np.ndarray
) -> Question | None:
    """What is said before long reading and long maps."""
    asking = [recipe for recipe in recipes if works.asks(engine, [recipe], corpus)]
    seconds = works.pending(engine, asking, corpus)
    seconds += sum(_map_seconds(engine, recipe, corpus, method, places) for recipe in recipes)
    if seconds < LONG:
        return None
    return Question(
        f"The map ({METHODS[method]}) of {len(places):,} sentences of {corpus.name}, with what must be "
        f"read for it, takes {duration_range(seconds)}, once. After that it is instant"
        f"{'' if method == 'pca' else '; PCA is at once'}."
    )


def _map_seconds(engine: Engine, recipe: Recipe, corpus: Corpus, method: str, places: np.ndarray) -> float:
    """About how long the map takes; 0 when it is kept, or cannot be made."""
    try:
        kept = projection.is_kept(engine.store, method, _identity(engine, recipe, corpus, places))
    except StrataError:
        return 0.0
    return 0.0 if kept else projection.seconds(method, len(places))


def _identity(engine: Engine, recipe: Recipe, corpus: Corpus, places: np.ndarray) -> tuple[object, ...]:
    """Everything that the vectors of the sentences depend on."""
    source = engine.source(recipe, corpus)
    reference = engine.references.fingerprint(recipe)
    settings = (engine.settings.forward, engine.settings.storage, source.location.max_tokens)
    whole = recipe.replace(similarity="cosine").keyed()
    return (whole, source.revision, *settings, corpus.fingerprint, reference, len(places))


def _work(
    engine: Engine, letter: str, recipe: Recipe, corpus: Corpus, places: np.ndarray, method: str
) -> Work[RecipeMap]:
    def compute(progress: Progress) -> RecipeMap:
        embedded = engine.embed(recipe, corpus, progress)
        vectors = embedded.vectors[places]
        identity = _identity(engine, recipe, corpus, places)
        made = projection.project(engine.store, method, (0,), lambda _: vectors, identity, progress)
        model = provenance.model(embedded.source)
        return RecipeMap(letter, recipe, model, vectors, made, identity)

    what = f"Map of sentences under {letter} by {METHODS[method]}"
    work = works.recipe_work("sentences", what, engine, recipe, corpus, compute, method, len(places))
    seconds = _map_seconds(engine, recipe, corpus, method, places)
    return replace(work, seconds=work.seconds + seconds, asks=work.asks or seconds >= LONG)


def _change(engine: Engine, sides: Sequence[RecipeMap], k: int) -> Work[NeighbourChange]:
    """Whose neighbours change from recipe A to B."""
    identities = [side.identity for side in sides]
    vectors = [side.vectors for side in sides]
    return Work(
        ("neighbours", key_of(*identities), k),
        "Neighbours of sentences under A and B",
        lambda progress: sentence_map.stored_neighbour_change(
            engine.store, identities, *vectors, k, progress
        ),
    )


def _figure(engine: Engine, drawn: SentenceMaps) -> None:
    """The maps in their frame."""
    look = theme.of(state.theme_name())
    sides, corpus, places = drawn.sides, drawn.corpus, drawn.places
    points, left = [side.map.at(0) for side in sides], None
    if len(sides) == 2:
        try:
            first, second, left = sentence_map.aligned(*points)
            points = [first, second]
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/block:")
    if said := drawn.uncoloured():
        st.caption(f":material/info: {said}")

    def draw(at: Sequence[np.ndarray], frame: np.ndarray | None = None) -> go.Figure:
        return drawn.draw(at, look, frame).figure

    picture = drawn.draw(points, look)
    steps = sentence_walk.work(engine, sides, corpus, places)
    title = drawn.finding()
    figure_frame.show(
        Framed(
            key="sentences.map",
            title=title,
            figure=picture.figure,
            caption=drawn.caption(left),
            summary=provenance.summary(
                "tokens",
                {side.letter: side.recipe for side in sides},
                {side.letter: side.name.partition(" (")[0] for side in sides},
                provenance.split(corpus),
                counted(len(places), "sentence"),
            ),
            alt=f"Maps of sentences by {METHODS[drawn.method]}. {title}",
            numbers=lambda: drawn.numbers(points),
            hint=sentence_group.HINT,
            on_select=lambda found: sentence_group.take(
                found, picture.traces, places, corpus, drawn.changed
            ),
            selection=WAYS,
            steps=steps,
            animation=(lambda found=None: sentence_walk.walk(sides, points, draw, found))
            if steps or drawn.method != "pca"
            else None,
        )
    )
