"""IsoScore against score, every recipe a point, on the page Geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.geometry import iso_score_against_score
from components.figures.named_points import Point
from components.geometry.alignment import hover
from components.geometry.page import Measured, numbers, provenance_line, recipe_lines, summary
from components.text import escape
from components.wording import UNIT, listed
from core.analysis.geometry import measures
from core.analysis.geometry.of_recipe import RecipeGeometry
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.statistics import pearson, pearson_interval, spearman, spearman_interval
from core.evaluation.wording import between, signed

FEWEST = 4
"""Recipes from which on a correlation is named: one of them can be left out."""


def show(corpus: Corpus, measured: Measured) -> None:
    """IsoScore against score, with the correlation over recipes that end without whitening."""
    look = theme.of(state.theme_name())
    known = {n: p for n, p in measured.places.items() if np.isfinite([p.iso_score, p.spearman]).all()}
    places = {name: place for name, place in known.items() if not place.whitened}
    if not places:
        st.info(
            f"IsoScore is not set against scores: no recipe has both on {escape(corpus.name)}, whitened "
            "ones aside.",
            icon=":material/info:",
        )
        return
    points = [
        Point(
            label,
            place.iso_score,
            place.spearman,
            place.spearman,
            hover(label, place),
            measured.sides.get(label, ""),
            measured.kind(label),
        )
        for label, place in places.items()
    ]
    drawn = measured.only(places)
    title = finding(list(places.values()))
    figure_frame.show(
        Framed(
            key="isoscore",
            title=title,
            figure=iso_score_against_score(points, look),
            caption=(
                *left_out(known),
                *recipe_lines(drawn),
                provenance_line(
                    corpus,
                    drawn,
                    f"{len(corpus.sentences):,} different sentences; {isotropic(corpus, drawn)}",
                ),
            ),
            summary=summary(corpus, drawn),
            alt=title,
            numbers=lambda: numbers(drawn),
        )
    )


def isotropic(corpus: Corpus, measured: Measured) -> str:
    """The IsoScore of an isotropic cloud of as many points, in each number of dimensions drawn."""
    count = len(corpus.sentences)
    clouds = [
        f"{measures.isotropic_iso_score(count, dim):.2f} in {dim:,} dimensions"
        for dim in sorted({place.dim for place in measured.places.values()})
    ]
    return f"an isotropic cloud of as many points would score {listed(clouds)}"


def finding(places: Sequence[RecipeGeometry]) -> str:
    """IsoScore and score over some recipes, in one sentence."""
    return correlation(
        [place.model for place in places],
        [place.iso_score for place in places],
        [place.spearman for place in places],
        UNIT,
    )


def correlation(
    models: Sequence[str], iso_scores: Sequence[float], scores: Sequence[float], unit: str
) -> str:
    """How IsoScore goes with a score over the recipes of the commonest model, in one sentence.

    It does so where the intervals of Pearson's and of Spearman's correlation leave out 0 on the same side,
    and where no recipe alone decides it.
    """
    counts = Counter(models)
    model, count = counts.most_common(1)[0]
    of = [each == model for each in models]
    x, y = (np.array(values, float)[of] for values in (iso_scores, scores))
    over = f"over {counted(count, 'recipe')}" + (f" of {model}" if len(counts) > 1 else "")
    r = pearson(x, y)
    if count < FEWEST or not np.isfinite(r):
        return f"IsoScore against {unit}: too few recipes, or too alike, for a correlation {over}"
    rank, bounds, rank_bounds = spearman(x, y), pearson_interval(x, y), spearman_interval(x, y)
    said = f"Pearson {signed(r, 2)} ({between(*bounds, 2)}), Spearman {signed(rank, 2)}"
    if min(np.sign(bounds) * np.sign(r)) <= 0:
        return f"No correlation shown of IsoScore with {unit}: {said} {over}"
    if min(np.sign(rank_bounds) * np.sign(r)) <= 0:
        return f"No correlation shown of IsoScore with {unit}: {said} ({between(*rank_bounds, 2)}) {over}"
    said = f"{said} {over}"
    without = [pearson(np.delete(x, i), np.delete(y, i)) for i in range(count)]
    weakest = min(
        (each for each in without if np.isfinite(each)), key=lambda each: each * np.sign(r), default=r
    )
    end = f"Pearson {signed(weakest, 2)} without one of them"
    if weakest * r <= 0:
        return f"No correlation shown of IsoScore with {unit}: {said}; {end}"
    return f"IsoScore {'rises' if r > 0 else 'falls'} with {unit}: {said}; still {end}"


def left_out(places: Mapping[str, RecipeGeometry]) -> list[str]:
    """Recipes whose IsoScore says nothing."""
    names = [f"{name} ({place.iso_score:.2f})" for name, place in places.items() if place.whitened]
    if not names:
        return []
    return [
        f"Left out, as in Stankevičius & Lukoševičius 2025 (Figure 1): {', '.join(names)}, whitened "
        "last, so that IsoScore is near 1 by construction"
    ]
