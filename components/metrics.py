"""This server's numbers: for the guide, for ``python -m core status``, and at ``/_stcore/metrics``.

Streamlit serves the metrics of its own registry there, in the text form that Prometheus reads; ours are
added to it by one provider. Names of jobs and of corpora are no part of them.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping, Sequence

from components.streamlit_inside import statistics
from components.streamlit_inside.statistics import CounterStat, GaugeStat, Stat
from core.pipeline.engine import Engine
from core.status.disk import Held, held_on_disk
from core.status.server import Server
from core.work import Queue, State

JOBS, ENDED = "strata_jobs", "strata_jobs_ended"
STORE, STORE_BUDGET = "strata_store_bytes", "strata_store_budget_bytes"
MEMORY, MEMORY_BUDGET = "strata_memory_bytes", "strata_memory_budget_bytes"
RESIDENT = "strata_resident_bytes"

FAMILIES = (JOBS, ENDED, STORE, STORE_BUDGET, MEMORY, MEMORY_BUDGET, RESIDENT)

DISK_SECONDS = 30.0
"""Seconds for which the size of the store is believed."""


class Metrics:
    """What the registry asks for our families, as a :class:`streamlit.runtime.stats.StatsProvider`."""

    stats_families = FAMILIES

    def __init__(self, server: Server) -> None:
        self.server = server
        self._guard = threading.Lock()
        self._disk: tuple[float, list[Held]] = (-DISK_SECONDS, [])

    @classmethod
    def begun(cls, engine: Engine, queue: Queue) -> Metrics:
        """The numbers of this server, told from now on in place of those before.

        Without a server, as where a page is run by itself, nothing is written and nothing registered.
        """
        metrics = cls(Server(engine, queue, statistics.visitors))
        registry = statistics.registry()
        if registry is not None:
            metrics.server.begin_writing()
            atexit.register(metrics.server.close)
            _CURRENT.metrics = metrics
            statistics.count_anew()
            if JOBS not in registry.registered_families():
                registry.register_provider(_CURRENT)
        return metrics

    def end(self) -> None:
        """Write them no longer."""
        self.server.close()

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """The families that are asked for; all of them when None."""
        made = {family: [] for family in FAMILIES if family_names is None or family in family_names}
        for stat in self._stats(made.keys() & {STORE, STORE_BUDGET}):
            if stat.family_name in made:
                made[stat.family_name].append(stat)
        return made

    def disk(self) -> list[Held]:
        """What lies on the disk, at most half a minute old."""
        with self._guard:
            if time.monotonic() - self._disk[0] > DISK_SECONDS:
                self._disk = time.monotonic(), held_on_disk(self.server.engine.settings)
            return self._disk[1]

    def _stats(self, with_disk: object) -> list[Stat]:
        state = self.server.state()
        stats: list[Stat] = [
            GaugeStat(JOBS, state.count(one), {"state": one.value}, help="Jobs that run or wait.")
            for one in (State.RUNNING, State.QUEUED)
        ]
        stats += [
            CounterStat(ENDED, count, {"state": name}, help="Jobs since the start, by how they ended.")
            for name, count in state.ended.items()
        ]
        stats += [_bytes(MEMORY, one.bytes, "Results in memory.", one.kind) for one in state.memory]
        stats.append(_bytes(MEMORY_BUDGET, state.memory_budget_bytes, "The most that results may take."))
        if state.resident_bytes is not None:
            stats.append(_bytes(RESIDENT, state.resident_bytes, "Memory of this process in use."))
        for held in self.disk() if with_disk else ():
            stats.append(_bytes(STORE, held.bytes, "Bytes on the disk.", held.kind))
            if held.budget_bytes is not None:
                stats.append(_bytes(STORE_BUDGET, held.budget_bytes, "The most on the disk.", held.kind))
        return stats


class _Current:
    """The provider in Streamlit's registry, which knows no way to take one back."""

    stats_families = FAMILIES

    def __init__(self) -> None:
        self.metrics: Metrics | None = None

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """What the metrics of today say."""
        return self.metrics.get_stats(family_names) if self.metrics else {}


_CURRENT = _Current()


def _bytes(family: str, value: int, about: str, kind: str = "") -> GaugeStat:
    return GaugeStat(family, value, {"kind": kind} if kind else None, unit="bytes", help=about)
