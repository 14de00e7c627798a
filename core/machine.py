"""How much memory this process may have, and giving back what it no longer needs.

It may have the machine's memory, or less where a container has a limit.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
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


def give_back() -> bool:
    """Give the system the memory that was freed; whether any was given.

    glibc keeps freed arrays for later, in pieces between those that are in use and apart for each thread,
    so that a server holds more with every hour. Other C libraries give it back by themselves, or cannot be
    asked.
    """
    trim = _malloc_trim()
    return trim is not None and trim(0) == 1


@lru_cache(maxsize=1)
def _malloc_trim() -> Callable[[int], int] | None:
    """The function of glibc; it runs without holding Python's lock."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, TypeError, AttributeError):  # another system, or another C library
        return None
    return trim
