"""What a run of a page gathers for its link."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from components.link.origins import Origins

_RUN = "link.run"


@dataclass
class Run:
    """The page, the places for its warning and its Link button, and what controls explain themselves."""

    page: str
    place: Any
    origins: Origins | None = None
    button: Any = None
    explained: dict[str, str] = field(default_factory=dict)


def begin(page: str) -> Run:
    """A new run of a page."""
    run = st.session_state[_RUN] = Run(page, st.container())
    return run


def end() -> None:
    """Let go of what the run has gathered."""
    st.session_state.pop(_RUN, None)


def current() -> Run | None:
    """The run that goes on; None where a part of a page runs by itself."""
    run = st.session_state.get(_RUN)
    return run if isinstance(run, Run) else None
