"""The part of the page Geometry about ratings: densities of cosine, and why cosines are high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.errors import notes
from components.figure_frame import Framed
from components.figures.ratings import TITLE, RecipeDensities, by_rating
from components.geometry.isotropy import computed, measured
from components.geometry.isotropy_findings import why_high
from components.text import escape
from core.analysis.geometry import ratings
from core.corpora.corpus import Corpus
from core.corpora.scales import scale_of
from core.errors import counted
from core.evaluation.scoring import similarities_of
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe

_KIND = "densities of cosines"


def begin(engine: Engine, corpus: Corpus, sides: Mapping[str, Recipe]) -> None:
    """Begin them before the page waits for what stands above."""
    if len(corpus):
        stored, what = works.has_stored_similarities, "Densities of cosines"
        of_sides = works.on_sides(_KIND, what, engine, sides, corpus, _densities, stored=stored)
        job.ahead(of_sides.values())


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Recipe]) -> None:
    """Densities under A and B, how much they overlap, and why cosines are as high as they are."""
    if not len(corpus):
        st.info(
            f"{escape(corpus.name)} has no scored pairs, so there are no ratings to tell apart.",
            icon=":material/info:",
        )
        return
    drawn = list(
        computed(_KIND, engine, corpus, sides, _densities, stored=works.has_stored_similarities).items()
    )
    if len(drawn) < len(sides):
        return
    models = {side: model for side, (_, model) in drawn}
    drawn = [replace(one, label=side) for side, (one, _) in drawn]
    drawable = [side for side in drawn if any(density is not None for density in side.densities)]
    if drawable:
        shown = {one.label: sides[one.label] for one in drawable}
        low, high = scale_of(corpus.gold, corpus.scale)
        title = finding(drawable)
        figure_frame.show(
            Framed(
                key="densities",
                title=title,
                figure=by_rating(
                    drawable, theme.of(state.theme_name()), provenance.sides_named(shown, TITLE)
                ),
                caption=(
                    *(
                        f"{provenance.recipe_line(side, recipe)}; {adjacent_words(drawable, side)}"
                        for side, recipe in shown.items()
                    ),
                    provenance.line(
                        [provenance.of_sides({side: models[side] for side in shown})],
                        corpus,
                        f"{provenance.pairs(corpus)}, gold {low:g} to {high:g}",
                        "kernel densities, each of area 1",
                    ),
                ),
                summary=provenance.summary(
                    "geometry",
                    shown,
                    {side: engine.source(recipe, corpus) for side, recipe in shown.items()},
                    provenance.split(corpus),
                    provenance.pairs(corpus),
                ),
                alt=title,
                numbers=lambda: _numbers(drawable),
            )
        )
    elif drawn:
        st.info("No density can be drawn: every rating is too rare or its cosines are all equal.")
    notes([line for side in drawn for line in left_out(side)])
    st.markdown(escape(why_high(measured(engine, corpus, sides, key="work.why"))))


def _densities(
    engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress
) -> tuple[RecipeDensities, str]:
    """Cosines by rating with their densities, not labelled yet, and the model."""
    similarities, *_ = similarities_of(engine, recipe.replace(similarity="cosine"), corpus, progress)
    groups = ratings.by_rating(similarities, corpus.gold, corpus.scale)
    return RecipeDensities("", groups, *ratings.densities(groups)), provenance.model(engine.source(recipe))


def finding(drawn: Sequence[RecipeDensities]) -> str:
    """How much the densities of the lowest and the highest rating share under each recipe."""
    return f"Overlap of the densities of cosine: {'; '.join(overlap_words(side) for side in drawn)}"


def overlap_words(side: RecipeDensities) -> str:
    """How much the lowest and the highest rating share, in words."""
    known = _known(side)
    if len(known) < 2:
        return f"{side.label} has one rating alone"
    (low, p), (high, q) = known[0], known[-1]
    share = 100 * ratings.overlap(side.grid, p, q)
    return f"{side.label} {share:.0f} % between ratings {low} and {high}"


def adjacent_words(drawn: list[RecipeDensities], label: str) -> str:
    """How much neighbouring ratings share."""
    side = next((one for one in drawn if one.label == label), None)
    shared = _adjacent(side) if side else {}
    if not shared:
        return "no neighbouring ratings"
    words = ", ".join(f"{name} {100 * value:.0f} %" for name, value in shared.items())
    return f"neighbouring ratings overlap: {words}"


def left_out(side: RecipeDensities) -> list[str]:
    """Ratings without a density, and why."""
    found = []
    for group, density in zip(side.groups, side.densities, strict=True):
        if density is not None:
            continue
        count = len(group.similarities)
        few = f"{counted(count, 'pair')}, too few for a density"
        why = few if count < ratings.FEWEST else f"the cosines of its {count:,} pairs are all equal"
        found.append(f"{side.label}, rating {group.label}: {why}.")
    return found


def _known(side: RecipeDensities) -> list[tuple[str, np.ndarray]]:
    pairs = zip(side.groups, side.densities, strict=True)
    return [(group.label, density) for group, density in pairs if density is not None]


def _adjacent(side: RecipeDensities) -> dict[str, float]:
    return {f"{a} / {b}": ratings.overlap(side.grid, p, q) for (a, p), (b, q) in pairwise(_known(side))}


def _numbers(drawn: list[RecipeDensities]) -> pd.DataFrame:
    """One row for each point of each density."""
    parts = [
        pd.DataFrame({"recipe": side.label, "rating": label, "cosine": side.grid, "density": density})
        for side in drawn
        for label, density in _known(side)
    ]
    return pd.concat(parts, ignore_index=True)
