"""Tables that come with the installation: one archive, which is only read."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


class Shipped:
    """The tables of an archive by their keys; without the archive there are none."""

    def __init__(self, path: Path | None) -> None:
        self._archive: zipfile.ZipFile | None = None
        if path is not None:
            with suppress(OSError, zipfile.BadZipFile):  # each table is then computed when it is asked for
                self._archive = zipfile.ZipFile(path)
        self._names = frozenset(self._archive.namelist() if self._archive else ())

    def has(self, key: str) -> bool:
        """Whether the archive holds a table."""
        return f"{key}.npz" in self._names

    def read(self, key: str) -> bytes | None:
        """The file of a table; None when the archive does not hold it, or holds it damaged."""
        if not self.has(key) or self._archive is None:
            return None
        try:
            return self._archive.read(f"{key}.npz")
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError):
            return None


def ship(tables: Iterable[Path], path: Path) -> int:
    """Write an archive of tables, the same bytes for the same tables; the number of tables."""
    files = sorted(tables, key=lambda table: table.name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(files)
