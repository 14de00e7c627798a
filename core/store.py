"""One forward pass on disk, layer by layer.

An entry is a folder of plain ``.npy`` files: the tokens, one array ``[token, dim]`` per layer and one
``[token, layer, head]`` of attention diagonals, all in stored order, so that a pass only ever appends.

* **Resumable.** While a pass runs its folder is called ``….partial`` and a journal says, batch by
  batch, how long each file is and what its checksum is. After a kill the next pass cuts the files to
  the journal's last line and goes on from there.
* **Atomic and checked.** A finished folder is renamed. On first use in a process the files that are
  asked for are compared with their length and checksum; a damaged entry is a miss.
* **Shared.** A lock file per entry lets one visitor, or one process, run a pass while the others wait.
* **Under a budget.** Before a pass is stored, entries least recently used make room.

Reads go through plain file reads of a stretch of tokens rather than one map of the whole file, so
that a pass larger than memory is pooled in bounded memory (mapped pages count as the process's own).
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from filelock import FileLock, Timeout

from core.encoder import States
from core.errors import StoreError
from core.memo import Memo
from core.progress import Progress, Step
from core.settings import GIGABYTE
from core.tokens import Tokens

ENGINE = 1
"""Version of what is stored; raising it makes every stored pass a miss."""

MARGIN = 200_000_000
"""Bytes that a pass leaves free on the disk."""

JOURNAL_SECONDS = 1.0
_HEADER = 128
_BLOCK = 8_000_000
_TOKEN_FIELDS = ("ids", "offsets", "order", "special", "words", "continues", "cls", "truncated")


@dataclass(frozen=True)
class Layout:
    """What a pass will hold: the width of each layer, the heads, and the number format."""

    widths: dict[int, int]
    heads: tuple[int, int]
    storage: str

    def files(self) -> dict[str, tuple[int, ...]]:
        """The shape of one token's row in each file."""
        rows: dict[str, tuple[int, ...]] = {layer_file(i): (w,) for i, w in self.widths.items()}
        if self.heads[1]:
            rows["diagonals"] = self.heads
        return rows

    def row_bytes(self) -> int:
        """Bytes per token over all files."""
        return sum(int(np.prod(row)) for row in self.files().values()) * np.dtype(self.storage).itemsize


def layer_file(layer: int) -> str:
    """The file name, without ending, of a layer."""
    return "static" if layer < 0 else f"layer-{layer:02d}"


@dataclass(frozen=True)
class Entry:
    """One stored pass, as ``cache`` lists it."""

    key: str
    bytes: int
    used: float
    about: dict[str, Any]


@dataclass(eq=False)
class StoredPass:
    """A finished pass: tokens in memory, layers on disk.

    ``about`` says what it holds: model, revision, sentences, tokens, seconds it took.
    """

    folder: Path
    tokens: Tokens
    layout: Layout
    about: dict[str, Any]
    _open: dict[str, BinaryIO] = field(default_factory=dict, repr=False)

    @property
    def layers(self) -> tuple[int, ...]:
        """The layer numbers it holds, the static rows (-1) first."""
        return tuple(sorted(self.layout.widths))

    @property
    def seconds(self) -> float:
        """How long the forward pass took when it was run."""
        return float(self.about["seconds"])

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """States ``[token, dim]`` in float32 of a stretch of tokens in one layer."""
        return self._read(layer_file(layer), (self.layout.widths[layer],), tokens)

    def diagonals(self, tokens: slice) -> np.ndarray | None:
        """Attention diagonals ``[token, layer, head]`` of a stretch of tokens; None without heads."""
        if not self.layout.heads[1]:
            return None
        return self._read("diagonals", self.layout.heads, tokens)

    def _read(self, name: str, row: tuple[int, ...], tokens: slice) -> np.ndarray:
        width = int(np.prod(row))
        dtype = np.dtype(self.layout.storage)
        out = np.empty((tokens.stop - tokens.start, width), dtype)
        file = self._open.get(name)
        if file is None:  # kept open: an evicted entry stays readable for those who use it
            file = self._open.setdefault(name, (self.folder / f"{name}.npy").open("rb"))
        start = _HEADER + tokens.start * width * dtype.itemsize
        got = os.preadv(file.fileno(), [out.data.cast("B")], start) if out.size else 0
        while got < out.nbytes:  # one call reads at most 2 GiB
            more = os.preadv(file.fileno(), [out.data.cast("B")[got:]], start + got)
            if not more:
                raise StoreError(f"The stored pass {self.folder.name} became shorter while in use.")
            got += more
        return out.reshape(-1, *row).astype(np.float32, copy=False)


