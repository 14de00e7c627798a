"""Which files go where there are more bytes than a budget allows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

Used = tuple[float, int, Path]
"""When a file or folder was used last, on any one clock, its bytes, and where it is."""


def beyond(found: Iterable[Used], budget_bytes: int) -> list[Path]:
    """Those not used for longest, as many as must go for the others to fit."""
    entries = sorted(found)
    held, going = sum(size for _, size, _ in entries), []
    for _, size, path in entries:
        if held <= budget_bytes:
            break
        going.append(path)
        held -= size
    return going
