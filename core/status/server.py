"""What a server says about itself, also in a small file of the store for ``python -m core status``.

Jobs and memory belong to one process. Several servers on one store each write a file of their own, every
few seconds; a file that was not written for a while is of a server that is gone.
"""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.machine import give_back, hold_less
from core.pipeline.engine import Engine
from core.status.disk import Held
from core.storage.files import replacing
from core.work import Job, Queue, State

FOLDER = "servers"
"""The folder of a store in which servers write."""

GIVEN_BACK = 1.0
"""Seconds after which freed memory is given back; it takes tenths of a millisecond."""

EVERY = 5.0
"""Seconds from one writing to the next."""

GONE = 30.0
"""Seconds after its last writing from which on a server counts as gone."""

FORGOTTEN = 3600.0
"""Seconds after which the file of a server that is gone is removed."""


@dataclass(frozen=True)
class JobState:
    """A job that runs or waits.

    ``done`` is the part of its latest step that is done, 0 to 1; ``seconds`` its estimated duration, 0
    where it is unknown; ``visitors`` how many wait for it.
    """

    what: str
    state: str
    elapsed: float
    seconds: float
    done: float
    visitors: int


@dataclass(frozen=True)
class ServerState:
    """A server, at ``time`` (seconds since 1970).

    ``jobs`` are those that run, then those that wait; ``places`` how many may run at once; ``ended`` how
    many were done, failed or were stopped since it started. ``memory`` are results that are kept, by kind;
    ``resident_bytes`` all memory of the process, None where the system does not tell.
    """

    name: str
    started: float
    time: float
    visitors: int
    places: int
    jobs: tuple[JobState, ...]
    ended: dict[str, int]
    memory: tuple[Held, ...]
    memory_budget_bytes: int
    resident_bytes: int | None

    def count(self, state: State) -> int:
        """How many jobs run, or wait."""
        return sum(job.state == state.value for job in self.jobs)

    @property
    def memory_bytes(self) -> int:
        """The bytes of all results that are kept."""
        return sum(held.bytes for held in self.memory)


class Server:
    """This process as a server: an engine, a queue, and a count of the visitors who are here."""

    def __init__(self, engine: Engine, queue: Queue, visitors: Callable[[], int]) -> None:
        self.engine, self.queue, self._visitors = engine, queue, visitors
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        self._started, self._closed = time.time(), threading.Event()
        self._path = engine.settings.cache / FOLDER / f"{self.name}.json"

    def state(self) -> ServerState:
        """What it does and holds now."""
        kinds = {**self.engine.bytes_in_memory(), "jobs": self.queue.kept_bytes}
        return ServerState(
            self.name,
            self._started,
            time.time(),
            self._visitors(),
            self.queue.limit,
            tuple(map(_state_of, self.queue.active())),
            {state.value: self.queue.ended[state] for state in State if state.is_final},
            tuple(Held(kind, size) for kind, size in kinds.items()),
            self.engine.settings.memory_bytes,
            resident_bytes(),
        )

    def begin_writing(self) -> None:
        """Write the state to the store every few seconds, until it is closed or the process ends.

        Memory that was freed meanwhile is given back to the system every second: a model that reads a
        corpus frees as much with each batch as the next one takes, but in other places. Where memory is
        short, large arrays go back at once.
        """
        if not self.engine.settings.is_roomy:
            hold_less()
        threading.Thread(target=self._write_on, name="status", daemon=True).start()

    def write(self) -> None:
        """Write the state to the store; nothing where that cannot be written."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as temporary:
                temporary.write_text(json.dumps(asdict(self.state())), "utf-8")

    def close(self) -> None:
        """Write no longer, and remove what is written."""
        self._closed.set()
        self._path.unlink(missing_ok=True)

    def _write_on(self) -> None:
        written = -math.inf
        while not self._closed.is_set():
            give_back()
            if time.monotonic() - written >= EVERY:
                self.write()
                written = time.monotonic()
            self._closed.wait(min(GIVEN_BACK, EVERY))
        self._path.unlink(missing_ok=True)


def servers_on(cache: Path) -> list[ServerState]:
    """The servers that work on a store now, by name; what is damaged or of another version is left out."""
    states, now = [], time.time()
    for path in sorted((cache / FOLDER).glob("[!.]*.json")):
        with suppress(OSError, ValueError, TypeError, KeyError):
            if now - path.stat().st_mtime > FORGOTTEN:
                path.unlink()
                continue
            state = _read(json.loads(path.read_text("utf-8")))
            if abs(now - state.time) < GONE:  # a clock that was put back leaves a time to come
                states.append(state)
    return states


def resident_bytes() -> int | None:
    """The memory of this process that is in use; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _read(said: dict[str, Any]) -> ServerState:
    jobs = tuple(JobState(**job) for job in said.pop("jobs"))
    memory = tuple(Held(**held) for held in said.pop("memory"))
    return ServerState(**said, jobs=jobs, memory=memory)


def _state_of(job: Job[Any]) -> JobState:
    step = job.step
    done = step.finished if step else 0.0
    return JobState(
        job.what, job.state.value, round(job.elapsed, 1), job.expected, round(done, 3), len(job.visitors())
    )
