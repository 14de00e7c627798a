"""Sentences under recipes A and B side by side, and whose neighbours change, on the page Tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import attempt
from components.figure_frame import Framed
from components.figures.labels import wrapped
from components.figures.tokens import Colour, Mark, Panel, maps
from components.progress import may_take, pending, working
from components.text import escape
from components.tokens.controls import which_map
from components.tokens.sentence_neighbours import Side, both, chosen_of, ranked
from core.analysis import projection, sentence_map
from core.analysis.projection import METHODS
from core.analysis.sentence_map import Change
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress
from core.recipe import Recipe

COLOURS = ("gold", "label", "length")
GROUPS = 8
"""Parts of a corpus that have a colour; those with fewer sentences are grey."""


def show(road: Road, a: Recipe, b: Recipe | None, corpus: Corpus) -> None:
    """Two maps, and the sentences whose neighbours change most."""
    left, right, _ = st.columns([2, 3, 5], gap="small")
    with left:
        method = which_map()
    with right:
        by = st.selectbox(
            "Colour", COLOURS, key="by", bind="query-params", help="Gold: the mean of a sentence's pairs."
        )
    by = by if by in COLOURS else COLOURS[0]
    recipes = [("A", a), *([("B", b)] if b else [])]
    places = sentence_map.sample(corpus)
    if not _may_begin(road, [recipe for _, recipe in recipes], corpus, method, places):
        return
    with working("sentences") as progress:
        made = [
            attempt(
                side.lower(),
                r,
                lambda side=side, r=r: _side(road, side, r, corpus, places, method, progress),
            )
            for side, r in recipes
        ]
    sides = [one for one in made if one is not None]
    if not sides:
        return
    changed = None
    if len(sides) == 2:
        try:
            with working("neighbours") as progress:
                changed = _change(road, sides, progress)
        except StrataError as error:
            st.info(escape(str(error)), icon=":material/block:")
    chosen = chosen_of(changed, corpus, places)
    picture = st.container()
    if changed is not None:
        chosen = ranked(changed, corpus, places, chosen)
        both(changed, sides, corpus, places, chosen)
    elif b is None:
        st.info(
            "Recipe B is none: write one to see whose neighbours change.", icon=":material/compare_arrows:"
        )
    with picture:
        figure(sides, corpus, places, method, by, changed, chosen)


def _may_begin(
    road: Road, recipes: Sequence[Recipe], corpus: Corpus, method: str, places: np.ndarray
) -> bool:
    """Whether to go on: reading and maps together, when they take long."""
    needed = sum(pending(road, recipes, corpus).values())
    for recipe in recipes:
        try:
            kept = road.store.has_table(projection.key(method, _identity(road, recipe, corpus, places)))
        except StrataError:
            continue  # the page says why when it asks for the vectors
        needed += 0.0 if kept else projection.seconds(method, len(places))
    return may_take(
        needed,
        f"sentences {method} {corpus.fingerprint} {' | '.join(map(str, recipes))}",
        f"The map ({METHODS[method]}) of {len(places):,} sentences of {corpus.name}, with what must be "
        "read for it,",
        f"After that it is instant{'' if method == 'pca' else '; PCA is at once'}.",
    )


def _identity(road: Road, recipe: Recipe, corpus: Corpus, places: np.ndarray) -> tuple[object, ...]:
    """Everything that the vectors of the sentences depend on."""
    source = road.source(recipe, corpus)
    reference = road.reference(recipe).fingerprint if recipe.needs_reference() else ""
    settings = (road.settings.forward, road.settings.storage, source.location.max_tokens)
    whole = recipe.replace(similarity="cosine").spelled()
    return (whole, source.revision, *settings, corpus.fingerprint, reference, len(places))


def _side(
    road: Road,
    letter: str,
    recipe: Recipe,
    corpus: Corpus,
    places: np.ndarray,
    method: str,
    progress: Progress,
) -> Side:
    embedded = road.embed(recipe, corpus, progress)
    vectors = embedded.vectors[places]
    what = _identity(road, recipe, corpus, places)
    made = projection.project(road.store, method, (0,), lambda _: vectors, what, progress)
    return Side(letter, recipe, f"{embedded.source.name} ({embedded.source.revision})", vectors, made, what)


def _change(road: Road, sides: Sequence[Side], progress: Progress) -> Change:
    return sentence_map.kept(
        road.store,
        [side.identity for side in sides],
        sides[0].vectors,
        sides[1].vectors,
        progress=progress,
    )


def figure(
    sides: Sequence[Side],
    corpus: Corpus,
    places: np.ndarray,
    method: str,
    by: str,
    changed: Change | None,
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
    panels = [
        Panel(
            f"{side.letter}: {side.recipe.label()}",
            at,
            texts,
            values[places],
            color=look.side(side.letter),
            marks=_marks(side, at, changed, chosen),
        )
        for side, at in zip(sides, points, strict=True)
    ]
    title = finding(changed, method, sides)
    figure_frame.show(
        Framed(
            key="sentences.map",
            title=title,
            figure=maps(
                panels, colour, look, height=440, key=f"{method} {[s.identity for s in sides]}"
            ).figure,
            caption=caption(sides, corpus, places, method, changed, left),
            alt=f"Maps of sentences by {METHODS[method]}. {title}",
            numbers=numbers(sides, points, corpus, places, values[places], by, changed),
        )
    )


def _marks(side: Side, points: np.ndarray, changed: Change | None, chosen: int | None) -> list[Mark]:
    """The chosen sentence and its neighbours under both recipes' own choice."""
    if changed is None or chosen is None:
        return []
    near = (changed.a if side.letter == "A" else changed.b)[chosen]
    rings = [Mark(float(points[i, 0]), float(points[i, 1]), "") for i in near.tolist()]
    return [*rings, Mark(float(points[chosen, 0]), float(points[chosen, 1]), "", chief=True)]


