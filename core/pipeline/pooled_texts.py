"""Pooled texts that memory is not the place for: they are kept in files of vectors, or in tables.

Vectors that take more than a share of memory go to files of the store, which are mapped: a recipe on a
million texts then reads what an earlier one has pooled. Token states that are too many to store are read by
running the model anew, so what was pooled of them is kept however small it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from core.pipeline.pooling import Allocate
from core.pipeline.weighted_states import Group
from core.progress import Progress
from core.storage.kept_vectors import NotedVectors
from core.storage.store import Store
from core.storage.tables import Arrays, TableKind

POOLED = TableKind("pooled", 1, ("wordfreq", "scikit-learn"), forward=True)
"""Pooled texts of a corpus."""

Parts = Callable[[Group], Sequence[object]]
"""What the pooled texts of a group of layers depend on."""

Pool = Callable[[Sequence[Group], Allocate], Mapping[Group, NotedVectors]]
"""Pools groups of layers in one reading."""


class StoredTexts:
    """The pooled texts of one corpus under one recipe's tokens, weight and pooling, by group of layers.

    Parameters
    ----------
    store
        Keeps them.
    parts
        What those of a group depend on.
    shape
        The texts, and the dimensions of their vectors.
    """

    def __init__(self, store: Store, parts: Parts, shape: tuple[int, int]) -> None:
        self._store, self._parts, self._shape = store, parts, shape

    @property
    def bytes_of_group(self) -> int:
        """About what the vectors of a group take."""
        return 4 * self._shape[0] * self._shape[1]

    @property
    def large(self) -> bool:
        """Whether that is more than the store has in memory at once."""
        return self.bytes_of_group > self._store.scratch.limit

    def has(self, group: Group) -> bool:
        """Whether those of a group are kept."""
        key = self._key(group)
        return self._store.pooled.has(key) or self._store.has_table(POOLED, self._parts(group))

    def found(self, groups: Sequence[Group]) -> dict[Group, NotedVectors] | None:
        """Those of some groups from files; None where one is not there."""
        kept = {group: found for group in groups if (found := self._find(group)) is not None}
        return kept if len(kept) == len(groups) else None

    def in_memory(self, groups: Sequence[Group], pool: Pool) -> dict[Group, NotedVectors]:
        """Pool groups of which nothing is kept."""
        return dict(pool(groups, self._scratch))

    def in_files(
        self, groups: Sequence[Group], others: Sequence[Group], pool: Pool, progress: Progress
    ) -> dict[Group, NotedVectors] | None:
        """Pooled texts from files of vectors, which are made as they are missing.

        ``others`` are pooled in the same reading where there is room for them. None where the store has
        none for ``groups``.
        """
        lock = POOLED.key(("files", *self._parts(())))
        with self._store.exclusively(lock, progress, "the same pooling") as path:
            kept = {group: found for group in groups if (found := self._find(group)) is not None}
            if missing := [group for group in groups if group not in kept]:
                files, further = self._store.pooled, [g for g in others if not self.has(g)]
                if not files.has_room(len(missing), self._shape):
                    return None
                if further and files.has_room(len(missing) + len(further), self._shape):
                    missing += further
                kept |= self._fill(missing, pool)
            with suppress(OSError):
                path.unlink()  # whoever waits for it finds the files
        return {group: kept[group] for group in groups}

    def in_tables(
        self, groups: Sequence[Group], others: Sequence[Group], pool: Pool, progress: Progress
    ) -> dict[Group, NotedVectors]:
        """The same from tables."""
        pooled: dict[Group, NotedVectors] = {}

        def arrays(group: Group) -> Arrays:
            if group not in pooled:
                others_here = {g for g in groups if self._store.has_table(POOLED, self._parts(g))} - {group}
                missing = [g for g in groups if g not in others_here]  # the group itself may be damaged
                pooled.update(self.in_memory([*missing, *others], pool))
            return {"vectors": pooled[group].vectors, "notes": np.array(pooled[group].notes, str)}

        for group in groups:
            stored = self._store.table(POOLED, self._parts(group), partial(arrays, group), progress)
            pooled[group] = NotedVectors(stored["vectors"], tuple(stored["notes"].tolist()))
        return pooled

    def _fill(self, groups: Sequence[Group], pool: Pool) -> dict[Group, NotedVectors]:
        """Pool groups into files, of those that the disk takes; the others into memory."""
        files, begun = self._store.pooled, set[Group]()

        def allocate(group: Group, shape: tuple[int, int]) -> np.ndarray:
            try:
                vectors = files.begin(self._key(group), shape)
            except OSError:
                return self._scratch(group, shape)
            begun.add(group)
            return vectors

        try:
            pooled = dict(pool(groups, allocate))
            for group in sorted(begun):
                texts = pooled[group]
                with suppress(OSError):
                    pooled[group] = files.finish(self._key(group), texts.vectors, texts.notes)
        finally:
            for group in begun:
                files.abandon(self._key(group))
        return pooled

    def _find(self, group: Group) -> NotedVectors | None:
        return self._store.pooled.find(self._key(group))

    def _scratch(self, _: Group, shape: tuple[int, int]) -> np.ndarray:
        return self._store.scratch.zeros(shape)

    def _key(self, group: Group) -> str:
        return POOLED.key(self._parts(group))
