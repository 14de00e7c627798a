"""How long work tells what it is doing, and how it can be stopped.

Every function that may take more than half a second has a ``progress`` argument: a callable that is
given a :class:`Step` now and then. Raising inside it stops the work; what is stored so far is kept.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType

TOLD = 0.5
"""Seconds after which a library at work is told about again."""


@dataclass(frozen=True)
class Step:
    """What is being done, and how many of how many are done; ``total`` is 0 where that is not known.

    ``share`` is how much of the work that is, 0 to 1, where one takes longer than another; ``found``, what
    was found so far, in words.
    """

    what: str
    done: int
    total: int
    share: float | None = field(default=None, kw_only=True)
    found: str = field(default="", kw_only=True)

    @property
    def finished(self) -> float:
        """How much of the work is done, 0 to 1; 0 where that is not known."""
        if self.share is not None:
            return self.share
        return min(1.0, self.done / self.total) if self.total else 0.0

    def __str__(self) -> str:
        done = f"{self.what}: {self.done:,} of {self.total:,}" if self.total else self.what
        return f"{done}, {self.found}" if self.found else done


Progress = Callable[[Step], None]


def silent(step: Step) -> None:
    """Tell nobody."""


class Heard:
    """A progress function that keeps its latest step, for those who wait for the same computation."""

    def __init__(self, progress: Progress = silent) -> None:
        self._progress = progress
        self.latest: Step | None = None

    def __call__(self, step: Step) -> None:
        """Keep the step, and pass it on."""
        self.latest = step
        self._progress(step)


def within(progress: Progress, step: Step) -> Progress:
    """What is told while one part of a step is done: the step, and how much of it that is."""

    def tell(inner: Step) -> None:
        progress(replace(step, share=(step.done + inner.finished) / step.total))

    return tell


def one_at_a_time(progress: Progress) -> Progress:
    """The same for threads that work on one thing together: while one tells, or waits there, so do all."""
    guard = threading.Lock()

    def tell(step: Step) -> None:
        with guard:
            progress(step)

    return tell


@contextmanager
def told_inside(tell: Callable[[], None], every: float = TOLD) -> Iterator[None]:
    """Call ``tell`` while a library computes that tells no progress, at most once in ``every`` seconds.

    It is called where this thread enters a function of Python, as a profiler is (:func:`sys.setprofile`),
    so that raising inside it stops the library there and changes nothing of what it computes. What the
    library does without entering one, such as one product of matrices, is not interrupted. It is for the
    library's work alone: ``tell`` may pause, and inside a lock of ours others would wait as well.
    """
    last, before = time.monotonic(), sys.getprofile()

    def entered(frame: FrameType, event: str, argument: object) -> None:
        nonlocal last
        if event == "call" and time.monotonic() - last >= every:
            tell()
            last = time.monotonic()

    sys.setprofile(entered)
    try:
        yield
    finally:
        sys.setprofile(before)


def written(every: float) -> Progress:
    """Write each kind of step on standard error, at most once in ``every`` seconds, and its end."""
    last: dict[str, float] = {}

    def write(step: Step) -> None:
        now = time.monotonic()
        if now - last.get(step.what, -math.inf) >= every or 0 < step.total <= step.done:
            sys.stderr.write(f"{step}\n")
            sys.stderr.flush()
            last[step.what] = now

    return write
