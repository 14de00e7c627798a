"""Writing a pass so that it can be resumed.

A pass only ever appends. While it runs, a journal says, batch by batch, how long each file is and what
its checksum is; after a kill the files are cut to the journal's last line and the pass goes on there.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.encoder import States
from core.files import crc_of, npy_header, replacing
from core.stored import Layout, file_name, layer_file, save_tokens
from core.tokens import Tokens

JOURNAL_SECONDS = 1.0
"""Work that a kill may cost."""


class PassWriter:
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
            save_tokens(folder / "tokens.npz", tokens)
        else:
            self.sentences, self.seconds = state["sentences"], state["seconds"]
        for name, row in layout.files().items():
            path = folder / file_name(name)
            file = path.open("wb" if state is None else "r+b")
            if state is None:
                header = npy_header((len(tokens), *row), layout.storage)
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
                if self._long_enough(state["files"]):
                    return dict(state) if self._as_written(state["files"]) else None
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return None

    def _long_enough(self, kept: dict[str, dict[str, int]]) -> bool:
        """Whether the files are those of this layout and no shorter than the journal says."""
        return set(kept) == set(self.layout.files()) and all(
            (self.folder / file_name(name)).stat().st_size >= mark["bytes"] for name, mark in kept.items()
        )

    def _as_written(self, kept: dict[str, dict[str, int]]) -> bool:
        return all(
            crc_of(self.folder / file_name(name), mark["bytes"]) == mark["crc"]
            for name, mark in kept.items()
        )

    def append(self, states: States) -> None:
        """Write one batch to the end of every file."""
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

    def __enter__(self) -> PassWriter:
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
            path = self.folder / file_name(name)
            files[name] = {"bytes": path.stat().st_size, "crc": self._crc[name]}
        tokens = self.folder / "tokens.npz"
        files["tokens"] = {"bytes": tokens.stat().st_size, "crc": crc_of(tokens)}
        with replacing(self.folder / "about.json") as temporary:
            line = about | {"seconds": self._spent(), "files": files}
            temporary.write_text(json.dumps(line), "utf-8")
        (self.folder / "journal.jsonl").unlink()
