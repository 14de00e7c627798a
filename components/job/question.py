"""What a page asks before long work begins, and what goes first meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.cached import shared_queue
from components.dialogs import renew_page
from components.job import visit
from components.job.waiting import REDRAW
from components.text import escape
from core.work import Job, Work


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


def ask(question: Question, works: Sequence[Work[Any]], name: str) -> None:
    """The question, what goes first, and the button."""
    arguments = {"key": f"{name}.start", "on_click": visit.start, "args": (tuple(works),)}
    if question.aside:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.button(question.label, icon=":material/play_arrow:", **arguments)
            _say(question, works)
        return
    _say(question, works)
    st.button(question.label, type="primary", **arguments)


def _say(question: Question, works: Sequence[Work[Any]]) -> None:
    """The words of a question: looked at again as long as something goes first."""
    first = _goes_first(shared_queue().before(works))
    if first:
        st.fragment(_said_while_waiting, run_every=REDRAW)(question, works)
    else:
        _said(question, "")


def _said_while_waiting(question: Question, works: Sequence[Work[Any]]) -> None:
    """The question and what goes first now; the page is drawn anew when nothing does any more."""
    first = _goes_first(shared_queue().before(works))
    if not first:
        renew_page()
    _said(question, first)


def _said(question: Question, first: str) -> None:
    text = escape(f"{question.text} {first}".rstrip())
    if question.aside:
        st.caption(text)
    else:
        st.info(text, icon=":material/hourglass_top:")


def _goes_first(jobs: Sequence[Job[Any]]) -> str:
    """A sentence that work which is started now waits for these jobs; empty for none.

    Other visitors' jobs are not named.
    """
    own = [job for job in jobs if visit.visitor() in job.visitors()]
    if own:
        more = f", and {len(own) - 1} more" if len(own) > 1 else ""
        return f"It will wait, as what you started goes first: {own[0].what}{more}."
    if jobs and all(job.stopping for job in jobs):
        return "It will wait until what was stopped has ended."
    return "It will wait, as long work of another visitor goes first." if jobs else ""
