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
    units
        Where a weighted mean divides by how many words or tokens of a text have a weight above 0, the
        number of the one that each token belongs to; None where it divides by the sum of the weights.
    """

    states: Float[np.ndarray, "token dim"]
    weights: Float[np.ndarray, " token"]
    selected: Bool[np.ndarray, " token"]
    cls: Int[np.ndarray, " sentence"]
    offsets: Int[np.ndarray, " sentence+1"]
    ids: Int[np.ndarray, " token"]
    repeats: Int[np.ndarray, " sentence"]
    units: Int[np.ndarray, " token"] | None = None

    @property
    def lengths(self) -> Int[np.ndarray, " sentence"]:
        """Tokens per text."""
        return np.diff(self.offsets)

    @property
    def texts(self) -> Int[np.ndarray, " token"]:
        """The text that each token belongs to."""
        return np.repeat(np.arange(len(self.cls)), self.lengths)

    def text(self, i: int) -> TokenBatch:
        """The i-th text by itself."""
        return self.part(i, i + 1)

    def part(self, start: int, stop: int) -> TokenBatch:
        """Consecutive texts by themselves."""
        offsets = self.offsets[start : stop + 1]
        span = slice(int(offsets[0]), int(offsets[-1]))
        return TokenBatch(
            self.states[span],
            self.weights[span],
            self.selected[span],
            self.cls[start:stop],
            offsets - span.start,
            self.ids[span],
            self.repeats[start:stop],
            None if self.units is None else self.units[span],
        )

    def shares(self) -> Float[np.ndarray, " token"]:
        """What each token's vector is multiplied by in a weighted mean.

        The weights divided by their sum in the text, or by the number of ``units`` with a weight above 0.
        """
        texts, each = self.texts, self.weights
        if self.units is not None:
            weighty = np.flatnonzero(self.weights > 0)
            unit = texts * (self.units.max(initial=0) + 1) + self.units
            _, first = np.unique(unit[weighty], return_index=True)
            each = np.zeros(len(texts))
            each[weighty[first]] = 1.0
        total = np.bincount(texts, weights=each, minlength=len(self.cls))
        return self.weights / np.where(total > 0, total, 1.0)[texts]
