"""Archives that visitors have made to take away: a folder for each, kept for a day and within a budget."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.settings import GIGABYTE
from core.storage.eviction import Used, beyond
from core.storage.folders import listed, remove, size_of

ARCHIVES_BYTES = 4 * GIGABYTE
"""Bytes of all archives that are kept; beyond them the oldest go. A model of 24 layers takes 1.3 GB."""

KEPT_SECONDS = 24 * 3600
"""Seconds after which an archive goes when another one is made."""


def trim(root: Path, newest: Path, is_made: Callable[[Path], bool]) -> None:
    """Remove folders of ``root`` that are too old, and then the oldest until all fit; ``newest`` stays.

    ``is_made`` says whether another visitor's archive is made in a folder now: it stays, whatever the clock
    says. One that is not, and in which there is a folder still, is what a killed process has left, or one
    whose maker could not say so; it goes when it is too old.
    """
    found: list[Used] = []
    for folder in listed(root):
        with suppress(OSError):  # another visitor's archive has removed it just now
            if folder == newest or not folder.is_dir():
                continue
            made = folder.stat().st_mtime
            if time.time() - made > KEPT_SECONDS:
                if not is_made(folder):
                    remove(folder)
            elif not any(part.is_dir() for part in folder.iterdir()):
                found.append((made, size_of(folder), folder))
    for folder in beyond(found, ARCHIVES_BYTES - size_of(newest)):
        remove(folder)
