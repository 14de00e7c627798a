"""What could not be done in this visit, and why: done again in each run of a page, it would fail again."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar
from weakref import ref

import streamlit as st

from components.cached import shared_queue
from components.errors import tried
from core.work import Job

T = TypeVar("T")

_FAILED = "failures"
"""The job that failed, and why, by the key of its work."""


def why(key: Hashable) -> str | None:
    """Why work of this key could not be done; None where it did not fail, or somebody has it done anew."""
    if key not in _failed():
        return None
    failed, reason = _failed()[key]
    job = shared_queue().find(key)
    return reason if job is None or job is failed() else None


def value(job: Job[T]) -> T | str | None:
    """What a job gives, None while there is nothing; or why it failed, which is noted."""
    found = tried(job.value)
    if isinstance(found, str):
        _failed()[job.key] = ref(job), found
    return found


def _failed() -> dict[Hashable, tuple[ref[Job[Any]], str]]:
    noted: dict[Hashable, tuple[ref[Job[Any]], str]] = st.session_state.setdefault(_FAILED, {})
    return noted
