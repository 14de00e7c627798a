"""What a pooling is given, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int

Pooled = Float[np.ndarray, "sentence dim"]


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
    ids
        Vocabulary id of each token.
    repeats
        How often each text stands in its corpus.
    """

    states: Float[np.ndarray, "token dim"]
    weights: Float[np.ndarray, " token"]
    selected: Bool[np.ndarray, " token"]
    cls: Int[np.ndarray, " sentence"]
    offsets: Int[np.ndarray, " sentence+1"]
    ids: Int[np.ndarray, " token"]
    repeats: Int[np.ndarray, " sentence"]

    @property
    def lengths(self) -> Int[np.ndarray, " sentence"]:
        """Tokens per text."""
        return np.diff(self.offsets)

    @property
    def texts(self) -> Int[np.ndarray, " token"]:
        """The text that each token belongs to."""
        return np.repeat(np.arange(len(self.cls)), self.lengths)

    def shares(self) -> Float[np.ndarray, " token"]:
        """The weights, scaled to sum 1 in each text."""
        total = np.bincount(self.texts, weights=self.weights, minlength=len(self.cls))
        return self.weights / np.where(total > 0, total, 1.0)[self.texts]


def weighted_sum(bag: Bag, weights: Float[np.ndarray, " token"]) -> Pooled:
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
