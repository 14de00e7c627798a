"""Recipes that score the same on every part of dev: they are one choice, written otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from core.evaluation.tasks.task import TaskResult
from core.recipe import Recipe
from core.search.measured import Measured, Trial

ROUNDING = 1e-3
"""Points by which two scores may differ of numbers that are the same but for their last digits."""


def alike(
    on_dev: Measured, scored: Sequence[Trial], published: AbstractSet[str], cost: str = ""
) -> dict[str, str]:
    """Recipes by the one that stands for them: they score the same on every resample of dev.

    That is a published one where there is any, else the one that is written shortest; where a ``cost`` is
    kept low, an attribute of a trial, one of those where it is lowest.
    """
    groups: list[list[Trial]] = []
    for trial in scored:
        own = next((group for group in reversed(groups) if _score_alike(on_dev, group[0], trial)), None)
        if own is None:
            groups.append([trial])
        else:
            own.append(trial)
    found: dict[str, str] = {}
    for group in groups:
        first = min(group, key=lambda t: (getattr(t, cost, 0), t.recipe not in published, len(t.recipe)))
        found |= {trial.recipe: first.recipe for trial in group if trial is not first}
    return found


def _score_alike(on_dev: Measured, one: Trial, other: Trial) -> bool:
    """Whether two recipes have the same score on each corpus, on every resample."""
    if any(abs(a - b) > ROUNDING for a, b in zip(one.each, other.each, strict=True)):
        return False
    ours, theirs = (on_dev.results(Recipe.parse(trial.recipe)) for trial in (one, other))
    return all(map(_same, ours, theirs))


def _same(one: TaskResult, other: TaskResult) -> bool:
    """Whether two results are the same; of results without resamples the values are, to the bit."""
    if not (np.isfinite(one.samples).any() and np.isfinite(other.samples).any()):
        return one.value == other.value
    return np.allclose(one.samples, other.samples, rtol=0, atol=ROUNDING, equal_nan=True)
