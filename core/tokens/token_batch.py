"""What a pooling is given: a ragged batch of whole texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

Pooled = Float[np.ndarray, "sentence dim"]


@dataclass(frozen=True, eq=False)
class TokenBatch:
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
