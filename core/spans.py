"""Rows in spans, so that what is computed from many of them takes a bounded part of memory."""

from __future__ import annotations

from collections.abc import Iterator

SPAN_BYTES = 64_000_000
"""The bytes of the rows of one array that are worked on at once."""


def spans(rows: int, row_bytes: int, most: int | None = None) -> Iterator[slice]:
    """Spans of rows that fit in ``most`` bytes, :data:`SPAN_BYTES` by default; one where all rows do."""
    size = max(1, (SPAN_BYTES if most is None else most) // max(row_bytes, 1))
    for start in range(0, max(rows, 1), size):
        yield slice(start, min(start + size, rows))
