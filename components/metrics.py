"""This server's numbers: for the guide, for ``python -m core status``, and at ``/_stcore/metrics``.

Streamlit serves the metrics of its own registry there, in the text form that Prometheus reads; ours are
added to it by one provider. Names of jobs and of corpora are no part of them.

What Streamlit (1.67) counts of visits it counts while their runs change it. Where that fails, which would
make an error of the whole answer, it counts anew here.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import wraps

from streamlit import runtime
from streamlit.runtime.state.session_state import SessionStateStatProvider
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, CounterStat, GaugeStat, Stat, StatsManager

from core.pipeline.engine import Engine
from core.status.disk import Held, held_on_disk
from core.status.server import Server
from core.work import Queue, State

JOBS, ENDED = "strata_jobs", "strata_jobs_ended"
STORE, STORE_BUDGET = "strata_store_bytes", "strata_store_budget_bytes"
MEMORY, MEMORY_BUDGET = "strata_memory_bytes", "strata_memory_budget_bytes"
RESIDENT = "strata_resident_bytes"

FAMILIES = (JOBS, ENDED, STORE, STORE_BUDGET, MEMORY, MEMORY_BUDGET, RESIDENT)

COUNTS = 20
"""Times that what visits keep is counted, until none of them changes it meanwhile."""

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
        metrics = cls(Server(engine, queue, visitors))
        registry = _registry()
        if registry is not None:
            metrics.server.begin_writing()
            atexit.register(metrics.server.close)
            _CURRENT.metrics = metrics
            SessionStateStatProvider.get_stats = _counted  # type: ignore[method-assign]
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


def visitors() -> int:
    """How many browsers are connected; 0 where no server runs."""
    registry = _registry()
    if registry is None:
        return 0
    told = registry.get_stats([ACTIVE_SESSIONS_FAMILY])
    return sum(stat.value for stat in told.get(ACTIVE_SESSIONS_FAMILY, ()) if isinstance(stat, GaugeStat))


class _Current:
    """The provider in Streamlit's registry, which knows no way to take one back."""

    stats_families = FAMILIES

    def __init__(self) -> None:
        self.metrics: Metrics | None = None

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """What the metrics of today say."""
        return self.metrics.get_stats(family_names) if self.metrics else {}


_CURRENT = _Current()

_COUNT = SessionStateStatProvider.get_stats


@wraps(_COUNT)
def _counted(
    visits: SessionStateStatProvider, family_names: Sequence[str] | None = None
) -> Mapping[str, Sequence[Stat]]:
    for _ in range(COUNTS):
        with suppress(RuntimeError):
            return _COUNT(visits, family_names)
    return {}


def _registry() -> StatsManager | None:
    """The registry of the server that this process is; None where it is none, as under AppTest."""
    if not runtime.exists():
        return None
    registry = runtime.get_instance().stats_mgr
    return registry if isinstance(registry, StatsManager) else None


def _bytes(family: str, value: int, about: str, kind: str = "") -> GaugeStat:
    return GaugeStat(family, value, {"kind": kind} if kind else None, unit="bytes", help=about)
