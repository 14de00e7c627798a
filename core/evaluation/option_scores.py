"""The scores of recipes that differ in one stage, for whoever chooses among its options."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.scoring import similarities_of
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe

PATIENCE = 2.0
"""Seconds that one recipe may take."""


class _TooLongError(Exception):
    """A recipe takes longer than it may."""


@dataclass(frozen=True)
class OptionScores:
    """Spearman × 100 on all pairs by the names of options, without intervals.

    ``unread`` are the options that need a forward pass or a training first.
    """

    scores: dict[str, float] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()


def option_scores(
    engine: Engine,
    recipes: Mapping[str, Recipe],
    corpus: Corpus,
    progress: Progress = silent,
    *,
    reading: float = 0.0,
    patience: float = PATIENCE,
) -> OptionScores:
    """Score each of some recipes by its name.

    Left out is what cannot be followed, has no correlation, would need forward passes or a training of more
    than ``reading`` seconds, or is seen at a progress step to take ``patience`` seconds beside them.
    """
    scores: dict[str, float] = {}
    unread: set[str] = set()
    for number, (name, recipe) in enumerate(recipes.items()):
        step = Step("Scoring options", number, len(recipes))
        progress(step)
        try:
            pending = engine.pending_seconds(recipe, corpus)
            if pending > reading:
                unread.add(name)
                continue
            told = _within(progress, step, patience + pending)
            similarities, _, _ = similarities_of(engine, recipe, corpus, told)
            spearman = evaluate(similarities, corpus, "all", intervals=False).spearman
        except (_TooLongError, StrataError):
            continue
        if isfinite(spearman):
            scores[name] = spearman
    return OptionScores(scores, frozenset(unread))


def _within(progress: Progress, step: Step, seconds: float) -> Progress:
    """Tell ``step`` in the place of any other, and raise when so many seconds have gone by."""
    until = time.monotonic() + seconds

    def told(_: Step) -> None:
        progress(step)
        if time.monotonic() > until:
            raise _TooLongError

    return told
