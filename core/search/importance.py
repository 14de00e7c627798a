"""What each stage matters in a search: the share of variance that it explains, and its options."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.loading import LOADING
from core.recipe import LAYERS, POST, SOURCE, Recipe
from core.search.measured import Trial, on_same_rows

FEWEST = 30
"""Scored trials from which on shares are told."""

TREES, DRAWS = 64, 400
"""Trees of the random forest, and draws of the other stages that a stage is averaged over."""

_RARE = 3
"""Trials with an option from which on it stands for itself."""

_OTHER = "others"


@dataclass(frozen=True)
class Effect:
    """The trials with an option of a stage: how many, their median score, and the highest."""

    stage: str
    option: str
    trials: int
    median: float
    best: float


def kind(recipe: Recipe, stage: str) -> str:
    """What a recipe does at a stage, without arguments; its source and layers in full."""
    if stage in (LAYERS.name, SOURCE.name):
        return recipe.spelled()[stage]
    if stage == POST.name:
        return "+".join(choice.name for choice in recipe.post) or "none"
    return str(getattr(recipe, stage).name)


def kinds(trials: Iterable[Trial], stages: Sequence[str]) -> dict[str, list[str]]:
    """For each stage, what every trial does there; what few do is put together."""
    recipes = [Recipe.parse(trial.recipe) for trial in trials]
    found = {}
    for stage in stages:
        done = [kind(recipe, stage) for recipe in recipes]
        counts = Counter(done)
        found[stage] = [each if counts[each] >= _RARE else _OTHER for each in done]
    return found


def matters(trials: Sequence[Trial], stages: Sequence[str], seed: int = 0) -> dict[str, float]:
    """The share of variance of the score that each stage explains by itself; the most first.

    The scores are those of :func:`~core.search.measured.on_same_rows`.

    The main effects of fANOVA (Hutter, Hoos & Leyton-Brown 2014); what a stage does is one variable: a
    random forest learns the scored trials; the mean of its predictions for an option over draws of all
    other stages, every option of a stage as likely, is the option's effect. What the shares leave to 1 are
    interactions. Empty where fewer than :data:`FEWEST` trials have a score or all have the same.
    """
    scored = on_same_rows(trials)
    values = np.array([score for _, score in scored])
    done_by = kinds([trial for trial, _ in scored], stages)
    varying = {stage: done for stage, done in done_by.items() if len(set(done)) > 1}
    if len(values) < FEWEST or not varying or np.ptp(values) == 0:
        return {}
    names = [sorted(set(done)) for done in varying.values()]
    codes = np.array(
        [[each.index(one) for one in done] for each, done in zip(names, varying.values(), strict=True)]
    ).T
    with LOADING:
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.preprocessing import OneHotEncoder

    forest = RandomForestRegressor(TREES, min_samples_leaf=2, random_state=seed)
    encoder = OneHotEncoder(categories=[range(len(each)) for each in names], sparse_output=False)
    forest.fit(encoder.fit_transform(codes), values)
    random = np.random.default_rng(seed)
    drawn = np.stack([random.integers(0, len(each), DRAWS) for each in names], axis=1)
    total = float(forest.predict(encoder.transform(drawn)).var())
    shares = {}
    for place, (stage, each) in enumerate(zip(varying, names, strict=True)):
        means = []
        for code in range(len(each)):
            rows = drawn.copy()
            rows[:, place] = code
            means.append(forest.predict(encoder.transform(rows)).mean())
        shares[stage] = float(np.var(means)) / total if total > 0 else 0.0
    return dict(sorted(shares.items(), key=lambda share: -share[1]))


def effects(trials: Sequence[Trial], stages: Sequence[str]) -> list[Effect]:
    """What each stage's options score, stage by stage, the one with the highest score first.

    The scores are those of :func:`~core.search.measured.on_same_rows`.
    """
    scored = on_same_rows(trials)
    values, found = [score for _, score in scored], []
    for stage, done in kinds([trial for trial, _ in scored], stages).items():
        by_kind = defaultdict(list)
        for one, value in zip(done, values, strict=True):
            by_kind[one].append(value)
        rows = [
            Effect(stage, one, len(scores), float(np.median(scores)), max(scores))
            for one, scores in by_kind.items()
        ]
        found += sorted(rows, key=lambda effect: -effect.best)
    return found
