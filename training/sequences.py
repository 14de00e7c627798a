"""Texts as sequences of token ids, and the order in which a training reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int

from core.corpora.tables import texts_from
from core.errors import CorpusError, ModelError
from core.progress import Progress, Step, silent

LINES_AT_ONCE = 2000
"""Lines that the tokenizer is given in one call."""

WINDOW = 50
"""Batches whose sequences are sorted by length together, so that a batch holds little padding."""

Ids = Int[np.ndarray, " token"]


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequences of token ids one after another, special tokens included.

    ``offsets[i]`` is where sequence i starts in ``ids``; the last offset is the number of tokens.
    """

    ids: Int[np.ndarray, " token"]
    offsets: Int[np.ndarray, " offset"]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> Ids:
        return self.ids[self.offsets[i] : self.offsets[i + 1]]

    @property
    def lengths(self) -> Int[np.ndarray, " sequence"]:
        """Tokens of each sequence."""
        return np.diff(self.offsets)

    @property
    def tokens(self) -> int:
        """Tokens of all sequences."""
        return len(self.ids)


def read_sequences(
    paths: Sequence[Path],
    tokenizer: Any,
    max_length: int,
    kind: str = "lines",
    lines: int | None = None,
    progress: Progress = silent,
) -> Sequences:
    """The sequences of text files; lines under ten characters are left out.

    Parameters
    ----------
    tokenizer
        A fast tokenizer of transformers with a classification and a separation token.
    max_length
        Tokens of a sequence at most, special tokens included.
    kind
        ``lines`` or ``packed``, see :class:`training.settings.TrainingSettings`.
    lines
        How many different lines are read of each file; None for all.

    Raises
    ------
    CorpusError
        A file is not there, is no UTF-8 text or holds no text.
    ModelError
        The tokenizer has no classification or separation token.
    """
    first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
    if first is None or last is None:
        raise ModelError("The tokenizer has no classification or separation token; take another encoder.")
    room = max_length - 2
    pieces: list[Ids] = []
    for path in paths:
        texts = texts_from(path, path.name).sentences[:lines]
        tokenized = _tokenized(texts, tokenizer, path.name, progress)
        if kind == "packed":
            tokenized = [np.concatenate([np.append(ids, last) for ids in tokenized])[:-1]]
        pieces += [ids[i : i + room] for ids in tokenized for i in range(0, len(ids), room)]
    if not pieces:
        raise CorpusError("The text has no tokens; give a text file, one text a line.")
    flat = [np.concatenate(([first], piece, [last])).astype(np.int32) for piece in pieces]
    return Sequences(np.concatenate(flat), np.cumsum([0, *map(len, flat)]))


def batches(
    lengths: Int[np.ndarray, " sequence"], size: int, seed: int, start: int = 0
) -> Iterator[Int[np.ndarray, " row"]]:
    """Batches of sequence numbers without end: epoch after epoch, each in another order.

    The order follows from the seed alone. ``start`` is how many batches are passed over. Sequences that do
    not fill a batch at the end of an epoch are left out of that epoch.
    """
    each = len(lengths) // size
    for epoch in count(start // each):
        yield from _epoch(lengths, size, seed, epoch)[start % each if epoch == start // each else 0 :]


def _epoch(
    lengths: Int[np.ndarray, " sequence"], size: int, seed: int, epoch: int
) -> list[Int[np.ndarray, " row"]]:
    generator = np.random.default_rng((seed, epoch))
    order = generator.permutation(len(lengths))[: len(lengths) // size * size]
    sorted_windows = [
        window[np.argsort(lengths[window], kind="stable")]
        for window in np.split(order, range(WINDOW * size, len(order), WINDOW * size))
    ]
    rows = np.concatenate(sorted_windows).reshape(-1, size)
    return list(rows[generator.permutation(len(rows))])


def _tokenized(texts: Sequence[str], tokenizer: Any, name: str, progress: Progress) -> list[Ids]:
    ids: list[Ids] = []
    for start in range(0, len(texts), LINES_AT_ONCE):
        some = list(texts[start : start + LINES_AT_ONCE])
        encoded = tokenizer(some, add_special_tokens=False, truncation=False, padding=False, verbose=False)
        ids += [np.asarray(row, np.int32) for row in encoded["input_ids"]]
        progress(Step(f"Reading {name}: lines", len(ids), len(texts)))
    return ids
