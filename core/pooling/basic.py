"""Poolings that need nothing but the tokens of each text."""

from __future__ import annotations

import numpy as np

from core.errors import RecipeError
from core.pooling.bag import Bag, Pooled, weighted_sum
from core.recipe import POOL


@POOL.option(linear=True, weighted=True)
def mean(bag: Bag) -> Pooled:
    """The weighted average of the selected tokens' vectors; a text without tokens gives 0."""
    return weighted_sum(bag, bag.shares())


@POOL.option(name="sum", linear=True, weighted=True)
def _sum(bag: Bag) -> Pooled:
    """The weighted sum of the selected tokens' vectors, not divided by the sum of weights."""
    return weighted_sum(bag, bag.weights)


@POOL.option(name="max")
def _max(bag: Bag) -> Pooled:
    """The largest value of each dimension over the selected tokens; weights are not used."""
    kept = bag.states[bag.selected]
    texts = bag.texts[bag.selected]
    out = np.zeros((len(bag.cls), bag.states.shape[1]), np.float32)
    if len(kept):
        filled, starts = np.unique(texts, return_index=True)
        out[filled] = np.maximum.reduceat(kept, starts, axis=0)
    return out


@POOL.option(linear=True)
def cls(bag: Bag) -> Pooled:
    """The classification token ([CLS], <s>) alone, wherever the model puts it."""
    if (bag.cls[bag.lengths > 0] < 0).any():
        raise RecipeError("pool=cls: this model adds no classification token; take mean, sum or max.")
    out = np.zeros((len(bag.cls), bag.states.shape[1]), np.float32)
    filled = bag.lengths > 0
    out[filled] = bag.states[(bag.offsets[:-1] + bag.cls)[filled]]
    return out
