"""How token vectors become one sentence vector.

A pooling is given a :class:`Bag`: the states of whole texts, their weights and which tokens are
selected. It returns one row per text. ``linear=True`` says that it commutes with averaging layers, so
that one pooled vector per layer answers for every set of layers. ``weighted=True`` says that it uses
the weights, so that a page can say which ones count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError
from core.recipe import POOL


@dataclass(frozen=True, eq=False)
class Bag:
    """The tokens of some texts, end to end.

    Attributes
    ----------
    states
        One row per token.
    weights
        0 for tokens that are not selected; at least one above 0 in a text with tokens.
    selected
        The tokens that take part.
    cls
        Where in each text its classification token stands; -1 where there is none.
    offsets
        Where each text begins, and at last the number of tokens.
    """

    states: Float[np.ndarray, "token dim"]
    weights: Float[np.ndarray, " token"]
    selected: Bool[np.ndarray, " token"]
    cls: Int[np.ndarray, " sentence"]
    offsets: Int[np.ndarray, " sentence+1"]

    @property
    def lengths(self) -> Int[np.ndarray, " sentence"]:
        """Tokens per text."""
        return np.diff(self.offsets)


Pooled = Float[np.ndarray, "sentence dim"]


@POOL.option(linear=True, weighted=True)
def mean(bag: Bag) -> Pooled:
    """The weighted average of the selected tokens' vectors; a text without tokens gives 0."""
    texts = np.repeat(np.arange(len(bag.cls)), bag.lengths)
    total = np.bincount(texts, weights=bag.weights, minlength=len(bag.cls))
    return _weighted_sum(bag, bag.weights / np.where(total > 0, total, 1.0)[texts])


@POOL.option(name="sum", linear=True, weighted=True)
def _sum(bag: Bag) -> Pooled:
    """The weighted sum of the selected tokens' vectors, not divided by the sum of weights."""
    return _weighted_sum(bag, bag.weights)


@POOL.option(name="max")
def _max(bag: Bag) -> Pooled:
    """The largest value of each dimension over the selected tokens; weights are not used."""
    kept = bag.states[bag.selected]
    texts = np.repeat(np.arange(len(bag.cls)), bag.lengths)[bag.selected]
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


def _weighted_sum(bag: Bag, weights: Float[np.ndarray, " token"]) -> Pooled:
    """Sums of weighted rows; several times faster than a sparse product or ``reduceat``."""
    if not len(bag.states):
        return np.zeros((len(bag.cls), bag.states.shape[1]), np.float32)
    summed = torch.nn.functional.embedding_bag(
        torch.arange(len(bag.states)),
        torch.from_numpy(np.ascontiguousarray(bag.states, np.float32)),
        torch.from_numpy(np.ascontiguousarray(bag.offsets[:-1], np.int64)),
        mode="sum",
        per_sample_weights=torch.from_numpy(np.ascontiguousarray(weights, np.float32)),
    )
    return summed.numpy()
