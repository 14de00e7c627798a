"""Passes that are too large for one worker, read by all of them before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.corpora.corpus import Corpus
from core.errors import StoreError, StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step
from core.recipe import Recipe
from core.settings import Settings
from core.sources.source import Source
from core.sweeps import shards
from core.sweeps.workers import Workers
from core.tokens import Tokens
from core.tokens.states import States

ATTEMPTS = 3
"""How often a shard is asked for that comes damaged."""


class Before(NamedTuple):
    """What was done for a group before it is scored.

    Attributes
    ----------
    seconds
        Of reading; 0 where the pass was there.
    note
        What must be said of it.
    kept
        Whether the pass lies in the store of the process that asked for it.
    """

    seconds: float = 0.0
    note: str = ""
    kept: bool = False


def read_in_shards(
    engine: Engine,
    settings: Settings,
    wanted: Sequence[tuple[Recipe, Corpus]],
    workers: Workers,
    progress: Progress,
) -> dict[int, Before]:
    """Make those of some passes that are too large for one worker, in the store of this process.

    A pass that was stopped goes on with the shard that is missing.

    Parameters
    ----------
    engine, settings
        Of this process, and for the workers.
    wanted
        A recipe and a corpus for each pass, no pass twice.
    workers, progress
        Who reads, and who is told.

    Returns
    -------
    dict
        What was done, by the number of the pass; nothing for those that a worker reads as a whole.

    Raises
    ------
    StrataError
        The scheduler of the workers is gone. What has come is kept.
    """
    found = {}
    for number, (recipe, corpus) in enumerate(wanted):
        if shards.are_worth_it(engine, recipe, corpus):
            reading = _Reading(engine, settings, recipe, corpus, workers, progress)
            found[number] = reading.run()
    return found


class _Reading:
    """One pass that is read in shards."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        recipe: Recipe,
        corpus: Corpus,
        workers: Workers,
        progress: Progress,
    ) -> None:
        self._engine, self._settings, self._workers = engine, settings, workers
        self._recipe, self._corpus, self._progress = recipe.as_read(), corpus, progress
        self._shards = self._bytes = 0

    def run(self) -> Before:
        source = self._engine.source(self._recipe, self._corpus)
        try:
            seconds = self._engine.passes.make(
                source,
                self._corpus,
                lambda tokens, start: self._states(source, tokens, start),
                self._progress,
            )
        except StoreError as error:
            return Before(note=f"{error} So one worker alone read this corpus.")
        moved = f"{self._shards:,} shards and sent {self._bytes / 1e6:,.1f} MB of token states"
        return Before(
            seconds, f"The workers read this corpus in {moved}." if self._shards else "", kept=True
        )

    def _states(self, source: Source, tokens: Tokens, start: int) -> Iterator[States]:
        """The states of the stored texts from ``start`` on, shard by shard as they come."""
        encoder = self._engine.passes.encoder(source)
        row_bytes = self._engine.passes.row_bytes(source)
        spans = [*shards.cut(encoder, tokens, row_bytes, start)]
        calls = (self._call(tokens, span) for span in spans)
        results = self._workers.in_order(read_shard, calls)
        for span, sent in zip(spans, results, strict=True):
            if sent.damaged:
                sent = self._again(tokens, span)
            states = shards.received(sent, tokens, span, source.revision)
            self._shards, self._bytes = self._shards + 1, self._bytes + sent.bytes
            self._progress(Step("Reading shards", self._shards, len(spans)))
            yield states

    def _call(self, tokens: Tokens, span: slice) -> tuple[Settings, shards.Shard]:
        return self._settings, shards.Shard(self._recipe, shards.texts_of(self._corpus, tokens, span))

    def _again(self, tokens: Tokens, span: slice) -> shards.Sent:
        """A shard that came damaged, asked for anew.

        Raises :class:`StoreError` where it comes damaged each time.
        """
        for _ in range(ATTEMPTS - 1):
            (sent,) = self._workers.in_order(read_shard, [self._call(tokens, span)])
            if not sent.damaged:
                return sent
        raise StoreError(
            f"A shard of {self._corpus.name} came damaged from its worker {ATTEMPTS} times. Is the network "
            "between them sound?"
        )


def read_shard(settings: Settings, shard: shards.Shard) -> shards.Sent:
    """One shard of a pass: the task of a worker."""
    return shards.read(engine_of(settings), shard)


@lru_cache(maxsize=1)
def engine_of(settings: Settings) -> Engine:
    """The engine of a worker process; its models and passes serve all tasks."""
    return Engine(settings)


def is_here(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    """Whether a pass that was read in shards is in the store of a process; others see no store of its."""
    try:
        return engine.passes.are_stored(engine.source(recipe, corpus), corpus)
    except StrataError:
        return False
