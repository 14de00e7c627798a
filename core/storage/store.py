"""The folder of stored passes: one forward pass per model and texts, kept for everyone.

* **Resumable.** While a pass runs its folder is called ``….partial``; see :mod:`core.storage.pass_writer`.
* **Atomic and checked.** A finished folder is renamed. On first use in a process the files that are
  asked for are compared with their length and checksum; a damaged entry is a miss.
* **Shared.** A lock file per entry lets one visitor, or one process, run a pass while the others wait.
* **Under a budget.** Before a pass is stored, entries least recently used make room. Small tables have a
  budget of their own.
"""

from __future__ import annotations

import errno
import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakMethod, WeakValueDictionary

import numpy as np

from core.errors import StoreError, shorten
from core.progress import Progress, Step, silent
from core.settings import GIGABYTE
from core.storage.checked_files import CheckedFiles
from core.storage.damage import whole_or_removed
from core.storage.disk_space import DiskSpace
from core.storage.eviction import ABOUT, count_as_used
from core.storage.files import read_sealed, remove_left, sha256_of, stamp_in
from core.storage.folders import listed, remove, size_of
from core.storage.kept_vectors import PART, KeptVectors
from core.storage.locks import Locks
from core.storage.mapped import Scratch
from core.storage.memo import Memo
from core.storage.pass_writer import JOURNAL, PassWriter
from core.storage.shipped import Shipped
from core.storage.stored_pass import HeldStates, Layout, StoredPass, file_name, layout_of, load_tokens
from core.storage.tables import Arrays, TableKind, Tables
from core.storage.trouble import is_full, log, trouble
from core.tokens import Tokens
from core.tokens.states import States

OPEN_FILES = 256
"""Files of passes that stay open while nobody reads them."""

SHA256 = TableKind("sha256", 1)

DIGESTS_BYTES = 100_000
"""Bytes of memory for the digests of files, about 200 bytes each."""

PARTS = ("passes", "tables", "vectors", PART)
"""The folders of what is stored."""

_OWN = re.compile(r"(?:[a-z0-9-]+-)?[0-9a-f]{40}(?:\.partial|\.npz)?|\.[0-9a-f]{8}\..*\.npz")
"""Names of passes, tables and word vectors, and of those that are being written."""


@dataclass(frozen=True)
class Entry:
    """One stored pass, as ``cache`` lists it."""

    key: str
    bytes: int
    used: float
    about: dict[str, Any]


