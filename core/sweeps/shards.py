"""A pass too large for one worker, in shards: workers read some of the texts each, and send the states.

A shard is some texts that follow each other in a pass, longest first, and ends where a batch of the whole
pass ends. So every batch is the one that a process alone would read, and where all of them compute alike
the pass is the same to the bit, with any number of workers. Texts go to a worker and states come back,
with checksums; no store in common is needed. A shard is small, since it is in memory as a whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import StoreError, StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.forward_passes import CHARACTERS_PER_TOKEN
from core.storage.stored_pass import layer_file
from core.tokens import Tokens
from core.tokens.states import States

if TYPE_CHECKING:  # it loads torch, which takes seconds
    from core.encoders.encoder import Encoder

LARGE_TOKENS = 200_000
"""About how many tokens a corpus has that several workers read; one of fewer is read by one of them."""

SHARD_BYTES = 64_000_000
"""Bytes of the states of a shard at most, but for one of a single batch."""


@dataclass(frozen=True)
class Shard:
    """Some texts in the order of the pass, to be read in a recipe's source and template."""

    recipe: Recipe
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Sent:
    """The states of a shard as they travel, or why there are none.

    Attributes
    ----------
    states
        By layer number the states of its tokens, in the number format of the store.
    diagonals
        The attention of each token to itself, as in :class:`~core.tokens.states.States`.
    revision
        What the worker's model is, by its content.
    ids
        The worker's token ids: a tokenizer that reads otherwise is found out.
    checksums
        CRC-32 of each array, by its name.
    error
        Why the texts could not be read; empty where they were.
    """

    states: Mapping[int, np.ndarray]
    diagonals: np.ndarray | None
    revision: str
    ids: np.ndarray
    checksums: Mapping[str, int]
    error: str = ""

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by their name."""
        named = {layer_file(layer): states for layer, states in self.states.items()} | {"ids": self.ids}
        return named if self.diagonals is None else named | {"diagonals": self.diagonals}

    @property
    def bytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())

    @property
    def damaged(self) -> bool:
        """Whether an array is another than the one that was sent."""
        return not self.error and self.checksums != _checksums(self.arrays)


def are_worth_it(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether a recipe's pass over a corpus is to be read by several workers.

    Not where it is there, where nothing is read by a model, or where the store has no room for it.
    """
    tokens = sum(len(text) / CHARACTERS_PER_TOKEN + 2 for text in corpus.sentences)
    if tokens <= LARGE_TOKENS:
        return False
    try:
        source = engine.source(recipe, corpus)
        return (
            source.is_model
            and not engine.passes.are_stored(source, corpus)
            and engine.passes.fits(source, tokens)
        )
    except StrataError:  # the row says why
        return False


def cut(encoder: Encoder, tokens: Tokens, row_bytes: int, start: int = 0) -> Iterator[slice]:
    """The stored texts from ``start`` on in shards; ``row_bytes`` are those of a token's states."""
    lengths, offsets, filled = tokens.lengths, tokens.offsets, tokens.filled
    while start < filled:
        stop = start
        while stop < filled:
            after = min(stop + encoder.batch_size(int(lengths[stop])), filled)
            if stop > start and int(offsets[after] - offsets[start]) * row_bytes > SHARD_BYTES:
                break
            stop = after
        yield slice(start, stop)
        start = stop


def texts_of(corpus: Corpus, tokens: Tokens, span: slice) -> tuple[str, ...]:
    """The texts of some places in the order of a pass."""
    return tuple(corpus.sentences[i] for i in tokens.order[span].tolist())


def read(engine: Engine, shard: Shard) -> Sent:
    """Read a shard, and keep nothing of it: the task of a worker."""
    try:
        source = engine.source(shard.recipe)
        encoder = engine.passes.encoder(source)
        encoded = encoder.tokenizer(shard.texts, template=source.template)
        batches = [*encoder.run(encoded)]
    except StrataError as error:
        return Sent({}, None, "", np.zeros(0, np.int32), {}, str(error))
    storage, layers = engine.settings.storage, batches[0].layers if batches else {}
    states = {layer: _joined([batch.layers[layer] for batch in batches], storage) for layer in layers}
    given = [batch.diagonals for batch in batches if batch.diagonals is not None]
    diagonals = _joined(given, storage) if given else None
    sent = Sent(states, diagonals, source.revision, encoded.tokens.ids, {})
    return replace(sent, checksums=_checksums(sent.arrays))


def received(sent: Sent, tokens: Tokens, span: slice, revision: str) -> States:
    """The states of a shard that has come undamaged, at their place in the pass.

    Raises
    ------
    StoreError
        The worker could not read the texts, or has another model or tokenizer.
    """
    if sent.error:
        raise StoreError(sent.error)
    ids = tokens.ids[int(tokens.offsets[span.start]) : int(tokens.offsets[span.stop])]
    if sent.revision != revision or not np.array_equal(sent.ids, ids):
        raise StoreError(
            f"A worker has another model or tokenizer under the same name (revision {sent.revision} there, "
            f"{revision} here). Give all workers the same files."
        )
    return States(span, dict(sent.states), sent.diagonals)


def _joined(parts: Sequence[np.ndarray], storage: str) -> np.ndarray:
    return np.concatenate([part.astype(storage, copy=False) for part in parts])


def _checksums(arrays: Mapping[str, np.ndarray]) -> dict[str, int]:
    return {name: zlib.crc32(np.ascontiguousarray(a).data.cast("B")) for name, a in arrays.items()}
