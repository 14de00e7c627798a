"""Rows in spans: few enough for a bounded part of memory, or alike enough for one product."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from jaxtyping import Int

SPAN_BYTES = 64_000_000
"""The bytes of the rows of one array that are worked on at once."""


def spans(rows: int, row_bytes: int, most: int | None = None) -> Iterator[slice]:
    """Spans of rows that fit in ``most`` bytes, :data:`SPAN_BYTES` by default; one where all rows do."""
    size = max(1, (SPAN_BYTES if most is None else most) // max(row_bytes, 1))
    for start in range(0, max(rows, 1), size):
        yield slice(start, min(start + size, rows))


def runs(lengths: Int[np.ndarray, " text"], texts: slice) -> Iterator[slice]:
    """The runs of texts that have the same length, of a span of texts."""
    if texts.stop == texts.start:
        return
    edges = np.flatnonzero(np.diff(lengths[texts])) + 1 + texts.start
    for start, stop in pairwise([texts.start, *edges.tolist(), texts.stop]):
        yield slice(start, stop)
