"""Results kept in memory: as many as fit, each computed by one thread while the others wait."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Memo(Generic[T]):
    """Least recently used results, bounded by the sum of their sizes.

    Parameters
    ----------
    limit
        The largest sum of sizes; one result larger than that is returned but not kept.
    size
        The size of a result: bytes, or 1 to count results.
    """

    def __init__(self, limit: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self.limit, self._size = limit, size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._running: dict[Hashable, threading.Lock] = {}
        self._guard = threading.Lock()
        self._held = 0

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The result for ``key``; what ``compute`` raises is raised, and nothing is kept."""
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            running = self._running.setdefault(key, threading.Lock())
        with running:
            with self._guard:
                if key in self._kept:
                    return self._kept[key]
            try:
                value = compute()
                self.put(key, value)
            finally:
                with self._guard:
                    self._running.pop(key, None)
            return value

    def put(self, key: Hashable, value: T) -> None:
        """Keep ``value``, and let go of the least recently used that no longer fit."""
        size = self._size(value)
        if size > self.limit:
            return
        with self._guard:
            if key in self._kept:
                self._held -= self._size(self._kept.pop(key))
            self._kept[key] = value
            self._held += size
            while self._held > self.limit:
                _, dropped = self._kept.popitem(last=False)
                self._held -= self._size(dropped)

    def peek(self, key: Hashable) -> T | None:
        """The result for ``key`` if it is kept."""
        with self._guard:
            return self._kept.get(key)

    def __len__(self) -> int:
        with self._guard:
            return len(self._kept)
