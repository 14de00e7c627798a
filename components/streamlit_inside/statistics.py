"""The registry of numbers that the server tells at ``/_stcore/metrics``, in the form of Prometheus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import wraps

from streamlit import runtime
from streamlit.runtime.state.session_state import SessionStateStatProvider
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, CounterStat, GaugeStat, Stat, StatsManager

__all__ = ["COUNTS", "CounterStat", "GaugeStat", "Stat", "count_anew", "is_server", "registry", "visitors"]

COUNTS = 20
"""Times that what visits keep is counted, until none of them changes it meanwhile."""

_COUNT = SessionStateStatProvider.get_stats


def is_server() -> bool:
    """Whether this process is a server (``runtime.exists``): an ``AppTest`` and a bare script are none."""
    return runtime.exists()


def registry() -> StatsManager | None:
    """The registry of this server (``Runtime.stats_mgr``); None where it is none, or has another registry.

    Whoever registers a provider there cannot take it back.
    """
    if not is_server():
        return None
    found = runtime.get_instance().stats_mgr
    return found if isinstance(found, StatsManager) else None


def visitors() -> int:
    """How many browsers are connected (``ACTIVE_SESSIONS_FAMILY``); 0 where no server runs."""
    if (numbers := registry()) is None:
        return 0
    told = numbers.get_stats([ACTIVE_SESSIONS_FAMILY])
    return sum(stat.value for stat in told.get(ACTIVE_SESSIONS_FAMILY, ()) if isinstance(stat, GaugeStat))


def count_anew() -> None:
    """Have what visits keep counted again where their runs change it meanwhile.

    ``SessionStateStatProvider.get_stats`` counts it without a lock, and its RuntimeError would make an
    error of all numbers. A version that lacks it fails when this module is imported.
    """
    SessionStateStatProvider.get_stats = _counted  # type: ignore[method-assign]


@wraps(_COUNT)
def _counted(
    visits: SessionStateStatProvider, family_names: Sequence[str] | None = None
) -> Mapping[str, Sequence[Stat]]:
    for _ in range(COUNTS):
        with suppress(RuntimeError):
            return _COUNT(visits, family_names)
    return {}