def colouring(corpus: Corpus, by: str) -> tuple[Colour, np.ndarray]:
    """What sentences are coloured by, and the value of each; NaN for one without."""
    if by == "length":
        return Colour("words"), sentence_map.words_of(corpus)
    if by == "gold":
        return Colour("mean gold", missing="no gold"), sentence_map.gold_of(corpus)
    labels = sentence_map.label_of(corpus)
    names, counts = np.unique([label for label in labels if label] or [""], return_counts=True)
    kept = [str(name) for name in names[np.argsort(-counts, kind="stable")][:GROUPS] if name]
    values = np.array([kept.index(one) if one in kept else np.nan for one in labels], float)
    return Colour("part of the corpus", tuple(kept), "another part, or none"), values


def finding(changed: Change | None, method: str, sides: Sequence[Side]) -> str:
    """How much of the neighbourhoods A and B share, in one sentence."""
    if changed is None:
        which = " and ".join(side.letter for side in sides)
        return f"Sentences under {which}, by {METHODS[method]}"
    mean = 100 * float(changed.overlap.mean())
    lost = int((changed.overlap == 0).sum())
    end = f"; {lost:,} sentences keep none" if lost else ""
    return f"A and B share {mean:.0f} % of the {changed.k} nearest of a sentence (mean Jaccard){end}"


def caption(
    sides: Sequence[Side],
    corpus: Corpus,
    places: np.ndarray,
    method: str,
    changed: Change | None,
    left: float | None,
) -> tuple[str, ...]:
    """The recipes, the corpus, how the maps are made and laid over each other."""
    number, total = len(places), len(corpus.sentences)
    some = f"{total:,}" if number == total else f"{number:,} of {total:,}, drawn with a fixed seed,"
    lines = [f"{side.letter}: {side.recipe.label()} · {side.name}" for side in sides]
    lines.append(
        f"{corpus.name} {corpus.taken} · {some} different sentences · {corpus.origin} · fingerprint "
        f"{corpus.fingerprint}"
    )
    how = f"{METHODS[method]} of each by itself, seed {projection.SEED}"
    if left is not None:
        how += f"; B turned, mirrored and scaled onto A (Procrustes, disparity {left:.2f})"
    if changed is not None:
        how += f". Rings: a sentence and its {changed.k} nearest by cosine, all dimensions."
    return (*lines, how)


def numbers(
    sides: Sequence[Side],
    points: Sequence[np.ndarray],
    corpus: Corpus,
    places: np.ndarray,
    values: np.ndarray,
    by: str,
    changed: Change | None,
) -> pd.DataFrame:
    """One row per sentence."""
    columns: dict[str, object] = {"sentence": [corpus.sentences[i] for i in places.tolist()], by: values}
    if by == "label":
        labels = sentence_map.label_of(corpus)
        columns[by] = [labels[i] for i in places.tolist()]
    for side, at in zip(sides, points, strict=True):
        columns |= {f"x {side.letter}": at[:, 0], f"y {side.letter}": at[:, 1]}
    if changed is not None:
        columns["neighbours shared (Jaccard)"] = changed.overlap
    return pd.DataFrame(columns)
