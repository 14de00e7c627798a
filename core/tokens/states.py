"""The states of tokens: what a model gives for a batch of texts, layer by layer."""

from __future__ import annotations

import ctypes
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


def without_mark(states: Float[np.ndarray, "token dim"]) -> Float[np.ndarray, "token dim"]:
    """The same float32 numbers in the same memory, not marked as read-only, for a library that only reads.

    PyTorch warns of arrays that are marked. The caller holds ``states`` for as long as the result is used.
    """
    if states.flags.writeable:
        return states
    rows = np.ascontiguousarray(states)
    if not np.shares_memory(rows, states):
        return rows
    memory = (ctypes.c_float * rows.size).from_address(rows.ctypes.data)
    unmarked: np.ndarray = np.ctypeslib.as_array(memory).reshape(rows.shape)
    return unmarked
