"""The scores of recipes that differ in one stage, for whoever chooses among its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from core.corpora.corpus import Corpus
from core.evaluation.quick import PATIENCE, of_each
from core.evaluation.scoring import similarities_of
from core.evaluation.sts import evaluate
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.recipe import Recipe


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

    Left out is what :func:`core.evaluation.quick.of_each` leaves out, and what has no correlation.
    """
    scores, unread = of_each(
        _spearman, "Scoring options", engine, recipes, corpus, progress, reading=reading, patience=patience
    )
    return OptionScores({name: score for name, score in scores.items() if isfinite(score)}, unread)


def _spearman(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> float:
    similarities, _, _ = similarities_of(engine, recipe, corpus, progress)
    return evaluate(similarities, corpus, "all", intervals=False).spearman
