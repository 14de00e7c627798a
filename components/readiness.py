"""The model that the first text of a visitor needs, loaded while the first page is looked at.

A server answers with what is stored, long before the libraries of a transformer are there: loading them
takes seconds, and the first pasted sentence would wait for them.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import streamlit as st

from components import state
from components.cached import shared_engine, shared_queue
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Queue

QUIET = 1.0
"""Seconds without any work, after which loading begins."""

LOOK = 0.1
"""Seconds from one look at the work to the next."""

GIVE_UP = 120.0
"""Seconds after which nothing is loaded: work that goes on for so long has loaded what there is."""


def begin() -> None:
    """Load the model of this visitor's recipe A, once on a server and when its work is done.

    Where there is little memory no model is held that nobody has asked for.
    """
    if shared_engine().settings.is_roomy:
        _loading(state.now("a") or Recipe.parse(state.DEFAULTS["a"]))


@st.cache_resource(show_spinner=False)
def _loading(_recipe: Recipe) -> threading.Thread:
    arguments = (shared_engine(), shared_queue(), _recipe)
    thread = threading.Thread(target=load_when_quiet, args=arguments, name="readiness", daemon=True)
    thread.start()
    return thread


def load_when_quiet(engine: Engine, queue: Queue, recipe: Recipe) -> None:
    """Load the model of a recipe once the queue has had no work for a while; of none that cannot be had."""
    given_up = time.monotonic() + GIVE_UP
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < QUIET:
        if time.monotonic() > given_up:
            return
        time.sleep(LOOK)
        if queue.active():
            quiet_since = time.monotonic()
    with suppress(StrataError):  # whoever reads with it is told why
        engine.load(recipe)
