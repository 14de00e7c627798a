"""The result of work where it is there, and where it is not a question or a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from components.cached import shared_queue
from components.job import visit
from components.job.panel import panel
from components.job.question import Asking, Question, ask, at_once
from components.job.visit import must_start
from components.job.waiting import patient
from components.text import escape
from core.errors import StrataError
from core.work import Job, State, Work

K = TypeVar("K")
T = TypeVar("T")

STOPPED = "The work was stopped; what is stored so far is kept."


def show(work: Work[T], question: Asking = at_once, *, key: str | None = None) -> T | None:
    """The result of some work; None while there is none, and then a question or a panel stands here.

    Raises what the work raised. ``key`` tells the buttons apart where a page asks twice for the same work.
    """
    (job,) = show_all([work], question, key=key)
    return job.value()


def show_all(
    works: Sequence[Work[Any]], question: Asking = at_once, *, key: str | None = None
) -> list[Job[Any]]:
    """The jobs for several pieces of work, with one question and one panel for all that are not final."""
    place = st.empty()
    if not works:
        return []
    visitor, queue = visit.visitor(), shared_queue()
    visit.ask(works)
    jobs = [queue.job(work) for work in works]
    idle = [i for i, job in enumerate(jobs) if must_start(job)]
    asked = question() if any(works[i].asks for i in idle) else None
    if asked is None and any(jobs[i].was_left(visitor) for i in idle):
        asked = Question(STOPPED)
    for i in idle:
        if asked is None or not (works[i].asks or jobs[i].was_left(visitor)):
            jobs[i] = queue.submit(works[i], visitor)
    idle = [i for i in idle if must_start(jobs[i])]
    going = [job for i, job in enumerate(jobs) if i not in idle and not job.state.is_final]
    for job in going:
        job.watch(visitor)
    patient(going)
    going = [job for job in going if not job.state.is_final]
    if going or asked:
        name = key or _name(works)
        with place.container():
            if asked:
                ask(asked, [works[i] for i in idle], name)
            if going:
                panel(going, name)
    return jobs


def show_each(
    works: Mapping[K, Work[T]], question: Asking = at_once, *, key: str | None = None
) -> dict[K, Job[T]]:
    """The same for works by name."""
    return dict(zip(works, show_all(list(works.values()), question, key=key), strict=True))


def results(asked: Iterable[K], jobs: Iterable[Job[T]], name: Callable[[K], str]) -> Iterator[tuple[K, T]]:
    """What was asked for with the result of its job, as far as it is there; the page says what has none.

    ``name`` gives the name that the reason stands beside.
    """
    for one, each in zip(asked, jobs, strict=True):
        try:
            result = each.value()
        except StrataError as error:
            st.error(f"**{escape(name(one))}.** {escape(str(error))}", icon=":material/error:")
            continue
        if result is not None:
            yield one, result


def available(jobs: Mapping[str, Job[T]]) -> dict[str, T]:
    """The results that are there, by name; small print says why others have none, equal reasons once."""
    found, refused = dict[str, T](), dict[str, list[str]]()
    for one, each in jobs.items():
        try:
            result = each.value()
        except StrataError as error:
            refused.setdefault(str(error), []).append(one)
            continue
        if result is not None:
            found[one] = result
    for reason, of in refused.items():
        st.caption(f":material/info: {escape(' and '.join(of))}: {escape(reason)}")
    return found


def ahead(works: Iterable[Work[Any]]) -> None:
    """Begin short work that is shown further down the page, while what stands above it is waited for.

    Nothing is drawn, and nobody is asked: what reads a corpus first, or was stopped, begins where it is
    shown.
    """
    visitor, queue = visit.visitor(), shared_queue()
    for work in works:
        if queue.job(work).state is State.NEW and not work.seconds and not work.asks:
            visit.ask([work])
            queue.submit(work, visitor)


def beside(work: Work[Any], *, begin: bool = True) -> None:
    """Have work done beside the page, for as long as this visitor's page asks for it; nothing is drawn.

    Unless it is to ``begin``, it goes on where it has begun.
    """
    visit.ask([work])
    if begin or not visit.is_idle(work):
        shared_queue().submit(work, visit.visitor(), aside=True)


def idle(work: Work[Any]) -> None:
    """The same while nothing else is done."""
    beside(replace(work, idle=True))


def _name(works: Sequence[Work[Any]]) -> str:
    """What the buttons of some work are called, from the kind of the first."""
    first = works[0].key
    return f"work.{first[0] if isinstance(first, tuple) else first}"
