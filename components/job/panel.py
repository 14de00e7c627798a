"""A panel that shows how far work is, draws itself anew, and can stop it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.cached import shared_queue
from components.dialogs import renew_page
from components.job import visit
from components.job.waiting import REDRAW, SOON, TICK
from components.text import escape
from components.wording import duration
from core.work import LONG, Job, Queue, State

MENTIONED = 5.0
"""Seconds that are left from which on they are told."""

BARS = 3
"""Running jobs that a panel has a bar for."""


def panel(jobs: Sequence[Job[Any]], name: str) -> None:
    """A panel that draws itself anew."""
    ends_soon = all(job.state is State.RUNNING and not job.is_background for job in jobs)
    st.fragment(_drawn, run_every=SOON if ends_soon else TICK)(jobs, name, time.monotonic())


def _drawn(jobs: Sequence[Job[Any]], name: str, begun: float) -> None:
    """The jobs that are not final; the page is drawn anew when there are none, or when some have ended."""
    visitor, queue = visit.visitor(), shared_queue()
    going = [job for job in jobs if not job.state.is_final and not job.was_left(visitor)]
    if not going or (len(going) < len(jobs) and time.monotonic() - begun > REDRAW):
        renew_page()
    if not going:
        return
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
                on_click=visit.stop,
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
    """What is done, how much of how much, how long it has taken, and about how long it still takes.

    That is of the step that goes on once its pace is known, and of the whole before, as it was estimated.

    How many steps there will be is not known, so the second and those after it say their number: the bar,
    which begins anew with each, does not go back.
    """
    number = f"step {job.pace.part}, " if job.pace.part > 1 else ""
    parts = [
        job.what,
        *([f"{number}{job.step}"] if job.step else []),
        *(["gives way to shorter work"] * job.paused),
    ]
    lasting = f"{job.elapsed:.0f} s"
    if job.pace.left is not None:
        if job.pace.left >= MENTIONED:
            lasting += f", about {duration(job.pace.left)} more for this step"
    elif job.expected >= LONG:
        late = job.elapsed > job.expected
        lasting += (
            f", estimated at {duration(job.expected)}" if late else f" of about {duration(job.expected)}"
        )
    return " · ".join([*parts, lasting])
