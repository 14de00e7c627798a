"""Alignment against uniformity, every recipe a point, on the page Geometry."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components import figure_frame, state, theme
from components.controls import renew, segments
from components.figure_frame import Framed
from components.figures.geometry import alignment_uniformity, hover_of
from components.figures.named_points import Point
from components.geometry.page import Measured, numbers, provenance_line, recipe_lines, summary
from components.text import escape
from core.analysis.geometry.alignment_uniformity import EXACT
from core.analysis.geometry.of_recipe import RecipeGeometry
from core.analysis.geometry.ratings import DEFINITIONS, Definition
from core.corpora.corpus import Corpus
from core.errors import counted, they
from core.evaluation.wording import between, fixed

NONE = "no arrows"

SAME = 1e-3
"""Changes of alignment and uniformity up to this are called none."""


def show(corpus: Corpus, measured: Measured) -> None:
    """Alignment against uniformity under the definition that the visitor chooses."""
    look = theme.of(state.theme_name())
    drawing = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        name = segments(
            "Vectors",
            list(DEFINITIONS),
            "vectors",
            default="normalised",
            help="normalised: SimCSE's and Ditto's definition. as they are: that of Stankevičius & "
            "Lukoševičius 2025, with pairs of the highest gold score only.",
        )
        base = _base(measured)
    definition = DEFINITIONS[name]
    points = [_point(label, measured, name) for label in measured.places]
    positives = _positives(corpus, definition)
    if not any(point.known for point in points):
        drawing.info(_why_empty(corpus, definition, positives, measured), icon=":material/info:")
        return
    drawn = measured.only(point.label for point in points if point.known)
    title = finding(drawn, name, base)
    with drawing:
        figure_frame.show(
            Framed(
                key="alignment",
                title=title,
                figure=alignment_uniformity(points, look, base, drawn.variants(base)),
                caption=caption(corpus, drawn, definition),
                summary=summary(corpus, drawn),
                alt=f"{title}; {counted(len(drawn.places), 'recipe')}",
                numbers=lambda: numbers(measured),
                above=400,
            )
        )


def finding(measured: Measured, definition: str, base: str | None) -> str:
    """What the arrows say, in one sentence: of the recipes on the model of ``base``, its variants."""
    places = {
        name: np.array([one.alignment[definition], one.uniformity[definition]])
        for name, one in measured.places.items()
    }
    variants = measured.variants(base)
    moved = [move for name in variants if np.isfinite(move := places[name] - places[base]).all()]
    if not moved:
        return "Alignment and uniformity by recipe"
    alone = [name for name in places if measured.sides.get(name) == name]
    elsewhere = set(places) - {base, *variants, *alone}
    pinned = "" if measured.suggested else "pinned "
    its = " on its model" if elsewhere else ""
    if len(moved) == 1:
        words = [
            f"{what} is {'lower' if change < -SAME else 'higher' if change > SAME else 'the same'}"
            for what, change in zip(("alignment", "uniformity"), moved[0], strict=True)
        ]
        return f"Against {base}, one {pinned}variant{its}: {' and '.join(words)} (lower is better)"
    both = sum((move < -SAME).all() for move in moved)
    traded = sum(move[0] > SAME and move[1] < -SAME for move in moved)
    return (
        f"Against {base}, {traded} of {len(moved)} {pinned}variants{its} {they(traded, 'lower')} "
        f"uniformity and {they(traded, 'raise')} alignment, {both or 'none'} {they(both or 1, 'lower')} "
        "both (lower is better)"
    )


def caption(corpus: Corpus, measured: Measured, definition: Definition) -> tuple[str, ...]:
    """The definition that is drawn and the others of the table, the recipes, the model and the corpus."""
    lines = [
        f"{_defined(corpus, definition)}; uniformity over {_compared(corpus)}",
        *(
            f"In the table, {name}: {_defined(corpus, other)}"
            for name, other in DEFINITIONS.items()
            if other is not definition
        ),
        *recipe_lines(measured),
        provenance_line(corpus, measured),
    ]
    return tuple(lines)


def _compared(corpus: Corpus) -> str:
    """Over which pairs of sentences uniformity is a mean; how many are of one sentence, where all count."""
    different, repeats = len(corpus.sentences), corpus.repeats
    if different > EXACT:
        return f"all pairs of {EXACT:,} sentences drawn from {different:,} (seed 0), repeats counted"
    same = int((repeats * (repeats - 1)).sum()) // 2
    return f"all {repeats.sum():,} sentences of all pairs; pairs of one sentence twice among them: {same:,}"


def _defined(corpus: Corpus, definition: Definition) -> str:
    """Whose definition it is, of which vectors, and over which pairs alignment is measured."""
    vectors = "unit vectors" if definition.normalised else "vectors as they are"
    positives = _positives(corpus, definition)
    return (
        f"{definition.name}: {vectors}; alignment over {counted(positives, 'positive pair')} "
        f"({definition.rule(corpus.gold, corpus.scale)})"
    )


def _positives(corpus: Corpus, definition: Definition) -> int:
    return int(definition.positives(corpus.gold, corpus.scale).sum())


def _base(measured: Measured) -> str | None:
    """Which recipe arrows come from."""
    names = measured.wanted or [name for name in measured.places if measured.sides.get(name) != name]
    options = [*names, NONE]
    start = measured.base or next((name for name in names if name not in measured.failed), NONE)
    renew("arrows", options, start)
    chosen = st.selectbox(
        "Arrows from",
        options,
        index=options.index(start),
        key="arrows",
        bind="query-params",
        persist_state="session",
    )
    return chosen if chosen in measured.places else None


def _point(label: str, measured: Measured, definition: str) -> Point:
    place = measured.places[label]
    return Point(
        label,
        place.uniformity[definition],
        place.alignment[definition],
        place.spearman,
        hover(label, place, definition),
        measured.sides.get(label, ""),
        measured.kind(label),
    )


def hover(label: str, place: RecipeGeometry, definition: str | None = None) -> str:
    """Score and measures of a recipe, for the point that stands for it."""
    lines = [
        f"Spearman × 100 {fixed(place.spearman)}, {between(place.low, place.high)}"
        if np.isfinite(place.spearman)
        else "no score",
        f"IsoScore {fixed(place.iso_score, 3)}, average cosine {fixed(place.average_cosine, 3)}"
        if np.isfinite(place.iso_score)
        else "no IsoScore",
    ]
    if definition:
        alignment, uniformity = place.alignment[definition], place.uniformity[definition]
        lines.insert(0, f"alignment {fixed(alignment, 3)}, uniformity {fixed(uniformity, 3)}")
    return hover_of(label, lines)


def _why_empty(corpus: Corpus, definition: Definition, positives: int, measured: Measured) -> str:
    if not measured.places:
        return "No recipe could be measured; the reasons stand below."
    if not len(corpus):
        return (
            f"{escape(corpus.name)} has no scored pairs, so no pair is positive and alignment does not "
            "exist. Isotropy is measured beside."
        )
    if not positives:
        return (
            f"No pair of {escape(corpus.name)} is positive under this definition "
            f"({escape(definition.rule(corpus.gold, corpus.scale))}), so alignment does not exist. Take "
            "the other definition, or another corpus."
        )
    return "Alignment and uniformity need two sentences at least."
