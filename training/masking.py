"""Masks of masked-language-model training, as in BERT (Devlin et al. 2019, section 3.1 and appendix A.1).

15 % of a sequence's tokens are predicted, at least one. Of these 80 % are replaced by the mask token, 10 %
by a random token, 10 % stay. Special tokens are never predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Int

from core.errors import ModelError

SHARE = 0.15
MASKED, RANDOM = 0.8, 0.1

Ids = Int[np.ndarray, " token"]


@dataclass(frozen=True, eq=False)
class Masking:
    """Which ids stand for the mask, and which are special tokens (a flag for each id)."""

    mask_id: int
    special: Bool[np.ndarray, " id"]

    @classmethod
    def of(cls, tokenizer: Any) -> Masking:
        """The masking of a tokenizer's vocabulary; refuses one without a mask token."""
        if tokenizer.mask_token_id is None:
            raise ModelError(
                "The tokenizer has no mask token; take the encoder of a masked language model."
            )
        special = np.zeros(len(tokenizer), bool)
        special[tokenizer.all_special_ids] = True
        return cls(tokenizer.mask_token_id, special)

    def mask(self, ids: Ids, generator: np.random.Generator) -> tuple[Ids, Bool[np.ndarray, " token"]]:
        """The ids a model sees, and which tokens it predicts; all False for a text of special tokens."""
        maskable = np.flatnonzero(~self.special[ids])
        number = max(1, round(SHARE * len(maskable))) if len(maskable) else 0
        chosen = generator.choice(maskable, number, replace=False) if number else maskable
        draw = generator.random(number)
        words = np.flatnonzero(~self.special)
        random_words = words[generator.integers(0, len(words), number)]
        replaced = np.where(draw < MASKED, self.mask_id, random_words)
        seen, predicted = ids.copy(), np.zeros(len(ids), bool)
        seen[chosen] = np.where(draw < MASKED + RANDOM, replaced, ids[chosen])
        predicted[chosen] = True
        return seen, predicted


@dataclass(frozen=True, eq=False)
class Batch:
    """Masked sequences, padded to the longest.

    ``inputs``, ``attention`` and ``predicted`` are [row, token]; ``labels`` holds the ids to predict, row
    after row.
    """

    inputs: torch.Tensor
    attention: torch.Tensor
    predicted: torch.Tensor
    labels: torch.Tensor

    @classmethod
    def of(
        cls, original: Sequence[Ids], masked: Sequence[tuple[Ids, Bool[np.ndarray, " token"]]], pad: int
    ) -> Batch:
        """A batch of sequences and what :meth:`Masking.mask` makes of each."""
        longest = max(map(len, original))
        inputs = np.full((len(original), longest), pad, np.int64)
        attention = np.zeros(inputs.shape, np.int64)
        predicted = np.zeros(inputs.shape, bool)
        for row, (seen, chosen) in enumerate(masked):
            inputs[row, : len(seen)] = seen
            attention[row, : len(seen)] = 1
            predicted[row, : len(seen)] = chosen
        pairs = zip(original, masked, strict=True)
        labels = np.concatenate([ids[chosen] for ids, (_, chosen) in pairs]).astype(np.int64)
        return cls(*map(torch.from_numpy, (inputs, attention, predicted, labels)))

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        return Batch(*(t.to(device) for t in (self.inputs, self.attention, self.predicted, self.labels)))
