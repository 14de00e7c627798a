"""What an installation tells of itself: jobs, memory, visitors of each server, and the disk."""

import json
import os
import threading
from dataclasses import replace

import pytest

from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.settings import ROOMY
from core.status import server as servers
from core.status.disk import held_on_disk
from core.status.server import Server, servers_on
from core.status.words import places, told
from core.work import Queue, State, Work
from tests.core.helpers.texts import many


def test_a_server_tells_its_jobs_and_memory_until_it_is_closed(engine, bert, run, monkeypatch):
    go, cache = threading.Event(), engine.settings.cache

    def compute(progress):
        progress(Step("Reading", 1, 4))
        go.wait(10)

    queue = Queue(1)
    server = Server(engine, queue, lambda: 3)
    engine.encode(many(4), Recipe.parse(bert))
    done = queue.submit(Work("quick", "Quick work", lambda progress: 1))
    assert done.wait(10)
    first = queue.submit(Work("long", "Reading STS-B", compute, 60.0), "one")
    queue.submit(Work("next", "Scoring", compute), "one")
    while first.step is None:
        go.wait(0.002)
    server.write()
    (state,) = servers_on(cache)
    assert (state.visitors, state.places, state.name) == (3, 1, f"{os.uname().nodename}-{os.getpid()}")
    assert [(job.what, job.state, job.visitors) for job in state.jobs] == [
        ("Reading STS-B", "running", 1),
        ("Scoring", "queued", 1),
    ]
    assert (state.jobs[0].done, state.jobs[0].seconds) == (0.25, 60.0)
    assert state.ended == {"done": 1, "failed": 0, "stopped": 0}
    assert state.count(State.RUNNING) == 1
    held = {one.kind: one.bytes for one in state.memory}
    assert held["vectors"] > 4 * 4 * 8
    assert state.memory_bytes == sum(held.values())
    assert state.resident_bytes is None or state.resident_bytes > 10_000_000

    assert places(replace(state, places=2)) == "2 places, 1 of them for long work"

    code, out, _ = run("status", "--cache", cache)
    assert code == 0
    assert "visitors 3" in out
    assert "not heard of" not in out
    (told_late, *_) = told([replace(state, time=state.time - 20)], [], str(cache))
    assert told_late.endswith("; not heard of for 20 s")
    assert "1 running (1 place), 1 waiting; 1 done, 0 failed, 0 stopped" in out
    assert "running: Reading STS-B" in out
    code, out, _ = run("status", "--cache", cache, "--json")
    said = json.loads(out)
    assert said["servers"][0]["jobs"][1]["what"] == "Scoring"
    assert {one["kind"]: one["bytes"] for one in said["disk"]}["passes"] > 1000

    path = cache / servers.FOLDER / f"{server.name}.json"
    with monkeypatch.context() as patch:
        patch.setattr(servers, "GONE", -1.0)
        assert servers_on(cache) == []
    with monkeypatch.context() as patch:
        patch.setattr(servers.time, "time", lambda: state.time - 3600.0)
        assert servers_on(cache) == [], "a clock that was put back keeps no server alive"
    path.with_name("other-1.json").write_text("{", "utf-8")
    path.with_name("old-1.json").write_text("{}", "utf-8")
    os.utime(path.with_name("old-1.json"), (0, 0))
    assert [one.name for one in servers_on(cache)] == [server.name]
    assert not path.with_name("old-1.json").exists()
    server.close()
    assert servers_on(cache) == []
    assert "No server works on this store now." in run("status", "--cache", cache)[1]
    go.set()


def test_a_server_writes_every_few_seconds_and_nothing_after_it_is_closed(engine, monkeypatch):
    monkeypatch.setattr(servers, "EVERY", 0.001)
    given = []
    monkeypatch.setattr(servers, "give_back", lambda: given.append(True))
    server = Server(engine, Queue(), lambda: 0)
    server.begin_writing()
    path = engine.settings.cache / servers.FOLDER / f"{server.name}.json"
    written = set()
    while len(written) < 3:
        if path.exists():
            written.add(path.stat().st_ino)
    server.close()
    for thread in threading.enumerate():
        if thread.name == "status":
            thread.join(10)
    assert not path.exists()
    assert len(given) >= 3, "what was freed goes back to the system first"


def test_what_lies_on_the_disk_is_counted_by_kind(settings):
    (settings.cache / "decks").mkdir(parents=True)
    (settings.cache / "decks" / "a.json").write_bytes(b"x" * 70)
    (settings.cache / "vectors" / "v").mkdir(parents=True)
    (settings.cache / "vectors" / "v" / "rows").write_bytes(b"x" * 30)
    held = {one.kind: (one.bytes, one.budget_bytes) for one in held_on_disk(settings)}
    assert held["decks"] == (70, settings.decks_bytes)
    assert held["passes"] == (30, settings.budget_bytes)
    assert held["uploads"] == (0, settings.uploads_bytes)


@pytest.mark.parametrize(("room", "asked"), [(ROOMY, []), (ROOMY - 1, [True])])
def test_where_memory_is_short_large_arrays_go_back_at_once(settings, monkeypatch, room, asked):
    held = []
    monkeypatch.setattr(servers, "hold_less", lambda: held.append(True))
    server = Server(Engine(replace(settings, memory_bytes=room)), Queue(), lambda: 0)
    server.begin_writing()
    server.close()
    assert held == asked
