"""Passes that are too large for one worker, read by several of them before anything is scored."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, Step
from core.recipe import Recipe
from core.settings import Settings
from core.sweeps import shards
from core.sweeps.workers import Workers


class Before(NamedTuple):
    """What was done for a group before it is scored: seconds of reading, and what must be said of it."""

    seconds: float = 0.0
    note: str = ""


APART = (
    "The workers have no store in common (STRATA_CACHE on a disk that all of them see), so that one worker "
    "alone read this corpus."
)


def read_in_shards(
    engine: Engine,
    settings: Settings,
    wanted: Sequence[tuple[Recipe, Corpus]],
    workers: Workers,
    progress: Progress,
) -> dict[int, Before]:
    """Make those of some passes that are too large for one worker.

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
    """
    parts = {}
    for number, (recipe, corpus) in enumerate(wanted):
        if (count := shards.worth_it(engine, recipe, corpus)) > 1:
            parts[number] = shards.plain(recipe), corpus, shards.cut(corpus, count)
    if not parts:
        return {}
    probe = settings.cache / "locks" / f"{uuid.uuid4().hex}.probe"
    probe.touch()
    try:
        reads: dict[int, list[shards.Read]] = {number: [] for number in parts}
        calls = [
            (settings, number, shards.Shard(recipe, part), probe)
            for number, (recipe, _, cuts) in parts.items()
            for part in cuts
        ]
        for done, (number, read) in enumerate(workers.run(_read_shard, calls), 1):
            reads[number].append(read)
            progress(Step("Reading shards", done, len(calls)))
    finally:
        probe.unlink(missing_ok=True)
    whole = [number for number, found in reads.items() if all(one.there and not one.error for one in found)]
    for number, error in workers.run(_join_shards, [(settings, i, *parts[i]) for i in whole]):
        if error:
            sys.stderr.write(f"{error}\n")
        progress(Step(f"Joining {parts[number][1].name}", 1, 1))
    return {
        number: Before(sum(one.seconds for one in found), "" if all(one.there for one in found) else APART)
        for number, found in reads.items()
    }


def _read_shard(
    settings: Settings, number: int, shard: shards.Shard, probe: Path
) -> tuple[int, shards.Read]:
    """One shard of a group's pass: the task of a worker."""
    return number, shards.read(engine_of(settings), shard, probe)


def _join_shards(
    settings: Settings, number: int, recipe: Recipe, corpus: Corpus, parts: Sequence[Corpus]
) -> tuple[int, str]:
    """The pass of a group from its shards, and why it could not be made: the task of a worker."""
    return number, shards.join(engine_of(settings), recipe, corpus, parts)


@lru_cache(maxsize=1)
def engine_of(settings: Settings) -> Engine:
    """The engine of a worker process; its models and passes serve all tasks."""
    return Engine(settings)
