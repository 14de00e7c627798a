"""Word vectors from a file, stored as a matrix on disk that is read row by row.

The file is parsed once into ``vectors/<key>`` of the store; later requests open the stored matrix. The key
depends on the content of the file alone, so that a copy has the same key.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int

from core.errors import ModelError, StoreError, shorten
from core.progress import Progress, Step, silent
from core.recipe import SOURCE
from core.recipe.arguments import Text, Within
from core.sources.word_vector_file import VectorFile
from core.storage.damage import whole_or_removed
from core.storage.eviction import ABOUT, count_as_used
from core.storage.files import HEADER, FileReader, crc_of, npy_header, read_sealed, write_sealed
from core.storage.folders import remove
from core.storage.keys import key_of
from core.storage.store import Store
from core.storage.trouble import is_full, log, trouble
from core.trust import is_file, no_file

_WHAT = "Reading word vectors"
_MATRIX, _WORDS = "vectors.npy", "words.txt"

FORMAT = 2
"""Version of the stored files and of the parser of word vectors; part of their key."""


@dataclass(frozen=True)
class VectorsFile:
    """Files of word vectors side by side, and how many of the first one's frequent words to leave out."""

    paths: tuple[str, ...]
    drop: int


@SOURCE.option(layered=False)
def vectors(
    *,
    path: Annotated[str, Text("a file: word2vec text or binary, GloVe, fastText .vec, X2Static")],
    drop: Annotated[int, Within(0, 1_000_000, "most frequent words left out")] = 0,
    path2: Annotated[str, Text("another file, its vectors beside those of the first")] = "",
    path3: Annotated[str, Text("a third file")] = "",
    path4: Annotated[str, Text("a fourth file")] = "",
) -> VectorsFile:
    """Word vectors from a file, or from several side by side, looked up word by word."""
    return VectorsFile(tuple(filter(None, (path, path2, path3, path4))), drop)


@dataclass(eq=False)
class Matrix:
    """The stored vectors ``[row, dim]`` in float32, read row by row."""

    folder: Path
    count: int
    dim: int
    _file: FileReader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Open the file; an evicted matrix stays readable while it is open."""
        self._file = FileReader(self.folder / _MATRIX)

    def rows(self, ids: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The vectors of some rows, in the order of ``ids``; no other row is read.

        Raises
        ------
        IndexError
            A row does not exist.
        StoreError
            The stored matrix became shorter.
        """
        if len(ids) and not 0 <= ids.min() <= ids.max() < self.count:
            raise IndexError(f"rows {ids.min()} to {ids.max()} were asked for; there are {self.count}")
        rows = np.empty((len(ids), self.dim), np.float32)
        starts = np.flatnonzero(np.diff(ids, prepend=-2) != 1)  # consecutive rows are read at once
        try:
            for start, end in zip(starts, [*starts[1:], len(ids)], strict=False):
                self._file.read_into(rows[start:end], HEADER + int(ids[start]) * self.dim * 4)
        except EOFError as error:
            raise StoreError(
                "The stored word vectors became shorter while in use: something else changed the store's "
                "folder. Ask again; they are read anew."
            ) from error
        return rows


@runtime_checkable
class Rows(Protocol):
    """The vectors of words by row: a stored matrix, or several side by side."""

    @property
    def folder(self) -> Path:
        """The folder of the store with the files."""

    @property
    def dim(self) -> int:
        """The number of dimensions."""

    def rows(self, ids: Int[np.ndarray, " row"], /) -> Float[np.ndarray, "row dim"]:
        """The vectors of some rows, in the order of ``ids``; each is the same in any company."""


@dataclass(eq=False)
class WordVectors:
    """The words of a file in its order, and their vectors, which stay on disk.

    Attributes
    ----------
    words
        The different words; a word's position is its row.
    matrix
        The vectors.
    revision
        An identifier of the file's content.
    notes
        What of the file is left out, and why.
    """

    words: tuple[str, ...]
    matrix: Rows
    revision: str
    notes: tuple[str, ...]
    _rows: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the words."""
        self._rows = {word: row for row, word in enumerate(self.words)}

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return self.matrix.dim

    @property
    def index(self) -> MappingProxyType[str, int]:
        """The row of each word."""
        return MappingProxyType(self._rows)

    @property
    def bytes_in_memory(self) -> int:
        """The bytes of the words, of their tuple, and of their index."""
        containers = sys.getsizeof(self.words) + sys.getsizeof(self._rows)
        return containers + sum(map(sys.getsizeof, self.words)) + len(self.words) * sys.getsizeof(1 << 20)

    def rows(self, ids: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The vectors of some rows; see :meth:`Matrix.rows`."""
        return self.matrix.rows(ids)


