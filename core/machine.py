"""How much memory and how many cores this process may have, and giving back memory it no longer needs.

It may have those of the machine, or less where a container has a limit.
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

QUOTAS = (
    (Path("/sys/fs/cgroup/cpu.max"),),
    (Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")),
)
"""The same for processor time: microseconds of so many, in one file or two; ``max`` or -1 without one."""

LARGE = 1_000_000
"""Bytes from which on an array goes back by itself under :func:`hold_less`."""

_MMAP_THRESHOLD = -3
"""glibc's number of this bound."""


def memory() -> int | None:
    """Bytes of memory; None where the system does not tell."""
    told = []
    with suppress(OSError, ValueError, AttributeError):  # no such number on this system
        told.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in LIMITS:
        with suppress(OSError, ValueError):  # not there, or "max"
            told.append(int(path.read_text("ascii")))
    return min((size for size in told if size > 0), default=None)


def cores() -> int:
    """The cores that the system lets this process use, a part of one counted whole; at least 1.

    As ``joblib.cpu_count`` has it, of which every new process would wait for 50 ms.
    """
    try:
        told = len(os.sched_getaffinity(0))
    except AttributeError:  # a system that binds no process to cores
        told = os.cpu_count() or 1
    for paths in QUOTAS:
        with suppress(OSError, ValueError):  # not there, or "max"
            quota, period = map(int, " ".join(path.read_text("ascii") for path in paths).split())
            if quota > 0 and period > 0:
                told = min(told, -(-quota // period))
    return max(1, told)


def give_back() -> bool:
    """Give the system the memory that was freed; whether any was given.

    glibc keeps freed arrays for later, in pieces between those that are in use and apart for each thread,
    so that a server holds more with every hour. Other C libraries give it back by themselves, or cannot be
    asked.
    """
    trim = _of_libc("malloc_trim")
    return trim is not None and trim(0) == 1


def hold_less() -> bool:
    """Have large arrays go back to the system as soon as they are freed, from now on; whether that is done.

    glibc takes arrays up to a bound from memory that it keeps, and raises the bound to the largest that
    was freed so far. Where it stays at :data:`LARGE`, the most that a server on the bundled models holds
    is a tenth less, and reading takes 1.2 to 1.4 times as long: the system empties what it gives again.
    """
    option = _of_libc("mallopt")
    return option is not None and option(_MMAP_THRESHOLD, LARGE) == 1


@lru_cache(maxsize=2)
def _of_libc(name: str) -> Callable[..., int] | None:
    """A function of glibc; it runs without holding Python's lock."""
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (OSError, TypeError, AttributeError):  # another system, or another C library
        return None
    return found
