"""The token vectors of some texts, and reading them in stretches that fit in memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import numpy as np

from core.encoder import Encoder, States
from core.progress import Progress, Step, silent
from core.tokenizer import Encoded
from core.tokens import Tokens

CHUNK_BYTES = 16_000_000
"""States that are read at once: small enough to stay near the processor, large enough to be few."""


@runtime_checkable
class Pass(Protocol):
    """The token vectors of some texts, in stored order."""

    @property
    def tokens(self) -> Tokens:
        """The tokens of the texts."""

    @property
    def layers(self) -> tuple[int, ...]:
        """The layer numbers there are."""

    @property
    def seconds(self) -> float:
        """How long making it took when it was made; 0 for a table."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about it."""


@runtime_checkable
class Readable(Pass, Protocol):
    """A pass any stretch of which can be read again at little cost."""

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """States ``[token, dim]`` of a stretch of tokens."""

    def diagonals(self, tokens: slice) -> np.ndarray | None:
        """Attention diagonals ``[token, layer, head]`` of a stretch of tokens; None without heads."""


@dataclass(eq=False)
class StreamedPass:
    """A pass too large to keep: every reading runs the model again, all layers at once.

    ``seconds`` adds up what the readings took.
    """

    encoder: Encoder
    encoded: Encoded
    seconds: float = 0.0

    @property
    def tokens(self) -> Tokens:
        """The tokens of the texts."""
        return self.encoded.tokens

    @property
    def layers(self) -> tuple[int, ...]:
        """The static rows (-1) and layers 0 … L."""
        return tuple(sorted(self.encoder.widths))

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing that a stored pass would not say."""
        return ()

    def stream(self, progress: Progress) -> Iterator[States]:
        """The states of all texts with tokens, batch by batch."""
        what = f"Reading sentences with {self.encoder.location.name} (too many to keep)"
        begin = time.perf_counter()
        for states in self.encoder.run(self.encoded):
            self.seconds += time.perf_counter() - begin
            yield states
            progress(Step(what, states.sentences.stop, self.tokens.sentences))
            begin = time.perf_counter()


def chunks(
    found: Pass, layers: Sequence[int], progress: Progress = silent, *, diagonals: bool = False
) -> Iterator[States]:
    """The states of some layers, in stretches of whole texts that fit in :data:`CHUNK_BYTES`.

    A streamed pass gives all it has, since that costs nothing more.
    """
    if isinstance(found, StreamedPass):
        yield from found.stream(progress)
        return
    readable = cast("Readable", found)
    tokens = found.tokens
    filled = int((tokens.lengths > 0).sum())
    width = readable.read(layers[0], slice(0, 1)).shape[1] if filled else 1
    size = max(1, CHUNK_BYTES // (4 * width * len(layers)))
    start = 0
    while start < filled:
        stop = int(np.searchsorted(tokens.offsets, tokens.offsets[start] + size, side="right")) - 1
        stop = min(max(stop, start + 1), filled)
        span = tokens.stretch(slice(start, stop))
        yield States(
            slice(start, stop),
            {i: readable.read(i, span) for i in layers},
            readable.diagonals(span) if diagonals else None,
        )
        start = stop
