"""Several files of word vectors as one: each word's vectors side by side.

S3E on LexVec, fastText and PSL (L.F.P.) and the power means of four kinds of word vectors are such sources.
A word counts that one of the files has; where another file lacks it, it gets the mean of the vectors that
this file has for the words that are asked for, as the released code of S3E does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from core.sources.word_vectors import WordVectors


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
        for part, places in zip(self.parts, self.places, strict=True):
            found = places[ids] >= 0
            rows = np.zeros((len(ids), part.dim), np.float32)
            order = np.argsort(places[ids][found], kind="stable")
            known = np.flatnonzero(found)[order]
            rows[known] = part.rows(places[ids][known])
            if len(known):
                rows[~found] = rows[known].mean(axis=0)
            columns.append(rows)
        return np.concatenate(columns, axis=1)


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
        + "; where one lacks a word, it gets the mean of its others."
    )
    revision = "+".join(part.revision for part in parts)
    return WordVectors(tuple(row_of), JoinedMatrix(parts, places), revision, tuple(notes))
