"""From tokens to a pass that looks their vectors up, for each kind of table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.averaged import fill_unseen
from core.static import RandomTable, TablePass
from core.stored import StoredPass
from core.tokens import Tokens

Lookup = Callable[[Tokens], TablePass]


def random_lookup(table: RandomTable, vocabulary: int) -> Lookup:
    """A row for every id of a vocabulary."""
    rows = table.rows(vocabulary)
    return lambda tokens: TablePass(tokens, lambda _, ids: rows[ids])


def averaged_lookup(
    stored: StoredPass,
    counts: np.ndarray,
    least: int,
    static_rows: Callable[[np.ndarray], np.ndarray],
    name: str,
) -> Lookup:
    """Rows averaged over contexts; tokens with fewer than ``least`` of them take their static row."""
    whole = slice(0, len(stored.tokens))
    kept = counts >= least
    known = stored.tokens.ids[kept]

    def rows(layer: int, ids: np.ndarray) -> np.ndarray:
        unseen = ids[~np.isin(ids, known)]
        same_width = stored.layout.widths[min(stored.layers)] == stored.layout.widths[layer]
        static = static_rows(unseen) if same_width and len(unseen) else None
        return fill_unseen(ids, known, stored.read(layer, whole)[kept], static)

    def look_up(tokens: Tokens) -> TablePass:
        unseen = ~np.isin(tokens.ids, known)
        notes: tuple[str, ...] = ()
        if unseen.any():
            different = len(np.unique(tokens.ids[unseen]))
            often = "never" if least == 1 else f"fewer than {least:,} times"
            notes = (
                f"{name}: {different:,} different tokens ({unseen.sum():,} of {len(tokens):,} tokens) "
                f"occur there {often}; they take their static row.",
            )
        return TablePass(tokens, rows, stored.layers, notes, stored.seconds)

    return look_up
