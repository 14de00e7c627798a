"""What is computed from many rows, span by span; a large result is in a file and not in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Int

from core.spans import SPAN_BYTES, spans
from core.storage.mapped import Scratch


def by_rows(
    function: Callable[..., np.ndarray], arrays: Sequence[np.ndarray], scratch: Scratch
) -> np.ndarray:
    """What a function gives that works row by row: ``function(*arrays)``, with room from ``scratch``.

    The arrays have the same number of rows. The result is the function's own where one span holds all rows.
    """
    first, result = arrays[0], None
    for span in spans(len(first), first.itemsize * first.shape[1]):
        part = function(*(array[span] for array in arrays))
        if len(part) == len(first):
            return part
        if result is None:
            result = scratch.zeros((len(first), part.shape[1]), part.dtype)
        result[span] = part
    assert result is not None  # noqa: S101  (there is a span at least)
    return result


def take(rows: np.ndarray, positions: Int[np.ndarray, " taken"], scratch: Scratch) -> np.ndarray:
    """``rows[positions]``, without a copy where that is all rows in their order."""
    if len(positions) == len(rows) and np.array_equal(positions, np.arange(len(rows))):
        return rows
    row_bytes = rows.itemsize * rows.shape[1]
    if len(positions) * row_bytes <= SPAN_BYTES:
        return rows[positions]
    taken = scratch.zeros((len(positions), rows.shape[1]), rows.dtype)
    for span in spans(len(positions), row_bytes):
        taken[span] = rows[positions[span]]
    return taken
