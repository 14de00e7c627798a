"""Results kept in memory within a number of bytes, each computed by one thread while the others wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, is_dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from cachetools import Cache, LRUCache

from core.progress import Heard, Step

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

POLL_SECONDS = 0.25
"""How often a thread that waits for another one reports that it waits."""

WAITING = Step("Waiting for the same computation", 0, 0)
"""What is told of a computation that has not said yet how far it is."""

_ATOMS = (str, bytes, int, float, bool, type(None))


@dataclass(frozen=True)
class _Running(Generic[T]):
    """A result that a thread computes now, and how far it is."""

    future: Future[T]
    progress: Heard


def bytes_in_memory(value: object) -> int:
    """The bytes that a value holds: its arrays, strings, containers and attributes, each counted once.

    Functions, classes and open files count as themselves, without what they refer to.
    """
    seen: set[int] = set()
    total, pending = 0, [value]
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            total += item.nbytes
        elif isinstance(item, _ATOMS):
            total += sys.getsizeof(item)
        else:
            total += sys.getsizeof(item)
            pending.extend(_parts(item))
    return total


def _parts(item: object) -> list[Any]:
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, list | tuple | set | frozenset):
        return list(item)
    if callable(item):
        return []
    return list(getattr(item, "__dict__", {}).values())


class Memo(Generic[T]):
    """Least recently used results, bounded by the sum of their sizes in bytes.

    :meth:`get`, :meth:`get_many` and :meth:`peek` all count as use. Each key is computed by one thread at
    a time: a thread that asks for a key that another thread computes waits for that result, also when
    the result is too large to be kept. When the other computation fails, the waiting thread computes
    the key itself, so that one visitor's cancellation never reaches another visitor. Arrays, and
    arrays that are fields of a dataclass, are set read-only before they are kept or returned.

    Parameters
    ----------
    limit
        The largest sum of sizes, in bytes; a result larger than that is returned but not kept.
    size
        The bytes of a result.
    """

    def __init__(self, limit: int, size: Callable[[T], int] = bytes_in_memory) -> None:
        self.limit = limit
        self._results: LRUCache[Hashable, T] = LRUCache(limit, getsizeof=size)
        self._running: dict[Hashable, _Running[T]] = {}
        self._guard = threading.Lock()

    def get(self, key: Hashable, compute: Callable[[], T], progress: Heard | None = None) -> T:
        """The result for ``key``; an exception of ``compute`` is raised, and nothing is kept."""
        return self.get_many([key], lambda _: {key: compute()}, progress)[key]

    def get_many(
        self,
        keys: Sequence[K],
        compute_missing: Callable[[list[K]], Mapping[K, T]],
        progress: Heard | None = None,
    ) -> dict[K, T]:
        """The results for several keys, where one call computes all that are missing.

        Parameters
        ----------
        keys
            The keys that are asked for.
        compute_missing
            Called with those keys, in the order of ``keys``, that are neither kept nor being computed by
            another thread. It returns a result for each of them. It may return further results (one
            reading of a corpus that yields every layer): they are kept as well, as far as they fit. It
            is called a second time only when a computation that another thread began fails, and never
            when nothing is missing. It must not ask this memo for one of its own keys.
        progress
            What ``compute_missing`` tells how far it is. While another thread computes some of ``keys`` it
            is told the steps of that one, about four times a second; an exception it raises ends the wait.

        Returns
        -------
        dict
            A result for every key, also for those too large to be kept.

        Notes
        -----
        A thread first computes its own keys and waits for those of other threads afterwards, so two
        threads with overlapping keys in different orders never wait for each other.

        Examples
        --------
        >>> memo = Memo(10**6)
        >>> memo.get_many(["a", "b"], lambda missing: {key: key.upper() for key in missing})
        {'a': 'A', 'b': 'B'}
        """
        progress = progress or Heard()
        results: dict[K, T] = {}
        while missing := [key for key in dict.fromkeys(keys) if key not in results]:
            claimed: dict[K, Future[T]] = {}
            theirs: dict[K, _Running[T]] = {}
            with self._guard:
                for key in missing:
                    if key in self._results:
                        results[key] = self._results[key]
                    elif key in self._running:
                        theirs[key] = self._running[key]
                    else:
                        claimed[key] = Future()
                        self._running[key] = _Running(claimed[key], progress)
            if claimed:
                results |= self._compute(claimed, compute_missing)
            for key, running in theirs.items():
                try:
                    results[key] = _result(running, progress)
                except CancelledError:
                    continue  # that thread failed: the next turn of the loop computes the key here
        return {key: results[key] for key in keys}

    def put(self, key: Hashable, value: T) -> None:
        """Keep ``value`` as it is sized now, and let go of the least recently used that no longer fit.

        A value whose size changes is put again; one that is larger than the limit is not kept any more.
        """
        _set_read_only(value)
        with self._guard:
            try:
                self._results[key] = value
            except ValueError:  # larger than the limit
                self._results.pop(key, None)

    def peek(self, key: Hashable) -> T | None:
        """The result for ``key`` if it is kept; it counts as used."""
        with self._guard:
            return self._results.get(key)

    def forget(self, unwanted: Callable[[T], bool]) -> None:
        """Let go of all results for which ``unwanted`` is true."""
        with self._guard:
            for key in list(self._results):
                if unwanted(Cache.__getitem__(self._results, key)):  # LRUCache's own would count as use
                    del self._results[key]

    @property
    def bytes(self) -> int:
        """The sum of the sizes of all results."""
        with self._guard:
            return int(self._results.currsize)

    def __len__(self) -> int:
        with self._guard:
            return len(self._results)

    def _compute(
        self, claimed: dict[K, Future[T]], compute: Callable[[list[K]], Mapping[K, T]]
    ) -> dict[K, T]:
        """Compute the keys that this thread claimed, and answer those who wait for them."""
        try:
            computed = compute(list(claimed))
            for key, value in computed.items():
                self.put(key, value)
            results = {key: computed[key] for key in claimed}
            for key, future in claimed.items():
                future.set_result(results[key])
            return results
        finally:
            with self._guard:
                for key in claimed:
                    del self._running[key]
            for future in claimed.values():
                future.cancel()  # without effect on those that have a result


def _result(running: _Running[T], progress: Heard) -> T:
    while True:
        try:
            return running.future.result(POLL_SECONDS)
        except TimeoutError:
            progress(running.progress.latest or WAITING)


def _set_read_only(value: object) -> None:
    """Set an array, or the arrays among the fields of a dataclass, read-only."""
    parts = list(vars(value).values()) if is_dataclass(value) else [value]
    for part in parts:
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
