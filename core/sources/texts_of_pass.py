"""A forward pass over some texts, taken out of the pass over all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from jaxtyping import Int

from core.sources.token_states import CHUNK_BYTES
from core.storage.stored_pass import StoredPass
from core.tokens import Tokens
from core.tokens.states import States

Numbers = Int[np.ndarray, " text"]


def taken_out(tokens: Tokens, whole: StoredPass, place: Numbers, start: int = 0) -> Iterator[States]:
    """The states of the stored texts from ``start`` on, as a pass over these texts alone would give them.

    Parameters
    ----------
    tokens
        The tokens of the texts.
    whole
        The pass that holds their states.
    place
        For each text in the order of the list, its position in the list of texts of that pass.
    start
        The stored text to begin with.

    Raises
    ------
    ValueError
        The pass has another number of tokens for a text: it is one of other texts.
    """
    for texts in tokens.spans(max(1, CHUNK_BYTES // whole.layout.row_bytes()), start):
        yield _gathered(tokens, whole, place, texts)


def _gathered(tokens: Tokens, whole: StoredPass, place: Numbers, texts: slice) -> States:
    """The states of some stored texts, which lie near each other in the whole pass."""
    there = whole.tokens.place[place[tokens.order[texts]]]
    lengths = tokens.lengths[texts]
    if (whole.tokens.lengths[there] != lengths).any():
        raise ValueError("the pass holds other texts")
    span = whole.tokens.token_span(slice(int(there.min()), int(there.max()) + 1))
    rows = _rows(whole.tokens.offsets[there] - span.start, lengths)
    layers = {layer: whole.read(layer, span)[rows] for layer in whole.layers}
    read = whole.diagonals(span)
    return States(texts, layers, None if read is None else read[rows])


def _rows(starts: Numbers, lengths: Numbers) -> Int[np.ndarray, " token"]:
    """The rows of texts that begin at ``starts``, end to end."""
    before = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
