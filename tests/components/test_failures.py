"""What failed is known for the visit, until somebody has it done anew."""

import gc
import weakref

import pytest
import streamlit as st

from components import failures
from core.errors import StrataError
from core.work import Queue, Work

KEY = ("key",)


@pytest.fixture
def queue(monkeypatch) -> Queue:
    queue = Queue()
    monkeypatch.setattr(failures, "shared_queue", lambda: queue)
    monkeypatch.setattr(st, "session_state", {})
    return queue


def done(queue, compute):
    job = queue.submit(Work(KEY, "Work", compute))
    assert job.wait(10)
    return job


def fail(progress):
    raise StrataError("Too few rows.")


def test_why_work_failed_is_known_after_the_queue_has_forgotten_it(queue):
    assert failures.why(KEY) is None
    job = done(queue, fail)
    assert failures.why(KEY) is None, "nobody has asked for the result"
    assert failures.value(job) == "Too few rows."
    assert failures.why(KEY) == "Too few rows."
    queue.forget(KEY)
    assert failures.why(KEY) == "Too few rows."
    kept = weakref.ref(job)
    del job
    gc.collect()
    assert kept() is None, "the error's traceback would keep what was computed"
    assert failures.why(KEY) == "Too few rows."


def test_what_somebody_has_done_anew_has_not_failed(queue):
    failures.value(done(queue, fail))
    queue.forget(KEY)
    job = done(queue, lambda progress: "made")
    assert failures.why(KEY) is None
    assert failures.value(job) == "made"