class Store:
    """The folder of stored passes, and of small tables computed from corpora."""

    def __init__(self, root: Path, budget_bytes: int = 20 * GIGABYTE) -> None:
        self.root, self.budget_bytes = root, budget_bytes
        self._checked: set[tuple[str, str, int]] = set()
        self._opened: Memo[StoredPass] = Memo(16)
        try:
            for part in ("passes", "tables", "locks"):
                (root / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {root} cannot be used ({error.strerror}); name another one with STRATA_CACHE."
            ) from error

    # -- passes --------------------------------------------------------------------------------

    def open(self, key: str, files: Sequence[str] | None = None) -> StoredPass | None:
        """The stored pass ``key``, or None when it is not there or damaged (then it is removed).

        ``files`` are checked against their length and checksum, each once per process; all when None.
        """
        folder = self.root / "passes" / key
        try:
            about = json.loads((folder / "about.json").read_text("utf-8"))
            os.utime(folder / "about.json")
            layout = _layout(about)
            for name in ["tokens", *(layout.files() if files is None else files)]:
                if name in about["files"]:
                    self._check(folder, name, about["files"][name])
            return self._opened.get(
                about["id"],
                lambda: StoredPass(folder, _load_tokens(folder / "tokens.npz"), layout, about),
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            self.discard(key)
            return None

    def fits(self, tokens: int, layout: Layout) -> bool:
        """Whether such a pass may be stored: within the budget, and on the disk once others left."""
        need = tokens * layout.row_bytes()
        held = sum(entry.bytes for entry in self.entries())
        if need > self.budget_bytes or shutil.disk_usage(self.root).free + held - MARGIN <= need:
            return False
        self._make_room(need)
        return shutil.disk_usage(self.root).free - MARGIN > need

    def build(
        self,
        key: str,
        tokens: Tokens,
        layout: Layout,
        run: Callable[[int], Iterator[States]],
        about: dict[str, Any],
        progress: Progress,
    ) -> StoredPass:
        """Run a pass, or the rest of an interrupted one, and keep it.

        ``run(n)`` gives the states of all stored texts from the n-th on. ``progress`` is told how many
        are done; whatever it raises stops the pass, and what is written is kept for the next try.
        """
        partial = self.root / "passes" / f"{key}.partial"
        what = f"Reading sentences with {about['model']}"
        try:
            with _Writer(partial, tokens, layout) as writer:
                for states in run(writer.sentences):
                    writer.append(states)
                    progress(Step(what, states.sentences.stop, tokens.sentences))
                writer.finish(
                    about
                    | {
                        "id": uuid.uuid4().hex,
                        "sentences": tokens.sentences,
                        "tokens": len(tokens),
                        "widths": {str(i): w for i, w in layout.widths.items()},
                        "heads": layout.heads,
                        "storage": layout.storage,
                    }
                )
            final = self.root / "passes" / key
            shutil.rmtree(final, ignore_errors=True)
            partial.rename(final)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                shutil.rmtree(partial, ignore_errors=True)
                raise StoreError(
                    f"The disk of {self.root} is full: this pass needs "
                    f"{len(tokens) * layout.row_bytes() / 1e6:,.0f} MB. Nothing else was lost. Free some "
                    "space (python -m core cache --clear), name another folder with STRATA_CACHE, or set "
                    "STRATA_CACHE_GB lower so that large passes are not kept."
                ) from error
            raise StoreError(f"The pass could not be written to {self.root}: {error}.") from error
        stored = self.open(key, files=[])
        if stored is None:
            raise StoreError(f"The pass just written to {self.root} cannot be read back.")
        for name in stored.about["files"]:  # written a moment ago by this very process
            self._checked.add(self._mark(stored.folder, name))
        return stored

    @contextmanager
    def exclusively(self, key: str, progress: Progress, what: str = "") -> Iterator[None]:
        """Hold the lock of one entry; while another holds it, say so."""
        lock = FileLock(self.root / "locks" / f"{key[:32]}.lock")
        begin = time.perf_counter()
        while True:
            try:
                lock.acquire(timeout=0.25)
                break
            except Timeout:
                waited = int(time.perf_counter() - begin)
                progress(Step(f"Waiting for another visitor who runs {what}: seconds", waited, waited))
        try:
            yield
        finally:
            lock.release()

    # -- small tables ----------------------------------------------------------------------------

    def table(self, key: str, compute: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
        """Arrays computed once and kept; a damaged file, or one that cannot be written, is no harm."""
        path = self.root / "tables" / f"{key}.npz"
        try:
            with np.load(path, allow_pickle=False) as loaded:
                return {name: loaded[name] for name in loaded.files}
        except (OSError, ValueError, KeyError, zlib.error, EOFError):
            pass
        except Exception as error:
            if type(error).__name__ != "BadZipFile":
                raise
        arrays = compute()
        with suppress(OSError), _replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        return arrays

    def digest(self, path: Path) -> str:
        """The sha256 of a file, read once for each length and time of change."""
        stat = path.stat()
        name = f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"
        key = "sha256-" + key_of(name)
        stored = self.table(key, lambda: {"sha256": np.array(_sha256(path))})
        return str(stored["sha256"])

    # -- housekeeping ----------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """All finished passes, most recently used first."""
        found = []
        for folder in (self.root / "passes").iterdir():
            path = folder / "about.json"
            try:
                about = json.loads(path.read_text("utf-8"))
                found.append(Entry(folder.name, _size(folder), path.stat().st_mtime, about))
            except (OSError, ValueError):
                continue
        return sorted(found, key=lambda entry: -entry.used)

    def discard(self, key: str) -> None:
        """Remove one pass, finished or not."""
        for name in (key, f"{key}.partial"):
            shutil.rmtree(self.root / "passes" / name, ignore_errors=True)

    def clear(self) -> int:
        """Remove every pass and table; the number of bytes that were freed."""
        freed = 0
        for part in ("passes", "tables"):
            freed += _size(self.root / part)
            shutil.rmtree(self.root / part, ignore_errors=True)
            (self.root / part).mkdir(parents=True, exist_ok=True)
        return freed

    def _make_room(self, need: int) -> None:
        entries = self.entries()
        held = sum(entry.bytes for entry in entries)
        while entries and (
            held + need > self.budget_bytes or shutil.disk_usage(self.root).free - MARGIN < need
        ):
            oldest = entries.pop()
            held -= oldest.bytes
            self.discard(oldest.key)

    def _mark(self, folder: Path, name: str) -> tuple[str, str, int]:
        return folder.name, name, (folder / _file(name)).stat().st_mtime_ns

    def _check(self, folder: Path, name: str, expected: dict[str, int]) -> None:
        mark = self._mark(folder, name)
        if mark in self._checked:
            return
        path = folder / _file(name)
        if path.stat().st_size != expected["bytes"] or _crc(path) != expected["crc"]:
            raise ValueError(f"{path} is damaged")
        self._checked.add(mark)


class _Writer:
    """Appends batches to a partial entry and keeps its journal."""

    def __init__(self, folder: Path, tokens: Tokens, layout: Layout) -> None:
        self.folder, self.layout = folder, layout
        self.sentences, self.seconds = 0, 0.0
        self._begin = self._last = time.perf_counter()
        state = self._resume()
        folder.mkdir(parents=True, exist_ok=True)
        self._crc: dict[str, int] = {}
        self._files: dict[str, BinaryIO] = {}
        if state is None:
            _save_tokens(folder / "tokens.npz", tokens)
        else:
            self.sentences, self.seconds = state["sentences"], state["seconds"]
        for name, row in layout.files().items():
            path = folder / _file(name)
            file = path.open("wb" if state is None else "r+b")
            if state is None:
                header = _header((len(tokens), *row), layout.storage)
                file.write(header)
                self._crc[name] = zlib.crc32(header)
            else:
                file.truncate(state["files"][name]["bytes"])
                file.seek(0, os.SEEK_END)
                self._crc[name] = state["files"][name]["crc"]
            self._files[name] = file
        self._journal = (folder / "journal.jsonl").open("a" if state else "w", encoding="utf-8")

    def _resume(self) -> dict[str, Any] | None:
        """The journal's last line that the files bear out, or None to begin anew."""
        try:
            lines = (self.folder / "journal.jsonl").read_text("utf-8").splitlines()
        except OSError:
            return None
        for line in reversed(lines):
            try:
                state = json.loads(line)
                kept = state["files"]
                if set(kept) == set(self.layout.files()) and all(
                    (self.folder / _file(n)).stat().st_size >= kept[n]["bytes"] for n in kept
                ):
                    if all(_crc(self.folder / _file(n), kept[n]["bytes"]) == kept[n]["crc"] for n in kept):
                        return dict(state)
                    return None
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return None

    def append(self, states: States) -> None:
        arrays = {layer_file(i): a for i, a in states.layers.items()}
        if states.diagonals is not None:
            arrays["diagonals"] = states.diagonals
        for name, file in self._files.items():
            data = arrays[name].astype(self.layout.storage, copy=False)
            raw = np.ascontiguousarray(data).data.cast("B")
            file.write(raw)
            self._crc[name] = zlib.crc32(raw, self._crc[name])
        self.sentences = states.sentences.stop
        if time.perf_counter() - self._last > JOURNAL_SECONDS:
            self.note()

    def note(self) -> None:
        """Write a journal line that what is in the files bears out."""
        files = {}
        for name, file in self._files.items():
            file.flush()
            files[name] = {"bytes": file.tell(), "crc": self._crc[name]}
        line = {"sentences": self.sentences, "seconds": self._spent(), "files": files}
        self._journal.write(json.dumps(line) + "\n")
        self._journal.flush()
        self._last = time.perf_counter()

    def _spent(self) -> float:
        return self.seconds + time.perf_counter() - self._begin

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the files; after an interruption, first note how far they got."""
        if kind is not None and not issubclass(kind, OSError):
            self.note()
        self._journal.close()
        for file in self._files.values():
            file.close()

    def finish(self, about: dict[str, Any]) -> None:
        """Write what the entry holds; the last thing before its folder gets its final name."""
        files = {}
        for name, file in self._files.items():
            file.flush()
            path = self.folder / _file(name)
            files[name] = {"bytes": path.stat().st_size, "crc": self._crc[name]}
        tokens = self.folder / "tokens.npz"
        files["tokens"] = {"bytes": tokens.stat().st_size, "crc": _crc(tokens)}
        with _replacing(self.folder / "about.json") as temporary:
            line = about | {"seconds": self._spent(), "files": files}
            temporary.write_text(json.dumps(line), "utf-8")
        (self.folder / "journal.jsonl").unlink()


def key_of(*parts: object) -> str:
    """A file name that stands for the content of ``parts``."""
    text = json.dumps([ENGINE, *parts], sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _layout(about: dict[str, Any]) -> Layout:
    widths = {int(i): int(w) for i, w in about["widths"].items()}
    layers, heads = about["heads"]
    return Layout(widths, (int(layers), int(heads)), str(about["storage"]))


def _file(name: str) -> str:
    return "tokens.npz" if name == "tokens" else f"{name}.npy"


def _header(shape: tuple[int, ...], storage: str) -> bytes:
    """An ``.npy`` header of exactly 128 bytes, so that data starts where every reader knows."""
    text = f"{{'descr': '{np.dtype(storage).str}', 'fortran_order': False, 'shape': {shape}, }}"
    return (
        b"\x93NUMPY\x01\x00"
        + (_HEADER - 10).to_bytes(2, "little")
        + text.ljust(_HEADER - 11).encode()
        + b"\n"
    )


def _save_tokens(path: Path, tokens: Tokens) -> None:
    arrays = {name: getattr(tokens, name) for name in _TOKEN_FIELDS}
    arrays["vocabulary_ids"] = np.array(list(tokens.vocabulary), np.int64)
    text = json.dumps(list(tokens.vocabulary.values()))
    arrays["vocabulary"] = np.frombuffer(text.encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def _load_tokens(path: Path) -> Tokens:
    with np.load(path, allow_pickle=False) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    texts = json.loads(arrays.pop("vocabulary").tobytes().decode())
    vocabulary = dict(zip(arrays.pop("vocabulary_ids").tolist(), texts, strict=True))
    return Tokens(**arrays, vocabulary=vocabulary)


def _crc(path: Path, length: int | None = None) -> int:
    crc, left = 0, path.stat().st_size if length is None else length
    with path.open("rb") as file:
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            crc = zlib.crc32(block, crc)
            left -= len(block)
    return crc


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _size(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when the block ends well."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
