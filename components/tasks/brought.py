"""What this visit brought, as tasks: what is offered of it, and what a typed name means."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from components import bring_pairs
from components.tasks import bring_texts
from components.tasks.bring_texts import classifying
from core.errors import CorpusError, StrataError, shorten
from core.evaluation.tasks import TASK
from core.pipeline.engine import Engine

OFFERED = ("sts", "classification", "clustering")
"""The tasks that are offered of a corpus, those that take it."""


def offered(engine: Engine) -> list[str]:
    """Each corpus of this visit with each task for it, by what a link finds the corpus by."""
    return [f"{link}: {task}" for link in _here(engine, ()) for task in _tasks(engine, link)]


def link_of(engine: Engine, name: str, others: Iterable[str] = ()) -> str:
    """What a link finds the corpus by that a visitor calls ``name``; ``name`` where that finds one itself.

    ``others`` are corpora that may be meant beside those of this visit, as links find them. Raises
    :class:`~core.errors.CorpusError` where none is called so, or several are.
    """
    if engine.catalogue.holds(name):
        return name
    called = [link for link in _here(engine, others) if engine.catalogue.title(link) == name]
    if len(called) > 1:
        raise CorpusError(f"several corpora are called {shorten(name)}: {', '.join(called)}.")
    if not called:
        raise CorpusError(f"there is no corpus {shorten(name)} here.")
    return called[0]


def _here(engine: Engine, others: Iterable[str]) -> list[str]:
    """The corpora of this visit, and others, that are here still; each once."""
    lists = (st.session_state.get(key, []) for key in (bring_pairs.KEPT.brought, bring_texts.KEPT.brought))
    every = dict.fromkeys([*(link for links in lists for link in links), *others])
    return [link for link in every if engine.catalogue.holds(link)]


def _tasks(engine: Engine, link: str) -> list[str]:
    try:
        corpus = engine.corpus(link, "all")
    except StrataError:
        return []
    takes = [task for task in OFFERED if not TASK.options[task].refuses(corpus)]
    if "sts" in takes:
        return takes[:1]
    return [one for task in takes if (one := classifying(corpus) if task == "classification" else task)]
