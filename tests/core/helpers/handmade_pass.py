"""A tiny pass without a model, whose states are counted up."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.progress import Progress, silent
from core.sources.doc2vec import whole_texts
from core.storage.store import Store
from core.storage.stored_pass import Layout
from core.tokens.states import States

TOKENS = whole_texts(["a", "b", "c", "d", "e", "f"])
BATCHES = [slice(0, 2), slice(2, 4), slice(4, 6)]
ABOUT = {"model": "handmade"}


def layout_in(storage: str) -> Layout:
    return Layout({-1: 3, 0: 2, 1: 4}, (1, 2), storage)


def states_of(batch: slice) -> States:
    rows = np.arange(batch.start, batch.stop, dtype=np.float32)[:, None]
    layers = {layer: rows * 10 + np.arange(width) for layer, width in ((-1, 3), (0, 2), (1, 4))}
    return States(
        batch,
        {i: a.astype(np.float32) for i, a in layers.items()},
        rows[:, :, None] + np.ones((1, 2), np.float32),
    )


class Run:
    """Gives the batches of a pass from a sentence on, and remembers where it began."""

    def __init__(self) -> None:
        self.starts: list[int] = []

    def __call__(self, start: int) -> Iterator[States]:
        self.starts.append(start)
        return (states_of(batch) for batch in BATCHES if batch.start >= start)


def build(store: Store, layout: Layout, run: Run, key: str = "k", progress: Progress = silent) -> Path:
    return store.build(key, TOKENS, layout, run, ABOUT, progress).folder
