"""Options that a search leaves out once they have taken their share of its time."""

from __future__ import annotations

import math
from statistics import fmean

from core.recipe import LAYERS, POOL, Recipe
from core.search.measured import Trial

SLOW = 0.3
"""CPU seconds of a recipe from which on a dear option is slow, if another one takes a quarter of that."""

SHARE = 0.05
"""The most of the search's CPU time that a slow option gets."""

TRIED = {POOL.name: 2, LAYERS.name: 3}
"""Stages that have dear options, and how often one is tried before it may be barred as slow.

A slow trial is blamed on its options of both stages.
"""


class OptionTimes:
    """The CPU seconds of trials by their pooling and layers: a slow option gets a share of the time.

    Only a dear option may be slow; see :func:`_dear`. A trial may read, average or fit what others then
    find, so its time says little of a pooling that does nothing of the kind. CPU seconds are those of this
    process: what other programs take is in none.
    """

    def __init__(self) -> None:
        self._seconds: dict[str, dict[str, list[float]]] = {stage: {} for stage in TRIED}

    def add(self, trial: Trial, seconds: float) -> None:
        """Note a trial; one that could not be scored counts where that took long (too wide vectors)."""
        measured = math.isfinite(trial.dev) or trial.given_up
        if trial.recipe and (measured or seconds >= SLOW):
            recipe = Recipe.parse(trial.recipe)
            for stage, by_option in self._seconds.items():
                by_option.setdefault(_option(recipe, stage), []).append(seconds)

    def barred(self, recipe: Recipe) -> str:
        """The dear option of a recipe that is slow and had its share, as ``pool=gem``; empty for none."""
        for stage, by_option in self._seconds.items():
            name = _option(recipe, stage)
            own = by_option.get(name, [])
            if not _dear(recipe, stage) or len(own) < TRIED[stage]:
                continue
            # The slowest of them may have read or learnt what is kept since, whatever it pooled. The median
            # of many that are given up says nothing of those that are not.
            usual = fmean(sorted(own)[:-1])
            fastest = min(fmean(each) for each in by_option.values())
            total = sum(map(sum, by_option.values()))
            if usual >= SLOW and usual >= 4 * fastest and sum(own) > SHARE * total:
                return f"{stage}={name}"
        return ""


def _option(recipe: Recipe, stage: str) -> str:
    """The pooling of a recipe; the option that weighs its layers for each token anew, else average."""
    if stage == POOL.name:
        return str(recipe.pool.name)
    fused = [choice.name for choice in recipe.layers if LAYERS.find(choice).fuse is not None]
    return fused[0] if fused else "average"


def _dear(recipe: Recipe, stage: str) -> bool:
    """Whether a recipe's option of a stage says that it costs: a pooling that learns, fused layers."""
    if stage == POOL.name:
        return bool(POOL.find(recipe.pool).learns)
    return _option(recipe, stage) != "average"
