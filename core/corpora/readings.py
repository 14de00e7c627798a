"""How a table that a visitor brings is read: as pairs, labelled texts or texts, and by which columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from core.corpora.corpus import Corpus
from core.corpora.first_line import NO_NAMES
from core.corpora.tables import corpus_of_lines, labelled_from, pairs_from
from core.errors import shorten

PAIR = ("sentence1", "sentence2", "score")
"""The columns that a table of pairs must have."""

PARTED = ("subset", "split")
"""The columns that it may have, by which its pairs are parted."""


@dataclass(frozen=True)
class Reading:
    """How a table is read: its name, which column is what, and the scale of its scores.

    ``subset`` and ``split`` are the columns that are called so where they are None, and none where empty.
    ``names`` is whether the first line of the file names the columns; else it is a row, here and below.
    """

    name: str
    sentence1: str
    sentence2: str
    score: str
    scale: tuple[float, float]
    subset: str | None = None
    split: str | None = None
    names: bool = True


@dataclass(frozen=True)
class LabelledReading:
    """How a table of labelled texts is read; ``text2`` is empty where a row has one text."""

    name: str
    text: str
    label: str
    text2: str = ""
    names: bool = True


@dataclass(frozen=True)
class TextsReading:
    """How a table, or a file of one text a line, is read as texts: to learn from, as a reference."""

    name: str
    text: str
    names: bool = True


AnyReading = Reading | LabelledReading | TextsReading


def told(reading: AnyReading) -> dict[str, Any]:
    """How a table is read, as it is kept and linked; that its first line has names goes unsaid."""
    return {name: value for name, value in asdict(reading).items() if name != "names" or not value}


def of_told(said: Mapping[str, Any]) -> AnyReading:
    """The reading that :func:`told` told."""
    if "label" in said:
        return LabelledReading(**said)
    if "text" in said:
        return TextsReading(**said)
    low, high = said["scale"]
    return Reading(**{**said, "scale": (low, high)})


def corpus_of(table: pd.DataFrame, reading: AnyReading, file_name: str) -> Corpus:
    """The corpus in a table whose columns are called as a corpus calls them.

    Raises :class:`CorpusError` where that gives no corpus.
    """
    corpus = _corpus(table, reading, f"file {file_name}", file_name)
    return corpus if reading.names else replace(corpus, notes=(NO_NAMES, *corpus.notes))


def _corpus(table: pd.DataFrame, reading: AnyReading, origin: str, file_name: str) -> Corpus:
    if isinstance(reading, TextsReading):
        return corpus_of_lines(table["text1"].map(str).tolist(), reading.name, origin, shorten(file_name))
    if isinstance(reading, LabelledReading):
        return labelled_from(table, reading.name, origin)
    return pairs_from(table, reading.name, origin, reading.scale)
