"""The model that is loaded while the first page is looked at: once nothing else is to be done."""

import threading
import time
from types import SimpleNamespace

import pytest
import streamlit as st

from components import readiness
from components.state import DEFAULTS
from core.errors import ModelError
from core.recipe import Recipe
from core.settings import GIGABYTE, Settings
from core.work import Queue, Work


class Loading:
    """An engine that notes what it loads."""

    def __init__(self, error: Exception | None = None) -> None:
        self.loaded: list[Recipe] = []
        self.error = error

    def load(self, recipe: Recipe) -> None:
        self.loaded.append(recipe)
        if self.error:
            raise self.error


@pytest.fixture
def queue(monkeypatch):
    monkeypatch.setattr(readiness, "QUIET", 0.2)
    monkeypatch.setattr(readiness, "LOOK", 0.01)
    queue = Queue(1, 10**6)
    yield queue
    queue.close()


def test_a_model_is_loaded_once_the_work_is_done(queue):
    engine, go = Loading(), threading.Event()
    job = queue.submit(Work(("held",), "Held", lambda progress: go.wait(60)), "somebody")
    thread = threading.Thread(target=readiness.load_when_quiet, args=(engine, queue, Recipe()))
    thread.start()
    time.sleep(0.5)
    assert engine.loaded == [], "while something runs, nothing is loaded beside it"
    go.set()
    assert job.wait(60)
    thread.join(60)
    assert engine.loaded == [Recipe()]


def test_a_server_that_never_rests_loads_nothing_ahead(queue, monkeypatch):
    monkeypatch.setattr(readiness, "GIVE_UP", 0.3)
    engine, go = Loading(), threading.Event()
    queue.submit(Work(("held",), "Held", lambda progress: go.wait(60)), "somebody")
    readiness.load_when_quiet(engine, queue, Recipe())
    assert engine.loaded == []
    go.set()


def test_a_model_that_cannot_be_had_is_left_to_whoever_reads_with_it(queue):
    engine = Loading(ModelError("no such model"))
    readiness.load_when_quiet(engine, queue, Recipe())
    assert engine.loaded == [Recipe()]


@pytest.mark.parametrize(
    ("a", "memory_gb", "loaded"),
    [
        ("source=bundled;layers=2", 1.0, ["source=bundled;layers=2"]),
        ("nonsense", 1.0, [DEFAULTS["a"]]),
        ("source=bundled;layers=2", 0.1, []),
    ],
    ids=["the recipe that is looked at", "one that cannot be read", "little memory"],
)
def test_what_is_loaded_is_what_the_visitor_looks_at(monkeypatch, a, memory_gb, loaded):
    asked = []
    engine = SimpleNamespace(settings=Settings(memory_bytes=int(memory_gb * GIGABYTE)))
    monkeypatch.setattr(readiness, "shared_engine", lambda: engine)
    monkeypatch.setattr(readiness, "_loading", asked.append)
    monkeypatch.setattr(st, "session_state", {"a": a})
    readiness.begin()
    assert asked == [Recipe.parse(text) for text in loaded]
