"""One piece of work in the queue: who waits for it, how far it is, and its result or error."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from core.progress import Progress, Step
from core.work.pace import Pace
from core.work.work import LONG, State, Stopped, Work

T = TypeVar("T")

LOOKING = 3.0
"""Seconds after its last sign of life for which a visitor counts as looking at a job."""

AWAY = 90.0
"""Seconds after its last sign of life from which on a visitor has left; hidden tabs wake once a minute."""


@dataclass
class _Visitor:
    """A visitor who waits for a job.

    Attributes
    ----------
    seen
        When they were seen last, in seconds of :func:`time.monotonic`.
    on_page
        Whether a page of theirs shows the job, and not only the bar beside it.
    finish
        Whether the job goes on after they have left that page.
    """

    seen: float
    on_page: bool = False
    finish: bool = True

    @property
    def is_content(self) -> bool:
        """Whether the job goes on after they have left."""
        return self.on_page and self.finish


class Job(Generic[T]):
    """Work in the queue. Its state is read from any thread; the queue alone changes it.

    Attributes
    ----------
    state
        How far it is.
    step
        The latest progress; None before the first.
    pace
        How fast it goes, by its steps; what was estimated, last when it began.
    begun, ended
        Seconds of :func:`time.monotonic`; None before.
    pressed
        Whether a visitor started it by a button.
    submitted
        When it was made, in the same seconds.
    paused, resumed
        Whether it gives way to shorter work now, and when it last did so or began.
    used, raised
        When somebody last asked for it, in the same seconds, and whether somebody got its error.
    """

    def __init__(self, work: Work[T]) -> None:
        self.key, self.what, self.seconds, self.reads = work.key, work.what, work.seconds, work.reads
        self.idle = work.idle
        self.pace = Pace(work.seconds)
        self._anew = work.anew
        self.state = State.NEW
        self.paused = False
        self.resumed = 0.0
        self.submitted = time.monotonic()
        self.step: Step | None = None
        self.begun: float | None = None
        self.ended: float | None = None
        self.used = time.monotonic()
        self.raised = self.pressed = False
        self._compute: Callable[[Progress], T] | None = work.compute
        self._value: T | None = None
        self._error: BaseException | None = None
        self._traceback: TracebackType | None = None
        self._stop, self._final = threading.Event(), threading.Event()
        self._guard = threading.Lock()
        self._visitors: dict[str, _Visitor] = {}
        self._left: set[str] = set()

    @property
    def elapsed(self) -> float:
        """Seconds since it began; 0 before."""
        if self.begun is None:
            return 0.0
        return (time.monotonic() if self.ended is None else self.ended) - self.begun

    @property
    def expected(self) -> float:
        """About how many seconds it takes in all (:attr:`Pace.expected`)."""
        return self.pace.expected

    @property
    def is_background(self) -> bool:
        """Whether it gives way to work that a page waits for: it is long, or was started by a button."""
        return self.pressed or self.seconds >= LONG

    @property
    def gives_way(self) -> bool:
        """Whether it pauses for short work: it is long, or has turned out to be."""
        return self.is_background or self.elapsed >= LONG

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and has not come to its next progress step."""
        return self._stop.is_set() and not self.state.is_final

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job is final; whether it is."""
        return self._final.wait(seconds)

    @property
    def error(self) -> BaseException | None:
        """What the work raised; None where it raised nothing, or has not ended."""
        return self._error

    def value(self) -> T | None:
        """The result; None while there is none. Raises what the work raised, with its own traceback."""
        if self.state is State.FAILED and self._error is not None:
            self.raised = True
            raise self._error.with_traceback(self._traceback)
        return self._value

    # -- visitors ------------------------------------------------------------------------------------

    def watch(self, visitor: str, *, finish: bool | None = None, aside: bool = False) -> None:
        """Note that a visitor waits for it; ``finish`` says whether it goes on after they have left.

        ``aside`` is for what stands beside a page: it does not go on, and a Stop on the page holds for it.
        """
        with self._guard:
            if aside and visitor in self._left:
                return
            watcher = self._visitors.setdefault(visitor, _Visitor(0.0))
            watcher.seen = time.monotonic()
            watcher.on_page |= not aside
            if finish is not None:
                watcher.finish = finish
            self._left.discard(visitor)

    def leave(self, visitor: str, *, stopped: bool = False) -> None:
        """Note that a visitor waits no longer; ``stopped`` says that they pressed Stop."""
        with self._guard:
            if stopped:
                self._visitors.pop(visitor, None)
                self._left.add(visitor)
            elif visitor in self._visitors:
                self._visitors[visitor].seen = -AWAY

    def was_left(self, visitor: str) -> bool:
        """Whether this visitor pressed Stop."""
        with self._guard:
            return visitor in self._left

    def finishes(self, visitor: str) -> bool:
        """Whether the job goes on after this visitor has left."""
        with self._guard:
            return visitor not in self._visitors or self._visitors[visitor].finish

    def visitors(self) -> list[str]:
        """Those who wait for it, or asked for it and have left without stopping it."""
        with self._guard:
            return list(self._visitors)

    def is_watched(self) -> bool:
        """Whether a visitor looks at it now."""
        now = time.monotonic()
        with self._guard:
            return any(now - one.seen < LOOKING for one in self._visitors.values())

    def is_abandoned(self) -> bool:
        """Whether all visitors who asked for it have left, and it is to go on for none of them."""
        now = time.monotonic()
        with self._guard:
            return bool(self._visitors) and all(
                not one.is_content and now - one.seen > AWAY for one in self._visitors.values()
            )

    # -- what the queue does -------------------------------------------------------------------------

    def ask_to_stop(self) -> None:
        """End the job at its next progress step."""
        self._stop.set()

    def run(self, give_way: Callable[[Job[Any]], None]) -> State:
        """Compute, in the thread that calls; the state that the job is to take.

        ``give_way`` is called at every progress step, and returns when the job may go on.
        """
        compute, self._compute = self._compute, None
        anew, self._anew = self._anew, None
        if compute is None or self._stop.is_set():
            return State.STOPPED

        def note(step: Step) -> None:
            self._go_on()
            self.pace.count(step, self.elapsed)
            self.step = step
            give_way(self)
            self._go_on()

        try:
            if anew is not None:
                self.pace.estimate(anew())
            self._value = compute(note)
        except Stopped:
            return State.STOPPED
        except BaseException as error:
            self._error, self._traceback = error, error.__traceback__
            return State.FAILED
        return State.DONE

    def end(self, state: State) -> None:
        """Take a final state, and wake all who wait.

        An error keeps the lines that it was raised in, and nothing of what the work held there.
        """
        self.ended = self.used = time.monotonic()
        self._compute = self._anew = None
        _clear_frames(self._error)
        self.state = state
        self._final.set()

    def _go_on(self) -> None:
        """Raise :class:`Stopped` where the job is to end."""
        if self._stop.is_set() or self.is_abandoned():
            raise Stopped


def _clear_frames(error: BaseException | None) -> None:
    """Let go of the local variables of every frame of an error, and of those it was raised from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__
