"""The score of a recipe on the page's corpus, at the end of its row.

It is computed after the page's own work, where nobody has to be asked for that, and as long as the recipe
stands in the bar. A score that is there soon is drawn at the end of the same run; a slow one has the page
drawn anew.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import failures, provenance, seen_scores, works
from components import job as jobs
from components.cached import shared_queue
from components.dialogs import renew_page
from components.errors import tried
from components.job import TICK, patient
from components.text import escape
from components.wording import brief, listed
from core.corpora.corpus import Corpus
from core.errors import CorpusError
from core.evaluation.scoring import Scored, difference
from core.evaluation.sts import check_scorable, too_few
from core.evaluation.wording import between
from core.literature.presets import naming
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import LONG, Job, State, Work

AGGREGATE = "all"
"""One correlation over all pairs."""

NOT_READY = "The reference that it learns from is not ready"
"""Why there is no score before a page has the reference got ready."""

COMING = "…"
"""Stands where a score will be that is being computed."""


@dataclass(frozen=True)
class Waiting:
    """A score that is not there yet, and where it is to stand; ``again`` makes its work anew."""

    work: Work[Scored]
    corpus: Corpus | None
    place: DeltaGenerator
    again: Callable[[], Work[Scored] | str]

    def after_page(self) -> Waiting | None:
        """The same where nobody has to be asked any more, as the page has had its corpus read."""
        work = self.again() if _is_asked_for(self.work) else self.work
        return None if isinstance(work, str) or _is_asked_for(work) else replace(self, work=work)


@dataclass(frozen=True)
class Pair:
    """The scores of A and B, whose difference is told at a place once both are there."""

    works: tuple[Work[Scored], Work[Scored]]
    corpus: Corpus
    place: DeltaGenerator


@dataclass
class Run:
    """The bar in one run of a page: a run that Streamlit interrupts leaves nothing to the next one.

    Attributes
    ----------
    stands
        Whether the run has come to the bar.
    waiting
        The scores that nobody has asked for.
    pairs
        The differences that nobody has told.
    words
        The place under the bar for what scores that take long wait for.
    """

    stands: bool = False
    waiting: list[Waiting] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    words: DeltaGenerator | None = None


_RUN: ContextVar[Run] = ContextVar("the bar in this run")


def show(recipe: Recipe, engine: Engine, corpus: Corpus | None, *, has_reference: bool = True) -> None:
    """The score with its interval, ``…`` while it is computed, or ``–`` with the reason."""
    work = _work(recipe, engine, corpus) if has_reference else NOT_READY
    run = _RUN.get(Run())  # a page that runs past app.py has its own
    run.stands = True
    if isinstance(work, str):
        _text("–", work)
        return
    place = st.empty()
    with place:
        if _is_drawn(work, corpus):
            return
        if _is_asked_for(work):
            _text("–", "Not read with this model yet: the page Scores asks before it does")
        else:
            _coming(work)
        run.waiting.append(Waiting(work, corpus, place, partial(_work, recipe, engine, corpus)))


def room() -> None:
    """Room under the bar for what scores that take long wait for; in every run, so that nothing moves."""
    _RUN.get(Run()).words = st.empty()


def tell_difference(engine: Engine, a: Recipe | None, b: Recipe | None, corpus: Corpus | None) -> None:
    """B − A on the corpus as a sentence with its paired interval, once the bar has both scores.

    A link to the page that asks before it reads the corpus, where nobody has had it read yet.
    """
    place = st.empty()  # there in every run: what stands below it keeps its place
    if a is None or corpus is None:
        return
    scored = [_work(one, engine, corpus) for one in (a, b) if one is not None]
    works = [work for work in scored if not isinstance(work, str)]
    if any(map(_is_asked_for, works)):
        label = f"No scores on {escape(provenance.split(corpus))} yet: the page Scores has it read"
        place.page_link("pages/scores.py", label=label, icon=":material/arrow_forward:")
        return
    if len(works) < 2:
        return
    pair = Pair((works[0], works[1]), corpus, place)
    if not _is_told(pair):
        _RUN.get(Run()).pairs.append(pair)


@contextmanager
def after_page() -> Iterator[None]:
    """Have the bar's scores computed once the page, which may end early, has asked for its own work."""
    run, aside, is_done = Run(), jobs.Aside.of_visit(), False
    token = _RUN.set(run)
    try:
        yield
        is_done = True
    finally:
        _RUN.reset(token)
        waiting = [one for each in run.waiting if (one := each.after_page()) is not None]
        if run.stands or is_done:
            begin(aside, [one.work for one in waiting])
    if waiting and is_done:
        _finish(waiting, run.words)
        for pair in run.pairs:
            _is_told(pair)


