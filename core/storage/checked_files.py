"""Files that are compared with their length and checksum once, as long as they are not changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.storage.files import Stamp, crc_of, stamp_of


class CheckedFiles:
    """What this process knows to be whole: by name and stamp."""

    def __init__(self) -> None:
        self._known: set[tuple[str, Stamp]] = set()

    def check(self, path: Path, mark: Mapping[str, int]) -> None:
        """Compare a file that is not known yet; raises :class:`ValueError` where it differs."""
        stamp = _stamp(path)
        if stamp in self._known:
            return
        if path.stat().st_size != mark["bytes"] or crc_of(path) != mark["crc"]:
            raise ValueError(f"{path} is damaged")
        self._known.add(stamp)

    def written(self, path: Path) -> None:
        """Know a file that this process wrote a moment ago."""
        self._known.add(_stamp(path))


def _stamp(path: Path) -> tuple[str, Stamp]:
    return str(path), stamp_of(path)
