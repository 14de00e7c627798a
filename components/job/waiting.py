"""How long a run of a page waits for its work, and after how long what waits is drawn anew."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import streamlit as st

from components import later
from core.work import Job

_WAITED = "work.waited"

PATIENCE = 0.9
"""Seconds that one run of a page waits for all its work, so that quick results appear at once."""

BRIEFLY = 0.05
"""Seconds that it waits for each further piece of work after that."""

LOOK = 0.02
"""Seconds after which a run that waits looks whether the visitor wants another one."""

TICK = 1.0
"""Seconds from one drawing of a panel to the next."""

SOON = 0.25
"""Seconds from one drawing of a panel to the next where all its jobs run and none is long."""

REDRAW = 3.0
"""Seconds from one drawing of the page to the next while some of its results arrive and others do not."""


def renew() -> None:
    """Let a part of the page that runs by itself wait for its work as the whole page does."""
    st.session_state[_WAITED] = 0.0


def patient(jobs: Iterable[Job[Any]]) -> None:
    """Wait for jobs as long as this run of the page may still wait for its work.

    Another click ends the wait, as it ends the run: reading the session's state is where Streamlit looks.
    What the page has left to draw is drawn meanwhile.
    """
    begun, waited = time.monotonic(), st.session_state.get(_WAITED, 0.0)
    until = begun + max(BRIEFLY, PATIENCE - waited)
    for job in jobs:
        while (left := until - time.monotonic()) > 0 and not job.wait(min(LOOK, left)):
            st.session_state.get(_WAITED)
            if time.monotonic() - begun > later.WAIT:
                later.catch_up()
    st.session_state[_WAITED] = waited + time.monotonic() - begun
