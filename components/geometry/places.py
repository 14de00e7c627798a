"""Recipes as points on the page Geometry: by alignment and uniformity, by IsoScore and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.geometry import Point, alignment_uniformity, hover_of, iso_score_against_score
from components.geometry.page import Shown
from components.text import escape
from core.analysis import geometry
from core.analysis.ratings import DEFINITIONS, Definition
from core.analysis.space import Place
from core.corpus import Corpus
from core.evaluation.statistics import pearson

NONE = "no arrows"


def alignment(corpus: Corpus, shown: Shown) -> None:
    """Alignment against uniformity under the definition that the visitor chooses."""
    look = theme.of(state.theme_name())
    drawing = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        picked = st.segmented_control(
            "Vectors",
            list(DEFINITIONS),
            default="normalised",
            required=True,
            key="vectors",
            bind="query-params",
            help="normalised: SimCSE's and Ditto's definition. as they are: that of Stankevičius & "
            "Lukoševičius 2025, with pairs of the highest gold score only.",
        )
        base = _base(shown)
    name = str(picked or "normalised")
    definition = DEFINITIONS[name]
    labels = list(shown.places)
    points = [_point(label, shown, name) for label in labels]
    positives = int(definition.positives(corpus.gold).sum())
    if not any(point.known for point in points):
        drawing.info(_why_empty(corpus, definition, positives, shown), icon=":material/info:")
        return
    title = finding(shown, name, base)
    with drawing:
        figure_frame.show(
            Framed(
                key="alignment",
                title=title,
                figure=alignment_uniformity(points, labels.index(base) if base else None, look),
                caption=caption(corpus, shown, definition, positives),
                alt=f"{title}; {len(points)} recipes",
                numbers=_numbers(shown),
            )
        )


def iso_scores(corpus: Corpus, shown: Shown) -> None:
    """IsoScore against score, with the correlation over recipes that end without whitening."""
    look = theme.of(state.theme_name())
    known = {n: p for n, p in shown.places.items() if np.isfinite([p.iso_score, p.spearman]).all()}
    places = {name: one for name, one in known.items() if not one.whitened}
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
            one.iso_score,
            one.spearman,
            one.spearman,
            _hover(label, one),
            shown.sides.get(label, ""),
        )
        for label, one in places.items()
    ]
    title = correlation(list(places.values()))
    dim = next(iter(places.values())).dim
    expected = geometry.isotropic_iso_score(len(corpus.sentences), dim)
    figure_frame.show(
        Framed(
            key="isoscore",
            title=title,
            figure=iso_score_against_score(points, look),
            caption=(
                *_left_out(known),
                *_lines(shown),
                f"{_about(corpus, shown)} · {len(corpus.sentences):,} different sentences; an isotropic "
                f"cloud of as many points in {dim:,} dimensions would score {expected:.2f}",
            ),
            alt=title,
            numbers=_numbers(shown),
        )
    )


def finding(shown: Shown, definition: str, base: str | None) -> str:
    """What the arrows say, in one sentence."""
    places = {
        name: np.array([one.alignment[definition], one.uniformity[definition]])
        for name, one in shown.places.items()
    }
    start = places.get(base or "")
    others = [name for name in places if name != base and shown.sides.get(name) != name]
    moved = [places[name] - start for name in others if start is not None]
    moved = [move for move in moved if np.isfinite(move).all()]
    if not moved:
        return "Alignment and uniformity by recipe"
    tiny = 1e-3
    if len(moved) == 1:
        words = [
            f"{what} {'lower' if change < -tiny else 'higher' if change > tiny else 'the same'}"
            for what, change in zip(("alignment", "uniformity"), moved[0], strict=True)
        ]
        return f"One variant: {' and '.join(words)} (lower is better)"
    both = sum((move < -tiny).all() for move in moved)
    traded = sum(move[0] > tiny and move[1] < -tiny for move in moved)
    gained = "none gains both" if not both else f"{both} gain{'s' if both == 1 else ''} both"
    verb = "trades" if traded == 1 else "trade"
    return f"{traded} of {len(moved)} variants {verb} alignment for uniformity; {gained}"


def correlation(places: Sequence[Place]) -> str:
    """IsoScore and score over some recipes, in one sentence."""
    r = pearson(np.array([p.iso_score for p in places]), np.array([p.spearman for p in places]))
    if len(places) < 3 or not np.isfinite(r):
        return "IsoScore and score: too few recipes, or too alike, for a correlation"
    return f"IsoScore and score: Pearson r = {r:+.2f} over {len(places)} recipes"


def caption(corpus: Corpus, shown: Shown, definition: Definition, positives: int) -> tuple[str, ...]:
    """The definition with its numbers, the recipes, the model and the corpus."""
    vectors = "unit vectors" if definition.normalised else "vectors as they are"
    occurrences = int(corpus.repeats.sum())
    same = int((corpus.repeats * (corpus.repeats - 1)).sum()) // 2
    over = f"all {occurrences:,} sentences of all pairs"
    if len(corpus.sentences) > geometry.EXACT:
        over = f"all pairs of {geometry.EXACT:,} sentences drawn from {len(corpus.sentences):,} (seed 0)"
    lines = [
        f"{definition.name}: {vectors}; alignment over {positives:,} positive pair{'s' * (positives != 1)} "
        f"({definition.rule(corpus.gold)}); uniformity over {over}; pairs of one sentence twice among "
        f"them: {same:,}",
        *_lines(shown),
        _about(corpus, shown),
    ]
    return tuple(lines)


def _base(shown: Shown) -> str | None:
    """Which recipe arrows come from."""
    names = [name for name in shown.places if shown.sides.get(name) != name]
    key = f"base/{'/'.join(names)}"
    options = [*names, NONE]
    start = options.index(shown.base) if shown.base in options else 0
    chosen = st.selectbox("Arrows from", options, index=start, key=key)
    return None if chosen in (None, NONE) else chosen


def _point(label: str, shown: Shown, definition: str) -> Point:
    one = shown.places[label]
    return Point(
        label,
        one.uniformity[definition],
        one.alignment[definition],
        one.spearman,
        _hover(label, one, definition),
        shown.sides.get(label, ""),
    )


def _hover(label: str, one: Place, definition: str | None = None) -> str:
    lines = [
        f"Spearman × 100 {one.spearman:.1f}, 95 %: {one.low:.1f} to {one.high:.1f}"
        if np.isfinite(one.spearman)
        else "no score",
        f"IsoScore {one.iso_score:.3f}, average cosine {one.average_cosine:.3f}"
        if np.isfinite(one.iso_score)
        else "no IsoScore",
    ]
    if definition:
        lines.insert(
            0, f"alignment {one.alignment[definition]:.3f}, uniformity {one.uniformity[definition]:.3f}"
        )
    return hover_of(label, lines)


def _why_empty(corpus: Corpus, definition: Definition, positives: int, shown: Shown) -> str:
    if not shown.places:
        return "No recipe could be measured; the reasons stand below."
    if not len(corpus):
        return (
            f"{escape(corpus.name)} has no scored pairs, so no pair is positive and alignment does not "
            "exist. Isotropy is shown beside."
        )
    if not positives:
        return (
            f"No pair of {escape(corpus.name)} is positive under this definition "
            f"({escape(definition.rule(corpus.gold))}), so alignment does not exist. Take the other "
            "definition, or another corpus."
        )
    return "Alignment and uniformity need two sentences at least."


def _left_out(places: Mapping[str, Place]) -> list[str]:
    """Recipes whose IsoScore says nothing."""
    names = [f"{name} ({one.iso_score:.2f})" for name, one in places.items() if one.whitened]
    if not names:
        return []
    return [
        f"Left out, as in Stankevičius & Lukoševičius 2025 (Figure 1): {', '.join(names)}, whitened "
        "last, so that IsoScore is near 1 by construction"
    ]


def _lines(shown: Shown) -> list[str]:
    """Every recipe that is drawn, under its label."""
    what = "Suggestions, as nothing is pinned: " if shown.suggested else "Pinned: "
    own = [n for n in shown.places if n not in ("A", "B")]
    lines = [what + " · ".join(own)] if shown.suggested else []
    if shown.suggested and own:
        lines[0] += f"; plain is {shown.places[own[0]].recipe.label()}"
    if not shown.suggested:
        lines.append(what + " | ".join(shown.places[name].recipe.label() for name in own))
    for name, side in shown.sides.items():
        if name in shown.places:
            lines.append(f"{side}: {shown.places[name].recipe.label()}")
    return lines


def _about(corpus: Corpus, shown: Shown) -> str:
    models = " and ".join(dict.fromkeys(one.model for one in shown.places.values()))
    return (
        f"{models} · {corpus.name} {corpus.taken} · {len(corpus):,} pairs · {corpus.origin} · "
        f"fingerprint {corpus.fingerprint}"
    )


def _numbers(shown: Shown) -> pd.DataFrame:
    rows = []
    for label, one in shown.places.items():
        row = {"label": label, "recipe": one.recipe.label(), "model": one.model}
        for name in DEFINITIONS:
            row |= {f"alignment, {name}": one.alignment[name], f"uniformity, {name}": one.uniformity[name]}
        row |= {"IsoScore": one.iso_score, "average cosine": one.average_cosine}
        rows.append(row | {"spearman": one.spearman, "low": one.low, "high": one.high})
    return pd.DataFrame(rows)
