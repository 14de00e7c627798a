"""Benchmarks from the hub as files of a data folder, for machines that have no network later."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.corpora.catalogue import Catalogue
from core.corpora.corpus import Corpus
from core.corpora.hub_sets import HUB
from core.errors import CorpusError, StrataError, closest, counted, shorten
from core.storage.files import replacing
from core.storage.hub import DownloadRequiredError
from core.trust import Trust

FILES = {
    **{f"sts{year}": f"STS{year}" for year in (12, 13, 14, 15, 16)},
    "stsb": "STS-B",
    "sickr": "SICK",
    "str2022": "STR-2022",
}
"""What the file of each benchmark is called, as papers call the set."""


@dataclass(frozen=True)
class Fetched:
    """A benchmark as a file; ``new`` says whether it was written just now."""

    path: Path
    pairs: int
    origin: str
    new: bool


def check_benchmark(name: str) -> str:
    """``name`` if the hub has a benchmark of that name, else a :class:`CorpusError`."""
    if name not in HUB:
        allowed = ", ".join(HUB)
        raise CorpusError(f"There is no benchmark {shorten(name)}.{closest(name, HUB)} Allowed: {allowed}.")
    return name


def path_of(name: str, folder: Path) -> Path:
    """Where the file of a benchmark lies in a data folder."""
    return folder / "sts" / f"{FILES[check_benchmark(name)]}.tsv.gz"


def bytes_to_fetch(name: str, folder: Path) -> int:
    """The bytes that fetching would download; 0 where the file, or the download, is on this machine.

    Raises
    ------
    CorpusError
        No such benchmark, or the hub is out of reach.
    """
    if path_of(name, folder).is_file():
        return 0
    try:
        Catalogue(trust=Trust(downloads=False)).load(name)
    except DownloadRequiredError as error:
        return error.bytes
    return 0


def fetch(name: str, folder: Path) -> Fetched:
    """Write a benchmark of the hub into a data folder, with all its splits; one that is there is kept.

    Files that an interrupted download finished are kept in the hub's cache, and a connection that breaks is
    taken up where it broke; the file in the folder is written whole or not at all.

    Raises
    ------
    CorpusError
        No such benchmark, or the hub is out of reach.
    StrataError
        The folder cannot be written.
    """
    path = path_of(name, folder)
    if path.is_file():
        return Fetched(path, 0, "", new=False)
    corpus = Catalogue().load(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            _table(corpus).to_csv(temporary, sep="\t", index=False, quoting=csv.QUOTE_MINIMAL)
    except OSError as error:
        raise StrataError(f"{shorten(path)} cannot be written: {error.strerror}.") from error
    return Fetched(path, len(corpus), corpus.origin, new=True)


def listed_benchmarks(catalogue: Catalogue) -> list[str]:
    """A line for each benchmark: its name, its file, its scale, the data set, and whether it is here."""
    return [
        f"{name:<10} {FILES[name]:<10} {low:g} to {high:g}  hub: {hub:<24} "
        f"{'here' if catalogue.is_here(name) else ''}".rstrip()
        for name, (hub, (low, high)) in HUB.items()
    ]


def fetching(names: Sequence[str], folder: Path, *, sizes: bool = False) -> Iterator[str]:
    """Fetch benchmarks: a line for each with what it will download, then one for each that was written.

    The folder is made where it is not there. ``sizes`` ends after the first lines, and makes nothing.

    Raises what :func:`bytes_to_fetch` and :func:`fetch` raise, and :class:`StrataError` for a folder that
    cannot be made.
    """
    needed = {check_benchmark(name): bytes_to_fetch(name, folder) for name in names}
    for name, size in needed.items():
        there = path_of(name, folder).is_file()
        yield f"{name:<10} {'there' if there else f'{size / 1e6:,.1f} MB to download'}"
    if sizes:
        return
    _make(folder)
    for name in needed:
        if (fetched := fetch(name, folder)).new:
            yield f"{counted(fetched.pairs, 'pair')} in {fetched.path} ({fetched.origin})"


def _make(folder: Path) -> None:
    """Make a data folder, before anything is downloaded for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StrataError(f"The data folder {shorten(folder)} cannot be made: {why}.") from error


def _table(corpus: Corpus) -> pd.DataFrame:
    """The pairs as a data folder has them, on the scale of the benchmark."""
    columns = {
        "split": corpus.split,
        "subset": corpus.subset,
        "sentence1": [corpus.sentences[i] for i in corpus.first],
        "sentence2": [corpus.sentences[i] for i in corpus.second],
        "score": corpus.gold,
    }
    return pd.DataFrame(columns).drop(
        columns=[name for name in ("split", "subset") if not any(columns[name])]
    )
