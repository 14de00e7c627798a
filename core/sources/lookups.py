"""The token states of tokens whose vectors come from a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.sources.averaged import fill_unseen
from core.sources.token_states import TableStates
from core.sources.word_tokenizer import UnknownWords
from core.sources.word_vectors import WordVectors
from core.storage.stored_pass import StoredPass
from core.tokens import Tokens
from core.tokens.states import STATIC


def vectors_lookup(tokens: Tokens, vectors: WordVectors, unknown: UnknownWords, name: str) -> TableStates:
    """The rows of a file of word vectors, with a note on unknown words."""
    notes = list(vectors.notes)
    if unknown.tokens:
        without = f"; in {unknown.texts:,} sentences no word is known" if unknown.texts else ""
        notes.append(
            f"{name} does not have {unknown.tokens:,} of {unknown.of:,} words; they are left out{without}."
        )
    matrix = vectors.matrix  # holds no reference to the words
    return TableStates(
        tokens,
        lambda _, ids: matrix.rows(ids),
        notes=tuple(notes),
        folder=matrix.folder,
    )


def averaged_lookup(
    tokens: Tokens,
    stored: StoredPass,
    counts: np.ndarray,
    least: int,
    static_rows: Callable[[np.ndarray], np.ndarray],
    name: str,
) -> TableStates:
    """Rows averaged over contexts; a token with fewer than ``least`` contexts gets its static row."""
    frequent = counts >= least
    known = stored.tokens.ids[frequent]

    def rows(layer: int, ids: np.ndarray) -> np.ndarray:
        unseen = ids[~np.isin(ids, known)]
        same_width = stored.layout.widths[STATIC] == stored.layout.widths[layer]
        static = static_rows(unseen) if same_width and len(unseen) else None
        return fill_unseen(ids, known, stored.read(layer, slice(0, len(frequent)))[frequent], static)

    unseen, notes = ~np.isin(tokens.ids, known), []
    if unseen.any():
        different = len(np.unique(tokens.ids[unseen]))
        seldom = "never occur there" if least == 1 else f"occur there fewer than {least:,} times"
        same = len(set(stored.layout.widths.values())) == 1
        row = "their static row" if same else "the mean row of each layer"
        notes.append(
            f"{name}: {different:,} different tokens ({unseen.sum():,} of {len(tokens):,} tokens) "
            f"{seldom}; they take {row}."
        )
    return TableStates(tokens, rows, stored.layers, tuple(notes), stored.seconds, stored.folder)
