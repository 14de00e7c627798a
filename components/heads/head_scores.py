"""Scores of all heads as token weights, on the page Heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components import figure_frame, provenance, state, theme
from components.figure_frame import Framed
from components.figures.heads import HeadGrid, grids
from components.heads.page import take
from components.heads.search_plan import BEST, PUBLISHED, SearchPlan, caption, heads_table, summary
from components.wording import UNIT
from core.analysis.heads.head_search import HeadScores
from core.errors import counted
from core.evaluation.wording import fixed
from core.sources.source import Source


def show(
    plan: SearchPlan,
    scores: Sequence[HeadScores],
    chosen: tuple[int, int],
    published: tuple[int, int] | None,
    source: Source,
) -> None:
    """A grid of heads for the pairs a head is chosen on, and one for those it is shown on."""
    best = scores[0].best
    marks = {head: sign for head, sign in ((published, PUBLISHED), (best, BEST)) if head}
    panels = [
        HeadGrid(one.scores, f"{corpus.split_name}, {counted(len(corpus), 'pair')}", 1, marks)
        for one, corpus in zip(scores, plan.corpora, strict=True)
    ]
    legend = f"{BEST} best on {plan.choose_on.split_name}"
    legend += f", {PUBLISHED} published" if published else f"; no head is published for {source.name}"
    title = finding(plan, scores[0])
    figure_frame.show(
        Framed(
            key="heads.scores",
            title=title,
            figure=grids(panels, chosen, "Spearman × 100", theme.of(state.theme_name())),
            caption=(
                f"{legend}; framed: the head above",
                *caption(plan, source),
            ),
            summary=summary(plan, source),
            alt=title,
            numbers=lambda: numbers(plan, scores),
            on_select=take,
            hint=f"{legend}; framed: the head above. A click on a cell chooses its head.",
        )
    )


def finding(plan: SearchPlan, scores: HeadScores) -> str:
    """The best head on the pairs it is chosen on, in one sentence."""
    where = provenance.split(plan.choose_on)
    if scores.best is None:
        return f"No head has a score on {where}"
    name = f"L{scores.best[0]}-H{scores.best[1]}"
    scored = int(np.isfinite(scores.scores).sum())
    alike = int((scores.scores == scores.of(*scores.best)).sum()) - 1
    first = f"{name} and {counted(alike, 'other')} score" if alike else f"{name} scores"
    highest = f"{first} highest of {scored} heads on {where}: {UNIT} = {fixed(scores.of(*scores.best))}"
    return highest + (f", uniform weights {fixed(scores.uniform)}" if np.isfinite(scores.uniform) else "")


def numbers(plan: SearchPlan, scores: Sequence[HeadScores]) -> pd.DataFrame:
    """One row for each head."""
    table = heads_table(scores[0].scores.shape)
    for one, corpus in zip(scores, plan.corpora, strict=True):
        table[f"Spearman × 100, {corpus.split_name}"] = one.scores.ravel()
    return table
