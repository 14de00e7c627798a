"""Poolings that need nothing but the tokens of each text."""

from __future__ import annotations

import numpy as np

from core.errors import RecipeError
from core.recipe import POOL
from core.stages.pooling.extremes import extremes
from core.stages.pooling.weighted_sum import weighted_sum
from core.tokens.token_batch import Pooled, TokenBatch


@POOL.option(linear=True, weighted=True)
def mean(batch: TokenBatch) -> Pooled:
    """The weighted average of the selected tokens' vectors; a text without tokens gives 0.

    The weighted sum is divided by the sum of the weights, under SIF's and uSIF's by the number of words.
    """
    return weighted_sum(batch, batch.shares())


@POOL.option(name="sum", linear=True, weighted=True)
def _sum(batch: TokenBatch) -> Pooled:
    """The weighted sum of the selected tokens' vectors, not divided by the sum of weights."""
    return weighted_sum(batch, batch.weights)


@POOL.option(name="max")
def _max(batch: TokenBatch) -> Pooled:
    """The largest value of each dimension over the selected tokens; weights are not used."""
    return extremes(batch, np.maximum)


@POOL.option(linear=True, weighted=True, label="[CLS] + mean")
def clsmean(batch: TokenBatch) -> Pooled:
    """The average of the classification token and the mean of tokens: cls-last-avg in AnglE's ablation."""
    return (cls(batch) + mean(batch)) / 2


@POOL.option(linear=True, cls=True, label="[CLS]")
def cls(batch: TokenBatch) -> Pooled:
    """The classification token ([CLS], <s>) alone, wherever the model puts it."""
    if (batch.cls[batch.lengths > 0] < 0).any():
        raise RecipeError("pool=cls: this model adds no classification token; take mean, sum or max.")
    out = np.zeros((len(batch.cls), batch.states.shape[1]), np.float32)
    filled = batch.lengths > 0
    out[filled] = batch.states[(batch.offsets[:-1] + batch.cls)[filled]]
    return out


@POOL.option(head=True, cls=True, label="[CLS], head")
def clshead(batch: TokenBatch) -> Pooled:
    """[CLS] through the trained layer that the checkpoint holds behind it: SimCSE's head, BERT's pooler."""
    return cls(batch)


@POOL.option(linear=True, label="last token")
def lasttoken(batch: TokenBatch) -> Pooled:
    """The last selected token of each text alone, as decoders are read; a text without tokens gives 0."""
    out = np.zeros((len(batch.cls), batch.states.shape[1]), np.float32)
    here = np.flatnonzero(batch.selected)
    last = np.full(len(batch.cls), -1)
    np.maximum.at(last, batch.texts[here], here)
    out[last >= 0] = batch.states[last[last >= 0]]
    return out
