"""The search at work on the page Find: asked for, stopped, gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from components import job, works
from components.find.page import AskedSearch
from components.job import Question
from components.wording import duration, duration_range, listed
from core.errors import are, counted
from core.pipeline.engine import Engine
from core.progress import Progress
from core.search.budget import Budget
from core.search.find import find, is_kept
from core.search.found import Found
from core.search.option_times import TRIED
from core.search.question import Question as Search
from core.search.trials import done
from core.work import Work

TRIAL_SECONDS = 0.1
"""About what a trial takes on up to :data:`FEW` rows."""

DEAR_SECONDS = 25.0
"""About what dear options take on up to :data:`FEW` rows, until each was tried and may be left out."""

OTHER_SECONDS = 20.0
"""About what takes time beside the trials: cutting parts of dev, published methods, what the best cost."""

FEW = 500
"""Rows up to which a trial takes as long as on fewer."""


ENOUGH = "find.enough"
"""Key of searches that the visitor has ended early, with how many trials are enough."""


def show(engine: Engine, asked: AskedSearch) -> Found | None:
    """What was found; None while there is nothing, and then a question or a panel stands here.

    A search that was stopped may be ended with the trials that it has.
    Raises :class:`~core.errors.StrataError` where the search failed.
    """
    question = asked.question
    ended: dict[str, int] = st.session_state.setdefault(ENOUGH, {})
    name = str(question.depends_on(engine))
    budget = Budget(trials=ended[name]) if name in ended else asked.budget
    stored = is_kept(engine, question, budget)

    def compute(progress: Progress) -> Found:
        return find(engine, question, budget, progress)

    corpora = [each.corpus for part in question.parts for each in (part.dev, part.test)]
    size = counted(budget.trials, "recipe") if budget.trials else f"{duration(budget.seconds or 0)}"
    work: Work[Found] = works.recipe_work(
        "find",
        f"Searching {size} on {question.name}",
        engine,
        question.space.held,
        corpora,
        compute,
        name,
        budget,
        learning=_seconds(engine, question, budget),
        kept=lambda _: stored,
    )
    if not stored:
        work = replace(work, asks=name not in ended)
    found = job.show(work, lambda: _question(engine, asked, work.seconds), key="find.work")
    if name in ended:
        _offer(
            f"Ended with {counted(ended[name], 'trial')}.",
            "Go on with the search",
            lambda: ended.pop(name, None),
        )
    elif found is None and job.is_idle(work) and (before := done(engine, question)):
        told = "The published methods are tried beside them, and the choice is scored on test."
        these = "this trial" if before == 1 else f"these {before:,} trials"
        _offer(told, f"End with {these}", lambda: ended.update({name: before}))
    return found


def _offer(told: str, label: str, do: Callable[[], object]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(label, key="find.end", on_click=do)
        st.caption(told)


def _question(engine: Engine, asked: AskedSearch, seconds: float) -> Question:
    """What the search does and costs, and whether it goes on."""
    question, budget = asked.question, asked.budget
    dev = sum(part.dev.rows for part in question.parts)
    test = sum(part.test.rows for part in question.parts)
    before = done(engine, question)
    told = "Proposals" if budget.trials is None else f"{budget.trials:,} proposals"
    unit = question.unit
    is_asked_for = budget.seconds is not None
    lasting = f"about {duration(seconds)}" if is_asked_for else duration_range(seconds)
    text = (
        f"{told} and the published methods are tried on {dev:,} {unit} of {question.name} dev with "
        f"{_models(asked)}{_part(question.shares)}; the choice is then scored on {test:,} {unit} of "
        f"test. It takes {lasting}; it can be stopped at any time, and goes on later."
    )
    if not before:
        return Question(text, label="Search")
    return Question(f"{text} {counted(before, 'trial')} {are(before)} there from before.", label="Go on")


def _seconds(engine: Engine, question: Search, budget: Budget) -> float:
    """About what is still to be done takes, beside reading."""
    if budget.seconds is not None:
        return budget.seconds
    before = done(engine, question)
    trials = max(0, (budget.trials or 0) - before)
    dear = DEAR_SECONDS if not before and TRIED.keys() & {*question.space.stages} else 0.0
    rows = sum(part.dev.rows for part in question.parts) * (question.shares[0] if question.shares else 1.0)
    return (TRIAL_SECONDS * trials + dear) * max(1.0, rows / FEW) + OTHER_SECONDS


def _models(asked: AskedSearch) -> str:
    return f"the models {listed(asked.models)}" if asked.searches_models else "recipe A's model"


def _part(shares: Sequence[float]) -> str:
    """Words that most proposals are measured on a part of dev alone; empty where all are on all of it."""
    return f", most proposals on {100 * shares[0]:.0f} % of them alone" if shares else ""
