"""One recipe scored on one corpus: what every answer about a score says, under the same names."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.corpus import Corpus
from core.embed import Road
from core.evaluation.sts import Aggregate, Score, check_scorable, evaluate
from core.progress import Progress, silent
from core.recipe import Recipe


@dataclass(frozen=True, eq=False)
class Scored:
    """A score, what it was made with and what it cost.

    ``about`` holds what the score depends on. ``pass_seconds`` is what forward passes took just now,
    0 when all were stored; ``seconds`` is the way from the stored pass to the score, without the
    interval. ``notes`` says what a reader must know.
    """

    about: Mapping[str, Any]
    score: Score
    pass_seconds: float
    seconds: float
    notes: tuple[str, ...]

    def answer(self) -> dict[str, Any]:
        """Everything but the subsets; a number that does not exist is None."""
        score = self.score
        return {
            **self.about,
            "spearman": number(score.spearman),
            "pearson": number(score.pearson),
            "low": number(score.low),
            "high": number(score.high),
            "pass_seconds": number(self.pass_seconds),
            "seconds": number(self.seconds),
            "notes": list(self.notes),
        }


def about_recipe(road: Road, recipe: Recipe) -> dict[str, str]:
    """What a score depends on beside the corpus: recipe, model, reference and precision.

    ``reference_fingerprint`` is empty for a recipe that learns nothing from the reference. Raises
    :class:`~core.errors.StrataError` when the model or the reference cannot be found.
    """
    source = road.source(recipe)
    return {
        "recipe": str(recipe),
        "model": source.name,
        "revision": source.revision,
        "reference_fingerprint": road.reference(recipe).fingerprint if recipe.needs_reference() else "",
        "forward": road.settings.forward,
        "storage": road.settings.storage,
    }


def about_corpus(corpus: Corpus, aggregate: Aggregate) -> dict[str, Any]:
    """What a score depends on beside the recipe."""
    return {
        "corpus": corpus.name,
        "split": corpus.taken,
        "fingerprint": corpus.fingerprint,
        "pairs": len(corpus),
        "aggregate": aggregate,
    }


def score(
    road: Road, recipe: Recipe, corpus: Corpus, aggregate: Aggregate = "all", progress: Progress = silent
) -> Scored:
    """Walk the road and score what it gives.

    Raises
    ------
    CorpusError
        The corpus allows no correlation.
    StrataError
        Whatever hinders the road; see :meth:`core.embed.Road.embed`.
    """
    check_scorable(corpus)
    about = about_recipe(road, recipe) | about_corpus(corpus, aggregate)
    begin = time.perf_counter()
    similarities, embedded = road.similarities(recipe, corpus, progress)
    fast = evaluate(similarities, corpus, aggregate, intervals=False)
    seconds = time.perf_counter() - begin - embedded.pass_seconds
    whole = evaluate(similarities, corpus, aggregate)
    notes = (*corpus.notes, *embedded.notes, *([fast.problem] if fast.problem else []))
    return Scored(about, whole, embedded.pass_seconds, seconds, notes)


def number(value: float) -> float | None:
    """``value`` with four decimals; None when it is not a number."""
    return round(float(value), 4) if math.isfinite(value) else None
