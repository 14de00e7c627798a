"""The part of the page Geometry about ratings: densities of cosine, and why cosines are high."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.errors import notes
from components.figure_frame import Framed
from components.figures.ratings import Side, by_rating
from components.geometry.isotropy import measured, why_high
from components.text import escape
from core.analysis import ratings
from core.corpus import Corpus
from core.embed import Road
from core.progress import Progress
from core.recipe import Recipe


def show(road: Road, corpus: Corpus, sides: Mapping[str, Recipe], progress: Progress) -> None:
    """Densities under A and B, how much they overlap, and why cosines are as high as they are."""
    if not len(corpus):
        st.info(
            f"{escape(corpus.name)} has no scored pairs, so there are no ratings to tell apart.",
            icon=":material/info:",
        )
        return
    drawn, models = [], {}
    for side, recipe in sides.items():
        cosine = recipe.replace(similarity="cosine")
        similarities, embedded = road.similarities(cosine, corpus, progress)
        groups = ratings.by_rating(similarities, corpus.gold)
        drawn.append(Side(side, groups, *ratings.densities(groups)))
        models[f"{embedded.source.name} ({embedded.source.revision})"] = None
    drawable = [side for side in drawn if any(density is not None for density in side.densities)]
    if drawable:
        low, high = ratings.scale_of(corpus.gold)
        title = "; ".join(overlap_words(side) for side in drawable)
        figure_frame.show(
            Framed(
                key="densities",
                title=title,
                figure=by_rating(drawable, theme.of(state.theme_name())),
                caption=(
                    *(
                        f"{side}: {recipe.label()}; {adjacent_words(drawable, side)}"
                        for side, recipe in sides.items()
                    ),
                    f"{' and '.join(models)} · {corpus.name} {corpus.taken} · {len(corpus):,} pairs, "
                    f"gold {low:g} to {high:g} · kernel densities, each of area 1 · fingerprint "
                    f"{corpus.fingerprint}",
                ),
                alt=title,
                numbers=_numbers(drawable),
            )
        )
    elif drawn:
        st.info("No density can be drawn: every rating is too rare or its cosines are all equal.")
    notes([line for side in drawn for line in left_out(side)])
    found = measured(road, corpus, {side.label: sides[side.label] for side in drawn}, progress)
    st.markdown(escape(why_high(found)))


def overlap_words(side: Side) -> str:
    """How much the lowest and the highest rating share, in words."""
    known = _known(side)
    if len(known) < 2:
        return f"{side.label}: one rating alone"
    (low, p), (high, q) = known[0], known[-1]
    share = 100 * ratings.overlap(side.grid, p, q)
    return f"{side.label}: ratings {low} and {high} overlap by {share:.0f} %"


def adjacent_words(drawn: list[Side], label: str) -> str:
    """How much neighbouring ratings share."""
    side = next((one for one in drawn if one.label == label), None)
    shared = _adjacent(side) if side else {}
    if not shared:
        return "no neighbouring ratings"
    words = ", ".join(f"{name} {100 * value:.0f} %" for name, value in shared.items())
    return f"neighbouring ratings overlap: {words}"


def left_out(side: Side) -> list[str]:
    """Ratings without a density, and why."""
    found = []
    for group, density in zip(side.groups, side.densities, strict=True):
        if density is not None:
            continue
        count = len(group.similarities)
        few = f"{count} pair{'s' if count > 1 else ''}, too few for a density"
        why = few if count < ratings.FEWEST else f"the cosines of its {count:,} pairs are all equal"
        found.append(f"{side.label}, rating {group.label}: {why}.")
    return found


def _known(side: Side) -> list[tuple[str, np.ndarray]]:
    pairs = zip(side.groups, side.densities, strict=True)
    return [(group.label, density) for group, density in pairs if density is not None]


def _adjacent(side: Side) -> dict[str, float]:
    return {f"{a} / {b}": ratings.overlap(side.grid, p, q) for (a, p), (b, q) in pairwise(_known(side))}


def _numbers(drawn: list[Side]) -> pd.DataFrame:
    """One row for each point of each density."""
    parts = [
        pd.DataFrame({"recipe": side.label, "rating": label, "cosine": side.grid, "density": density})
        for side in drawn
        for label, density in _known(side)
    ]
    return pd.concat(parts, ignore_index=True)
