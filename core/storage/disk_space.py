"""The budget on disk: which passes and word vectors are removed for new ones."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.storage.files import size_of

MARGIN = 200_000_000
"""Bytes that a pass leaves free on the disk."""

ABANDONED_SECONDS = 7 * 24 * 3600
"""Age at which an interrupted pass that nobody resumed is removed."""

PARTS = ("passes", "vectors")
"""The folders that share the budget."""


class DiskSpace:
    """Makes room for passes and word vectors, least recently used first.

    Parameters
    ----------
    root
        The folder of the store.
    budget_bytes
        The bytes that passes and word vectors may take together.
    release
        Called with a folder before it is removed: closes the files of it that nobody reads now, since a
        file that is open keeps its space on the disk.
    in_use
        Whether this process still reads a folder after its release.
    """

    def __init__(
        self,
        root: Path,
        budget_bytes: int,
        release: Callable[[Path], None],
        in_use: Callable[[Path], bool],
    ) -> None:
        self.root, self.budget_bytes = root, budget_bytes
        self._release, self._in_use = release, in_use

    def has_room(self, need: int) -> bool:
        """Whether so many bytes may be kept; the least recently used entries are removed for them."""
        removable = sum(size for _, size, _ in self._by_use())
        if need > self.budget_bytes or self._free() + removable <= need:
            return False
        self._make_room(need)
        return self._free() > need

    def remove(self, folder: Path) -> None:
        """Remove a folder of the store; those who read it now can go on."""
        self._release(folder)
        shutil.rmtree(folder, ignore_errors=True)

    def _free(self) -> int:
        return shutil.disk_usage(self.root).free - MARGIN

    def _by_use(self) -> list[tuple[float, int, Path]]:
        """Passes and word vectors: when they were last used, their bytes, their folder; oldest first."""
        folders = []
        for part in PARTS:
            for about in (self.root / part).glob("*/about.json"):
                with suppress(OSError):
                    folders.append((about.stat().st_mtime, size_of(about.parent), about.parent))
        return sorted(folders)

    def _make_room(self, need: int) -> None:
        self._remove_abandoned()
        folders = self._by_use()
        total = sum(size for _, size, _ in folders)
        for _, size, folder in folders:
            within_budget = total + need <= self.budget_bytes
            if within_budget and self._free() >= need:
                return
            self._release(folder)
            if within_budget and self._in_use(folder):
                continue  # the disk is short, and removing it would free nothing
            total -= size
            shutil.rmtree(folder, ignore_errors=True)

    def _remove_abandoned(self) -> None:
        for part in PARTS:
            for partial in (self.root / part).glob("*.partial"):
                with suppress(OSError):
                    if time.time() - partial.stat().st_mtime > ABANDONED_SECONDS:
                        shutil.rmtree(partial, ignore_errors=True)
