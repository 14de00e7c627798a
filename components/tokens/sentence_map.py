"""Sentences under recipes A and B side by side, and whose neighbours change, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import menu
from components.errors import attempt
from components.figure_frame import Framed
from components.figures.labels import cut_distinct, wrapped
from components.figures.tokens import Colour, MapPanel, Maps, Mark, maps
from components.job import Question
from components.plot import WAYS
from components.text import escape
from components.tokens import sentence_group, sentence_walk, text_neighbours
from components.tokens.controls import which_map
from components.tokens.sentence_neighbours import RecipeMap, both, ranked
from components.wording import duration
from core.analysis.token_maps import projection, sentence_map
from core.analysis.token_maps.projection import METHODS
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.storage.keys import key_of
from core.work import LONG, Work

COLOURS = ("gold", "label", "length")
WITHOUT_PAIRS = ("length",)
"""Colours for sentences that are in no scored pair."""

NAMED = 30
"""Sentences up to which a point has its sentence beside it."""

GROUPS = 8
"""Parts of a corpus that have a colour; those with fewer sentences are grey."""


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
        figure(engine, sides, corpus, places, method, by, changed, chosen)
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
    seconds = sum(works.pending(engine, asking, corpus).values())
    seconds += sum(_map_seconds(engine, recipe, corpus, method, places) for recipe in recipes)
    if seconds < LONG:
        return None
    return Question(
        f"The map ({METHODS[method]}) of {len(places):,} sentences of {corpus.name}, with what must be "
        f"read for it, takes about {duration(seconds)}, once. After that it is instant"
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
    reference = engine.reference(recipe).fingerprint if recipe.needs_reference() else ""
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


def figure(
    engine: Engine,
    sides: Sequence[RecipeMap],
    corpus: Corpus,
    places: np.ndarray,
    method: str,
    by: str,
    changed: NeighbourChange | None,
    chosen: int | None,
) -> None:
    """The maps in their frame."""
    look = theme.of(state.theme_name())
    points, left = [side.map.at(0) for side in sides], None
    if len(sides) == 2:
        try:
            first, second, left = sentence_map.aligned(*points)
            points = [first, second]
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/block:")
    colour, values = colouring(corpus, by)
    if np.isnan(values[places]).all():
        what = "no gold scores" if by == "gold" else "no parts that could be labels"
        st.caption(f":material/info: {escape(corpus.name)} has {what}: all sentences are grey.")
    texts = [wrapped(corpus.sentences[i], 56, 3) for i in places.tolist()]
    called = provenance.sides_named({side.letter: side.recipe for side in sides}, 40)
    few = len(places) <= NAMED
    beside = cut_distinct([corpus.sentences[i] for i in places.tolist()], 24) if few else ()
    key = f"{method} {[side.identity for side in sides]}"

    def drawn(at: Sequence[np.ndarray], frame: np.ndarray | None = None) -> Maps:
        panels = [
            MapPanel(
                called[side.letter],
                own,
                texts,
                values[places],
                color=look.side(side.letter),
                marks=_marks(side, own, changed, chosen),
                frame=frame,
                names=beside,
            )
            for side, own in zip(sides, at, strict=True)
        ]
        return maps(panels, colour, look, height=440, key=key)

    def draw(at: Sequence[np.ndarray], frame: np.ndarray | None = None) -> go.Figure:
        return drawn(at, frame).figure

    picture = drawn(points)
    steps = sentence_walk.work(engine, sides, corpus, places)
    title = finding(changed, method, sides)
    figure_frame.show(
        Framed(
            key="sentences.map",
            title=title,
            figure=picture.figure,
            caption=caption(sides, corpus, places, method, changed, left),
            summary=provenance.summary(
                "tokens",
                {side.letter: side.recipe for side in sides},
                {side.letter: side.name.partition(" (")[0] for side in sides},
                provenance.split(corpus),
                f"{len(places):,} sentences",
            ),
            alt=f"Maps of sentences by {METHODS[method]}. {title}",
            numbers=lambda: numbers(sides, points, corpus, places, values[places], by, changed),
            hint=sentence_group.HINT,
            on_select=lambda found: sentence_group.take(found, picture.traces, places, corpus, changed),
            selection=WAYS,
            steps=steps,
            animation=(lambda found=None: sentence_walk.walk(sides, points, draw, found))
            if steps or method != "pca"
            else None,
        )
    )


def _marks(
    side: RecipeMap, points: np.ndarray, changed: NeighbourChange | None, chosen: int | None
) -> list[Mark]:
    """The chosen sentence and its neighbours under both recipes' own choice."""
    if changed is None or chosen is None:
        return []
    near = (changed.a if side.letter == "A" else changed.b)[chosen]
    rings = [Mark(float(points[i, 0]), float(points[i, 1]), "") for i in near.tolist()]
    return [*rings, Mark(float(points[chosen, 0]), float(points[chosen, 1]), "", chief=True)]


