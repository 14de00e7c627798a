"""A finished pass on disk: a folder of plain ``.npy`` files, one row per token, in stored order.

Spans of tokens are read from the files rather than mapped as a whole, so that a pass larger than memory
is pooled in bounded memory (mapped pages count as memory of the process, and a cut file would end it).
Layers that were read lately stay in memory within a number of bytes: what one toggles next mostly looks at
the same layers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import StoreError
from core.storage import json_arrays
from core.storage.files import HEADER, FileReader
from core.storage.memo import Memo
from core.tokens import Tokens

_TOKEN_FIELDS = (
    *("ids", "offsets", "order", "special", "words", "continues", "cls"),
    *("template", "mask", "truncated"),
)


@dataclass(frozen=True)
class Layout:
    """What a pass will hold: the width of each layer, the heads, and the number format."""

    widths: dict[int, int]
    heads: tuple[int, int]
    storage: str

    def files(self) -> dict[str, tuple[int, ...]]:
        """The shape of one token's row in each file."""
        rows: dict[str, tuple[int, ...]] = {layer_file(i): (w,) for i, w in self.widths.items()}
        if self.heads[1]:
            rows["diagonals"] = self.heads
        return rows

    def file_bytes(self, tokens: int) -> dict[str, int]:
        """The length of each file for a number of tokens, its header included."""
        size = np.dtype(self.storage).itemsize
        return {name: HEADER + tokens * int(np.prod(row)) * size for name, row in self.files().items()}

    def row_bytes(self) -> int:
        """Bytes per token over all files."""
        return sum(int(np.prod(row)) for row in self.files().values()) * np.dtype(self.storage).itemsize


def layer_file(layer: int) -> str:
    """The file name, without ending, of a layer."""
    return "static" if layer < 0 else f"layer-{layer:02d}"


@dataclass(frozen=True, eq=False)
class HeldStates:
    """The states of all tokens in one file of the pass in ``folder``, in float32."""

    folder: Path
    states: np.ndarray


@dataclass(eq=False)
class StoredPass:
    """A finished pass: tokens in memory, layers on disk.

    ``about`` describes it: model, revision, number of sentences and tokens, seconds of the forward pass.
    ``held`` are files that were read lately, of all passes. States that are read may be views of them,
    which are read-only.
    """

    folder: Path
    tokens: Tokens
    layout: Layout
    about: dict[str, Any]
    held: Memo[HeldStates] = field(default_factory=lambda: Memo(0), repr=False)
    _open: dict[str, FileReader] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Open every file, so that an evicted entry stays readable for its users."""
        for name in self.layout.files():
            self._open[name] = FileReader(self.folder / file_name(name))

    @property
    def layers(self) -> tuple[int, ...]:
        """The layer numbers it holds, the static rows (-1) first."""
        return tuple(sorted(self.layout.widths))

    @property
    def seconds(self) -> float:
        """Seconds that the forward pass took."""
        return float(self.about["seconds"])

    @property
    def notes(self) -> tuple[str, ...]:
        """A stored pass has no notes."""
        return ()

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """States ``[token, dim]`` in float32 of a span of tokens in one layer."""
        return self._read(layer_file(layer), (self.layout.widths[layer],), tokens)

    def diagonals(self, tokens: slice) -> np.ndarray | None:
        """Attention diagonals ``[token, layer, head]`` of a span of tokens; None without heads."""
        if not self.layout.heads[1]:
            return None
        return self._read("diagonals", self.layout.heads, tokens)

    def hold(self, layers: Sequence[int], *, diagonals: bool = False) -> None:
        """Have files in memory that are about to be read from the first token to the last.

        None is read where they do not fit beside each other: each would make room for the next.
        """
        if self.can_hold(layers, diagonals=diagonals):
            files = self.layout.files()
            for name in self._names(layers, diagonals):
                self.held.get((self.about["id"], name), partial(self._whole, name, files[name]))

    def can_hold(self, layers: Sequence[int], *, diagonals: bool = False) -> bool:
        """Whether these files fit beside each other."""
        files = self.layout.files()
        numbers = sum(int(np.prod(files[name])) for name in self._names(layers, diagonals))
        return 0 < 4 * len(self.tokens) * numbers <= self.held.limit

    def _names(self, layers: Sequence[int], diagonals: bool) -> list[str]:
        return [*map(layer_file, layers), *(["diagonals"] if diagonals and self.layout.heads[1] else [])]

    def _whole(self, name: str, row: tuple[int, ...]) -> HeldStates:
        return HeldStates(self.folder, self._from_file(name, row, slice(0, len(self.tokens))))

    def _read(self, name: str, row: tuple[int, ...], tokens: slice) -> np.ndarray:
        held = self.held.peek((self.about["id"], name))
        return self._from_file(name, row, tokens) if held is None else held.states[tokens]

    def _from_file(self, name: str, row: tuple[int, ...], tokens: slice) -> np.ndarray:
        width = int(np.prod(row))
        dtype = np.dtype(self.layout.storage)
        states = np.empty((tokens.stop - tokens.start, width), dtype)
        try:
            self._open[name].read_into(states, HEADER + tokens.start * width * dtype.itemsize)
        except EOFError as error:
            raise StoreError(f"The stored pass {self.folder.name} became shorter while in use.") from error
        return states.reshape(-1, *row).astype(np.float32, copy=False)


def layout_of(about: dict[str, Any]) -> Layout:
    """The layout that ``about.json`` of an entry describes."""
    widths = {int(i): int(w) for i, w in about["widths"].items()}
    layers, heads = about["heads"]
    return Layout(widths, (int(layers), int(heads)), str(about["storage"]))


def file_name(name: str) -> str:
    """The name on disk of the tokens, of a layer, of the diagonals."""
    return "tokens.npz" if name == "tokens" else f"{name}.npy"


def save_tokens(path: Path, tokens: Tokens) -> None:
    """Write tokens as arrays; no pickle."""
    with path.open("wb") as file:
        np.savez(file, **arrays_of_tokens(tokens))  # type: ignore[arg-type]


def load_tokens(path: Path) -> Tokens:
    """Read what :func:`save_tokens` wrote."""
    with np.load(path, allow_pickle=False) as loaded:
        return tokens_of_arrays({name: loaded[name] for name in loaded.files})


def arrays_of_tokens(tokens: Tokens) -> dict[str, np.ndarray]:
    """Tokens as arrays, which a file or a table can hold."""
    arrays: dict[str, np.ndarray] = {name: getattr(tokens, name) for name in _TOKEN_FIELDS}
    arrays["vocabulary_ids"] = np.array(list(tokens.vocabulary), np.int64)
    arrays["vocabulary"] = json_arrays.as_array(list(tokens.vocabulary.values()))
    return arrays


def tokens_of_arrays(arrays: Mapping[str, np.ndarray]) -> Tokens:
    """The inverse of :func:`arrays_of_tokens`; other arrays are left aside."""
    texts = json_arrays.from_array(arrays["vocabulary"])
    vocabulary = dict(zip(arrays["vocabulary_ids"].tolist(), texts, strict=True))
    return Tokens(**{name: arrays[name] for name in _TOKEN_FIELDS}, vocabulary=vocabulary)
