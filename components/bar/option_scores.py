"""What each option of a stage scores on the page's corpus, in the strip that edits the stage.

A second after the strip was opened the scores are computed behind all other work, until it is closed. A
corpus of which a visitor is asked whether it may be read is not read for them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import partial

import streamlit as st

from components import job, provenance, works
from components.bar.alternatives import READ, in_place
from components.bar.control import Control
from components.cached import shared_queue
from components.dialogs import renew_page
from components.errors import tried
from components.job import TICK
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.option_scores import OptionScores, option_scores
from core.evaluation.sts import check_scorable
from core.evaluation.wording import fixed
from core.literature.presets.naming import value_name
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import LONG, Job, Work

READING = 120.0
"""Seconds of reading that are done for the scores of a corpus that is read without a question."""

HELP = (
    "Spearman × 100 on all pairs, of this recipe with one option in the place of what the stage holds, at "
    "its usual arguments, learning from what the stage learns from. What takes seconds to read, train or "
    "score is left out. To choose by these take the split dev: what is best on the pairs that one reports "
    "is in part luck."
)


def show(control: Control, engine: Engine, corpus: Corpus | None) -> None:
    """The scores, best first, in a line of its own that says before that they come."""
    place = st.empty()
    if corpus is None or control.stage in READ:
        return
    try:
        check_scorable(corpus)
        recipes = in_place(control, engine)
    except StrataError:  # the page says why
        return
    work, where = _work(control, engine, recipes, corpus), provenance.split(corpus)
    with place:
        if (made := _made(work)) is None:
            st.fragment(_wait, run_every=TICK)(work, where, time.monotonic())
            return
        found = tried(made.value)
        if not isinstance(found, OptionScores):
            return
        if len(found.scores) > 1:
            on = f"Here ({escape(where)}){_now(control, recipes)}"
            st.caption(f"{on}: {_line(control, recipes, found.scores)}", help=HELP)
        if _is_read(engine, recipes, found.unread, corpus):
            shared_queue().forget(work.key)  # the next run has it done again


def _work(
    control: Control, engine: Engine, recipes: Mapping[str, Recipe], corpus: Corpus
) -> Work[OptionScores]:
    """The work that scores the options; it gives way to all that a page waits for."""
    asks = works.asks(engine, [*recipes.values()], corpus)
    known = works.identity_of_options(engine, [*recipes.values()])
    return Work(
        ("option scores", *known, works.identity_of(corpus)),
        f"Scores of the options of {control.stage.name}",
        partial(option_scores, engine, recipes, corpus, reading=0.0 if asks else READING),
        seconds=LONG,
    )


def _is_read(engine: Engine, recipes: Mapping[str, Recipe], names: Iterable[str], corpus: Corpus) -> bool:
    """Whether one of the recipes has been read or trained meanwhile."""
    return any(works.pending(engine, [recipes[name]], corpus) == 0 for name in names)


def _made(work: Work[OptionScores]) -> Job[OptionScores] | None:
    """The job that has the scores, or an error; None where there is none yet, or it was stopped."""
    made = shared_queue().job(work)
    return made if made.state.is_answered else None


def _wait(work: Work[OptionScores], where: str, begun: float) -> None:
    """Begin the work when this is drawn again; have the page drawn anew when its result is there."""
    st.caption(f"Each option is being scored on {escape(where)} …")
    if _made(work) is not None:
        renew_page()
    else:
        job.beside(work, begin=time.monotonic() - begun > TICK / 2)


def _now(control: Control, recipes: Mapping[str, Recipe]) -> str:
    """What the options are scored as, and what the stage holds, where that is none of them."""
    if control.recipe in recipes.values():
        return ""
    name = value_name(control.stage, getattr(control.recipe, control.stage.name))
    return f", each alone at its usual arguments (now: {escape(name)})"


def _line(control: Control, recipes: Mapping[str, Recipe], scores: Mapping[str, float]) -> str:
    """``**CLS: 51.9** · mean: 46.0 (now) · …``: the best first."""
    said = []
    best = max(scores.values())
    for title in sorted(scores, key=lambda title: -scores[title]):
        now = " (now)" if recipes[title] == control.recipe else ""
        text = f"{escape(title)}: {fixed(scores[title])}{now}".replace(" ", "\N{NO-BREAK SPACE}")
        said.append(f"**{text}**" if fixed(scores[title]) == fixed(best) else text)
    return " · ".join(said)