def open_vectors(path: Path, store: Store, progress: Progress = silent) -> WordVectors:
    """The word vectors of a file, opened from the store or parsed and stored.

    Parameters
    ----------
    path
        word2vec text or binary, GloVe, fastText ``.vec`` or X2Static text, plain or compressed with
        gzip; see :mod:`core.sources.word_vector_file`.
    store
        Stores the vectors and the sha256 of the file.
    progress
        Receives the number of bytes read. An exception that it raises stops the reading, and nothing is
        stored.

    Raises
    ------
    ModelError
        The file does not exist, cannot be read, or is no file of word vectors.
    StoreError
        The vectors exceed the store's budget or the free disk space.
    """
    if is_file(path):
        progress(Step(_WHAT, 0, path.stat().st_size))
    digest = digest_of(path, store)
    key = key_of("word vectors", FORMAT, digest)
    folder = store.root / "vectors" / key
    if (stored := _open(folder, store)) is not None:
        return stored
    with store.exclusively(key, progress, f"the reading of {path.name}"):
        if (stored := _open(folder, store)) is not None:  # another visitor read it
            return stored
        _build(path, folder, f"sha256:{digest[:16]}", store, progress)
        if (stored := _open(folder, store)) is not None:
            return stored
    raise StoreError(
        f"The word vectors of {shorten(path.name)} that were just written to the store cannot be read "
        "back: something else changed its folder. Ask again, or name another one with STRATA_CACHE."
    )


def digest_of(path: Path, store: Store) -> str:
    """The sha256 of a file of word vectors. Raises :class:`ModelError` when there is no such file."""
    if why := no_file(path):
        raise ModelError(f"{shorten(path)} {why}; word vectors are one file, text or word2vec's .bin.")
    try:
        return store.digest(path)
    except OSError as error:
        raise ModelError(f"{shorten(path)} cannot be read: {error.strerror}.") from error


def _open(folder: Path, store: Store) -> WordVectors | None:
    """The stored word vectors; None when they do not exist or are damaged. Damaged files are removed.

    The length and the checksum of each file are checked once per process. Raises :class:`StoreError` when
    the machine cannot read them now.
    """

    def read() -> WordVectors:
        about = read_sealed(folder / ABOUT)
        count_as_used(folder / ABOUT)
        for name in (_MATRIX, _WORDS):
            store.check(folder / name, about["files"][name])
        if about["key"] != folder.name:
            raise ValueError(f"{folder} holds the word vectors of another key")
        words = tuple((folder / _WORDS).read_bytes().decode().split("\n"))
        matrix = Matrix(folder, about["words"], about["dim"])
        length = HEADER + 4 * matrix.count * matrix.dim
        if len(words) != matrix.count or about["files"][_MATRIX]["bytes"] != length:
            raise ValueError(f"{folder} is damaged")
        return WordVectors(words, matrix, about["revision"], tuple(about["notes"]))

    return whole_or_removed(folder, read)


def _build(path: Path, folder: Path, revision: str, store: Store, progress: Progress) -> None:
    """Parse a file into a partial folder, which is renamed when it is complete."""
    partial = folder.with_name(f"{folder.name}.partial")
    with VectorFile(path) as file:
        if not store.has_room(file.bytes_needed):
            raise StoreError(
                f"The word vectors of {shorten(path.name)} need about {file.bytes_needed:,} bytes, "
                f"more than there is room for. {store.shortage()}"
            )
        try:
            remove(partial)  # of a process that was killed
            partial.mkdir()
            about = _write(file, partial, progress) | {"revision": revision, "name": path.name}
            about["key"] = folder.name
            write_sealed(partial / ABOUT, about)
            remove(folder)  # of a folder that lost a file
            partial.rename(folder)
        except OSError as error:
            if is_full(error):
                log("Word vectors cannot be kept", store.root, error)
                raise StoreError(
                    f"The disk of the store is full: these word vectors need about "
                    f"{file.bytes_needed:,} bytes. Nothing else was lost. Free some space "
                    "(python -m core cache --clear), or name another folder with STRATA_CACHE."
                ) from error
            raise StoreError(trouble("The word vectors cannot be kept", store.root, error)) from error
        finally:
            remove(partial)


def _write(file: VectorFile, folder: Path, progress: Progress) -> dict[str, Any]:
    """Write matrix and words block by block; returns the content of ``about.json``."""
    count = 0
    with (folder / _MATRIX).open("wb") as matrix, (folder / _WORDS).open("wb") as words:
        matrix.write(bytes(HEADER))  # the header holds the number of rows, which is known at the end
        for block, rows in file.blocks():
            matrix.write(np.ascontiguousarray(rows).data)
            words.write(
                "".join(f"\n{word}" if count + i else word for i, word in enumerate(block)).encode()
            )
            count += len(block)
            progress(Step(_WHAT, file.done, file.total))
        matrix.seek(0)
        matrix.write(npy_header((count, file.dim), "float32"))
    marks = {}
    for name in (_MATRIX, _WORDS):
        path = folder / name
        marks[name] = {"bytes": path.stat().st_size, "crc": crc_of(path)}
    return {"words": count, "dim": file.dim, "notes": file.notes, "files": marks}
