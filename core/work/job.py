"""One piece of work: what it makes, how far it is, who waits for it, and its result or error."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Generic, TypeVar

from core.progress import Progress, Step

T = TypeVar("T")

LONG = 10.0
"""Estimated seconds from which on work is long: it gives way to shorter work, and pages ask first."""

LOOKING = 3.0
"""Seconds after its last sign of life for which a visitor counts as looking at a job."""

AWAY = 90.0
"""Seconds after its last sign of life from which on a visitor has left; hidden tabs wake once a minute."""


SETTLED = 5.0
"""Seconds of one part of the work from which on its pace says how long it takes."""

FEW = 5
"""How many of what it counts have to be done for that, or a quarter of them: one alone is no pace."""


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


@dataclass
class _Part:
    """A part of the work: all steps of one kind, told by the same words.

    Attributes
    ----------
    number
        Its place among the parts so far, from 1.
    done, begun
        How many of what it counts are done now, and were at its first step.
    first
        How much of the part was done at its first step, 0 to 1.
    lasted
        Seconds since then, without those of other parts between, such as the reading within a trial.
    """

    number: int
    done: int
    begun: int
    first: float
    lasted: float = 0.0


class Job(Generic[T]):
    """Work in the queue. Its state is read from any thread; the queue alone changes it.

    Attributes
    ----------
    state
        How far it is.
    step
        The latest progress; None before the first.
    part
        The number of that step among the kinds of steps so far, from 1; one that begins anew counts again.
    expected
        About how many seconds it takes in all: as was estimated, last when it began, or longer as the
        pace of its part says; never shorter, as what follows is not known. 0 where nothing was estimated.
    left
        About how many seconds its part still takes, by its pace; None where that says nothing yet.
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
        self.expected = self._estimated = work.seconds
        self.left: float | None = None
        self._anew = work.anew
        self.state = State.NEW
        self.paused = False
        self.resumed = 0.0
        self.submitted = time.monotonic()
        self.step: Step | None = None
        self.part = 0
        self._parts: dict[str, _Part] = {}
        self._told = 0.0
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
            self._count(step)
            self.step = step
            give_way(self)
            self._go_on()

        try:
            if anew is not None:
                self.expected = self._estimated = anew()
            self._value = compute(note)
        except Stopped:
            return State.STOPPED
        except BaseException as error:
            self._error, self._traceback = error, error.__traceback__
            return State.FAILED
        return State.DONE

    def _count(self, step: Step) -> None:
        """Number the parts of the work: another kind of step is another part, and one from its start.

        Threads that count together may tell numbers out of order: half of the last one is a new start.
        """
        part = self._parts.get(step.what)
        if part is None or 2 * step.done < part.done:
            number = 1 + max((one.number for one in self._parts.values()), default=0)
            part = self._parts[step.what] = _Part(number, step.done, step.done, step.finished)
        else:
            part.lasted += time.monotonic() - self._told
        self._told = time.monotonic()
        part.done = max(part.done, step.done)
        self.part = part.number
        self._expect(part, step)

    def _expect(self, part: _Part, step: Step) -> None:
        """Estimate the whole anew by the pace of the part that goes on, whose latest step this is."""
        made, count = step.finished - part.first, step.done - part.begun
        self.left = None
        if made > 0 and part.lasted >= SETTLED and count >= min(FEW, step.total / 4):
            self.left = (1 - step.finished) * part.lasted / made
            if self._estimated:
                self.expected = max(self._estimated, self.elapsed + self.left)

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
