"""This visit in the queue of the installation: its name, and what it has asked for, stopped or left."""

from __future__ import annotations

import uuid
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from components.cached import shared_queue
from components.job.waiting import renew
from core.work import Job, State, Work

_VISITOR, _ASKED = "work.visitor", "work.asked"


def visitor() -> str:
    """The name of this visit in the queue."""
    return str(st.session_state.setdefault(_VISITOR, uuid.uuid4().hex))


@contextmanager
def asked_for() -> Iterator[None]:
    """A run of a page: what the run before it asked for and this one does not is no longer waited for."""
    renew()
    before = st.session_state.get(_ASKED, set())
    asked = st.session_state[_ASKED] = set()
    try:
        yield
    finally:
        for key in before - asked:
            shared_queue().leave(key, visitor())


def ask(works: Iterable[Work[Any]]) -> None:
    """Note that this run of the page asks for the work."""
    st.session_state.setdefault(_ASKED, set()).update(work.key for work in works)


def on_page() -> frozenset[Hashable]:
    """The keys of the work that this run of a page has asked for so far."""
    return frozenset(st.session_state.get(_ASKED, ()))


def start(works: Sequence[Work[Any]]) -> None:
    """Begin work that this visitor has asked for by a button, anew where it was stopped."""
    for work in works:
        shared_queue().submit(work, visitor(), pressed=True)


def stop(keys: Sequence[Hashable]) -> None:
    """Stop work for this visitor; it goes on where another one waits for it."""
    for key in keys:
        shared_queue().stop(key, visitor())


def must_start(job: Job[Any]) -> bool:
    """Whether the job has to be started for this visitor."""
    if job.state in (State.NEW, State.STOPPED) or job.stopping:
        return True
    return not job.state.is_final and job.was_left(visitor())


def is_idle(work: Work[Any]) -> bool:
    """Whether the work has to be started for this visitor: it is new, or was stopped."""
    return must_start(shared_queue().job(work))


def is_done(work: Work[Any]) -> bool:
    """Whether its result is there."""
    return shared_queue().job(work).state is State.DONE


def was_stopped(work: Work[Any]) -> bool:
    """Whether this visitor pressed Stop."""
    return shared_queue().job(work).was_left(visitor())


def is_left(work: Work[Any]) -> bool:
    """Whether the work was stopped, by this visitor or for all."""
    return shared_queue().job(work).state is State.STOPPED or was_stopped(work)


def was_dropped(job: Job[Any]) -> bool:
    """Whether the job was stopped, and not by this visitor."""
    return job.state is State.STOPPED and not job.was_left(visitor())
