"""What is quickly computed of each of several recipes on one corpus, for whoever chooses among them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds that one recipe may take."""

LEARNING = 2.0
"""Seconds that one recipe may learn, of a corpus that is read already."""

Compute = Callable[[Engine, Recipe, Corpus, Progress], T]


class _TooLongError(Exception):
    """A recipe takes longer than it may."""


def of_each(
    compute: Compute[T],
    what: str,
    engine: Engine,
    recipes: Mapping[str, Recipe],
    corpus: Corpus,
    progress: Progress = silent,
    *,
    reading: float = 0.0,
    patience: float = PATIENCE,
) -> tuple[dict[str, T], frozenset[str]]:
    """What ``compute`` gives for each recipe, by its name; ``what`` is said meanwhile.

    Left out is what cannot be followed, would need forward passes or a training of more than ``reading``
    seconds (two, where the corpus is read already), or is seen at a progress step to take ``patience``
    seconds beside them. The second result names the recipes that need a forward pass or a training first.
    """
    found: dict[str, T] = {}
    unread: set[str] = set()
    for number, (name, recipe) in enumerate(recipes.items()):
        step = Step(what, number, len(recipes))
        progress(step)
        try:
            pending = engine.pending_seconds(recipe, corpus)
            if pending > max(reading, LEARNING if engine.is_read(recipe, corpus) else 0.0):
                unread.add(name)
                continue
            found[name] = compute(engine, recipe, corpus, _within(progress, step, patience + pending))
        except (_TooLongError, StrataError):
            continue
    return found, frozenset(unread)


def _within(progress: Progress, step: Step, seconds: float) -> Progress:
    """Tell ``step`` in the place of any other, and raise when so many seconds have gone by."""
    until = time.monotonic() + seconds

    def told(_: Step) -> None:
        progress(step)
        if time.monotonic() > until:
            raise _TooLongError

    return told