def begin(aside: jobs.Aside, scores: Sequence[Work[Scored]]) -> None:
    """Have these scores computed, and no others any more."""
    aside.ask(scores)


def _finish(waiting: Sequence[Waiting], words: DeltaGenerator | None) -> None:
    """Draw the scores that come soon; the others have the page drawn anew, and say what they do."""
    patient(job for one in waiting if (job := shared_queue().find(one.work.key)) is not None)
    for one in waiting:
        with one.place:
            if not _is_drawn(one.work, one.corpus):
                st.fragment(_wait, run_every=TICK)(one.work)
    shown = jobs.on_page()  # it has a panel of its own
    found = [shared_queue().find(one.work.key) for one in waiting if one.work.key not in shown]
    if words is not None and (long := [job for job in found if job and not job.state.is_final]):
        with words:
            st.fragment(_told, run_every=TICK)(long)


def _told(waiting: Sequence[Job[Scored]]) -> None:
    """What is done for scores that take long, how far it is, and which reference is read for them."""
    lines = []
    for job in waiting:
        if job.state is State.RUNNING and job.expected >= LONG:
            names = works.references_among(job.reads)
            learnt = f"; the reference {listed(names)} is read whole for what it learns" if names else ""
            lines.append(f"{jobs.progress_line(job)}{learnt}")
    if lines:
        with st.container(key="score-reads"):
            st.caption("  \n".join(map(escape, lines)))


def _is_drawn(work: Work[Scored], corpus: Corpus | None) -> bool:
    """Draw the score if it is there, or why it cannot be had; whether one of them was."""
    if (why := failures.why(work.key)) is not None:  # tried again, it would draw the page for ever
        _text("–", why)
        return True
    job = shared_queue().find(work.key)
    if job is None or not job.state.is_final or jobs.was_dropped(job):
        return False
    _draw(failures.value(job), corpus)
    return True


def _is_told(pair: Pair) -> bool:
    """Write the difference if both scores are there; whether they were."""
    jobs = [shared_queue().find(work.key) for work in pair.works]
    scores = [tried(job.value) for job in jobs if job is not None and job.state.is_final]
    a, b = scores if len(scores) == len(pair.works) else (None, None)
    if not isinstance(a, Scored) or not isinstance(b, Scored):
        return False
    differing = provenance.differing({"A": a, "B": b})
    with pair.place:
        told = difference(a, b, pair.corpus).words(on=provenance.split(pair.corpus))
        st.markdown(f"**{escape(told)}** {escape(differing)}".rstrip())
    return True


def _work(recipe: Recipe, engine: Engine, corpus: Corpus | None) -> Work[Scored] | str:
    """The work that scores a recipe, or why there is no score."""
    if corpus is None:
        return "The corpus cannot be read"
    try:
        check_scorable(corpus)
    except CorpusError as error:
        return str(error)
    return works.scoring(engine, f"Score of {naming.name(recipe)}", recipe, corpus, AGGREGATE)


def _is_asked_for(work: Work[Scored]) -> bool:
    """Whether a page asks before it reads what a score needs, and none is reading it now."""
    return work.asks and shared_queue().find(work.key) is None and not works.comes_anyhow(work.reads)


def _wait(work: Work[Scored]) -> None:
    """A sign that the score comes; the page is drawn anew when it is there."""
    job = shared_queue().find(work.key)
    if job is not None:
        if job.state.is_final:
            renew_page()
        jobs.look_aside(job)
    _coming(work)


def _coming(work: Work[Scored]) -> None:
    """The sign of a score that is computed; what is being done for it is in its tooltip."""
    job = shared_queue().find(work.key)
    if job is None or job.state is not State.RUNNING:
        _text(COMING, "Will be computed" if job is None else "Waits for its turn")
    else:
        _text(COMING, f"Being computed: {jobs.progress_line(job)}")


def _draw(scored: Scored | str | None, corpus: Corpus | None) -> None:
    if not isinstance(scored, Scored):
        _text("–", scored or "Stopped")
        return
    seen_scores.note(scored)
    name = provenance.split(corpus) if corpus else ""
    score = scored.score
    none = too_few(score.pairs, score.low, score.high)
    told = none or f"with its interval, {between(score.low, score.high)}"
    _text(brief(score.spearman, score.low, score.high), f"Spearman × 100 on {name}, all pairs, {told}")


def _text(text: str, explanation: str) -> None:
    st.html(f'<p role="status" title="{html.escape(explanation)}"><strong>{html.escape(text)}</strong></p>')
