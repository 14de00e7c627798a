"""From tokens to a pass that looks their vectors up, for each kind of table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.averaged import fill_unseen
from core.encoder import STATIC
from core.static import TablePass
from core.stored import StoredPass
from core.tokens import Tokens
from core.wordtokens import Unknown
from core.wordvectors import WordVectors


def vectors_lookup(tokens: Tokens, vectors: WordVectors, unknown: Unknown, name: str) -> TablePass:
    """Rows of a file of word vectors, with a note on what it does not know."""
    notes = list(vectors.notes)
    if unknown.tokens:
        without = f"; in {unknown.texts:,} sentences no word is known" if unknown.texts else ""
        notes.append(
            f"{name} does not have {unknown.tokens:,} of {unknown.of:,} words; they are left out{without}."
        )
    return TablePass(tokens, lambda _, ids: vectors.rows(ids), notes=tuple(notes))


def averaged_lookup(
    tokens: Tokens,
    stored: StoredPass,
    counts: np.ndarray,
    least: int,
    static_rows: Callable[[np.ndarray], np.ndarray],
    name: str,
) -> TablePass:
    """Rows averaged over contexts; tokens with fewer than ``least`` of them take their static row."""
    kept = counts >= least
    known = stored.tokens.ids[kept]

    def rows(layer: int, ids: np.ndarray) -> np.ndarray:
        unseen = ids[~np.isin(ids, known)]
        same_width = stored.layout.widths[STATIC] == stored.layout.widths[layer]
        static = static_rows(unseen) if same_width and len(unseen) else None
        return fill_unseen(ids, known, stored.read(layer, slice(0, len(kept)))[kept], static)

    unseen, notes = ~np.isin(tokens.ids, known), []
    if unseen.any():
        different = len(np.unique(tokens.ids[unseen]))
        often = "never" if least == 1 else f"fewer than {least:,} times"
        same = len(set(stored.layout.widths.values())) == 1
        row = "their static row" if same else "the mean row of each layer"
        notes.append(
            f"{name}: {different:,} different tokens ({unseen.sum():,} of {len(tokens):,} tokens) "
            f"occur there {often}; they take {row}."
        )
    return TablePass(tokens, rows, stored.layers, tuple(notes), stored.seconds)
