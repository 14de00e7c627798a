"""What a search has tried: each recipe is one trial, however often it is proposed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.search.measured import Trial


def is_open(trial: Trial) -> bool:
    """Whether its recipe is judged again when it is proposed again: others have been tried meanwhile."""
    return bool(trial.given_up or trial.barred)


def is_recipe(trial: Trial) -> bool:
    """Whether it is of a recipe; some proposals are none. That of defaults alone has no text."""
    return bool(trial.recipe) or not trial.problem


def distinct(judged: Sequence[Trial], most: int | None = None) -> list[Trial]:
    """The first so many recipes, each where it came furthest; what is no recipe is kept as it is."""
    found: dict[object, Trial] = {}
    for number, trial in enumerate(judged):
        if len(found) == most:
            break
        key = trial.recipe if is_recipe(trial) else number
        found[key] = max(trial, found.get(key, trial), key=_came)
    return list(found.values())


def _came(trial: Trial) -> float:
    """How many rows of dev a recipe was measured on before it was given up; all where it was not."""
    return trial.given_up if is_open(trial) else math.inf


def in_vain(judged: Sequence[Trial]) -> int:
    """How many of the last were of recipes that had been judged before, however far they came then."""
    seen, often = set[str](), 0
    for trial in judged:
        often = often + 1 if is_open(trial) and trial.recipe in seen else 0
        seen |= {trial.recipe} if is_recipe(trial) else set()
    return often
