"""Vectors that are too large for memory: each set is a mapped file in a folder of the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.storage.damage import whole_or_removed
from core.storage.disk_space import DiskSpace
from core.storage.eviction import ABOUT, count_as_used
from core.storage.files import HEADER, crc_of, read_sealed, write_sealed
from core.storage.folders import remove
from core.storage.mapped import create_mapped, open_mapped

PART = "pooled"
"""The folder of the store."""

FILE = "vectors.npy"

Check = Callable[[Path, Mapping[str, int]], None]
"""Raises :class:`ValueError` where a file has not the bytes and the checksum of its mark."""


@dataclass(frozen=True, eq=False)
class NotedVectors:
    """Vectors ``[row, dim]`` in float32, and what a reader must know about them."""

    vectors: np.ndarray
    notes: tuple[str, ...]


class KeptVectors:
    """Sets of vectors by key, within the budget of the store.

    They make room for each other, and go when a pass needs their room; a pass never goes for them, since
    it takes a thousand times as long to make.
    """

    def __init__(self, root: Path, space: DiskSpace, check: Check) -> None:
        self.folder, self._space, self._check = root / PART, space, check

    def find(self, key: str) -> NotedVectors | None:
        """The vectors under ``key``, which count as used; None where they are not there or damaged.

        Raises :class:`StoreError` where the machine cannot read them now.
        """
        folder = self.folder / key

        def read() -> NotedVectors:
            about = read_sealed(folder / ABOUT)
            if about["key"] != key:
                raise ValueError(f"{folder} is of another key")
            self._check(folder / FILE, about["mark"])
            count_as_used(folder / ABOUT)
            rows, columns = about["shape"]
            return NotedVectors(open_mapped(folder / FILE, (rows, columns)), tuple(about["notes"]))

        return whole_or_removed(folder, read)

    def has(self, key: str) -> bool:
        """Whether vectors are kept under ``key``; they are not read."""
        return (self.folder / key / ABOUT).exists()

    def has_room(self, sets: int, shape: tuple[int, int]) -> bool:
        """Whether so many sets of a shape may be kept; those not used for longest make room for them."""
        return self._space.has_room(sets * (HEADER + 4 * shape[0] * shape[1]), (PART,))

    def begin(self, key: str, shape: tuple[int, int]) -> np.ndarray:
        """Zeros to be filled by whoever holds the lock of ``key``; then :meth:`finish` keeps them.

        Raises :class:`OSError` where the disk has no room.
        """
        self.abandon(key)
        partial = self._partial(key)
        partial.mkdir(parents=True)
        return create_mapped(partial / FILE, shape)

    def finish(self, key: str, vectors: np.ndarray, notes: Sequence[str]) -> NotedVectors:
        """Keep what :meth:`begin` gave, now filled.

        Raises :class:`OSError` where it cannot be written.
        """
        partial, final = self._partial(key), self.folder / key
        rows, columns = vectors.shape
        path = partial / FILE
        mark = {"bytes": path.stat().st_size, "crc": crc_of(path)}
        about = {"key": key, "shape": [rows, columns], "notes": list(notes), "mark": mark}
        write_sealed(partial / ABOUT, about)
        remove(final)
        partial.rename(final)
        count_as_used(final / ABOUT)
        return NotedVectors(open_mapped(final / FILE, (rows, columns)), tuple(notes))

    def abandon(self, key: str) -> None:
        """Let go of what :meth:`begin` made under ``key`` and nobody finished."""
        remove(self._partial(key))

    def _partial(self, key: str) -> Path:
        return self.folder / f"{key}.partial"
