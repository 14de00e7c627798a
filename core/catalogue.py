"""Corpora by name: the built-in one, those of a data folder, the hub's benchmarks, and files."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pandas as pd

from core.corpus import Corpus
from core.errors import CorpusError, closest, first_line, shorten
from core.files import replacing
from core.hub import HubError, snapshot
from core.tables import ENDINGS, SCALE, TEXTS, ending_of, pairs_from, read_corpus

DEMO = "demo"

HUB = {
    "sts12": ("mteb/sts12-sts", SCALE),
    "sts13": ("mteb/sts13-sts", SCALE),
    "sts14": ("mteb/sts14-sts", SCALE),
    "sts15": ("mteb/sts15-sts", SCALE),
    "sts16": ("mteb/sts16-sts", SCALE),
    "stsb": ("mteb/stsbenchmark-sts", SCALE),
    "sickr": ("mteb/sickr-sts", (1.0, 5.0)),
}
"""The standard benchmarks: their data set on the hub, and the range of their scores."""

_DATA = "*.[jptc]*"  # json, jsonl, parquet, tsv, csv: a cache that holds none of them is no data set
_FILES = ("*.md", "*.json", "*.jsonl", "*.jsonl.gz", "*.parquet", "*.tsv", "*.csv")
_SPLITS = {"validation": "dev"}


@dataclass(frozen=True)
class Listed:
    """A corpus that can be had by name."""

    name: str
    kind: str
    origin: str


@dataclass(frozen=True)
class Catalogue:
    """Finds corpora.

    ``data`` is a folder with ``sts/NAME.tsv.gz`` and ``corpus/NAME.txt.gz``; ``uploads`` one with files
    that visitors brought, which are found by name but not listed; ``paths`` lets a name be a path.
    """

    data: Path | None = None
    uploads: Path | None = None
    paths: bool = True

    def listed(self) -> list[Listed]:
        """Every corpus with a name, those that need no network first."""
        found = [Listed(DEMO, "pairs", "built in")]
        for name, path in _corpora_in(self.data).items():
            kind = "texts" if ending_of(path).startswith(TEXTS) else "pairs"
            found.append(Listed(name, kind, f"data folder: {path.relative_to(self.data or path.parent)}"))
        return found + [Listed(name, "pairs", f"hub: {hub}") for name, (hub, _) in HUB.items()]

    def load(self, name: str, scale: tuple[float, float] | None = None) -> Corpus:
        """The corpus called ``name``: ``demo``, a name in the data folder, a hub benchmark, a path.

        Raises
        ------
        CorpusError
            No such corpus, or the hub is out of reach; the message names what there is.
        """
        if name == DEMO:
            return demo()
        folder = self._in_folder()
        if name in folder:
            return read_corpus(folder[name], name, scale or SCALE)
        if name in HUB:
            return self._from_hub(name, scale)
        path = Path(name).expanduser()
        if self.paths and (path.is_file() or name.lower().endswith(ENDINGS)):
            return read_corpus(path, scale=scale or SCALE)
        allowed = [entry.name for entry in self.listed()]
        also = f", or the path of a file ({', '.join(ENDINGS[::2])})" if self.paths else ""
        raise CorpusError(
            f"There is no corpus {shorten(name)}.{closest(name, allowed)} "
            f"Allowed: {', '.join(allowed)}{also}."
        )

    def bring(self, file_name: str, content: bytes) -> str:
        """Keep a file that a visitor brought; the name it is found by from now on.

        The file is read first, so that only a corpus is kept; the same content gets the same name.
        """
        if self.uploads is None:
            raise CorpusError("This installation keeps no files of visitors.")
        ending = ending_of(Path(file_name))
        stem = re.sub(r"[^\w.-]+", "-", Path(file_name).name.removesuffix(ending)).strip("-.")[:40]
        name = f"{stem or 'file'}-{hashlib.sha256(content).hexdigest()[:8]}"
        self.uploads.mkdir(parents=True, exist_ok=True)
        path = self.uploads / f"{name}{ending}"
        with replacing(path) as temporary:
            temporary.write_bytes(content)
            read_corpus(temporary, name)
        return name

    def stamp(self, name: str) -> tuple[str, int, int]:
        """A name that changes when the corpus' file does."""
        path = self._in_folder().get(name) or Path(name).expanduser()
        if name == DEMO or name in HUB or not path.is_file():
            return name, 0, 0
        stat = path.stat()
        return str(path.resolve()), stat.st_size, stat.st_mtime_ns

    def holds(self, name: str) -> bool:
        """Whether ``name`` is a listed corpus rather than a path."""
        return name == DEMO or name in HUB or name in self._in_folder()

    def _in_folder(self) -> dict[str, Path]:
        return _corpora_in(self.uploads) | _corpora_in(self.data)

    def _from_hub(self, name: str, scale: tuple[float, float] | None) -> Corpus:
        hub, own_scale = HUB[name]
        here = ", ".join([DEMO, *_corpora_in(self.data)])
        try:
            table, revision = _download(hub)
        except HubError as error:
            advice = f"What works without network: {here}, or the path of a file."
            raise CorpusError(f"{name}: {error} {advice}") from error
        return pairs_from(table, name, f"hub: {hub}@{revision}", scale or own_scale)


def _corpora_in(folder: Path | None) -> dict[str, Path]:
    """Corpus files by name, in a folder and its parts ``sts`` and ``corpus``."""
    if folder is None:
        return {}
    paths = sorted(
        path
        for part in (folder, folder / "sts", folder / "corpus")
        if part.is_dir()
        for path in part.iterdir()
        if path.is_file() and path.name.lower().endswith(ENDINGS) and path.name[0] != "."
    )
    return {path.name[: -len(ending_of(path))]: path for path in paths}


def demo() -> Corpus:
    """The demonstration corpus, written and scored for this project (``core/data/README.md``)."""
    with as_file(files("core") / "data" / "demo.tsv") as path:
        loaded = read_corpus(path, DEMO)
    note = (
        "A demonstration, written and scored by one author of this project: "
        "see how recipes differ on it, and report results on a benchmark."
    )
    return Corpus(**{**vars(loaded), "origin": "built in", "notes": (note,)})


def _download(hub: str) -> tuple[pd.DataFrame, str]:
    """All splits of a hub data set as one table, and the commit they are of."""
    from datasets import disable_progress_bars, load_dataset

    folder = snapshot(hub, "dataset", _FILES, needed=(_DATA,))
    disable_progress_bars()
    try:
        found: Any = load_dataset(str(folder))
    except Exception as error:  # the library and its readers raise many kinds
        raise HubError(f"The files of {hub!r} in {folder} cannot be read: {first_line(error)}.") from error
    tables = [found[split].to_pandas().assign(split=_SPLITS.get(split, split)) for split in found]
    return pd.concat(tables, ignore_index=True), folder.name[:12]
