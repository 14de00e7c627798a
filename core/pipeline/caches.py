"""What all runs of an installation share in memory, and what one request costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.recipe.options import Trainable
from core.settings import Settings
from core.sources.passes import Passes
from core.sources.token_states import StreamedPass, TokenStates
from core.storage.kept_vectors import NotedVectors
from core.storage.memo import Memo, bytes_in_memory
from core.tokens import DocumentFrequencies


class Caches:
    """Passes, and what is computed from them; every key holds all that the result depends on.

    Attributes
    ----------
    passes
        The token states of corpora.
    pooled
        Pooled vectors, by group of layers.
    learnt
        Poolings and post-processing steps that have learnt, for all targets.
    frequencies
        Document frequencies of targets.
    """

    def __init__(self, settings: Settings, passes: Passes) -> None:
        memory = settings.memory_bytes
        self.passes = passes
        self.pooled: Memo[NotedVectors] = Memo(memory // 4)
        self.learnt: Memo[Any] = Memo(memory // 16, _learnt_bytes)
        self.frequencies: Memo[DocumentFrequencies] = Memo(memory // 16)


@dataclass
class Cost:
    """The seconds of forward passes of one request so far."""

    seconds: float = 0.0
    _streams: dict[int, tuple[StreamedPass, float]] = field(default_factory=dict)

    def add(self, states: TokenStates, seconds: float) -> None:
        """Count the seconds that getting token states took; those of a stream go on counting."""
        self.seconds += seconds
        if isinstance(states, StreamedPass):
            self._streams.setdefault(id(states), (states, states.seconds))

    @property
    def total(self) -> float:
        """Seconds of forward passes, streams included."""
        return self.seconds + sum(s.seconds - before for s, before in self._streams.values())


def _learnt_bytes(learnt: object) -> int:
    """The bytes of a fitted transformer, or of what a learnt pooling is bound to."""
    if isinstance(learnt, Trainable):
        return bytes_in_memory(learnt.arrays())
    if isinstance(learnt, partial):
        return bytes_in_memory([learnt.args, learnt.keywords])
    return bytes_in_memory(learnt)
