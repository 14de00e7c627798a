"""Files that are written whole or not at all, and what tells whether they are whole."""

from __future__ import annotations

import hashlib
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

HEADER = 128
"""Bytes before the data of every ``.npy`` file written here."""

_BLOCK = 8_000_000


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A hidden path beside ``path``, of the same ending, that takes its place when the block ends well."""
    temporary = path.with_name(f".{uuid.uuid4().hex[:8]}.{path.name}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def npy_header(shape: tuple[int, ...], storage: str) -> bytes:
    """An ``.npy`` header of exactly 128 bytes, so that data starts where every reader knows."""
    text = f"{{'descr': '{np.dtype(storage).str}', 'fortran_order': False, 'shape': {shape}, }}"
    return (
        b"\x93NUMPY\x01\x00"
        + (HEADER - 10).to_bytes(2, "little")
        + text.ljust(HEADER - 11).encode()
        + b"\n"
    )


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


def size_of(folder: Path) -> int:
    """Bytes in a folder and below."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
