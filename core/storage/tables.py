"""Small tables of arrays, each computed once and kept under what it depends on."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.progress import Progress
from core.settings import GIGABYTE
from core.storage.eviction import Used, beyond, count_as_used
from core.storage.files import replacing
from core.storage.keys import ENGINE, key_of
from core.storage.shipped import Shipped
from core.versions import library_version

TABLES_BYTES = 2 * GIGABYTE
"""Bytes of tables that are kept; beyond them the least recently used are removed."""

RECIPE_LIBRARIES = ("scikit-learn", "wordfreq")
"""Libraries on which the vectors of recipes rest; those of single options are in the recipe's own key."""

Arrays = dict[str, np.ndarray]

_SEAL = "seal"
"""The array that says which table a file is, and what its arrays are."""


@dataclass(frozen=True)
class TableKind:
    """What computes a kind of table; declared next to the code that does.

    Attributes
    ----------
    name
        Unique among all kinds.
    version
        Raised with every change of the formula or of the arrays' names: tables of this kind alone are then
        computed anew, and forward passes stay.
    libraries
        Packages, by their names on PyPI, whose versions the result depends on.
    forward
        Whether the result rests on forward passes, whose version it then depends on.
    """

    name: str
    version: int
    libraries: tuple[str, ...] = ()
    forward: bool = False

    def key(self, parts: Sequence[object]) -> str:
        """The file name of the table that depends on ``parts``."""
        versions = {library: library_version(library) for library in self.libraries}
        engine = ENGINE if self.forward else None
        return f"{self.name}-{key_of(self.version, versions, engine, list(parts))}"


Exclusively = Callable[[str, Progress, str], AbstractContextManager[Path]]
"""Holds the lock of a key, and reports to the progress while another thread or process holds it.

The context gives the path of the lock file.
"""


class Tables:
    """The folder of tables, and behind it those that come with the installation."""

    def __init__(self, folder: Path, exclusively: Exclusively, shipped: Shipped) -> None:
        self.folder, self._exclusively, self._shipped = folder, exclusively, shipped
        self._bytes_since_trim = 0

    def find(self, key: str) -> Arrays | None:
        """The arrays under ``key``; None when nothing is kept, or it is damaged."""
        if (arrays := _read(self.folder / f"{key}.npz")) is not None:
            return arrays
        content = self._shipped.read(key)
        return None if content is None else _arrays(io.BytesIO(content), key)

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under ``key``."""
        self._write(self.folder / f"{key}.npz", arrays)

    def get(self, key: str, compute: Callable[[], Arrays], progress: Progress, what: str) -> Arrays:
        """The arrays under ``key``, read or else computed and kept."""
        if (arrays := self.find(key)) is not None:
            return arrays
        with self._exclusively(key, progress, what) as lock:
            if (arrays := self.find(key)) is None:  # else another visitor computed them
                arrays = compute()
                self.put(key, arrays)
            with suppress(OSError):
                lock.unlink()  # whoever waits for it finds the table
        return arrays

    def has(self, key: str) -> bool:
        """Whether arrays are kept under ``key``; they are not read."""
        return (self.folder / f"{key}.npz").exists() or self._shipped.has(key)

    def _write(self, path: Path, arrays: Mapping[str, np.ndarray]) -> None:
        with suppress(OSError), replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **arrays, **{_SEAL: _seal_of(path.stem, arrays)})  # type: ignore[arg-type]
        count_as_used(path)
        self._bytes_since_trim += sum(array.nbytes for array in arrays.values())
        if self._bytes_since_trim > TABLES_BYTES // 20:  # listing the folder now and then is enough
            self._bytes_since_trim = 0
            self._trim()

    def _trim(self) -> None:
        """Remove the least recently used tables that are beyond the budget."""
        tables: list[Used] = []
        for path in self.folder.glob("*.npz"):
            with suppress(OSError):
                stat = path.stat()
                tables.append((stat.st_mtime, stat.st_size, path))
        for path in beyond(tables, TABLES_BYTES):
            with suppress(OSError):  # of another user; whoever computed a table gets it all the same
                path.unlink()


def _read(path: Path) -> Arrays | None:
    """The arrays of a table, which counts as used; None when it is not there, damaged or another one."""
    arrays = _arrays(path, path.stem)
    if arrays is not None:
        count_as_used(path)
    return arrays


def _arrays(file: Path | io.BytesIO, key: str) -> Arrays | None:
    """The arrays of the table of this key; None when it is not there, damaged or another one."""
    try:
        with np.load(file, allow_pickle=False) as loaded:
            arrays = {name: loaded[name] for name in loaded.files}
        seal = arrays.pop(_SEAL)
    except Exception:  # a damaged archive raises many kinds, which all mean that there is no such table
        return None
    return arrays if np.array_equal(seal, _seal_of(key, arrays)) else None


def _seal_of(key: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The key of a table, with the name, shape, type and checksum of each array, as bytes."""
    marks = {}
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        marks[name] = array.shape, array.dtype.str, zlib.crc32(content.data)
    return np.frombuffer(json.dumps([key, marks], sort_keys=True).encode(), np.uint8)
