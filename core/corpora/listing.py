"""The corpus files of a folder by name, and what kind each is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pandas as pd

from core.corpora.columns import LABELLED, find_column
from core.corpora.table_files import ENDINGS, TEXTS, ending_of, header_of
from core.storage.files import Stamp, stamp_of
from core.storage.glance import at_a_glance

PARTS = {"": "", "sts": "sts", "corpus": "", **{t: t for t in ("clustering", "classification", "probing")}}
"""The folders of a data folder, and the task that the files of each are for."""

SETTLED = 2_000_000_000
"""Nanoseconds after which another change of a folder is sure to give it another time."""


def corpora_in(folder: Path | None) -> Mapping[str, Path]:
    """Corpus files by name, in a folder and its :data:`PARTS`; not to be changed."""
    return {} if folder is None else _corpora_in(folder)


@at_a_glance
def _corpora_in(folder: Path) -> Mapping[str, Path]:
    return _by_name(tuple(_files(part, probing) for part, probing in _parts(folder)))


@lru_cache(maxsize=64)
def _parts(folder: Path) -> tuple[tuple[Path, bool], ...]:
    """A folder and its :data:`PARTS`, each with whether it is SentEval's for probing."""
    return tuple((folder / part, part == "probing") for part in PARTS)


@lru_cache(maxsize=64)
def _by_name(parts: tuple[tuple[Path, ...], ...]) -> Mapping[str, Path]:
    """Files by the names of their corpora."""
    return {path.name[: -len(ending_of(path))]: path for path in sorted(chain.from_iterable(parts))}


def _files(folder: Path, probing: bool) -> tuple[Path, ...]:
    """The corpus files in a folder; it is listed anew when it changed, or did so within :data:`SETTLED`.

    None of one that is not there or cannot be looked at.
    """
    try:
        stat = folder.stat()
        list_ = _listed if time.time_ns() - stat.st_mtime_ns > SETTLED else _listed.__wrapped__
        return list_(folder, probing, stat.st_mtime_ns, stat.st_ino)
    except OSError:
        return ()


@lru_cache(maxsize=64)
def _listed(folder: Path, probing: bool, changed: int, inode: int) -> tuple[Path, ...]:
    if not folder.is_dir():
        return ()
    return tuple(
        path
        for path in folder.iterdir()
        if path.is_file()
        and path.name.lower().endswith(ENDINGS)
        and path.name[0] != "."
        and not (probing and ending_of(path).startswith(TEXTS))  # SentEval's tables end in .txt
    )


def kind_of(path: Path) -> str:
    """What a corpus file holds, by its ending and its header: texts, labelled, or else pairs."""
    if ending_of(path).startswith(TEXTS):
        return "texts"
    return _kind_of_table(path, stamp_of(path))


@lru_cache(maxsize=1024)
def _kind_of_table(path: Path, stamp: Stamp) -> str:
    """What a table holds, by its header; a changed file is read again."""
    table = pd.DataFrame(columns=list(header_of(path)))
    is_scored = find_column(table, "score") is not None
    return "labelled" if not is_scored and find_column(table, "label", LABELLED) is not None else "pairs"
