"""One forward pass put together from passes over parts of its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from jaxtyping import Int

from core.sources.token_states import CHUNK_BYTES
from core.storage.stored_pass import StoredPass
from core.tokens import Tokens
from core.tokens.states import States

Numbers = Int[np.ndarray, " text"]


def joined(
    tokens: Tokens, parts: Sequence[StoredPass], part: Numbers, place: Numbers, start: int = 0
) -> Iterator[States]:
    """The states of the stored texts from ``start`` on, as a pass over all of them would give them.

    Parameters
    ----------
    tokens
        The tokens of all texts.
    parts
        The passes that hold their states, all of one layout.
    part, place
        For each text in the order of the list: the number of its pass, and its position in the list of
        texts of that pass.
    start
        The stored text to begin with.

    Raises
    ------
    ValueError
        A part has another number of tokens for a text: it is a pass of other texts.
    """
    filled = int((tokens.lengths > 0).sum())
    layout = parts[0].layout
    row_bytes = layout.row_bytes()
    while start < filled:
        last = tokens.offsets[start] + max(1, CHUNK_BYTES // row_bytes)
        stop = int(np.searchsorted(tokens.offsets, last, side="right")) - 1
        stop = min(max(stop, start + 1), filled)
        yield _gathered(tokens, parts, part, place, slice(start, stop))
        start = stop


def _gathered(
    tokens: Tokens, parts: Sequence[StoredPass], part: Numbers, place: Numbers, texts: slice
) -> States:
    """The states of some stored texts; those of one part lie next to each other there, or nearly."""
    layout, heads = parts[0].layout, parts[0].layout.heads
    first = tokens.offsets[texts.start]
    count = int(tokens.offsets[texts.stop] - first)
    layers = {i: np.empty((count, width), np.float32) for i, width in layout.widths.items()}
    diagonals = np.empty((count, *heads), np.float32) if heads[1] else None
    listed = tokens.order[texts]
    for number in np.unique(part[listed]):
        stored, mine = parts[number], np.flatnonzero(part[listed] == number)
        there = stored.tokens.place[place[listed[mine]]]
        if (stored.tokens.lengths[there] != tokens.lengths[texts][mine]).any():
            raise ValueError("a part of the pass holds other texts")
        span = stored.tokens.token_span(slice(int(there.min()), int(there.max()) + 1))
        rows = _rows(stored.tokens.offsets[there] - span.start, tokens.lengths[texts][mine])
        into = _rows(tokens.offsets[texts.start + mine] - first, tokens.lengths[texts][mine])
        for layer, states in layers.items():
            states[into] = stored.read(layer, span)[rows]
        if diagonals is not None:
            read = stored.diagonals(span)
            assert read is not None  # noqa: S101  (the layout has heads)
            diagonals[into] = read[rows]
    return States(texts, layers, diagonals)


def _rows(starts: Numbers, lengths: Numbers) -> Int[np.ndarray, " token"]:
    """The rows of texts that begin at ``starts``, end to end."""
    before = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
