"""Several files of word vectors as one: each word's vectors side by side.

S3E on LexVec, fastText and PSL (L.F.P.) and the power means of four kinds of word vectors are such sources.
A word counts that one of the files has; where another file lacks it, it gets the mean of all vectors of the
file, so that the vector of a text is the same in any company. The code released with S3E takes that of the
words of all texts that are embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from core.sources.word_vectors import WordVectors

_BLOCK = 1 << 16
"""Rows of a file that are read at once for its mean."""

_FILLED = "means"
"""What a word gets that a file lacks; it was another mean before, and kept results are of that."""


@dataclass(eq=False)
class JoinedMatrix:
    """Rows of several matrices side by side; ``places[i, row]`` is the row in the i-th, -1 for none."""

    parts: Sequence[WordVectors]
    places: Int[np.ndarray, "part row"]

    @property
    def folder(self) -> Path:
        """The folder of the first part, by whose removal the whole is let go."""
        return self.parts[0].matrix.folder

    @property
    def dim(self) -> int:
        """The dimensions of all parts together."""
        return sum(part.dim for part in self.parts)

    def rows(self, ids: Int[np.ndarray, " row"]) -> Float[np.ndarray, "row dim"]:
        """The vectors of some rows, in the order of ``ids``; see the module for words that a part lacks."""
        columns = []
        for number, (part, places) in enumerate(zip(self.parts, self.places, strict=True)):
            rows, found = _rows_of(part, places[ids])
            if not found.all():
                rows[~found] = self._means[number]
            columns.append(rows)
        return np.concatenate(columns, axis=1)

    @cached_property
    def _means(self) -> list[Float[np.ndarray, " column"]]:
        """The mean vector of each part."""
        return [
            sum(
                part.rows(np.arange(start, min(start + _BLOCK, len(part)))).sum(axis=0, dtype=np.float64)
                for start in range(0, len(part), _BLOCK)
            )
            / max(len(part), 1)
            for part in self.parts
        ]


def _rows_of(
    part: WordVectors, places: Int[np.ndarray, " row"]
) -> tuple[Float[np.ndarray, "row column"], Bool[np.ndarray, " row"]]:
    """Rows of one file, zeros for those at -1, and which are there."""
    found = places >= 0
    rows = np.zeros((len(places), part.dim), np.float32)
    known = np.flatnonzero(found)[np.argsort(places[found], kind="stable")]
    rows[known] = part.rows(places[known])
    return rows, found


def join(parts: Sequence[WordVectors]) -> WordVectors:
    """Several files as one: the words of the first in its order, then those that the others add."""
    if len(parts) == 1:
        return parts[0]
    row_of: dict[str, int] = {}
    for part in parts:
        for word in part.words:
            row_of.setdefault(word, len(row_of))
    places = np.full((len(parts), len(row_of)), -1, np.int64)
    for i, part in enumerate(parts):
        places[i, [row_of[word] for word in part.words]] = np.arange(len(part))
    notes = [note for part in parts for note in part.notes]
    notes.append(
        f"{len(parts)} files of word vectors stand side by side: "
        + ", ".join(f"{len(part):,} words of {part.dim} dimensions" for part in parts)
        + "; where one lacks a word, it gets the mean of its vectors."
    )
    revision = "+".join([*(part.revision for part in parts), _FILLED])
    return WordVectors(tuple(row_of), JoinedMatrix(parts, places), revision, tuple(notes))
