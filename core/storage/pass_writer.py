"""Writing a pass so that an interrupted one is resumed.

A pass only appends. While it runs, a journal records the last whole batch: the length of each file and the
checksum of its bytes so far. A resumed pass cuts the files to the journal's last line and goes on there, so
an interruption between the files of one batch loses that batch alone.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.errors import StoreError
from core.storage.damage import TROUBLES
from core.storage.eviction import ABOUT
from core.storage.files import crc_of, npy_header, write_sealed
from core.storage.folders import remove
from core.storage.stored_pass import Layout, file_name, layer_file, save_tokens
from core.tokens import Tokens
from core.tokens.states import States

JOURNAL = "journal.jsonl"

JOURNAL_SECONDS = 1.0
"""Seconds of work that a kill may cost."""

Mark = dict[str, int]
"""The ``bytes`` of a file and the ``crc`` of these bytes."""


@dataclass(frozen=True)
class _Progress:
    """The sentences whose states are in every file, and the marks of the files at their end."""

    sentences: int
    marks: dict[str, Mark]


class PassWriter:
    """Appends batches to a partial entry and keeps its journal."""

    def __init__(self, folder: Path, tokens: Tokens, layout: Layout, seconds: float = 0.0) -> None:
        self.folder, self.layout = folder, layout
        self._file_bytes = layout.file_bytes(len(tokens))
        self._seconds = seconds
        self._threads = ThreadPoolExecutor()
        self._begin = self._noted = time.perf_counter()
        state = self._resume()
        self._files: dict[str, BinaryIO] = {}
        if state is None:
            remove(folder)
            folder.mkdir(parents=True)
            save_tokens(folder / "tokens.npz", tokens)
            self._whole = _Progress(0, self._create(len(tokens)))
        else:
            self._seconds = state["seconds"]
            self._whole = _Progress(state["sentences"], state["files"])
            self._truncate()
        self._journal = (folder / JOURNAL).open("a" if state else "w", encoding="utf-8")

    @property
    def sentences(self) -> int:
        """The number of stored texts whose states are written."""
        return self._whole.sentences

    def _create(self, tokens: int) -> dict[str, Mark]:
        """Begin every file with its header."""
        marks = {}
        for name, row in self.layout.files().items():
            self._files[name] = (self.folder / file_name(name)).open("wb")
            header = npy_header((tokens, *row), self.layout.storage)
            self._files[name].write(header)
            marks[name] = {"bytes": len(header), "crc": zlib.crc32(header)}
        return marks

    def _truncate(self) -> None:
        """Open every file at the end of the last whole batch."""
        for name, mark in self._whole.marks.items():
            self._files[name] = (self.folder / file_name(name)).open("r+b")
            self._files[name].truncate(mark["bytes"])
            self._files[name].seek(0, os.SEEK_END)

    def _resume(self) -> dict[str, Any] | None:
        """The journal's last line that agrees with the files, or None to begin anew.

        Raises :class:`OSError` for :data:`~core.storage.damage.TROUBLES`: what was read may be whole.
        """
        try:
            lines = (self.folder / JOURNAL).read_text("utf-8").splitlines()
        except OSError as error:
            if error.errno in TROUBLES:
                raise
            return None
        for line in reversed(lines):
            try:
                state = json.loads(line)
                if self._long_enough(state["files"]):
                    return dict(state) if self._checksums_agree(state["files"]) else None
            except OSError as error:
                if error.errno in TROUBLES:
                    raise
            except (ValueError, KeyError, TypeError):
                continue
        return None

    def _long_enough(self, marks: dict[str, Mark]) -> bool:
        """Whether the files are those of this layout and no shorter than the journal records."""
        return set(marks) == set(self.layout.files()) and all(
            (self.folder / file_name(name)).stat().st_size >= mark["bytes"] for name, mark in marks.items()
        )

    def _checksums_agree(self, marks: dict[str, Mark]) -> bool:
        return all(
            crc_of(self.folder / file_name(name), mark["bytes"]) == mark["crc"]
            for name, mark in marks.items()
        )

    def append(self, states: States) -> None:
        """Write one batch to the end of every file; several files are written at once."""
        arrays = {layer_file(i): a for i, a in states.layers.items()}
        if states.diagonals is not None:
            arrays["diagonals"] = states.diagonals
        marks = self._threads.map(self._lengthen, self._files, [arrays[name] for name in self._files])
        whole = dict(zip(self._files, marks, strict=True))
        self._whole = _Progress(states.sentences.stop, whole)  # one assignment: the batch counts or not
        if time.perf_counter() - self._noted > JOURNAL_SECONDS:
            self.note()

    def _lengthen(self, name: str, array: np.ndarray) -> Mark:
        """Write rows to the end of a file; its mark with them."""
        before = self._whole.marks[name]
        raw = np.ascontiguousarray(array.astype(self.layout.storage, copy=False)).data.cast("B")
        self._files[name].write(raw)
        return {"bytes": before["bytes"] + raw.nbytes, "crc": zlib.crc32(raw, before["crc"])}

    def note(self) -> None:
        """Write a journal line for the last whole batch."""
        whole = self._whole
        for file in self._files.values():
            file.flush()
        line = {"sentences": whole.sentences, "seconds": self._spent(), "files": whole.marks}
        self._journal.write(json.dumps(line) + "\n")
        self._journal.flush()
        self._noted = time.perf_counter()

    def _spent(self) -> float:
        return self._seconds + time.perf_counter() - self._begin

    def __enter__(self) -> PassWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the files once no thread writes; after an interruption, first note the last whole batch."""
        try:
            self._threads.shutdown(cancel_futures=True)
            if kind is not None and not issubclass(kind, OSError):
                self.note()
        finally:
            self._journal.close()
            for file in self._files.values():
                file.close()

    def finish(self, about: dict[str, Any]) -> None:
        """Write ``about.json``, after which the folder may get its final name.

        Raises :class:`StoreError` when a file does not hold exactly one row per token.
        """
        self.note()
        marks = dict(self._whole.marks)
        for name in self._files:
            length = (self.folder / file_name(name)).stat().st_size
            if not length == marks[name]["bytes"] == self._file_bytes[name]:
                raise StoreError(
                    f"The pass was not written completely: {file_name(name)} has {length:,} bytes instead "
                    f"of {self._file_bytes[name]:,}. Nothing of it is kept; run it again."
                )
        tokens = self.folder / "tokens.npz"
        marks["tokens"] = {"bytes": tokens.stat().st_size, "crc": crc_of(tokens)}
        write_sealed(self.folder / ABOUT, about | {"seconds": self._spent(), "files": marks})
