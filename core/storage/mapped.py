"""Arrays in files that memory maps: the system takes their pages back where memory is short."""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import DTypeLike

from core.storage.files import HEADER, npy_header


def create_mapped(path: Path, shape: tuple[int, ...]) -> np.ndarray:
    """A new ``.npy`` file of zeros in float32, mapped for writing.

    Raises :class:`OSError` where the disk has no room for all of it.
    """
    with path.open("wb+") as file:
        file.write(npy_header(shape, "float32"))
        return _map(file, shape, np.float32, HEADER)


def open_mapped(path: Path, shape: tuple[int, ...]) -> np.ndarray:
    """What :func:`create_mapped` made, to be read."""
    return np.asarray(np.memmap(path, np.float32, "r", HEADER, shape))


class Scratch:
    """Room for arrays that are not kept: memory up to a number of bytes each, files beyond it.

    A file has no name: it goes with the last reference to its array, or with the process.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder, self.limit = folder, limit

    def zeros(self, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> np.ndarray:
        """An array of zeros; in memory also where the disk has no room for it."""
        if math.prod(shape) * np.dtype(dtype).itemsize > self.limit:
            try:
                with tempfile.TemporaryFile(dir=self.folder) as file:
                    return _map(file, shape, dtype, 0)
            except OSError:
                pass
        return np.zeros(shape, dtype)


def _map(file: BinaryIO, shape: tuple[int, ...], dtype: DTypeLike, offset: int) -> np.ndarray:
    """The bytes from ``offset`` on, mapped for writing once the disk has set them aside.

    Writing to a page that a full disk cannot hold would end the process.
    """
    length = offset + math.prod(shape) * np.dtype(dtype).itemsize
    file.flush()
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, length)
    return np.asarray(np.memmap(file, dtype, "r+", offset, shape))  # type: ignore[call-overload]
