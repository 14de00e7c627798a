"""The queue: a bounded number of jobs at once, one for each content, and the results of the last ones."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, TypeVar, cast

from core.storage.memo import bytes_in_memory
from core.work.job import Job, State, Work

T = TypeVar("T")

COUNT = 512
"""Final jobs that are kept at most."""

GRACE = 30.0
"""Seconds for which a result is kept after it was used, however large: whoever asked comes to take it."""

QUICK = 0.5
"""Seconds of work that is tried again rather than its error kept, unless it was started by a button."""

ERRORS_KEPT = 30.0
"""Seconds for which the error of other work is kept; after that the work is tried again."""


class Queue:
    """Runs work for all visitors of an installation.

    Equal keys share one job while it is queued or running, and its result afterwards. Queued jobs run first
    come, first served, background jobs (:attr:`Job.is_background`) after the others; one place stays free
    of them where there are two or more. Threads are daemons: the end of the process does not wait for them.

    Parameters
    ----------
    limit
        The largest number of jobs that run at once.
    memory_bytes
        The largest sum of sizes of kept results. The least recently used go first, but none that was used
        within the last ``grace`` seconds.
    count
        The largest number of final jobs that are kept, results of the last ``grace`` seconds apart.
    """

    def __init__(
        self, limit: int = 2, memory_bytes: int = 1 << 28, *, count: int = COUNT, grace: float = GRACE
    ) -> None:
        self.limit, self.memory_bytes, self.count, self.grace = limit, memory_bytes, count, grace
        self._guard = threading.RLock()
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

    def submit(self, work: Work[T], visitor: str = "", *, pressed: bool = False) -> Job[T]:
        """Queue the work, or join the job that makes the same; one that was stopped begins anew.

        ``visitor`` is whoever waits for it, empty for nobody in particular; ``pressed`` says that they
        started it by a button.
        """
        with self._guard:
            job = self._find(work.key)
            if job is None or job.state is State.STOPPED or job.stopping:
                job = Job(work)
                job.state = State.QUEUED
                self._jobs[work.key] = job
                self._sizes.pop(work.key, None)
                self._queued.append(job)
            job.pressed |= pressed
            if visitor:
                job.watch(visitor)
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

        A running job and a background job go on. Another queued one is dropped when nobody else waits for
        it: nothing is lost, and it would hold up what is wanted now.
        """
        with self._guard:
            job = self._jobs.get(key)
            if job is None:
                return
            job.leave(visitor)
            if job.state is State.QUEUED and not job.is_background and not job.is_watched():
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
        """The running job that a queued one waits for: one that reads the same, else the oldest."""
        with self._guard:
            same = [other for other in self._running if other.reads & job.reads]
            full = len(self._running) >= self.limit or job.is_background
            return next(iter(same or (self._running if full else [])), None)

    def is_read(self, reads: frozenset[Hashable]) -> bool:
        """Whether all of ``reads`` is read by jobs that are queued or running, so that it comes anyhow."""
        with self._guard:
            jobs = [*self._running, *self._queued]
            return bool(reads) and reads <= frozenset().union(*(job.reads for job in jobs))

    def active(self) -> list[Job[Any]]:
        """The jobs that run, then those that are queued."""
        with self._guard:
            return [*self._running, *self._in_order()]

    def close(self) -> None:
        """Stop everything."""
        with self._guard:
            for job in [*self._queued, *self._running]:
                self._end(job)

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
        return sorted(self._queued, key=lambda job: job.is_background)

    def _start(self) -> None:
        """Begin what may begin, each in a thread of its own."""
        while len(self._running) < self.limit and (job := self._next()) is not None:
            self._begin(job)
            threading.Thread(target=self._work, args=(job,), name="work", daemon=True).start()

    def _next(self) -> Job[Any] | None:
        """The next job that may begin beside those that run."""
        for job in [job for job in self._queued if job.is_abandoned()]:
            self._cancel(job)
        busy = {job.key for job in self._running}.union(*(job.reads for job in self._running))
        background = sum(job.is_background for job in self._running)
        for job in self._in_order():
            if job.key in busy or busy & job.reads:
                continue
            if not job.is_background or background < max(1, self.limit - 1):
                return job
        return None

    def _begin(self, job: Job[Any]) -> None:
        self._queued.remove(job)
        self._running.append(job)
        job.begun = time.monotonic()
        job.state = State.RUNNING

    def _work(self, job: Job[Any]) -> None:
        """A thread: one job, then the next ones as long as there are any."""
        following: Job[Any] | None = job
        while following is not None:
            job = following
            state = job.run()
            size = bytes_in_memory(job.value()) if state is State.DONE else 0
            with self._guard:
                self._running.remove(job)
                job.end(state)
                if self._jobs.get(job.key) is job:
                    self._sizes[job.key] = size
                self._evict()
                following = self._next() if len(self._running) < self.limit else None
                if following is not None:
                    self._begin(following)
                self._start()

    def _end(self, job: Job[Any]) -> None:
        if job.state is State.QUEUED:
            self._cancel(job)
            self._start()
        elif job.state is State.RUNNING:
            job.ask_to_stop()

    def _cancel(self, job: Job[Any]) -> None:
        """Stop a job that has not begun."""
        self._queued.remove(job)
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
