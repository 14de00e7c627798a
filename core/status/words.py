"""The status of an installation in words and as JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from core.errors import counted
from core.status.disk import Held
from core.status.server import EVERY, JobState, ServerState
from core.work import State
from core.work.queue import long_places


def told(servers: Sequence[ServerState], disk: Sequence[Held], root: str) -> list[str]:
    """Lines about each server, then about the disk."""
    lines = [line for server in servers for line in _server(server)]
    return [*(lines or ["No server works on this store now."]), f"Disk in {root}:", *map(_held, disk)]


def as_json(servers: Sequence[ServerState], disk: Sequence[Held], root: str) -> dict[str, Any]:
    """The same as values for JSON; bytes and seconds are plain numbers."""
    return {
        "store": root,
        "servers": [asdict(server) for server in servers],
        "disk": [asdict(held) for held in disk],
    }


def megabytes(size: int, budget: int | None = None) -> str:
    """``1,234.5 MB``, or ``1,234.5 MB of 2,000.0 MB``."""
    return f"{size / 1e6:,.1f} MB" + ("" if budget is None else f" of {megabytes(budget)}")


def places(server: ServerState) -> str:
    """``1 place``, or ``2 places, 1 of them for long work``: another one is kept free for short work."""
    long = long_places(server.places)
    return counted(server.places, "place") + (
        f", {long} of them for long work" if long < server.places else ""
    )


def _server(server: ServerState) -> Iterator[str]:
    since = datetime.fromtimestamp(server.started, UTC).isoformat(" ", "minutes")
    resident = "" if server.resident_bytes is None else f", {megabytes(server.resident_bytes)} resident"
    silent = time.time() - server.time
    unheard = f"; not heard of for {silent:.0f} s" if silent > 2 * EVERY else ""
    yield f"Server {server.name} since {since}: visitors {server.visitors}{resident}{unheard}"
    yield f"  results in memory {megabytes(server.memory_bytes, server.memory_budget_bytes)}"
    ended = ", ".join(f"{count:,} {state}" for state, count in server.ended.items())
    running, waiting = server.count(State.RUNNING), server.count(State.QUEUED)
    yield f"  jobs: {running} running ({places(server)}), {waiting} waiting; {ended}"
    yield from (f"    {_job(job)}" for job in server.jobs)


def _job(job: JobState) -> str:
    about = f" of about {job.seconds:,.0f}" if job.seconds else ""
    took = f", {job.elapsed:,.0f}{about} s, {job.done:.0%} of its step" if job.elapsed else ""
    return f"{job.state}: {job.what}{took}, visitors {job.visitors}"


def _held(held: Held) -> str:
    of = "" if held.budget_bytes is None else f" of {megabytes(held.budget_bytes)}"
    return f"  {held.kind:<10} {megabytes(held.bytes):>14}{of}"
