"""The budget on disk: which passes, word vectors and vectors of texts are removed for new ones."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.storage.eviction import ABOUT
from core.storage.folders import remove, size_of

MARGIN = 200_000_000
"""Bytes that a pass leaves free on the disk."""

ABANDONED_SECONDS = 7 * 24 * 3600
"""Age at which an interrupted pass that nobody goes on with is removed."""

PARTS = ("passes", "vectors", "pooled")
"""The folders that share the budget: passes, word vectors, vectors of texts."""


@dataclass(frozen=True, order=True)
class _Entry:
    """A folder that may be removed; those that were not used for longest sort first.

    ``used`` is in seconds since 1970, ``part`` one of :data:`PARTS`.
    """

    used: float
    bytes: int
    folder: Path
    part: str


class DiskSpace:
    """Makes room for passes, word vectors and vectors of texts, least recently used first.

    Parameters
    ----------
    root
        The folder of the store.
    budget_bytes
        The bytes that they may take together.
    release
        Called with a folder before it is removed: closes the files of it that nobody reads now, since a
        file that is open keeps its space on the disk.
    in_use
        Whether this process still reads a folder after its release.
    is_made
        Whether somebody makes the pass or the word vectors of a key now. The age of a folder does not tell:
        it is that of its first moment, and a clock is put forward, or a machine sleeps.
    """

    def __init__(
        self,
        root: Path,
        budget_bytes: int,
        release: Callable[[Path], None],
        in_use: Callable[[Path], bool],
        is_made: Callable[[str], bool],
    ) -> None:
        self.root, self.budget_bytes = root, budget_bytes
        self._release, self._in_use, self._is_made = release, in_use, is_made

    def has_room(self, need: int, parts: Sequence[str] = PARTS) -> bool:
        """Whether so many bytes may be kept; the least recently used entries of ``parts`` make room.

        None may where the store cannot be written, as on a disk that is mounted to be read alone.
        """
        if not self._can_be_written():
            return False
        entries = self._by_use()
        removable = [entry for entry in entries if entry.part in parts]
        stays = sum(entry.bytes for entry in entries) - sum(entry.bytes for entry in removable)
        if stays + need > self.budget_bytes:
            return False
        if self._free() + sum(entry.bytes for entry in removable) <= need:
            return False
        self._make_room(need, entries, removable)
        return self._free() > need

    def shortage(self) -> str:
        """Why what is larger than the room there is is not kept, and what to do: a sentence."""
        if not self._can_be_written():
            return "The store cannot be written; name another folder with STRATA_CACHE."
        free = shutil.disk_usage(self.root).free
        return (
            f"The budget of the store is {self.budget_bytes:,} bytes, and {free / 1e9:,.1f} GB are free on "
            "its disk; set STRATA_CACHE_GB higher, or name another folder with STRATA_CACHE."
        )

    def remove(self, folder: Path) -> None:
        """Remove a folder of the store; those who read it now can go on."""
        self._release(folder)
        remove(folder)

    def _can_be_written(self) -> bool:
        return all(os.access(self.root / part, os.W_OK) for part in PARTS)

    def _free(self) -> int:
        return shutil.disk_usage(self.root).free - MARGIN

    def _by_use(self) -> list[_Entry]:
        """All entries, those first that were not used for longest."""
        entries = []
        for part in PARTS:
            for about in (self.root / part).glob(f"*/{ABOUT}"):
                with suppress(OSError):
                    folder = about.parent
                    entries.append(_Entry(about.stat().st_mtime, size_of(folder), folder, part))
        return sorted(entries)

    def _make_room(self, need: int, entries: Sequence[_Entry], removable: Sequence[_Entry]) -> None:
        self._remove_abandoned()
        total = sum(entry.bytes for entry in entries)
        for entry in removable:
            within_budget = total + need <= self.budget_bytes
            if within_budget and self._free() >= need:
                return
            self._release(entry.folder)
            if within_budget and self._in_use(entry.folder):
                continue  # the disk is short, and removing it would free nothing
            total -= entry.bytes
            remove(entry.folder)

    def _remove_abandoned(self) -> None:
        for part in PARTS:
            for partial in (self.root / part).glob("*.partial"):
                with suppress(OSError):
                    old = time.time() - partial.stat().st_mtime > ABANDONED_SECONDS
                    if old and not self._is_made(partial.stem):
                        remove(partial)
