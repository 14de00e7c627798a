"""Locks by key, a file each: one visitor, or one process, computes what others wait for."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from filelock import FileLock, Timeout

from core.progress import Heard, Progress, Step


class Locks:
    """The lock files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._holders: dict[str, Heard] = {}

    @contextmanager
    def exclusively(self, key: str, progress: Progress, what: str = "") -> Iterator[Path]:
        """Hold the lock of a key, and report while another thread or process holds it.

        How far a thread of this process is that holds it with :class:`~core.progress.Heard` is told as it
        is; of another process nothing is known. Where no lock file can be written (a full disk), and on a
        file system that refuses every lock, the block runs without a lock.
        """
        path = self._folder / f"{key}.lock"
        lock = FileLock(path)
        unknown = Step(f"Waiting for other work that runs {what}", 0, 0)
        while not lock.is_locked:
            try:
                lock.acquire(timeout=0.25)
            except Timeout:
                if self._are_refused:
                    break
                holder = self._holders.get(key)
                progress((holder and holder.latest) or unknown)
            except OSError:
                break
        if lock.is_locked and isinstance(progress, Heard):
            self._holders[key] = progress
        try:
            yield path
        finally:
            if self._holders.get(key) is progress:
                del self._holders[key]
            lock.release()

    def is_held(self, key: str) -> bool:
        """Whether a living thread or process holds the lock of a key; False where that cannot be seen."""
        path = self._folder / f"{key}.lock"
        try:
            if path.exists():
                with FileLock(path, timeout=0):
                    pass
        except Timeout:
            return not self._are_refused
        except OSError:
            return False
        return False

    @cached_property
    def _are_refused(self) -> bool:
        """Whether a lock is refused that nobody can hold: some file systems say so as if it were held."""
        path = self._folder / f"{uuid.uuid4().hex}.lock"
        try:
            with FileLock(path, timeout=0):
                return False
        except Timeout:
            return True
        except OSError:
            return False
        finally:
            with suppress(OSError):
                path.unlink()
