"""Corpus files that visitors bring: found by name, and within a budget of bytes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.corpora import bombs
from core.corpora.brought import Draft, name_of, slug, stem_of
from core.corpora.listing import corpora_in
from core.corpora.readings import AnyReading, told
from core.corpora.table_files import ending_of
from core.errors import READ_ONLY, CorpusError
from core.storage.eviction import Used, beyond, moment_of_use
from core.storage.files import replacing
from core.storage.folders import remove, size_of
from core.storage.glance import forget
from core.storage.trouble import trouble

_NAMED = re.compile(r"[\w.-]+-[0-9a-f]{8}")
"""What a link finds a table by: the name it was given, and what tells it from others."""

UNPACKED_TIMES = 10
"""How many times its limit a compressed file may hold."""


@dataclass(frozen=True)
class Uploads:
    """The files that visitors brought.

    Attributes
    ----------
    folder
        Where they are.
    budget_bytes
        Bytes of all files; beyond them those not used for longest go.
    file_bytes
        Bytes of one file.
    closed
        Whether no file is taken any more; those that are there are found.
    """

    folder: Path
    budget_bytes: int
    file_bytes: int
    closed: bool = False

    def corpora(self) -> Mapping[str, Path]:
        """The files by name."""
        return corpora_in(self.folder)

    def draft(
        self, file_name: str, content: bytes, *, texts: bool = False, names: bool | None = None
    ) -> Draft:
        """The table in a file that is brought; nothing is kept. With ``texts`` it may be a text file.

        ``names`` says whether its first line names the columns; None: as it looks.

        Raises :class:`CorpusError` for what is too large, or no table, or where no file is taken.
        """
        if self.closed:
            raise CorpusError(READ_ONLY)
        ending = ending_of(Path(file_name))
        most = min(self.file_bytes, self.budget_bytes)
        if len(content) > most:
            raise CorpusError(f"The file has {_megabytes(len(content))}; allowed is {_megabytes(most)}.")
        bombs.refuse(content, ending, UNPACKED_TIMES * most)
        return Draft.read(file_name, content, texts=texts, names=names)

    def keep(self, draft: Draft, reading: AnyReading) -> str:
        """Keep a table as it is read; what a link finds it by from now on.

        It is read first, so that only a corpus is kept. The same table under the same name, columns and
        scale is found by the same link.

        Raises
        ------
        CorpusError
            No corpus, too large, the folder cannot be written, or no file is taken.
        """
        if self.closed:
            raise CorpusError(READ_ONLY)
        read = draft.corpus(reading)
        fingerprint = read.fingerprint if len(read) else read.labelled_fingerprint
        said = json.dumps([told(reading), draft.file_name, fingerprint, read.split, read.notes])
        name = f"{slug(reading.name)}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"
        path = self.folder / f"{name}.parquet"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                draft.write(temporary, reading)
                if (size := temporary.stat().st_size) > self.budget_bytes:
                    raise CorpusError(
                        f"The table takes {_megabytes(size)}; allowed is {_megabytes(self.budget_bytes)}."
                    )
        except OSError as error:
            raise CorpusError(trouble("The file cannot be kept", self.folder, error)) from error
        forget()
        self.touch(path)
        self._evict(path)
        return name

    def bring(self, file_name: str, content: bytes) -> str:
        """Keep a file whose columns and scale tell themselves; what a link finds it by from now on.

        Raises what :meth:`draft` and :meth:`keep` raise, and :class:`CorpusError` without a column.
        """
        draft = self.draft(file_name, content)
        return self.keep(draft, draft.reading(name_of(stem_of(file_name)) or "file"))

    def touch(self, path: Path) -> None:
        """Count a file as used now; its time of change stays, which tells whether it must be read again."""
        moment = moment_of_use(self.folder, self._uses)
        with suppress(OSError, OverflowError):
            os.utime(path, ns=(moment, path.stat().st_mtime_ns))

    def _uses(self) -> Iterator[int]:
        """When each file was used last, in nanoseconds since 1970."""
        for path in self.corpora().values():
            with suppress(OSError):
                yield path.stat().st_atime_ns

    def size(self) -> int:
        """Bytes of all files."""
        return size_of(self.folder)

    def clear(self) -> int:
        """Remove every file; the number of bytes that were freed."""
        freed = self.size()
        forget()
        for path in self.corpora().values():
            remove(path)
        forget()
        return freed - self.size()

    def _evict(self, newest: Path) -> None:
        """Remove the files not used for longest until all fit; ``newest`` stays."""
        others: list[Used] = []
        for path in self.corpora().values():
            with suppress(OSError):
                stat = path.stat()
                if path != newest:
                    others.append((stat.st_atime_ns, stat.st_size, path))
        for path in beyond(others, self.budget_bytes - size_of(newest)):
            remove(path)
        forget()


def is_brought(name: str) -> bool:
    """Whether a link names a table by this that somebody brought, here or to another server."""
    return _NAMED.fullmatch(name) is not None


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