class Store:
    """The folder of stored passes, and of small tables computed from corpora.

    ``shipped`` is the archive of tables that come with the installation. ``pooled`` keeps vectors of
    texts that take more than ``memory_bytes``, and ``scratch`` has room for such that are not kept.
    ``held_bytes`` of memory are for layers of passes that were read lately.
    """

    def __init__(
        self,
        root: Path,
        budget_bytes: int = 20 * GIGABYTE,
        memory_bytes: int = GIGABYTE // 8,
        shipped: Path | None = None,
        held_bytes: int = 0,
    ) -> None:
        self.root, self.budget_bytes = root, budget_bytes
        self._files, self._locks = CheckedFiles(), Locks(root / "locks")
        self._digests: Memo[str] = Memo(DIGESTS_BYTES)
        self._abouts: dict[tuple[str, int, int], dict[str, Any]] = {}
        self._opened: Memo[StoredPass] = Memo(memory_bytes, _opened_bytes(memory_bytes))
        self.held: Memo[HeldStates] = Memo(held_bytes)
        self._tables = Tables(root / "tables", self.exclusively, Shipped(shipped))
        self._space = DiskSpace(root, budget_bytes, self._release, self._in_use, self.is_held)
        self.pooled = KeptVectors(root, self._space, self.check)
        self.scratch = Scratch(root / PART, memory_bytes)
        self._alive: WeakValueDictionary[str, StoredPass] = WeakValueDictionary()
        self._on_eviction: list[WeakMethod[Callable[[Path], None]]] = []
        try:
            for part in (*PARTS, "locks"):
                (root / part).mkdir(parents=True, exist_ok=True)
                if not os.access(root / part, os.R_OK | os.X_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise StoreError(
                f"The folder {shorten(root)} cannot be used ({error.strerror}); "
                "name another one with STRATA_CACHE."
            ) from error
        for folder in listed(root):
            remove_left(folder)

    # -- passes --------------------------------------------------------------------------------

    def open(self, key: str, files: Sequence[str] | None = None) -> StoredPass | None:
        """The stored pass ``key``, or None when it is not there or damaged (then it is removed).

        ``files`` are checked against their length and checksum, each once per process; all when None.
        Raises :class:`StoreError` when the machine cannot read it now.
        """
        folder = self.root / "passes" / key

        def read() -> StoredPass:
            about = read_sealed(folder / ABOUT)
            count_as_used(folder / ABOUT)
            layout = layout_of(about)
            _require_whole(about, layout)
            if about["key"] != key:
                raise ValueError(f"{folder} is the pass of another key")
            for name in ["tokens", *(layout.files() if files is None else files)]:
                if name in about["files"]:
                    self.check(folder / file_name(name), about["files"][name])
            return self._opened.get(about["id"], lambda: self._open(folder, layout, about))

        return whole_or_removed(folder, read)

    def holds(self, key: str) -> bool:
        """Whether a finished pass ``key`` is there; nothing of it is read or checked."""
        return (self.root / "passes" / key / ABOUT).exists()

    def fits(self, tokens: int, layout: Layout) -> bool:
        """Whether such a pass may be stored: within the budget, and on the disk once others left."""
        return self.has_room(tokens * layout.row_bytes())

    def has_room(self, need: int) -> bool:
        """Whether so many bytes may be kept; what was not used for longest makes room for them."""
        return self._space.has_room(need)

    def shortage(self) -> str:
        """Why there is no room; see :meth:`core.storage.disk_space.DiskSpace.shortage`."""
        return self._space.shortage()

    def build(
        self,
        key: str,
        tokens: Tokens,
        layout: Layout,
        run: Callable[[int], Iterator[States]],
        about: dict[str, Any],
        progress: Progress,
        *,
        before: float = 0.0,
    ) -> StoredPass:
        """Run a pass, or the rest of an interrupted one, and keep it; ``before`` are seconds spent already.

        ``run(n)`` gives the states of all stored texts from the n-th on. ``progress`` receives the number
        of finished texts; an exception in it stops the pass, and finished texts are kept for the next run.
        """
        partial = self.root / "passes" / f"{key}.partial"
        what = f"Reading sentences with {about['model']}"
        try:
            with PassWriter(partial, tokens, layout, before) as writer:
                for states in run(writer.sentences):
                    writer.append(states)
                    stop = states.sentences.stop
                    progress(Step(what, stop, tokens.sentences, share=tokens.share(stop)))
                writer.finish(
                    about
                    | {
                        "id": uuid.uuid4().hex,
                        "key": key,
                        "sentences": tokens.sentences,
                        "tokens": len(tokens),
                        "widths": {str(i): w for i, w in layout.widths.items()},
                        "heads": layout.heads,
                        "storage": layout.storage,
                    }
                )
            final = self.root / "passes" / key
            remove(final)
            partial.rename(final)
            (final / JOURNAL).unlink(missing_ok=True)
        except StoreError:
            remove(partial)
            raise
        except OSError as error:
            if is_full(error):
                remove(partial)
                log("The pass cannot be kept", self.root, error)
                raise StoreError(
                    f"The disk of the store is full: this pass needs "
                    f"{len(tokens) * layout.row_bytes() / 1e6:,.0f} MB. Nothing else was lost. Free some "
                    "space (python -m core cache --clear), name another folder with STRATA_CACHE, or set "
                    "STRATA_CACHE_GB lower so that large passes are not kept."
                ) from error
            raise StoreError(trouble("The pass cannot be kept", self.root, error)) from error
        stored = self.open(key, files=[])
        if stored is None:
            raise StoreError("The pass that was just written to the store cannot be read back.")
        for name in stored.about["files"]:  # this process wrote them a moment ago
            self._files.written(stored.folder / file_name(name))
        return stored

    def exclusively(self, key: str, progress: Progress, what: str = "") -> AbstractContextManager[Path]:
        """Hold the lock of a key; see :meth:`core.storage.locks.Locks.exclusively`."""
        return self._locks.exclusively(key, progress, what)

    def is_held(self, key: str) -> bool:
        """Whether somebody holds the lock of a key now; see :meth:`core.storage.locks.Locks.is_held`."""
        return self._locks.is_held(key)

    # -- small tables ----------------------------------------------------------------------------

    def table(
        self,
        kind: TableKind,
        parts: Sequence[object],
        compute: Callable[[], Arrays],
        progress: Progress = silent,
        what: str = "the same computation",
    ) -> Arrays:
        """Arrays computed once and kept; two visitors who ask at the same time share one computation.

        A damaged file is computed anew; a file that cannot be written is not kept.

        Parameters
        ----------
        kind
            What computes them; its version and those of its libraries are part of the key.
        parts
            What else they depend on, as values that JSON can spell, and nothing more.
        compute
            Called when they are not kept.
        progress, what
            ``progress`` is called while another visitor computes them; ``what`` names the computation.
        """
        return self._tables.get(kind.key(parts), compute, progress, what)

    def has_table(self, kind: TableKind, parts: Sequence[object]) -> bool:
        """Whether such arrays are kept; they are not read."""
        return self._tables.has(kind.key(parts))

    def find_table(self, kind: TableKind, parts: Sequence[object]) -> Arrays | None:
        """The arrays that are kept; None when nothing is, or it is damaged."""
        return self._tables.find(kind.key(parts))

    def put_table(self, kind: TableKind, parts: Sequence[object], arrays: Arrays) -> None:
        """Keep arrays that are computed already."""
        self._tables.put(kind.key(parts), arrays)

    def digest(self, path: Path) -> str:
        """The sha256 of a file, read once for each of its stamps."""
        stat = path.stat()
        number, size, changed = stamp_in(stat)
        state = f"{size} {changed} {number}"
        return self._digests.get((str(path), stat.st_dev, state), lambda: self._kept_digest(path, state))

    def _kept_digest(self, path: Path, state: str) -> str:
        """The sha256 of a file in that state, kept for other processes."""
        name = f"{path.resolve()} {state}"
        return str(self.table(SHA256, [name], lambda: {"sha256": np.array(sha256_of(path))})["sha256"])

    # -- housekeeping ----------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """All finished passes, most recently used first."""
        entries = []
        for folder in listed(self.root / "passes"):
            path = folder / ABOUT
            with suppress(OSError, ValueError):
                about = read_sealed(path)
                entries.append(Entry(folder.name, size_of(folder), path.stat().st_mtime, about))
        return sorted(entries, key=lambda entry: -entry.used)

    def abouts(self) -> list[dict[str, Any]]:
        """What each finished pass is of, in no order.

        No size is measured, and a file that stays is read once: that it is used changes its time alone.
        """
        known, abouts = self._abouts, {}
        for folder in listed(self.root / "passes"):
            path = folder / ABOUT
            with suppress(OSError, ValueError):
                stat = path.stat()
                name = str(path), stat.st_ino, stat.st_size
                abouts[name] = known[name] if name in known else read_sealed(path)
        self._abouts = abouts
        return list(abouts.values())

    def discard(self, key: str) -> None:
        """Remove one pass, finished or not."""
        for name in (key, f"{key}.partial"):
            self._space.remove(self.root / "passes" / name)

    def clear(self) -> int:
        """Remove every pass, table and word vector; the number of bytes that were freed.

        Files that the store has not made, by their names, stay.
        """
        freed = 0
        for path in [p for part in PARTS for p in listed(self.root / part) if _OWN.fullmatch(p.name)]:
            held = size_of(path)
            self._release(path)
            remove(path)
            freed += held - size_of(path)
        return freed

    def on_eviction(self, release: Callable[[Path], None]) -> None:
        """Call ``release`` with the folder of passes or word vectors before it is removed.

        ``release`` lets go of the objects in memory that read the folder's files and that nobody uses now,
        so that the space on the disk is freed. It is a method of an object, which the store does not keep
        alive: an engine without results (:meth:`core.pipeline.engine.Engine.without_results`) is one of
        many on a store, and goes with all that it holds.
        """
        self._on_eviction.append(WeakMethod(release, self._on_eviction.remove))

    def check(self, path: Path, mark: Mapping[str, int]) -> None:
        """Compare a file with its mark; see :class:`core.storage.checked_files.CheckedFiles`."""
        self._files.check(path, mark)

    def _open(self, folder: Path, layout: Layout, about: dict[str, Any]) -> StoredPass:
        stored = StoredPass(folder, load_tokens(folder / "tokens.npz"), layout, about, self.held)
        self._alive[str(folder)] = stored
        return stored

    def _in_use(self, folder: Path) -> bool:
        return str(folder) in self._alive

    def _release(self, folder: Path) -> None:
        """Close the files of a folder that nobody reads now; those in use stay readable."""
        self._opened.forget(lambda stored: stored.folder == folder)
        self.held.forget(lambda held: held.folder == folder)
        for method in tuple(self._on_eviction):
            if (release := method()) is not None:
                release(folder)


def _require_whole(about: Mapping[str, Any], layout: Layout) -> None:
    """Refuse an entry whose files have another length than its tokens and its layout give them."""
    for name, length in layout.file_bytes(about["tokens"]).items():
        if about["files"][name]["bytes"] != length:
            raise ValueError(f"{file_name(name)} does not hold {about['tokens']:,} tokens")


def _opened_bytes(limit: int) -> Callable[[StoredPass], int]:
    """Sizes of opened passes such that neither their tokens exceed ``limit`` nor their files a number."""

    def size(stored: StoredPass) -> int:
        tokens = stored.tokens.bytes_in_memory
        return max(tokens, limit * len(stored.layout.files()) // OPEN_FILES)

    return size
