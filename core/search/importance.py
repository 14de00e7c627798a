"""What each stage matters in a search: the share of variance that it explains, and its options."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from core.loading import LOADING
from core.recipe import LAYERS, POST, SOURCE, STAGES, Recipe
from core.search.measured import Trial, on_same_rows

if TYPE_CHECKING:  # it is imported when shares are told
    from sklearn.tree._tree import Tree

FEWEST = 30
"""Scored trials from which on shares are told."""

TREES = 64
"""Of the random forest."""

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


def called(stage: str, done: str) -> str:
    """What :func:`kind` gave, as its options are called: ``[CLS] + mean`` for ``clsmean``."""
    if stage in (LAYERS.name, SOURCE.name):
        return done
    options = STAGES[stage].options
    return " + ".join(options[name].title if name in options else name for name in done.split("+"))


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
    random forest learns the scored trials, and each of its trees says the mean score of an option over all
    that the other stages can do, every option of a stage as likely. A share is the mean over the trees.
    What the shares leave to 1 are interactions. Empty where fewer than :data:`FEWEST` trials have a score
    or all have the same.
    """
    scored = on_same_rows(trials)
    values = np.array([score for _, score in scored])
    done_by = kinds([trial for trial, _ in scored], stages)
    varying = {stage: done for stage, done in done_by.items() if len(set(done)) > 1}
    if len(values) < FEWEST or not varying or np.ptp(values) == 0:
        return {}
    with LOADING:
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.preprocessing import OneHotEncoder

    encoder = OneHotEncoder(sparse_output=False)
    forest = RandomForestRegressor(TREES, min_samples_leaf=2, random_state=seed)
    forest.fit(encoder.fit_transform(np.array([*varying.values()]).T), values)
    options = [len(each) for each in encoder.categories_]
    of_trees = [main_effects(each.tree_, options) for each in forest.estimators_]
    known = [shares for shares in of_trees if shares is not None]
    means = np.mean(known, axis=0).tolist() if known else [0.0] * len(options)
    return dict(sorted(zip(varying, means, strict=True), key=lambda share: -share[1]))


def main_effects(tree: Tree, options: Sequence[int]) -> Float[np.ndarray, " stage"] | None:
    """The share of a tree's variance that each stage explains by itself; None for a tree of one leaf.

    Its columns are the options of each stage in turn, 1 for the one that a recipe has; ``options`` are how
    many a stage has. All recipes are as likely. A leaf holds those of which each stage has one of some
    options: their share of all recipes is the product of the stages' shares.
    """
    stage_of = np.repeat(np.arange(len(options)), options)
    leaves, left = list[tuple[int, np.ndarray]](), [(0, np.ones(len(stage_of), bool))]
    while left:
        node, allowed = left.pop()
        column = tree.feature[node]
        if column < 0:
            leaves.append((node, allowed))
            continue
        is_it = np.arange(len(stage_of)) == column
        left.append((tree.children_left[node], allowed & ~is_it))
        left.append((tree.children_right[node], allowed & (is_it | (stage_of != stage_of[column]))))
    allowed = np.array([each for _, each in leaves])
    of_stage = (np.arange(len(options))[:, None] == stage_of).astype(float)
    parts = allowed @ of_stage.T / np.array(options)
    volumes = parts.prod(axis=1)
    values = tree.value[[node for node, _ in leaves], 0, 0]
    values = values - volumes @ values
    if not (total := float(volumes @ values**2)) > 0:
        return None
    means = (values * volumes) @ (allowed / parts[:, stage_of])
    return (of_stage @ means**2) / np.array(options) / total


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
