"""Long work on a page: what is done, how much of it, how long it will take, and a way to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from core.corpus import Corpus
from core.embed import Road
from core.progress import Progress, Step
from core.recipe import Recipe

PATIENCE = 0.4
"""Seconds of work before anything is said."""

LONG = 10.0
"""Seconds of work that a reader is asked about beforehand."""

_BETWEEN = 0.2


@contextmanager
def working() -> Iterator[Progress]:
    """A progress callback that draws a bar once the work takes longer than :data:`PATIENCE`.

    Leaving the page, or changing a control, stops the work at its next step; a forward pass keeps what
    it has and goes on from there the next time.
    """
    place = st.empty()
    begin, last = time.perf_counter(), 0.0

    def tell(step: Step) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - begin < PATIENCE or now - last < _BETWEEN:
            return
        last = now
        share = min(1.0, step.done / step.total) if step.total else 0.0
        place.progress(share, text=f"{step} · {now - begin:.0f} s")

    try:
        yield tell
    finally:
        place.empty()


def may_run(road: Road, recipes: Sequence[Recipe], corpus: Corpus, key: str) -> bool:
    """Whether to go on: at once for short work, after a click for long, with a way to stop it."""
    seconds = sum(road.pending_seconds(recipe, corpus) for recipe in _different_sources(recipes))
    if seconds < LONG:
        return True
    chosen = f"{key}.{corpus.fingerprint}.{'|'.join(str(r.source) for r in recipes)}"
    count = f"{len(corpus.sentences):,} sentences of {corpus.name}"
    if st.session_state.get("running") == chosen:
        st.button("Stop", key=f"{key}.stop", on_click=_choose, args=("",), icon=":material/stop:")
        return True
    st.info(
        f"Reading {count} takes about {_duration(seconds)}, once; every recipe after that is instant.",
        icon=":material/hourglass_top:",
    )
    st.button("Start", key=f"{key}.start", type="primary", on_click=_choose, args=(chosen,))
    return False


def _choose(value: str) -> None:
    st.session_state["running"] = value


def _different_sources(recipes: Sequence[Recipe]) -> list[Recipe]:
    """One recipe per pass that is needed: those of one source share it."""
    return list({(r.source, r.needs_reference() and r.reference): r for r in recipes}.values())


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{10 * max(1, round(seconds / 10))} seconds"
    return f"{round(seconds / 60)} minutes"
