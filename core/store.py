"""The folder of stored passes: one forward pass per model and texts, kept for everyone.

* **Resumable.** While a pass runs its folder is called ``….partial``; see :mod:`core.journal`.
* **Atomic and checked.** A finished folder is renamed. On first use in a process the files that are
  asked for are compared with their length and checksum; a damaged entry is a miss.
* **Shared.** A lock file per entry lets one visitor, or one process, run a pass while the others wait.
* **Under a budget.** Before a pass is stored, entries least recently used make room. Small tables have a
  budget of their own.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from filelock import FileLock, Timeout

from core.encoder import States
from core.errors import StoreError
from core.files import crc_of, replacing, sha256_of, size_of
from core.journal import PassWriter
from core.memo import Memo
from core.progress import Progress, Step
from core.settings import GIGABYTE
from core.stored import Layout, StoredPass, file_name, layout_of, load_tokens
from core.tokens import Tokens

ENGINE = 2
"""Version of what is stored; raising it makes every stored pass a miss."""

MARGIN = 200_000_000
"""Bytes that a pass leaves free on the disk."""

TABLES_BYTES = 2 * GIGABYTE
"""Bytes of small tables that are kept; beyond them those least recently used go."""

ABANDONED_SECONDS = 7 * 24 * 3600
"""Age at which an interrupted pass that nobody took up again is removed."""


@dataclass(frozen=True)
class Entry:
    """One stored pass, as ``cache`` lists it."""

    key: str
    bytes: int
    used: float
    about: dict[str, Any]


class Store:
    """The folder of stored passes, and of small tables computed from corpora."""

    def __init__(self, root: Path, budget_bytes: int = 20 * GIGABYTE) -> None:
        self.root, self.budget_bytes = root, budget_bytes
        self._checked: set[tuple[str, str, int]] = set()
        self._opened: Memo[StoredPass] = Memo(16)
        self._written = 0
        try:
            for part in ("passes", "tables", "vectors", "locks"):
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
            layout = layout_of(about)
            for name in ["tokens", *(layout.files() if files is None else files)]:
                if name in about["files"]:
                    self._check(folder, name, about["files"][name])
            return self._opened.get(
                about["id"],
                lambda: StoredPass(folder, load_tokens(folder / "tokens.npz"), layout, about),
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            shutil.rmtree(folder, ignore_errors=True)
            return None

    def holds(self, key: str) -> bool:
        """Whether a finished pass ``key`` is there; nothing of it is read or checked."""
        return (self.root / "passes" / key / "about.json").exists()

    def fits(self, tokens: int, layout: Layout) -> bool:
        """Whether such a pass may be stored: within the budget, and on the disk once others left."""
        return self.has_room(tokens * layout.row_bytes())

    def has_room(self, need: int) -> bool:
        """Whether so many bytes may be kept; what was not used for longest makes room for them."""
        held = sum(size for _, size, _ in self._kept())
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
            with PassWriter(partial, tokens, layout) as writer:
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
                arrays = {name: loaded[name] for name in loaded.files}
            with suppress(OSError):
                os.utime(path)
            return arrays
        except (OSError, ValueError, KeyError, EOFError, zlib.error, BadZipFile):
            pass
        arrays = compute()
        with suppress(OSError), replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        self._written += sum(array.nbytes for array in arrays.values())
        if self._written > TABLES_BYTES // 20:  # looking through all of them now and then is enough
            self._written = 0
            self._trim_tables()
        return arrays

    def has_table(self, key: str) -> bool:
        """Whether arrays are kept under ``key``; they are not read."""
        return (self.root / "tables" / f"{key}.npz").exists()

    def digest(self, path: Path) -> str:
        """The sha256 of a file, read once for each length and time of change."""
        stat = path.stat()
        name = f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"
        key = "sha256-" + key_of(name)
        stored = self.table(key, lambda: {"sha256": np.array(sha256_of(path))})
        return str(stored["sha256"])

    # -- housekeeping ----------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """All finished passes, most recently used first."""
        found = []
        for folder in (self.root / "passes").iterdir():
            path = folder / "about.json"
            try:
                about = json.loads(path.read_text("utf-8"))
                found.append(Entry(folder.name, size_of(folder), path.stat().st_mtime, about))
            except (OSError, ValueError):
                continue
        return sorted(found, key=lambda entry: -entry.used)

    def discard(self, key: str) -> None:
        """Remove one pass, finished or not."""
        for name in (key, f"{key}.partial"):
            shutil.rmtree(self.root / "passes" / name, ignore_errors=True)

    def clear(self) -> int:
        """Remove every pass, table and word vector; the number of bytes that were freed."""
        freed = 0
        for part in ("passes", "tables", "vectors"):
            freed += size_of(self.root / part)
            shutil.rmtree(self.root / part, ignore_errors=True)
            (self.root / part).mkdir(parents=True, exist_ok=True)
        return freed

    def _kept(self) -> list[tuple[float, int, Path]]:
        """Passes and word vectors: when they were last used, their bytes, their folder; oldest first."""
        found = []
        for about in (p for part in ("passes", "vectors") for p in (self.root / part).glob("*/about.json")):
            with suppress(OSError):
                found.append((about.stat().st_mtime, size_of(about.parent), about.parent))
        return sorted(found)

    def _make_room(self, need: int) -> None:
        for part in ("passes", "vectors"):
            for partial in (self.root / part).glob("*.partial"):
                with suppress(OSError):
                    if time.time() - partial.stat().st_mtime > ABANDONED_SECONDS:
                        shutil.rmtree(partial, ignore_errors=True)
        kept = self._kept()
        held = sum(size for _, size, _ in kept)
        for _, size, folder in kept:
            if held + need <= self.budget_bytes and shutil.disk_usage(self.root).free - MARGIN >= need:
                return
            held -= size
            shutil.rmtree(folder, ignore_errors=True)

    def _trim_tables(self) -> None:
        found = []
        for path in (self.root / "tables").glob("*.npz"):
            with suppress(OSError):
                stat = path.stat()
                found.append((stat.st_mtime, stat.st_size, path))
        held = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if held <= TABLES_BYTES:
                return
            held -= size
            path.unlink(missing_ok=True)

    def _mark(self, folder: Path, name: str) -> tuple[str, str, int]:
        return folder.name, name, (folder / file_name(name)).stat().st_mtime_ns

    def _check(self, folder: Path, name: str, expected: dict[str, int]) -> None:
        mark = self._mark(folder, name)
        if mark in self._checked:
            return
        path = folder / file_name(name)
        if path.stat().st_size != expected["bytes"] or crc_of(path) != expected["crc"]:
            raise ValueError(f"{path} is damaged")
        self._checked.add(mark)


def key_of(*parts: object) -> str:
    """A file name that stands for the content of ``parts``."""
    text = json.dumps([ENGINE, *parts], sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]
