"""Long work on a page: what is done, how much of it, how long it will take, and a way to stop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress, Step
from core.recipe import MIX, SOURCE, TEMPLATE, Recipe

PATIENCE = 0.4
"""Seconds of work before anything is said."""

LONG = 10.0
"""Seconds of work that a reader is asked about beforehand."""

_BETWEEN = 0.2
_STARTED = "started"


@contextmanager
def working(key: str = "answer") -> Iterator[Progress]:
    """A progress callback that draws a bar once the work takes longer than :data:`PATIENCE`.

    Leaving the page, changing a control or pressing Stop ends the work at its next step; a forward pass
    keeps what it has and goes on from there the next time. ``key`` tells the bars of a page apart.
    """
    place = st.empty()
    begin, last = time.perf_counter(), 0.0
    bar = None
    if st.session_state.get(_STARTED):
        with place.container():
            st.button("Stop", key=f"{key}.stop", on_click=_start, args=("",), icon=":material/stop:")
            bar = st.empty()

    def tell(step: Step) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - begin < PATIENCE or now - last < _BETWEEN:
            return
        last = now
        share = min(1.0, step.done / step.total) if step.total else 0.0
        (bar or place).progress(share, text=f"{step} · {now - begin:.0f} s")

    try:
        yield tell
    finally:
        place.empty()


def pending(road: Road, recipes: Iterable[Recipe], corpus: Corpus) -> dict[tuple[str, ...], float]:
    """Seconds of work that recipes still need, by what they read: a pass that serves many counts once."""
    longest: dict[tuple[str, ...], float] = {}
    for recipe in recipes:
        spelled = recipe.spelled()
        reading = tuple(spelled[stage.name] for stage in (SOURCE, TEMPLATE, MIX))
        longest[reading] = max(longest.get(reading, 0.0), _pending(road, recipe, corpus))
    return longest


def duration(seconds: float) -> str:
    """A time in words, rounded to what an estimate is worth."""
    if seconds < 90:
        return f"{10 * max(1, round(seconds / 10))} seconds"
    return f"{round(seconds / 60)} minutes"


def may_run(road: Road, recipes: Sequence[Recipe], corpus: Corpus) -> bool:
    """Whether to go on: at once for short work; for long work after a click on Start."""
    longest = pending(road, recipes, corpus)
    return may_take(
        sum(longest.values()),
        f"{corpus.fingerprint} {' '.join(map(str, longest))}",
        f"Reading {len(corpus.sentences):,} sentences of {corpus.name}, and what a recipe learns from the "
        "reference,",
        "Every recipe after that is instant.",
    )


def may_take(seconds: float, wanted: str, what: str, after: str) -> bool:
    """The same for any work on a page: ``what`` takes so many seconds; ``wanted`` tells it from other work.

    ``after`` says what is had for it.
    """
    place = st.empty()
    if seconds < LONG or st.session_state.get(_STARTED) == wanted:
        if seconds < LONG:
            st.session_state.pop(_STARTED, None)
        return True
    with place.container():
        st.info(
            escape(f"{what} takes about {duration(seconds)}, once. {after}"),
            icon=":material/hourglass_top:",
        )
        st.button("Start", type="primary", on_click=_start, args=(wanted,))
    return False


def _start(wanted: str) -> None:
    """Remember what was asked to run; nothing, to stop it."""
    st.session_state[_STARTED] = wanted


def _pending(road: Road, recipe: Recipe, corpus: Corpus) -> float:
    """Seconds of forward passes a recipe still needs; one that cannot run needs none."""
    try:
        return road.pending_seconds(recipe, corpus)
    except StrataError:
        return 0.0
