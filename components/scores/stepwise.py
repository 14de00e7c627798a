"""Stepwise ablation on the page Scores: the score after each step that makes up a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from components import figure_frame, job, state, theme, works
from components.figure_frame import Framed
from components.figures.scores import stepwise
from components.scores.page import caption, summary
from components.wording import unit_of, with_interval
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.scoring import Scored, score
from core.evaluation.sts import Aggregate, Score, compare
from core.pipeline.engine import Engine
from core.progress import Progress


def show(engine: Engine, corpus: Corpus, side: str, scored: Scored, aggregate: Aggregate) -> None:
    """What each step of a recipe adds: the scores of the recipes that lead up to it."""
    look = theme.of(state.theme_name())

    def compute(progress: Progress) -> tuple[list[tuple[str, Score]], Difference]:
        steps = [
            (name, score(engine, recipe, corpus, aggregate, progress))
            for name, recipe in scored.recipe.stepwise()
        ]
        scores = [(name, step.score) for name, step in steps]
        at = largest_step(scores)
        if at is None:
            return scores, NO_DIFFERENCE
        before, after = (step.similarities for _, step in steps[at - 1 : at + 1])
        return scores, compare(before, after, corpus, aggregate)

    what = f"Scoring the steps of {side}"
    result = job.show(
        works.recipe_work("stepwise", what, engine, scored.recipe, corpus, compute, aggregate),
        lambda: works.reading(engine, [scored.recipe], corpus),
    )
    if result is None:
        return
    steps, gain = result
    title = finding(side, steps, gain)
    figure_frame.show(
        Framed(
            key="ladder",
            title=title,
            figure=stepwise(steps, look.side(side), look),
            caption=caption(corpus, {side: scored}),
            summary=summary(corpus, {side: scored}),
            alt=title,
            numbers=lambda: numbers(steps),
        )
    )


def largest_step(steps: Sequence[tuple[str, Score]]) -> int | None:
    """The place of the step that moves the score most; None where no step has a score before and after."""
    moves = [abs(new.spearman - old.spearman) for (_, old), (_, new) in pairwise(steps)]
    return 1 + int(np.nanargmax(moves)) if np.isfinite(moves).any() else None


def finding(side: str, steps: Sequence[tuple[str, Score]], gain: Difference) -> str:
    """The step that moves the score most, and by how much, in one sentence."""
    at = largest_step(steps)
    if at is None:
        return f"No two steps of {side} have scores to compare"
    unit = unit_of(steps[at][1].aggregate)
    if not float(gain.amount):
        return f"No step of {side} moves {unit} by 0.1 or more"
    words = f"Of {side}'s steps, {steps[at][0]} moves {unit} most: {with_interval(gain)}"
    return words if gain.shown else f"{words}; no difference shown"


def numbers(steps: Sequence[tuple[str, Score]]) -> pd.DataFrame:
    """One row for each step."""
    return pd.DataFrame(
        [{"step": name, "spearman": s.spearman, "low": s.low, "high": s.high} for name, s in steps]
    )
