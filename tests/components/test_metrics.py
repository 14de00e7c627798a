"""The numbers of a server, as Streamlit's registry asks for them."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.state.session_state import SessionState, SessionStateStatProvider
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat, StatsManager, StatsProvider

from components import metrics
from components.metrics import FAMILIES, Metrics
from components.streamlit_inside import statistics
from core.pipeline.engine import Engine
from core.settings import Settings
from core.status import server as servers
from core.work import Queue, Work


class Sessions:
    """What Streamlit tells of its visitors."""

    stats_families = (ACTIVE_SESSIONS_FAMILY,)

    def get_stats(self, family_names=None):
        return {ACTIVE_SESSIONS_FAMILY: [GaugeStat(ACTIVE_SESSIONS_FAMILY, 4)]}


@pytest.fixture
def registry(monkeypatch) -> StatsManager:
    """A server's registry, which counts four visitors."""
    manager = StatsManager()
    manager.register_provider(Sessions())
    fake = SimpleNamespace(exists=lambda: True, get_instance=lambda: SimpleNamespace(stats_mgr=manager))
    monkeypatch.setattr(statistics, "runtime", fake)
    monkeypatch.setattr(servers.Server, "begin_writing", servers.Server.write)
    return manager


def test_the_registry_of_the_server_has_our_families_once(registry, tmp_path):
    engine = Engine(Settings(cache=tmp_path))
    Metrics.begun(engine, Queue()).end()
    queue = Queue(1)
    told = Metrics.begun(engine, queue)
    assert isinstance(told, StatsProvider)
    assert queue.submit(Work("a", "Work on somebody's corpus", lambda progress: 1)).wait(10)
    stats = registry.get_stats(list(FAMILIES))
    lines = [stat.to_metric_str() for family in FAMILIES for stat in stats[family]]
    assert 'strata_jobs{state="running"} 0' in lines
    assert 'strata_jobs_ended_total{state="done"} 1' in lines
    assert f'strata_store_budget_bytes{{kind="passes"}} {engine.settings.budget_bytes}' in lines
    assert f"strata_memory_budget_bytes {engine.settings.memory_bytes}" in lines
    assert len(lines) == len(set(lines))
    assert "somebody" not in " ".join(lines)
    assert [stat.family_name for stat in registry.get_stats([metrics.JOBS])[metrics.JOBS]] == [
        metrics.JOBS
    ] * 2
    (state,) = servers.servers_on(tmp_path)
    assert state.visitors == 4
    told.end()
    assert servers.servers_on(tmp_path) == []


class Changing(dict):
    """The state of a visit whose run adds to it the first times that it is counted."""

    times = 3

    def __iter__(self):
        if self.times:
            self.times -= 1
            raise RuntimeError("dictionary changed size during iteration")
        return super().__iter__()


@pytest.mark.usefixtures("registry")
def test_what_a_run_changes_is_counted_anew(tmp_path):
    state = SessionState()
    state._old_state = Changing(a=1, b=2)
    visit = SimpleNamespace(session=SimpleNamespace(session_state=state))
    Metrics.begun(Engine(Settings(cache=tmp_path)), Queue()).end()
    visits = SessionStateStatProvider(SimpleNamespace(list_active_sessions=lambda: [visit]))
    ((stat,),) = visits.get_stats().values()
    assert stat.byte_length == 2
    state._old_state.times = statistics.COUNTS
    assert visits.get_stats() == {}


def test_without_a_server_nothing_is_written(tmp_path):
    told = Metrics.begun(Engine(Settings(cache=tmp_path)), Queue())
    assert told.server.state().visitors == 0
    assert not (tmp_path / servers.FOLDER).exists()
