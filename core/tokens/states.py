"""The states of tokens: what a model gives for a batch of texts, layer by layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

STATIC = -1
"""The layer number of the raw rows of the word-embedding matrix."""


@dataclass(frozen=True)
class States:
    """What one batch of stored texts gives.

    Attributes
    ----------
    sentences
        Which stored texts.
    layers
        By layer number (:data:`STATIC`, 0 … L): the states of their tokens, end to end, no padding.
    diagonals
        ``A[t, t]`` of every head after softmax, by token, layer 1 … L and head; NaN for a model
        that has heads but does not give their attention, None for one without heads.
    """

    sentences: slice
    layers: dict[int, Float[np.ndarray, "token dim"]]
    diagonals: Float[np.ndarray, "token layer head"] | None
