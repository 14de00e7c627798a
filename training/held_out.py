"""Masked-language-model loss on held-out text, with masks from a fixed seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.encoders.models import locate
from core.progress import Progress, Step, silent
from core.storage.files import sha256_of
from training.masking import Batch, Masking
from training.model import load_model, load_tokenizer, loss_at_masks
from training.sequences import read_sequences

MAX_LENGTH = 128
BATCH = 16
SEED = 0


@dataclass(frozen=True)
class HeldOut:
    """The mean cross entropy of masked tokens, in nats.

    ``predicted`` of ``tokens`` tokens are predicted, in ``sequences`` sequences of ``max_length`` tokens at
    most. Losses of models with different vocabularies cannot be compared.
    """

    loss: float
    predicted: int
    tokens: int
    sequences: int
    max_length: int

    @property
    def perplexity(self) -> float:
        """The exponential of the loss."""
        return math.exp(self.loss)


def held_out_loss(
    model: str,
    text: Sequence[Path],
    *,
    lines: int | None = None,
    max_length: int = MAX_LENGTH,
    seed: int = SEED,
    progress: Progress = silent,
) -> HeldOut:
    """The masked-language-model loss of a model (a folder or hub id) on text files, one text a line.

    The masks follow from ``seed``, the tokenizer and the text alone. ``lines`` is how many different lines
    of ten characters or more are read of each file; None for all.
    ``max_length`` is in tokens; sequences are shorter where the model reads fewer.

    Raises
    ------
    ModelError
        The model is no masked language model, or has no head.
    CorpusError
        A file is not there or holds no text.
    """
    location = locate(model, sha256_of)
    tokenizer = load_tokenizer(location)
    masking, pad = Masking.of(tokenizer), tokenizer.pad_token_id or 0
    length = min(max_length, location.max_tokens)
    sequences = read_sequences(text, tokenizer, length, lines=lines, progress=progress)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = load_model(location, new_head=False).eval().to(device)
    generator = np.random.default_rng(seed)
    masked = [masking.mask(sequences[i], generator) for i in range(len(sequences))]
    order = np.argsort(-sequences.lengths, kind="stable")
    total = 0.0
    with torch.inference_mode():
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            batch = Batch.of([sequences[i] for i in rows], [masked[i] for i in rows], pad).to(device)
            total += float(loss_at_masks(network, batch, "sum"))
            progress(Step("Predicting masked tokens: sequences", start + len(rows), len(order)))
    predicted = int(sum(chosen.sum() for _, chosen in masked))
    return HeldOut(total / predicted, predicted, sequences.tokens, len(sequences), length)
