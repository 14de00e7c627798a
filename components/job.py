"""Work on a page: its result when it is there; until then how far it is, and a way to stop it.

A page never computes for long itself. It asks for :class:`~core.work.Work`, which the queue of the
installation runs in another thread, and draws what is there. A panel shows the rest as it goes on, redraws
itself, and has the page drawn anew when a result has arrived.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from components.cached import shared_queue
from components.text import escape
from components.wording import duration
from core.errors import StrataError
from core.work import LONG, Job, Queue, State, Work

K = TypeVar("K")
T = TypeVar("T")

PATIENCE = 0.9
"""Seconds that one run of a page waits for all its work, so that quick results appear at once."""

BRIEFLY = 0.05
"""Seconds that it waits for each further piece of work after that."""

LOOK = 0.02
"""Seconds after which a run that waits looks whether the visitor wants another one."""

TICK = 1.0
"""Seconds from one drawing of a panel to the next."""

SOON = 0.25
"""The same where all of it runs and none is long: it ends soon."""

REDRAW = 3.0
"""Seconds from one drawing of the page to the next while some of its results arrive and others do not."""

BARS = 3
"""Running jobs that a panel has a bar for."""

STOPPED = "The work was stopped; what is stored so far is kept."

_VISITOR, _ASKED, _WAITED, _ASIDE = "work.visitor", "work.asked", "work.waited", "work.aside"


@dataclass(frozen=True)
class Question:
    """What is said before work begins, and the button that starts it.

    ``aside`` is for work that is offered, not needed: a plain button with the text beside it.
    """

    text: str
    label: str = "Start"
    aside: bool = False


Asking = Callable[[], Question | None]
"""Gives the question before work that asks and is not there yet; None where it is too short for one."""


def at_once() -> None:
    """No question: the work begins by itself."""


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
    visitor, queue = _visitor(), shared_queue()
    st.session_state.setdefault(_ASKED, set()).update(work.key for work in works)
    jobs = [queue.job(work) for work in works]
    idle = [i for i, job in enumerate(jobs) if _is_idle(job, visitor)]
    asked = question() if any(works[i].asks for i in idle) else None
    if asked is None and any(jobs[i].was_left(visitor) for i in idle):
        asked = Question(STOPPED)
    for i in idle:
        if asked is None or not (works[i].asks or jobs[i].was_left(visitor)):
            jobs[i] = queue.submit(works[i], visitor)
    idle = [i for i in idle if _is_idle(jobs[i], visitor)]
    going = [job for i, job in enumerate(jobs) if i not in idle and not job.state.is_final]
    for job in going:
        job.watch(visitor)
    patient(going)
    going = [job for job in going if not job.state.is_final]
    if going or asked:
        name = key or _name(works)
        with place.container():
            if asked:
                _ask(asked, [works[i] for i in idle], name)
            if going:
                _panel(going, name)
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


def ahead(works: Iterable[Work[Any]]) -> None:
    """Begin short work that is shown further down the page, while what stands above it is waited for.

    Nothing is drawn, and nobody is asked: what reads a corpus first, or was stopped, begins where it is
    shown.
    """
    visitor, queue = _visitor(), shared_queue()
    asked = st.session_state.setdefault(_ASKED, set())
    for work in works:
        if queue.job(work).state is State.NEW and not work.seconds and not work.asks:
            asked.add(work.key)
            queue.submit(work, visitor)


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
            shared_queue().leave(key, _visitor())


def on_page() -> frozenset[Hashable]:
    """The keys of the work that this run of a page has asked for so far."""
    return frozenset(st.session_state.get(_ASKED, ()))


@dataclass(frozen=True)
class Aside:
    """Work of this visitor that stands beside the page's own; it ends once it is not asked for any more.

    It is made at the beginning of a run: one that another click has ended cannot read the session's state.
    """

    visitor: str
    held: set[Hashable]

    def ask(self, works: Iterable[Work[Any]]) -> None:
        """Have all of this work done that the visitor has not stopped, and let go of other work."""
        queue, wanted = shared_queue(), {work.key: work for work in works}
        for key in self.held - wanted.keys():
            queue.leave(key, self.visitor)
        self.held.intersection_update(wanted)
        for key, work in wanted.items():
            if not queue.job(work).was_left(self.visitor):
                queue.submit(work, self.visitor, aside=True)
                self.held.add(key)


def aside() -> Aside:
    """What this visit has had done beside its pages."""
    return Aside(_visitor(), st.session_state.setdefault(_ASIDE, set()))


def look_aside(job: Job[Any]) -> None:
    """Note that this visitor still waits for work beside the page."""
    job.watch(_visitor(), aside=True)


def was_dropped(job: Job[Any]) -> bool:
    """Whether the job was stopped, and not by this visitor."""
    return job.state is State.STOPPED and not job.was_left(_visitor())


def renew() -> None:
    """Let a part of the page that runs by itself wait for its work as the whole page does."""
    st.session_state[_WAITED] = 0.0


def is_left(work: Work[Any]) -> bool:
    """Whether the work was stopped, by this visitor or for all."""
    return shared_queue().job(work).state is State.STOPPED or was_stopped(work)


def was_stopped(work: Work[Any]) -> bool:
    """Whether this visitor pressed Stop."""
    return shared_queue().job(work).was_left(_visitor())


def is_done(work: Work[Any]) -> bool:
    """Whether its result is there."""
    return shared_queue().job(work).state is State.DONE


def is_idle(work: Work[Any]) -> bool:
    """Whether the work has to be started for this visitor: it is new, or was stopped."""
    return _is_idle(shared_queue().job(work), _visitor())


def _visitor() -> str:
    """The name of this visit in the queue."""
    return str(st.session_state.setdefault(_VISITOR, uuid.uuid4().hex))


def _is_idle(job: Job[Any], visitor: str) -> bool:
    """Whether the job has to be started for this visitor."""
    if job.state in (State.NEW, State.STOPPED) or job.stopping:
        return True
    return not job.state.is_final and job.was_left(visitor)


def patient(jobs: Iterable[Job[Any]]) -> None:
    """Wait for jobs as long as this run of the page may still wait for its work.

    Another click ends the wait, as it ends the run: reading the session's state is where Streamlit looks.
    """
    begun, waited = time.monotonic(), st.session_state.get(_WAITED, 0.0)
    until = begun + max(BRIEFLY, PATIENCE - waited)
    for job in jobs:
        while (left := until - time.monotonic()) > 0 and not job.wait(min(LOOK, left)):
            st.session_state.get(_WAITED)
    st.session_state[_WAITED] = waited + time.monotonic() - begun


def _name(works: Sequence[Work[Any]]) -> str:
    """What the buttons of some work are called, from the kind of the first."""
    first = works[0].key
    return f"work.{first[0] if isinstance(first, tuple) else first}"


def _goes_first(jobs: Sequence[Job[Any]], visitor: str) -> str:
    """That work waits for these jobs if it is started now, in words; whose they are is told to nobody."""
    own = [job for job in jobs if visitor in job.visitors()]
    if own:
        more = f", and {len(own) - 1} more" if len(own) > 1 else ""
        return f"It will wait, as what you started goes first: {own[0].what}{more}."
    if jobs and all(job.stopping for job in jobs):
        return "It will wait until what was stopped has ended."
    return "It will wait, as long work of another visitor goes first." if jobs else ""


def _ask(question: Question, works: Sequence[Work[Any]], name: str) -> None:
    """The question, what goes first, and the button."""
    arguments = {"key": f"{name}.start", "on_click": start, "args": (tuple(works),)}
    if question.aside:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.button(question.label, icon=":material/play_arrow:", **arguments)
            _say(question, works)
        return
    _say(question, works)
    st.button(question.label, type="primary", **arguments)


def _say(question: Question, works: Sequence[Work[Any]]) -> None:
    """The words of a question: looked at again as long as something goes first."""
    first = _goes_first(shared_queue().before(works), _visitor())
    if first:
        st.fragment(_said_while_waiting, run_every=REDRAW)(question, works)
    else:
        _said(question, "")


def _said_while_waiting(question: Question, works: Sequence[Work[Any]]) -> None:
    """The question and what goes first now; the page is drawn anew when nothing does any more."""
    first = _goes_first(shared_queue().before(works), _visitor())
    if not first:
        st.rerun()
    _said(question, first)


def _said(question: Question, first: str) -> None:
    text = escape(f"{question.text} {first}".rstrip())
    if question.aside:
        st.caption(text)
    else:
        st.info(text, icon=":material/hourglass_top:")


def start(works: Sequence[Work[Any]]) -> None:
    """Begin work that this visitor has asked for by a button, anew where it was stopped."""
    for work in works:
        shared_queue().submit(work, _visitor(), pressed=True)


def _stop(keys: Sequence[Hashable]) -> None:
    for key in keys:
        shared_queue().stop(key, _visitor())


def _panel(jobs: Sequence[Job[Any]], name: str) -> None:
    """A panel that draws itself anew."""
    ends_soon = all(job.state is State.RUNNING and not job.is_background for job in jobs)
    st.fragment(_drawn, run_every=SOON if ends_soon else TICK)(jobs, name, time.monotonic())


def _drawn(jobs: Sequence[Job[Any]], name: str, begun: float) -> None:
    """The jobs that are not final; the page is drawn anew when there are none, or when some have ended."""
    visitor, queue = _visitor(), shared_queue()
    going = [job for job in jobs if not job.state.is_final and not job.was_left(visitor)]
    if not going or (len(going) < len(jobs) and time.monotonic() - begun > REDRAW):
        st.rerun()
    for job in going:
        job.watch(visitor)
    with st.container(border=True, key=name):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium", wrap=False):
            with st.container():
                _bars(queue, going)
            st.button(
                "Stop",
                key=f"{name}.stop",
                icon=":material/stop:",
                on_click=_stop,
                args=(tuple(job.key for job in going),),
                width="content",
            )
        if any(job.is_background or job.elapsed > LONG for job in going):
            finish = st.checkbox(
                "Keep running when I leave",
                value=all(job.finishes(visitor) for job in going),
                key=f"{name}.finish",
                help="Otherwise it stops when nobody waits for it; what is stored by then is kept.",
            )
            for job in going:
                job.watch(visitor, finish=finish)


def _bars(queue: Queue, jobs: Sequence[Job[Any]]) -> None:
    running = [job for job in jobs if job.state is State.RUNNING][:BARS]
    for job in running:
        st.progress(_share(job), text=escape(progress_line(job)))
    waiting = [job for job in jobs if job not in running]
    if waiting and running:
        st.caption(
            escape(f"Then: {waiting[0].what}" + (f", and {len(waiting) - 1} more" * (len(waiting) > 1)))
        )
    elif waiting:
        _waiting_bar(queue, waiting[0])


def _waiting_bar(queue: Queue, job: Job[Any]) -> None:
    """A queued job: how many go first, when it may begin where that is known, and what runs now."""
    other, before, seconds = queue.waits_for(job), queue.ahead_of(job), queue.begins_in(job)
    text = f"{job.what} waits for its turn" + (f"; {before} before it" if before else "")
    if seconds is not None:
        text += f", and may begin in about {duration(seconds)}"
    if other is not None:
        text += f". Now: {progress_line(other)}"
    st.progress(0.0, text=escape(text))


def _share(job: Job[Any]) -> float:
    """How much of the latest step is done, 0 to 1."""
    step = job.step
    return step.finished if step else 0.0


def progress_line(job: Job[Any]) -> str:
    """What is done, how much of how much, how long it has taken, and about how long it takes in all.

    How many steps there will be is not known, so the second and those after it say their number: the bar,
    which begins anew with each, does not go back.
    """
    number = f"step {job.part}, " if job.part > 1 else ""
    parts = [
        job.what,
        *([f"{number}{job.step}"] if job.step else []),
        *(["gives way to shorter work"] * job.paused),
    ]
    lasting = f"{job.elapsed:.0f} s"
    if job.expected >= LONG:
        late = job.elapsed > job.expected
        lasting += (
            f", estimated at {duration(job.expected)}" if late else f" of about {duration(job.expected)}"
        )
    return " · ".join([*parts, lasting])
