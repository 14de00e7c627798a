"""What a figure that plays needs computed when it is pinned: in the queue, and in bounded time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import job
from components.figure_frame import Framed
from components.figures.animation import Animation
from components.wording import duration_range
from core.errors import StrataError, first_line

BOUND = 60.0
"""Estimated seconds up to which steps are computed for a pin; with longer ones a figure stays still."""

BEGUN = "pin.steps"
"""Key of the work that a pin waits for, in the session state."""


@dataclass(frozen=True, eq=False)
class Found:
    """The steps of a figure, or as the end of a sentence why it has none; "" where it never has."""

    animation: Animation | None = None
    why: str = ""


def of(framed: Framed, place: Any) -> Found | None:
    """The steps of a figure that is pinned; None while they are computed, and then a panel is in ``place``.

    A visitor who stops the work has the figure pinned as it stands.
    """
    try:
        return _made(framed, place)
    except StrataError as error:
        return Found(None, first_line(error))


def _made(framed: Framed, place: Any) -> Found | None:
    animate, work = framed.animation, framed.steps
    if animate is None or work is None:
        return Found(animate() if animate else None)
    if work.asks or work.seconds > BOUND:
        return Found(None, f"that would take {duration_range(work.seconds)}")
    if st.session_state.get(BEGUN) != work.key:
        st.session_state[BEGUN] = work.key
        job.start([work])
    if job.is_left(work):
        return Found(None, "that was stopped")
    with place:
        steps = job.show(work)
    return Found(animate(steps)) if steps is not None else None


def forget() -> None:
    """Let go of what is begun: the next pin begins anew what was stopped."""
    st.session_state.pop(BEGUN, None)
