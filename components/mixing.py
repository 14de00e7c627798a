"""The parts of the page Mixing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, selection, state, take, theme
from components.explain import heading
from components.figure_frame import Framed
from components.figures.mixing import best_shares, heatmap
from components.text import escape
from core.analysis.mixing import SHARES, Fared, Mixture, mixed
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.evaluation.sts import check_scorable
from core.recipe import Recipe

MOST = 6
"""Corpora whose scores are averaged at most."""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Mixing",
        "How much of a token's average over all its contexts helps its sentence, layer by layer?",
        "Avg. gives every token the mean of its vectors over its contexts in the reference corpus. A "
        "sentence vector here is (1 − w) × that of the model + w × that of Avg., both from the same "
        "layers: **w = 0 is the model alone, 1 is Avg. alone**, below 0 the average is taken away, above 1 "
        "the context. Everything else is recipe A's. The white × marks the highest of some three hundred "
        "cells; the best of so many looks better than it is, which is why it is chosen on dev and shown on "
        "test below. A map of one corpus says nothing of another, nor of clustering or classification, "
        "where the paper found other best shares (Stankevičius & Lukoševičius 2025, Figures 5 to 8).",
    )


def corpora(road: Road, corpus: Corpus) -> list[Corpus]:
    """The corpora whose scores are averaged: the sidebar's, and others that the visitor adds."""
    names = [e.name for e in road.catalogue.listed() if e.kind == "pairs" and e.name != corpus.name]
    added = st.multiselect(
        "Mean over more corpora",
        names,
        key="over",
        bind="query-params",
        persist_state="session",
        max_selections=MOST - 1,
        placeholder=f"{corpus.name} alone",
        help="The score of a cell is then the unweighted mean of its scores on these corpora.",
    )
    found = [corpus]
    for name in added:
        try:
            other = road.corpus(name)
            check_scorable(other)
            found.append(other)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
    return found


def cell(found: Mixture) -> tuple[float, str] | None:
    """The chosen cell, by controls or by a click on the map; the best one to start with."""
    start = found.best
    if start is None:
        return None
    left, right = st.columns(2, gap="medium")
    names = [f"{w:g}" for w in SHARES]
    for key, allowed in (("w", names), ("mixed", found.layers)):
        if st.session_state.get(key) not in (None, *allowed):
            del st.session_state[key]
    with left:
        w = st.select_slider(
            "w", names, value=f"{start[0]:g}", key="w", bind="query-params", persist_state="session"
        )
    with right:
        layers = st.selectbox(
            "Layers",
            found.layers,
            index=found.layers.index(start[1]),
            key="mixed",
            bind="query-params",
            persist_state="session",
            help="A click on a cell of the map chooses both.",
        )
    return float(w), str(layers)


def show(road: Road, recipe: Recipe, scored: Sequence[Corpus], found: Mixture, place: Any) -> None:
    """The map in ``place``, the chosen cell as a recipe, and each column's best share under it."""
    chosen = cell(found)
    look = theme.of(state.theme_name())
    title = finding(found)

    def choose(points: Sequence[dict[str, Any]]) -> None:
        if points:
            selection.take("w", f"{found.shares[int(points[0]['y'])]:g}")
            selection.take("mixed", found.layers[int(points[0]["x"])])

    with place:
        figure_frame.show(
            Framed(
                key="mixing",
                title=title,
                figure=heatmap(found, look, chosen),
                caption=_caption(road, recipe, scored, found),
                alt=title,
                numbers=numbers(found),
                on_select=choose,
            )
        )
    if chosen is None:
        return
    value = found.at(*chosen)
    score = f"{value:.1f}" if np.isfinite(value) else "no score"
    st.markdown(f"w = **{chosen[0]:g}** on layers **{escape(chosen[1])}**: {score}")
    take.buttons(mixed(recipe, *chosen), "Recipe A with this share and these layers", "mixing.take")
    title = gaining(found)
    figure_frame.show(
        Framed(
            key="mixing.best",
            title=title,
            figure=best_shares(found, look),
            caption=(
                "Above each point: what the best w gains over w = 0.",
                *_caption(road, recipe, scored, found),
            ),
            alt=title,
            numbers=best_numbers(found),
        )
    )


def fared(found: Fared | None, chosen_on: Corpus, other: Corpus, cells: int) -> None:
    """In words: the best cell of one split on the other."""
    if found is None:
        st.info(f"No cell has a score on {chosen_on.taken}.", icon=":material/block:")
        return
    st.markdown(f"##### {escape(fared_finding(found, chosen_on, other))}")
    st.markdown(escape(fared_words(found, chosen_on, other, cells)))


