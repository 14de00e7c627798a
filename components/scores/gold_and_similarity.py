"""Gold score against similarity, every pair a point, on the page Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from components import chosen_points, figure_frame, provenance, state, theme
from components.figure_frame import Framed
from components.figures.scores import FEWEST, RecipeSimilarities, gold_against_similarity
from components.scores import error_words
from components.scores.page import caption, summary, unit
from components.wording import better_by, unit_of, upper_first, value
from core.analysis.geometry import ratings
from core.corpora.corpus import Corpus
from core.corpora.scales import scale_of
from core.evaluation.difference import NO_DIFFERENCE
from core.evaluation.scoring import Scored, difference
from core.evaluation.wording import fixed

_LEVELS = (
    f"Rings and whiskers: median and quartiles at a level of gold, from {FEWEST} pairs on; "
    "a line joins three levels or more"
)


def show(corpus: Corpus, sides: Mapping[str, Scored]) -> None:
    """One panel for each recipe."""
    look = theme.of(state.theme_name())
    texts = [
        (corpus.sentences[i], corpus.sentences[j]) for i, j in zip(corpus.first, corpus.second, strict=True)
    ]
    called = provenance.sides_named({side: scored.recipe for side, scored in sides.items()}, 60)
    panels = [
        RecipeSimilarities(called[side], look.side(side), scored.similarities, unit(scored))
        for side, scored in sides.items()
    ]
    subsets = len(set(corpus.subset))
    low, high = scale_of(corpus.gold, corpus.scale)
    step = (high - low) / ratings.parts_of((low, high))
    title = finding(sides, corpus)
    chosen_points.field(error_words.CHOSEN)
    figure_frame.show(
        Framed(
            key="scatter",
            title=title,
            figure=gold_against_similarity(corpus.gold, panels, texts, look, step, low, subsets),
            caption=(*caption(corpus, sides), _LEVELS),
            summary=summary(corpus, sides),
            alt=title,
            numbers=lambda: numbers(corpus, sides, texts),
            on_select=partial(error_words.choose, corpus),
            selection=("box", "lasso"),
            above=390,
            hint="Draw a box or a lasso round points: the words that drive these pairs' errors are below.",
        )
    )


def finding(sides: Mapping[str, Scored], corpus: Corpus) -> str:
    """The rank correlation of each panel, and their paired difference, which a slide has from here."""
    first = next(iter(sides.values())).score
    what = upper_first(f"{unit_of(first.aggregate)} with gold scores")
    found = difference(*sides.values(), corpus) if len(sides) == 2 else NO_DIFFERENCE
    if not np.isfinite(found.value):
        return f"{what}: {', '.join(f'{side} {value(scored.score)}' for side, scored in sides.items())}"
    scores = ", ".join(f"{side} {fixed(scored.score.spearman)}" for side, scored in sides.items())
    return f"{what}: {scores}; {better_by(found)}"


def numbers(corpus: Corpus, sides: Mapping[str, Scored], texts: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """One row for each pair."""
    table = pd.DataFrame(texts, columns=["sentence 1", "sentence 2"])
    table["gold"] = corpus.gold
    for side, scored in sides.items():
        table[side] = scored.similarities
    return table
