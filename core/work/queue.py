"""The queue: a bounded number of jobs at once, one for each content, and the results of the last ones."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Collection, Hashable, Mapping
from typing import Any, TypeVar, cast

from core.storage.memo import bytes_in_memory
from core.work.job import Job
from core.work.work import LONG, State, Work

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

COUNT = 512
"""Final jobs that are kept at most."""

GRACE = 30.0
"""Seconds for which a result is kept after it was used, however large: whoever asked comes to take it."""

VISITORS = 1000
"""Visitors of whom it is known when a job of theirs began last."""

QUICK = 0.5
"""Seconds of work that is tried again rather than its error kept, unless it was started by a button."""

PAUSE = 3.0
"""Seconds for which long work gives way at a time: what it holds meanwhile, others wait for no longer."""

ERRORS_KEPT = 30.0
"""Seconds for which the error of other work is kept; after that the work is tried again."""


def long_places(limit: int) -> int:
    """How many background jobs may run at once where ``limit`` jobs may: one place is kept free of them."""
    return max(1, limit - 1)


class Queue:
    """Runs work for all visitors of an installation.

    Equal keys share one job while it is queued or running, and its result afterwards. Threads are daemons:
    the end of the process does not wait for them.

    * **Short work first.** Background jobs (:attr:`Job.is_background`) come after the others, the shortest
      of them first; a second of waiting counts as a second less. One place stays free of them where there
      are two or more.
    * **Long work gives way.** Where every place is taken, a job that is long, or turns out to be, pauses at
      a progress step while short work runs in its place: for ``pause`` seconds at most, and for no more
      than half of its time.
    * **Each visitor's share.** Of two jobs that may begin, the one of the visitor with fewer running jobs
      begins, then of the one whose last job began earlier, then the one that came first.
    * **Idle work last** (:attr:`Work.idle`): while nothing else runs or waits, and one piece at a time.
      Nobody takes its result, so its error goes to the log of this process.

    Parameters
    ----------
    limit
        The largest number of jobs that run at once.
    memory_bytes
        The largest sum of sizes of kept results. The least recently used go first, but none that was used
        within the last ``grace`` seconds.
    count
        The largest number of final jobs that are kept, results of the last ``grace`` seconds apart.
    pause
        Seconds for which long work gives way to short work at a time.
    """

    def __init__(
        self,
        limit: int = 2,
        memory_bytes: int = 1 << 28,
        *,
        count: int = COUNT,
        grace: float = GRACE,
        pause: float = PAUSE,
    ) -> None:
        self.limit, self.memory_bytes, self.count, self.grace = limit, memory_bytes, count, grace
        self.pause = pause
        self.ended: Counter[State] = Counter()
        """How many jobs took each final state."""
        self._guard = threading.RLock()
        self._changed = threading.Condition(self._guard)
        self._served: dict[str, float] = {}
        self._jobs: OrderedDict[Hashable, Job[Any]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._queued: list[Job[Any]] = []
        self._running: list[Job[Any]] = []

    def job(self, work: Work[T]) -> Job[T]:
        """The job for some work: the one that is queued, running or kept, else a new one, not submitted."""
        with self._guard:
            return cast(Job[T], self._find(work.key) or Job(work))

    def find(self, key: Hashable) -> Job[Any] | None:
        """The job of this key that is queued, running or kept."""
        with self._guard:
            return self._find(key)

    def submit(
        self, work: Work[T], visitor: str = "", *, pressed: bool = False, aside: bool = False
    ) -> Job[T]:
        """Queue the work, or join the job that makes the same; one that was stopped begins anew.

        ``visitor`` is whoever waits for it, empty for nobody in particular; ``pressed`` says that they
        started it by a button, ``aside`` that it stands beside their page (:meth:`Job.watch`).
        """
        with self._guard:
            job = self._find(work.key)
            if job is None or job.state is State.STOPPED or job.stopping:
                job = Job(work)
                job.state = State.QUEUED
                self._jobs[work.key] = job
                self._sizes.pop(work.key, None)
                self._queued.append(job)
                if not work.idle:
                    self._interrupt()
            job.pressed |= pressed
            if visitor:
                job.watch(visitor, aside=aside)
            self._start()
            return cast(Job[T], job)

    def stop(self, key: Hashable, visitor: str = "") -> None:
        """End a job: at once while it is queued, at its next progress step when it runs.

        With a visitor, it goes on for others who look at it now; this visitor waits for it no longer.
        """
        with self._guard:
            job = self._jobs.get(key)
            if job is None:
                return
            if visitor:
                job.leave(visitor, stopped=True)
            if not (visitor and job.is_watched()):
                self._end(job)

    def leave(self, key: Hashable, visitor: str) -> None:
        """Note that a visitor has turned to something else.

        A running job and a background job go on where they are for a page. Another queued one is dropped
        when nobody else waits for it: nothing is lost, and it would hold up what is wanted now. Those who
        wait for idle work give no sign of life.
        """
        with self._guard:
            job = self._jobs.get(key)
            if job is None:
                return
            job.leave(visitor)
            unwanted = job.is_abandoned() if job.idle else not job.is_watched()
            if job.state is State.QUEUED and not job.is_background and unwanted:
                self._end(job)

    def forget(self, key: Hashable) -> None:
        """Let go of a result or an error: the next who asks has the work done anew."""
        with self._guard:
            job = self._jobs.get(key)
            if job is not None and job.state.is_final:
                self._drop(key)

    def ahead_of(self, job: Job[Any]) -> int:
        """How many queued jobs run before this one, as things stand."""
        with self._guard:
            order = self._in_order()
            return order.index(job) if job in order else 0

    def waits_for(self, job: Job[Any]) -> Job[Any] | None:
        """The running job that a queued one waits for.

        One that reads the same, else for long work a long one, else the oldest where no place is free.
        """
        with self._guard:
            same = [other for other in self._running if other.reads & job.reads]
            long = [other for other in self._running if other.is_background and job.is_background]
            full = self._running if len(self._running) >= self.limit else []
            return next(iter(same or long or full), None)

    def begins_in(self, job: Job[Any]) -> float | None:
        """Seconds until a queued job may begin, as those before it are expected to end; None if unknown."""
        with self._guard:
            other, order = self.waits_for(job), self._in_order()
            if other is None or job not in order:
                return None
            left = other.expected - other.elapsed
            before = [one.seconds for one in order[: order.index(job)] if one.is_background]
            in_turn = long_places(self.limit) == 1 or not before
            return left + sum(before) if left > 0 and all(before) and in_turn else None

    def before(self, works: Collection[Work[Any]]) -> list[Job[Any]]:
        """The background jobs that some work would wait for, were it started by a button now."""
        with self._guard:
            keys = {work.key for work in works}
            reads: frozenset[Hashable] = frozenset().union(*(work.reads for work in works))
            running = [job for job in self._running if job.is_background]
            if len(running) < long_places(self.limit) and not any(job.reads & reads for job in running):
                return []
            return [job for job in self.active() if job.is_background and job.key not in keys]

    def is_read(self, reads: frozenset[Hashable]) -> bool:
        """Whether all of ``reads`` is read by jobs that are queued or running, so that it comes anyhow."""
        with self._guard:
            jobs = [*self._running, *self._queued]
            return bool(reads) and reads <= frozenset().union(*(job.reads for job in jobs))

    def active(self) -> list[Job[Any]]:
        """The jobs that run, then those that are queued."""
        with self._guard:
            return [*self._running, *self._in_order()]

    @property
    def kept_bytes(self) -> int:
        """The sum of the sizes of the results that are kept."""
        with self._guard:
            return sum(self._sizes.values())

    def close(self, seconds: float = 0.0) -> bool:
        """Stop everything; whether nothing runs any more after at most so many seconds."""
        with self._guard:
            for job in [*self._queued, *self._running]:
                self._end(job)
            return self._changed.wait_for(lambda: not self._running, seconds)

    # -- inside; the guard is held -------------------------------------------------------------------

    def _find(self, key: Hashable) -> Job[Any] | None:
        job = self._jobs.get(key)
        if job is None:
            return None
        now = time.monotonic()
        if job.state is State.FAILED and job.raised:
            tried_again = job.elapsed < QUICK and not job.pressed
            if tried_again or now - (job.ended or now) > ERRORS_KEPT:
                self._drop(key)
                return None
        job.used = now
        self._jobs.move_to_end(key)
        return job

    def _in_order(self) -> list[Job[Any]]:
        """The queued jobs, those first that would begin first now."""
        held = self._held()
        return sorted(self._queued, key=lambda job: self._rank(job, held))

    def _held(self) -> Counter[str]:
        """How many running jobs each visitor waits for."""
        return Counter(visitor for job in self._running for visitor in job.visitors())

    def _rank(self, job: Job[Any], held: Mapping[str, int]) -> tuple[float, ...]:
        """What the next job has the least of; of equals the one that came first is the first.

        Work that nobody in particular waits for counts as that of a visitor of its own.
        """
        if job.idle:
            return (2, job.submitted)
        shares = [(held[one], self._served.get(one, 0.0)) for one in job.visitors()]
        running, served = min(shares, default=(0, job.submitted))
        if not job.is_background:
            return (0, running, served)
        return (1, running, max(job.seconds, LONG) - (time.monotonic() - job.submitted))

    def _places(self) -> int:
        """How many places are free."""
        return self.limit - sum(not job.paused for job in self._running)

    def _start(self) -> None:
        """Begin what may begin, each in a thread of its own."""
        while self._places() > 0 and (job := self._next()) is not None:
            self._begin(job)
            threading.Thread(target=self._work, args=(job,), name="work", daemon=True).start()

    def _next(self) -> Job[Any] | None:
        """The next job that may begin beside those that run."""
        for job in [job for job in self._queued if job.is_abandoned()]:
            self._cancel(job)
        if all(job.idle for job in self._queued):
            return next(iter(self._queued), None) if not self._running else None
        busy = {job.key for job in self._running}.union(*(job.reads for job in self._running))
        background = sum(job.is_background for job in self._running)
        room = background < long_places(self.limit)
        free = [
            job
            for job in self._queued
            if not (job.idle or job.key in busy or busy & job.reads) and (room or not job.is_background)
        ]
        held = self._held()
        return min(free, key=lambda job: self._rank(job, held), default=None)

    def _interrupt(self) -> None:
        """Have idle work that runs end at its next progress step."""
        for job in self._running:
            if job.idle:
                self._end(job)

    def _give_way(self, job: Job[Any]) -> None:
        """In the thread of a running job, at a progress step: let short work that waits go before."""
        with self._guard:
            rested = time.monotonic() - job.resumed > self.pause
            if not (self._queued and rested and job.gives_way) or self._places() != 0:
                return
            following = self._next()
            if following is None or following.is_background:
                return
            job.paused = True
            self._start()
            self._changed.wait_for(lambda: self._places() > 0 or job.stopping, self.pause)
            job.paused, job.resumed = False, time.monotonic()

    def _begin(self, job: Job[Any]) -> None:
        self._queued.remove(job)
        self._running.append(job)
        job.begun = job.resumed = time.monotonic()
        job.state = State.RUNNING
        self._served |= dict.fromkeys(job.visitors(), job.begun)
        while len(self._served) > VISITORS:
            del self._served[min(self._served, key=self._served.__getitem__)]

    def _work(self, job: Job[Any]) -> None:
        """A thread: one job, then the next ones as long as there are any."""
        following: Job[Any] | None = job
        while following is not None:
            job = following
            state = job.run(self._give_way)
            if job.idle and state is State.FAILED:
                _LOG.error("%s", job.what, exc_info=job.error)
            size = self._size_of(job.value()) if state is State.DONE else 0
            with self._guard:
                self._running.remove(job)
                self.ended[state] += 1
                job.end(state)
                if self._jobs.get(job.key) is job:
                    self._sizes[job.key] = size
                self._evict()
                self._changed.notify_all()
                following = self._next() if self._places() > 0 else None
                if following is not None:
                    self._begin(following)
                self._start()

    def _size_of(self, result: object) -> int:
        """The bytes of a result; of one that cannot be measured as many as all results may have."""
        try:
            return bytes_in_memory(result)
        except Exception:  # whatever it raises, the place of the job is needed for others
            return self.memory_bytes

    def _end(self, job: Job[Any]) -> None:
        if job.state is State.QUEUED:
            self._cancel(job)
            self._start()
        elif job.state is State.RUNNING:
            job.ask_to_stop()
            self._changed.notify_all()

    def _cancel(self, job: Job[Any]) -> None:
        """Stop a job that has not begun."""
        self._queued.remove(job)
        self.ended[State.STOPPED] += 1
        job.end(State.STOPPED)
        self._sizes[job.key] = 0

    def _evict(self) -> None:
        """Let go of the least recently used, as far as the bounds ask for it."""
        now, held, kept = time.monotonic(), sum(self._sizes.values()), len(self._sizes)
        for key, job in list(self._jobs.items()):
            if held <= self.memory_bytes and kept <= self.count:
                return
            if key in self._sizes and now - job.used > self.grace:
                held, kept = held - self._sizes[key], kept - 1
                self._drop(key)

    def _drop(self, key: Hashable) -> None:
        self._jobs.pop(key, None)
        self._sizes.pop(key, None)