def fared_finding(found: Fared, chosen_on: Corpus, other: Corpus) -> str:
    """The score of the chosen cell on the other split."""
    half = (found.score.high - found.score.low) / 2
    return (
        f"Chosen on {chosen_on.taken}, w = {found.share:g} on layers {found.layers} reaches "
        f"{found.score.spearman:.1f} ± {half:.1f} on {other.taken}"
    )


def fared_words(found: Fared, chosen_on: Corpus, other: Corpus, cells: int) -> str:
    """What choosing cost, and whether mixing gained anything."""
    gain = found.gain
    if found.share == 0:
        verdict = "w = 0 was chosen, the model without Avg."
    elif gain.shown:
        verb = "gains" if gain.value > 0 else "loses"
        verdict = (
            f"Against w = 0 on the same layers it {verb} {abs(gain.value):.1f} there "
            f"(95 %: {gain.low:+.1f} to {gain.high:+.1f})."
        )
    else:
        verdict = (
            "Against w = 0 on the same layers no difference is shown there "
            f"({gain.value:+.1f}, 95 %: {gain.low:+.1f} to {gain.high:+.1f})."
        )
    return (
        f"On {chosen_on.taken} ({len(chosen_on):,} pairs) it scored {found.chosen_at:.1f}, the best of "
        f"{cells}; on {other.taken} ({len(other):,} pairs) it is number {found.rank} of them. {verdict}"
    )


def finding(found: Mixture) -> str:
    """Which cell is best, and what the best one without Avg. reaches."""
    if found.best is None:
        return "No cell has a score: all similarities are equal"
    share, layers = found.best
    plain = found.spearman[found.shares.index(0.0)]
    best = f"w = {share:g} on layers {layers} scores highest: {np.nanmax(found.spearman):.1f}"
    if share == 0 or np.isnan(plain).all():
        return f"{best}; no share of Avg. helps" if share == 0 else best
    return f"{best}; without Avg. {np.nanmax(plain):.1f} (layers {found.layers[int(np.nanargmax(plain))]})"


def gaining(found: Mixture) -> str:
    """How many choices of layers gain from Avg."""
    gains = _gains(found)
    known = gains[np.isfinite(gains)]
    if not len(known):
        return "No choice of layers has a score"
    if (known < 0.05).all():
        return "No choice of layers gains from Avg."
    best = int(np.nanargmax(gains))
    return (
        f"{int((known >= 0.05).sum())} of {len(known)} choices of layers gain from some share of Avg.; "
        f"most: {found.layers[best]}, {gains[best]:+.1f}"
    )


def numbers(found: Mixture) -> pd.DataFrame:
    """One row for each cell."""
    rows = [
        (w, layers, found.spearman[i, j])
        for i, w in enumerate(found.shares)
        for j, layers in enumerate(found.layers)
    ]
    return pd.DataFrame(rows, columns=["w", "layers", "spearman"])


def best_numbers(found: Mixture) -> pd.DataFrame:
    """One row for each choice of layers."""
    table = numbers(found).dropna().sort_values(["spearman", "w"], ascending=[False, True])
    best = table.drop_duplicates("layers").set_index("layers").reindex(found.layers).reset_index()
    return best.assign(gain=_gains(found))


def _gains(found: Mixture) -> np.ndarray:
    """What each column's best share gains over w = 0; NaN where there is no score."""
    zero = found.spearman[found.shares.index(0.0)]
    return np.where(np.isnan(found.spearman), -np.inf, found.spearman).max(axis=0) - zero


def _caption(road: Road, recipe: Recipe, scored: Sequence[Corpus], found: Mixture) -> tuple[str, ...]:
    any_cell = mixed(recipe, 0.5, "0")
    source, reference = road.source(recipe, scored[0]), road.reference(any_cell)
    best = found.best and mixed(recipe, *found.best)
    on = ", ".join(f"{c.name} {c.taken} ({len(c):,} pairs)" for c in scored)
    mean = "mean over " if len(scored) > 1 else ""
    return (
        f"Recipe A with each cell's layers and w; the best: {best.label() if best else 'none'}",
        f"{source.name} ({source.revision}) · Avg. over {reference.name}, "
        f"{len(reference.sentences):,} texts · {mean}{on}",
    )
