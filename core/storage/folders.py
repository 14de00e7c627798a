"""Folders that others change too: listed, measured and removed without an error for what has gone."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path


def names_in(folder: Path) -> list[str]:
    """The names in a folder; none where it is not there or cannot be looked at."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def listed(folder: Path) -> list[Path]:
    """What is in a folder; nothing where it is not there or cannot be looked at."""
    return [folder / name for name in names_in(folder)]


def size_of(place: Path) -> int:
    """Bytes of a file, or in a folder and below, without what goes meanwhile or cannot be looked at."""
    size = 0
    folders = ((folder, names) for folder, _, names in os.walk(place))
    for folder, names in folders if place.is_dir() else [(place.parent, [place.name])]:
        for name in names:
            with suppress(OSError):
                found = Path(folder, name).stat()
                size += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return size


def remove(place: Path) -> None:
    """Remove a file, or a folder with what is in it; of a link the link alone. What must stay stays."""
    with suppress(OSError):
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink()
