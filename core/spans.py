"""Rows in spans, so that what is computed from many of them takes a bounded part of memory."""

from __future__ import annotations

from collections.abc import Iterator

SPAN_BYTES = 64_000_000
"""The bytes of the rows of one array that are worked on at once."""


def spans(rows: int, row_bytes: int) -> Iterator[slice]:
    """Spans that fit in :data:`SPAN_BYTES`; one where all rows do."""
    size = max(1, SPAN_BYTES // max(row_bytes, 1))
    for start in range(0, max(rows, 1), size):
        yield slice(start, min(start + size, rows))
