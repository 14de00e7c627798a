"""What is to be computed, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from core.progress import Progress

T = TypeVar("T")

LONG = 10.0
"""Estimated seconds from which on work is long: it gives way to shorter work, and pages ask first."""


class State(Enum):
    """How far a job is. NEW is not in the queue yet; the last three are final."""

    NEW = "new"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def is_final(self) -> bool:
        """Whether nothing follows."""
        return self.is_answered or self is State.STOPPED

    @property
    def is_answered(self) -> bool:
        """Whether there is a result, or an error in its place."""
        return self in (State.DONE, State.FAILED)


class Stopped(BaseException):
    """Ends work at its next progress step.

    It is no :class:`Exception`, so that code that handles errors does not take it for one.
    """


@dataclass(frozen=True, eq=False)
class Work(Generic[T]):
    """What is to be computed.

    Attributes
    ----------
    key
        Names the content of the result: equal keys give equal results.
    what
        The work in words, for those who wait.
    compute
        Gives the result. It runs in a thread of the queue, and must call the progress function that it is
        given.
    seconds
        The estimated duration; 0 where it is short or unknown.
    reads
        What it makes that other work needs as well, such as stored passes: two jobs that share a part of it
        do not run at the same time, because the second would only wait for the first.
    asks
        Whether a visitor is asked before it begins.
    anew
        Gives the estimate again when it begins: by then others may have read its share, or timed its model.
    idle
        Whether it is done only while nothing else is: it begins when nothing runs or waits, and is stopped
        as soon as other work comes. What it has stored by then is all that it is for.
    """

    key: Hashable
    what: str
    compute: Callable[[Progress], T]
    seconds: float = 0.0
    reads: frozenset[Hashable] = frozenset()
    asks: bool = False
    anew: Callable[[], float] | None = None
    idle: bool = False