def colouring(corpus: Corpus, by: str) -> tuple[Colour, np.ndarray]:
    """What sentences are coloured by, and the value of each; NaN for one without."""
    if by == "length":
        return Colour("words"), sentence_map.word_counts(corpus)
    if by == "gold":
        return Colour("mean gold", missing="no gold"), sentence_map.mean_gold(corpus)
    labels = sentence_map.subset_labels(corpus)
    names, counts = np.unique([label for label in labels if label] or [""], return_counts=True)
    kept = [str(name) for name in names[np.argsort(-counts, kind="stable")][:GROUPS] if name]
    values = np.array([kept.index(one) if one in kept else np.nan for one in labels], float)
    return Colour("part of the corpus", tuple(kept), "another part, or none"), values


def finding(changed: NeighbourChange | None, method: str, sides: Sequence[RecipeMap]) -> str:
    """How much of the neighbourhoods A and B share, in one sentence."""
    if changed is None:
        which = " and ".join(side.letter for side in sides)
        return f"Sentences under {which}, by {METHODS[method]}"
    mean = float(changed.overlap.mean())
    lost = int((changed.overlap == 0).sum())
    end = f"; {lost:,} of {len(changed.overlap):,} sentences share none" if lost else ""
    return f"Of a sentence's {changed.k} nearest, A and B share a mean Jaccard of {mean:.2f}{end}"


def caption(
    sides: Sequence[RecipeMap],
    corpus: Corpus,
    places: np.ndarray,
    method: str,
    changed: NeighbourChange | None,
    left: float | None,
) -> tuple[str, ...]:
    """The recipes, the corpus, how the maps are made and laid over each other."""
    number, total = len(places), len(corpus.sentences)
    some = f"{total:,}" if number == total else f"{number:,} of {total:,}, drawn with a fixed seed,"
    lines = [f"{side.letter}: {side.recipe.label()} · {side.name}" for side in sides]
    lines.append(provenance.line([], corpus, f"{some} different sentences"))
    how = f"{METHODS[method]} of each by itself, seed {projection.SEED}"
    if left is not None:
        how += f"; B turned, mirrored and scaled onto A (Procrustes, disparity {left:.2f})"
    if changed is not None:
        how += f". Rings: a sentence and its {changed.k} nearest by cosine, all dimensions."
    return (*lines, how)


def numbers(
    sides: Sequence[RecipeMap],
    points: Sequence[np.ndarray],
    corpus: Corpus,
    places: np.ndarray,
    values: np.ndarray,
    by: str,
    changed: NeighbourChange | None,
) -> pd.DataFrame:
    """One row per sentence."""
    columns: dict[str, object] = {"sentence": [corpus.sentences[i] for i in places.tolist()], by: values}
    if by == "label":
        labels = sentence_map.subset_labels(corpus)
        columns[by] = [labels[i] for i in places.tolist()]
    for side, at in zip(sides, points, strict=True):
        columns |= {f"x {side.letter}": at[:, 0], f"y {side.letter}": at[:, 1]}
    if changed is not None:
        columns["neighbours shared (Jaccard)"] = changed.overlap
    return pd.DataFrame(columns)
