"""Files that are written completely or not at all, and their checksums."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import threading
import time
import uuid
import weakref
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from core.storage.folders import names_in, remove

HEADER = 128
"""Bytes before the data of every ``.npy`` file written here."""

LEFT_SECONDS = 24 * 3600
"""Age from which on a hidden file of :func:`replacing` is one that a killed process has left."""

_BLOCK = 8_000_000
_HIDDEN = re.compile(r"\.[0-9a-f]{8}\..+")
_SEAL = "sha256"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A hidden path beside ``path``, of the same ending, that takes its place when the block ends well."""
    temporary = path.with_name(f".{uuid.uuid4().hex[:8]}.{path.name}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_left(folder: Path) -> None:
    """Remove what processes that were killed while they wrote have left in a folder: nobody reads it."""
    for name in filter(_HIDDEN.fullmatch, names_in(folder)):
        path = folder / name
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > LEFT_SECONDS:
                remove(path)


def npy_header(shape: tuple[int, ...], storage: str) -> bytes:
    """An ``.npy`` header of exactly 128 bytes, so that data starts where every reader knows."""
    text = f"{{'descr': '{np.dtype(storage).str}', 'fortran_order': False, 'shape': {shape}, }}"
    return (
        b"\x93NUMPY\x01\x00"
        + (HEADER - 10).to_bytes(2, "little")
        + text.ljust(HEADER - 11).encode()
        + b"\n"
    )


def write_sealed(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object together with the sha256 of its content; whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps({**content, _SEAL: _seal_of(content)}), "utf-8")


def read_sealed(path: Path) -> dict[str, Any]:
    """The content that :func:`write_sealed` wrote.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        The content does not fit its checksum.
    """
    content = json.loads(path.read_text("utf-8"))
    if not isinstance(content, dict) or content.pop(_SEAL, None) != _seal_of(content):
        raise ValueError(f"{path} is damaged")
    return content


def _seal_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class FileReader:
    """An open file of which several threads read different places at once.

    The file stays readable after it is deleted, on systems that allow it. It is closed with its last
    reference.
    """

    def __init__(self, path: Path) -> None:
        file = path.open("rb", buffering=0)
        self._file, self._lock = file, threading.Lock()
        weakref.finalize(self, file.close)

    def read_into(self, array: np.ndarray, start: int) -> None:
        """Fill a contiguous array with the file's bytes from ``start`` on.

        Raises :class:`EOFError` when the file ends before the array is full.
        """
        left = array.reshape(-1).view(np.uint8)
        while len(left):  # one call reads at most 2 GiB
            count = self._read(left.data, start)
            if not count:
                raise EOFError(f"{self._file.name} ends at byte {start:,}")
            left, start = left[count:], start + count

    def _read(self, buffer: memoryview, start: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._file.fileno(), [buffer], start)
        with self._lock:  # Windows has one position per open file
            self._file.seek(start)
            return self._file.readinto(buffer) or 0


def crc_of(path: Path, length: int | None = None) -> int:
    """The CRC-32 of a file, or of its first ``length`` bytes."""
    crc, left = 0, path.stat().st_size if length is None else length
    with path.open("rb") as file:
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            crc = zlib.crc32(block, crc)
            left -= len(block)
    return crc


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


Stamp = tuple[int, int, int]
"""What tells a file from the one that took its place: number, bytes and time of change."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file. Its time alone would not do: a disk's clock ticks every few milliseconds.

    Raises :class:`OSError` where there is no file.
    """
    return stamp_in(path.stat())


def stamp_if_file(path: Path | str) -> Stamp | None:
    """The stamp of a file; None where there is none, and for a path that this system cannot have.

    Pages ask for some dozens of times, and then by a text: pathlib takes several times as long.
    """
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return stamp_in(found) if stat.S_ISREG(found.st_mode) else None


def stamp_in(state: os.stat_result) -> Stamp:
    """The stamp of a file in what the system says of it."""
    return state.st_ino, state.st_size, state.st_mtime_ns
