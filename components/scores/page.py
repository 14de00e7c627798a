"""The parts of the page Scores."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.scores import Side, gold_against_similarity, ladder, subset_bars
from components.text import escape
from components.wording import value
from core.corpus import Corpus
from core.embed import Road
from core.evaluation.sts import (
    Aggregate,
    Score,
    by_subset,
    compare,
    evaluate,
    worst_pairs,
)
from core.progress import Progress
from core.recipe import Recipe

COLORS = {"A": "blue", "B": "orange"}


@dataclass(frozen=True, eq=False)
class Scored:
    """One recipe on one corpus."""

    side: str
    recipe: Recipe
    similarities: np.ndarray
    score: Score
    model: str
    revision: str
    notes: tuple[str, ...]
    seconds: float

    @property
    def unit(self) -> str:
        """The name of the similarity."""
        return self.recipe.spelled()["similarity"]


def score(
    road: Road, side: str, recipe: Recipe, corpus: Corpus, aggregate: Aggregate, progress: Progress
) -> Scored:
    """Walk the road and score; ``seconds`` leaves forward passes and intervals out."""
    begin = time.perf_counter()
    similarities, embedded = road.similarities(recipe, corpus, progress)
    seconds = time.perf_counter() - begin - embedded.pass_seconds
    found = evaluate(similarities, corpus, aggregate)
    source = embedded.source
    return Scored(side, recipe, similarities, found, source.name, source.revision, embedded.notes, seconds)


def headline(corpus: Corpus, sides: list[Scored], aggregate: Aggregate) -> None:
    """Each score with its interval, and the paired difference in words."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for one in sides:
            known = np.isfinite(one.score.spearman)
            st.metric(
                f":{COLORS[one.side]}[**{one.side}**] Spearman × 100",
                value(one.score),
                delta=f"95 %: {one.score.low:.1f} to {one.score.high:.1f}" if known else None,
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
        if len(sides) == 2:
            found = compare(*(one.similarities for one in sides), corpus, aggregate)
            st.markdown(f"##### {escape(found.words())}")
    for one in sides:
        if one.score.problem:
            st.warning(f"**{one.side}.** {escape(one.score.problem)}", icon=":material/warning:")


def scatter(corpus: Corpus, sides: list[Scored]) -> None:
    """Gold against similarity, every pair a point."""
    look = theme.of(state.theme_name())
    texts = [
        (corpus.sentences[i], corpus.sentences[j]) for i, j in zip(corpus.first, corpus.second, strict=True)
    ]
    drawn = [Side(s.side, look.side(s.side), s.similarities, s.unit) for s in sides]
    title = "How similarity follows the gold score"
    numbers = pd.DataFrame({"sentence 1": [t[0] for t in texts], "sentence 2": [t[1] for t in texts]})
    numbers["gold"] = corpus.gold
    for one in sides:
        numbers[one.side] = one.similarities
    figure_frame.show(
        Framed(
            key="scatter",
            title=title,
            figure=gold_against_similarity(corpus.gold, drawn, texts, look),
            caption=caption(corpus, sides),
            alt=f"{title}: " + "; ".join(f"{s.side} reaches {value(s.score)}" for s in sides),
            numbers=numbers,
        )
    )


def subsets(corpus: Corpus, sides: list[Scored]) -> None:
    """Each subset by itself."""
    look = theme.of(state.theme_name())
    found = {one.side: by_subset(one.similarities, corpus) for one in sides}
    first = found[sides[0].side]
    known = {name: s.spearman for name, s in first.items() if np.isfinite(s.spearman)}
    title = "Scores by subset"
    if len(known) > 1:
        hardest = min(known, key=lambda name: known[name])
        title = f"Hardest for A: {hardest}, {known[hardest]:.1f}"
    rows = [
        {"subset": name, "recipe": side, "spearman": s.spearman, "low": s.low, "high": s.high}
        | {"pearson": s.pearson, "pairs": s.pairs}
        for side, scores in found.items()
        for name, s in scores.items()
    ]
    figure_frame.show(
        Framed(
            key="subsets",
            title=title,
            figure=subset_bars(found, {s.side: look.side(s.side) for s in sides}, look),
            caption=caption(corpus, sides),
            alt=title,
            numbers=pd.DataFrame(rows),
        )
    )


def worst(corpus: Corpus, sides: list[Scored]) -> None:
    """The pairs whose place by similarity is furthest from their place by gold."""
    st.markdown("##### The pairs that go most wrong")
    chosen = st.segmented_control(
        "Under",
        [s.side for s in sides],
        default=sides[0].side,
        required=True,
        key="worst.side",
        label_visibility="collapsed",
    )
    one = next((s for s in sides if s.side == chosen), sides[0])
    too_far, too_close = worst_pairs(one.similarities, corpus)
    tables = {
        "Too far apart: gold high, similarity low": too_far,
        "Too close: gold low, similarity high": too_close,
    }
    for words, table in tables.items():
        st.markdown(words)
        st.dataframe(
            table,
            hide_index=True,
            column_config={"similarity": st.column_config.NumberColumn(format="%.3f")},
        )


def stage_ladder(road: Road, corpus: Corpus, one: Scored, aggregate: Aggregate, progress: Progress) -> None:
    """What each turning of a recipe adds: the score of every recipe on the way to it."""
    look = theme.of(state.theme_name())
    rungs = [
        (name, score(road, one.side, recipe, corpus, aggregate, progress).score)
        for name, recipe in one.recipe.ladder()
    ]
    steps = {name: new.spearman - old.spearman for (_, old), (name, new) in pairwise(rungs)}
    gains = {name: gain for name, gain in steps.items() if np.isfinite(gain)}
    title = f"{one.side} is one turning away from the plain average of its layers"
    if gains:
        most = max(gains, key=lambda name: abs(gains[name]))
        title = f"Of {one.side}'s turnings, {most} moves the score most: {gains[most]:+.1f}"
    rows = [{"turning": name, "spearman": s.spearman, "low": s.low, "high": s.high} for name, s in rungs]
    figure_frame.show(
        Framed(
            key="ladder",
            title=title,
            figure=ladder(rungs, look.side(one.side), look),
            caption=caption(corpus, [one]),
            alt=title,
            numbers=pd.DataFrame(rows),
        )
    )


def caption(corpus: Corpus, sides: list[Scored]) -> tuple[str, ...]:
    """The exact recipes, the model, the corpus and its size."""
    models = dict.fromkeys(f"{s.model} ({s.revision})" for s in sides)
    return (
        *(f"{s.side}: {s.recipe.label()}" for s in sides),
        f"{' and '.join(models)} · {corpus.name} {corpus.taken} · {len(corpus):,} pairs · "
        f"{corpus.origin} · fingerprint {corpus.fingerprint}",
    )
