"""How much memory this process may have: the machine's, or less where a container has a limit."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Where a container sees its own limit: cgroups of version 2, and of version 1."""


def memory() -> int | None:
    """Bytes of memory; None where the system does not tell."""
    told = []
    with suppress(OSError, ValueError, AttributeError):  # no such number on this system
        told.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in LIMITS:
        with suppress(OSError, ValueError):  # not there, or "max"
            told.append(int(path.read_text("ascii")))
    return min((size for size in told if size > 0), default=None)
