"""The token vectors of some texts, read in spans that fit in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

import numpy as np

from core.encoders.tokenizer import Encoded
from core.progress import Progress, Step, silent
from core.storage.stored_pass import StoredPass
from core.tokens import Tokens
from core.tokens.states import STATIC, States

if TYPE_CHECKING:  # it loads torch, which takes seconds: it is imported where one is made
    import core.encoders.encoder

CHUNK_BYTES = 16_000_000
"""The bytes of states that are read at once: they fit the processor's cache, and reads stay few."""


@runtime_checkable
class TokenStates(Protocol):
    """The token vectors of some texts, in stored order."""

    @property
    def tokens(self) -> Tokens:
        """The tokens of the texts."""

    @property
    def layers(self) -> tuple[int, ...]:
        """The numbers of the layers."""

    @property
    def seconds(self) -> float:
        """The seconds that computing the states took; 0 for a table."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on these states."""


@runtime_checkable
class ReadableStates(TokenStates, Protocol):
    """Token states of which every span can be read at any time."""

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """States ``[token, dim]`` of a span of tokens."""

    def diagonals(self, tokens: slice) -> np.ndarray | None:
        """Attention diagonals ``[token, layer, head]`` of a span of tokens; None without heads."""


@dataclass(eq=False)
class StreamedPass:
    """A pass too large to store: every reading runs the model again, all layers at once.

    ``seconds`` is the total time of all readings.
    """

    encoder: core.encoders.encoder.Encoder
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
        """No notes."""
        return ()

    def stream(self, progress: Progress) -> Iterator[States]:
        """The states of all texts with tokens, batch by batch."""
        what = f"Reading sentences with {self.encoder.location.name} (too many to keep)"
        begin = time.perf_counter()
        for states in self.encoder.run(self.encoded):
            self.seconds += time.perf_counter() - begin
            yield states
            stop = states.sentences.stop
            progress(Step(what, stop, self.tokens.sentences, share=self.tokens.share(stop)))
            begin = time.perf_counter()


@dataclass(eq=False)
class TableStates:
    """The tokens of a corpus whose vectors come from a table.

    ``rows(layer, ids)`` gives the vectors of different ids in one layer. It is called once per layer, with
    the ids of the tokens.

    Attributes
    ----------
    folder
        The folder of the store whose files ``rows`` reads, if any.
    tables
        By layer, the vectors of the different ids in ascending order; holds the layers read so far.
    on_growth
        Called with these states when another layer is added to ``tables``.
    """

    tokens: Tokens
    rows: Callable[[int, np.ndarray], np.ndarray]
    layers: tuple[int, ...] = (STATIC,)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    folder: Path | None = None
    tables: dict[int, np.ndarray] = field(default_factory=dict, repr=False)
    on_growth: Callable[[TableStates], None] = field(default=lambda _: None, repr=False)

    def __post_init__(self) -> None:
        """Find the different ids."""
        self._ids, self._place = np.unique(self.tokens.ids, return_inverse=True)

    @property
    def bytes_in_memory(self) -> int:
        """The bytes of the tokens, of their places in the tables, and of the tables."""
        tables = sum(table.nbytes for table in list(self.tables.values()))  # another thread may add one
        return self.tokens.bytes_in_memory + self._ids.nbytes + self._place.nbytes + tables

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """Vectors ``[token, dim]`` of a span of tokens."""
        if layer not in self.tables:
            table = self.rows(layer, self._ids)
            table.flags.writeable = False
            self.tables[layer] = table
            self.on_growth(self)
        return self.tables[layer][self._place[tokens]]

    def diagonals(self, tokens: slice) -> None:
        """None: a table has no attention."""
        return


def chunks(
    token_states: TokenStates,
    layers: Sequence[int],
    progress: Progress = silent,
    *,
    diagonals: bool = False,
    hold: bool = True,
) -> Iterator[States]:
    """The states of some layers, in spans of whole texts that fit in :data:`CHUNK_BYTES`.

    A streamed pass gives all layers, at no further cost. Layers of a stored one stay in memory where there
    is room for all that are asked for, unless ``hold`` is False.
    """
    if isinstance(token_states, StreamedPass):
        yield from token_states.stream(progress)
        return
    readable = cast("ReadableStates", token_states)
    tokens = token_states.tokens
    if hold and isinstance(token_states, StoredPass):
        token_states.hold(layers, diagonals=diagonals)
    width = readable.read(layers[0], slice(0, 1)).shape[1] if tokens.filled else 1
    for sentences in tokens.spans(max(1, CHUNK_BYTES // (4 * width * len(layers)))):
        span = tokens.token_span(sentences)
        yield States(
            sentences,
            {i: readable.read(i, span) for i in layers},
            readable.diagonals(span) if diagonals else None,
        )
