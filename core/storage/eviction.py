"""Which files go where there are more bytes than a budget allows, and what counts as used."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

ABOUT = "about.json"
"""The file of a folder whose time of change says when the folder was used."""

TICK = 1_000_000
"""Nanoseconds between two uses where the clock does not tell them apart."""

_LATEST: dict[Path, int] = {}
"""The latest use that this process knows of, by the folder of what is used."""

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


def count_as_used(path: Path) -> None:
    """Set the time of a file, or of the :data:`ABOUT` of a folder, by which is judged what goes first.

    Another user's file may keep its own time.
    """
    if path.name == ABOUT:
        home, pattern = path.parents[2], f"*/*/{ABOUT}"  # what shares a budget has one order
    else:
        home, pattern = path.parent, f"*{path.suffix}"
    moment = moment_of_use(home, lambda: _changed(home.glob(pattern)))
    with suppress(OSError, OverflowError):
        os.utime(path, ns=(moment, moment))


def moment_of_use(home: Path, times: Callable[[], Iterable[int]]) -> int:
    """When something in a folder is used now, in nanoseconds since 1970: behind every other use.

    So it is where the clock was put back too, on which what was used before has a time to come. ``times``
    gives the uses that the files in ``home`` tell; it is called once in a process.
    """
    now, latest = time.time_ns(), _LATEST.get(home)
    if latest is None:
        latest = max(times(), default=0)
    _LATEST[home] = now if now > latest else latest + TICK
    return _LATEST[home]


def _changed(paths: Iterable[Path]) -> Iterator[int]:
    for path in paths:
        with suppress(OSError):
            yield path.stat().st_mtime_ns
