"""Word vectors from a file, kept as a matrix on disk that is read row by row.

The first time, the file is parsed into ``vectors/<key>`` of the store; later, only what is kept there
is opened. The key is the content of the file, so a copy of it is the same file.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from jaxtyping import Float, Int

from core.errors import ModelError, StoreError, shorten
from core.files import HEADER, npy_header
from core.progress import Progress, Step, silent
from core.store import Store, key_of
from core.wordfile import VectorFile

_WHAT = "Reading word vectors"
_MATRIX, _WORDS, _ABOUT = "vectors.npy", "words.txt", "about.json"


@dataclass(eq=False)
class WordVectors:
    """The words of a file in its order, and their vectors, which stay on disk.

    Attributes
    ----------
    words
        The different words; their place is their row.
    dim
        Numbers per vector.
    revision
        Names the content of the file.
    notes
        What was left out of the file, and why.
    """

    words: tuple[str, ...]
    dim: int
    revision: str
    notes: tuple[str, ...]
    _file: BinaryIO = field(repr=False)

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    @cached_property
    def index(self) -> MappingProxyType[str, int]:
        """The row of each word."""
        return MappingProxyType({word: row for row, word in enumerate(self.words)})

    def rows(self, ids: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The float32 vectors of some rows, in the order asked for; only they are read.

        Raises
        ------
        IndexError
            A row that is not there.
        StoreError
            The stored matrix became shorter.
        """
        if len(ids) and not 0 <= ids.min() <= ids.max() < len(self):
            raise IndexError(f"rows {ids.min()} to {ids.max()} were asked for; there are {len(self)}")
        out = np.empty((len(ids), self.dim), np.float32)
        starts = np.flatnonzero(np.diff(ids, prepend=-2) != 1)  # neighbouring rows are read at once
        for start, end in zip(starts, [*starts[1:], len(ids)], strict=False):
            self._read(out[start:end], HEADER + int(ids[start]) * self.dim * 4)
        return out

    def _read(self, out: np.ndarray, place: int) -> None:
        """Fill ``out`` with what the matrix file has from ``place`` on."""
        left = out.reshape(-1).view(np.uint8)
        while len(left):  # one call reads at most 2 GiB
            got = os.preadv(self._file.fileno(), [left.data], place)
            if not got:
                raise StoreError("The stored word vectors became shorter while in use.")
            left, place = left[got:], place + got


def open_vectors(path: Path, store: Store, progress: Progress = silent) -> WordVectors:
    """The word vectors of a file; parsed and stored the first time, opened from the store later.

    Parameters
    ----------
    path
        word2vec text or binary, GloVe, fastText ``.vec`` or X2Static text, plain or compressed with
        gzip; see :mod:`core.wordfile`.
    store
        Keeps the vectors, and the sha256 of the file.
    progress
        Is told how many bytes are read. Whatever it raises stops the reading; nothing is kept of it.

    Raises
    ------
    ModelError
        Not there, not readable, or no file of word vectors.
    StoreError
        The vectors do not fit into the store's budget or on its disk.
    """
    if path.is_file():
        progress(Step(_WHAT, 0, path.stat().st_size))
    digest = digest_of(path, store)
    key = key_of("word vectors", digest)
    folder = store.root / "vectors" / key
    if (found := _opened(folder)) is not None:
        return found
    with store.exclusively(key, progress, f"the reading of {path.name}"):
        if (found := _opened(folder)) is not None:  # another visitor read it
            return found
        _build(path, folder, f"sha256:{digest[:16]}", store, progress)
    if (found := _opened(folder)) is None:
        raise StoreError(f"The word vectors just written to {store.root} cannot be read back.")
    return found


def digest_of(path: Path, store: Store) -> str:
    """The sha256 of a file of word vectors. Raises :class:`ModelError` when there is no such file."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ModelError(f"{shorten(path)} {what}; word vectors are one file, text or word2vec's .bin.")
    try:
        return store.digest(path)
    except OSError as error:
        raise ModelError(f"{shorten(path)} cannot be read: {error.strerror}.") from error


def _opened(folder: Path) -> WordVectors | None:
    """What is stored, or None when it is not there, or damaged and therefore removed."""
    try:
        about = json.loads((folder / _ABOUT).read_text("utf-8"))
        os.utime(folder / _ABOUT)
        for name, size in about["bytes"].items():
            if (folder / name).stat().st_size != size:
                raise ValueError(f"{name} is damaged")
        words = tuple((folder / _WORDS).read_bytes().decode().split("\n"))
        if len(words) != about["words"]:
            raise ValueError(f"{_WORDS} is damaged")
        file = (folder / _MATRIX).open("rb")
        return WordVectors(words, int(about["dim"]), about["revision"], tuple(about["notes"]), file)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _build(path: Path, folder: Path, revision: str, store: Store, progress: Progress) -> None:
    """Parse a file into a folder that gets its name when it is whole."""
    partial = folder.with_name(f"{folder.name}.partial")
    with VectorFile(path) as file:
        if not store.has_room(file.bytes_needed):
            raise StoreError(
                f"The word vectors of {shorten(path.name)} need about {file.bytes_needed:,} bytes. The "
                f"budget of {store.root} is {store.budget_bytes:,} bytes, and on its disk "
                f"{shutil.disk_usage(store.root).free:,} are free. Raise STRATA_CACHE_GB, or name another "
                "folder with STRATA_CACHE."
            )
        try:
            shutil.rmtree(partial, ignore_errors=True)  # of a process that was killed
            partial.mkdir()
            about = _write(file, partial, progress) | {"revision": revision, "name": path.name}
            (partial / _ABOUT).write_text(json.dumps(about), "utf-8")
            partial.rename(folder)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise StoreError(
                    f"The disk of {store.root} is full: these word vectors need about "
                    f"{file.bytes_needed:,} bytes. Nothing else was lost. Free some space "
                    "(python -m core cache --clear), or name another folder with STRATA_CACHE."
                ) from error
            raise StoreError(f"The word vectors could not be written to {store.root}: {error}.") from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _write(file: VectorFile, folder: Path, progress: Progress) -> dict[str, Any]:
    """Write matrix and words, block by block; what they hold."""
    count = 0
    with (folder / _MATRIX).open("wb") as matrix, (folder / _WORDS).open("wb") as words:
        matrix.write(bytes(HEADER))  # the number of rows is known at the end
        for some, rows in file.blocks():
            matrix.write(np.ascontiguousarray(rows).data)
            words.write("".join(f"\n{word}" if count + i else word for i, word in enumerate(some)).encode())
            count += len(some)
            progress(Step(_WHAT, file.done, file.total))
        matrix.seek(0)
        matrix.write(npy_header((count, file.dim), "float32"))
    sizes = {name: (folder / name).stat().st_size for name in (_MATRIX, _WORDS)}
    return {"words": count, "dim": file.dim, "notes": file.notes, "bytes": sizes}
