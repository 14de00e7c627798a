"""Scores by subset of the corpus, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from components import figure_frame, job, provenance, state, theme, works
from components.figure_frame import Framed
from components.figures.scores import subset_bars
from components.scores.page import caption, summary
from components.wording import UNIT, listed, value
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.scoring import Scored
from core.evaluation.sts import Score, by_subset
from core.pipeline.engine import Engine
from core.work import Work

NAMED = 3
"""Subsets without a correlation that a headline names."""


def show(engine: Engine, corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """The score of each subset by itself, with its interval, once they are there."""
    look = theme.of(state.theme_name())
    jobs = job.show_each({side: _scoring(engine, side, scored, corpus) for side, scored in sides.items()})
    scores = {side: done for side, each in jobs.items() if (done := each.value()) is not None}
    if len(scores) < len(sides):
        return
    title = finding(scores)
    figure_frame.show(
        Framed(
            key="subsets",
            title=title,
            figure=subset_bars(
                scores,
                {side: look.side(side) for side in sides},
                look,
                provenance.sides_named({side: scored.recipe for side, scored in sides.items()}),
            ),
            caption=caption(corpus, sides),
            summary=summary(corpus, sides),
            alt=title,
            numbers=lambda: numbers(scores),
        )
    )


def _scoring(engine: Engine, side: str, scored: Scored, corpus: Corpus) -> Work[dict[str, Score]]:
    """The work that scores the subsets."""
    return works.recipe_work(
        "subsets",
        f"Intervals of {side}'s subsets",
        engine,
        scored.recipe,
        corpus,
        lambda progress: by_subset(scored.similarities, corpus),
        kept=lambda _: True,  # the similarities are at hand: nothing is read
    )


def finding(scores: Mapping[str, Mapping[str, Score]]) -> str:
    """On how many subsets a recipe shows no correlation, else the one that scores lowest.

    Of a corpus without subsets it is whether each recipe shows one on all pairs.
    """
    none, lowest, few = [], [], 0
    for side, by_name in scores.items():
        known = {name: score for name, score in by_name.items() if np.isfinite(score.spearman)}
        if len(known) < 2:
            continue
        unshown = [name for name, score in known.items() if score.low <= 0 <= score.high]
        few = max(few, sum(not np.isfinite(score.low) for score in known.values()))
        if unshown:
            named = f": {listed(unshown)}" if len(unshown) <= NAMED else ""
            none.append(f"under {side} on {len(unshown)} of {len(known)} subsets{named}")
        least = min(known, key=lambda name: known[name].spearman)
        lowest.append(f"{side} on {least}, {value(known[least])}")
    if none:
        others = "1 other has" if few == 1 else f"{few} others have"
        left = f" ({others} too few pairs for an interval)" if few else ""
        return f"No correlation with gold shown {'; '.join(none)}{left}"
    if lowest:
        return f"Lowest {UNIT} of a subset: {'; '.join(lowest)}"
    whole = {side: score for side, by_name in scores.items() for score in by_name.values()}
    if sum(map(len, scores.values())) > len(scores) or not whole:
        return f"{UNIT} by subset"
    unshown = [side for side, score in whole.items() if score.low <= 0 <= score.high]
    end = f"; no correlation with gold shown under {listed(unshown)}" if unshown else ""
    said = ", ".join(f"{side} {value(score)}" for side, score in whole.items())
    return f"{UNIT} on all {counted(next(iter(whole.values())).pairs, 'pair')}, no subsets: {said}{end}"


def numbers(scores: Mapping[str, Mapping[str, Score]]) -> pd.DataFrame:
    """One row for each recipe and subset."""
    return pd.DataFrame(
        [
            {"subset": name, "recipe": side, "spearman": score.spearman, "low": score.low}
            | {"high": score.high, "pearson": score.pearson, "pairs": score.pairs}
            for side, by_name in scores.items()
            for name, score in by_name.items()
        ]
    )
