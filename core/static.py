"""Token tables without context.

``random`` is RE of Stankevičius & Lukoševičius (2025): every id of BERT's vocabulary gets a normally
distributed vector, and whatever the post-processing then scores is owed to it alone. ``vectors`` are
those of a file, by word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from core.encoder import STATIC
from core.options import Text, Within
from core.recipe import SOURCE
from core.tokens import Tokens


@dataclass(frozen=True)
class RandomTable:
    """One row of N(0, std²) per vocabulary id."""

    seed: int
    dim: int
    std: float

    def rows(self, vocabulary: int) -> np.ndarray:
        """``[vocabulary, dim]`` in float32; the same rows for the same seed."""
        generator = np.random.default_rng(self.seed)
        return (generator.standard_normal((vocabulary, self.dim), np.float32) * self.std).astype(np.float32)


@SOURCE.option
def random(
    *,
    seed: Annotated[int, Within(0, 2**31 - 1, "of the random numbers")] = 0,
    dim: Annotated[int, Within(1, 4096, "numbers per token")] = 768,
    std: Annotated[float, Within(1e-6, 1e6, "standard deviation")] = 0.1,
) -> RandomTable:
    """Normally distributed vectors, one per id of BERT's vocabulary: the baseline without a model."""
    return RandomTable(seed, dim, std)


@dataclass(frozen=True)
class VectorsFile:
    """A file of word vectors, of which the most frequent words may be left out."""

    path: str
    drop: int


@SOURCE.option
def vectors(
    *,
    path: Annotated[str, Text("a file: word2vec text or binary, GloVe, fastText .vec, X2Static")],
    drop: Annotated[int, Within(0, 1_000_000, "most frequent words left out")] = 0,
) -> VectorsFile:
    """Word vectors from a file, looked up word by word."""
    return VectorsFile(path, drop)


@dataclass(eq=False)
class TablePass:
    """The tokens of a corpus with tables to look their vectors up in.

    ``rows(layer, ids)`` gives the vectors of different ids in one layer. Only those that occur in the
    tokens are asked for, once per layer.
    """

    tokens: Tokens
    rows: Callable[[int, np.ndarray], np.ndarray]
    layers: tuple[int, ...] = (STATIC,)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    _tables: dict[int, np.ndarray] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Find the different ids once."""
        self._ids, self._place = np.unique(self.tokens.ids, return_inverse=True)

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """Vectors ``[token, dim]`` of a stretch of tokens."""
        if layer not in self._tables:
            self._tables[layer] = self.rows(layer, self._ids)
        return self._tables[layer][self._place[tokens]]

    def diagonals(self, tokens: slice) -> None:
        """A table has no attention."""
        return
