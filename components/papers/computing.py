"""What a rule gives here, and computing it in the queue on a press."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from components import job, works
from components.errors import tried
from components.wording import duration_range
from core.corpora.corpus import Corpus
from core.errors import counted
from core.literature.rules.rule import Method
from core.literature.rules.running import Measured, Reproduction, Runnable
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.work import LONG, Work

K = TypeVar("K", bound=Hashable)

_ASKED = "papers.asked"
"""Key of what a visitor has asked for, by the table or figure that it is of."""


@dataclass(frozen=True, eq=False)
class Computed:
    """What is here of a figure.

    ``found`` is None where ``why`` says that it cannot be computed; ``measured`` is None until it is.
    """

    found: Runnable | None = None
    why: str = ""
    measured: Measured | None = None

    @property
    def is_open(self) -> bool:
        """Whether it can be computed and is not yet."""
        return self.found is not None and self.measured is None

    @property
    def is_same(self) -> bool:
        """Whether it is measured and nothing is known to differ from the paper."""
        return self.measured is not None and self.found is not None and self.found.same


def outcome(rules: Reproduction, method: Method) -> Computed:
    """What is kept of a rule's figure, or why it cannot be computed; nothing is computed."""
    found = method if isinstance(method, str) else rules.runnable(method)
    if isinstance(found, str):
        return Computed(why=found)
    return Computed(found, measured=rules.kept(found))


def computed(engine: Engine, name: str, there: Mapping[K, Computed], key: str) -> dict[K, Computed]:
    """The outcomes with what has been computed meanwhile; one panel shows all that goes on.

    What this visitor has stopped is left to :func:`button`. ``name`` is what it was given; ``key`` tells
    the panels of a page apart.
    """
    asked = st.session_state.get(_ASKED, {}).get(name, ())
    next_ = _next(engine, {place: one for place, one in there.items() if one.is_open and place in asked})
    jobs = job.show_each(
        {work.key: work for work in next_.values() if not job.was_stopped(work)}, key=f"{key}.work"
    )
    found = dict(there)
    for place, work in next_.items():
        value = tried(jobs[work.key].value) if work.key in jobs else None
        if value is True:
            st.rerun()  # its reference is ready: its figure is next
        if isinstance(value, str):
            found[place] = Computed(why=value)
        elif value is not None:
            found[place] = replace(there[place], measured=value)
    return found


def button(engine: Engine, name: str, there: Mapping[K, Computed], key: str) -> None:
    """The button that computes all of ``there`` that is open, with about how long it takes.

    What has been asked for already is not offered again while it is worked on.
    """
    open_ = {place: one for place, one in there.items() if one.is_open}
    if not open_:
        return
    asked = st.session_state.get(_ASKED, {}).get(name, ())
    begun = {place: one for place, one in open_.items() if place in asked}
    stopped = {place: work for place, work in _next(engine, begun).items() if job.is_left(work)}
    left = {place: one.found for place, one in open_.items() if place not in begun or place in stopped}
    lasting = seconds(engine, filter(None, left.values()))
    about = f", {duration_range(lasting)}" if lasting >= LONG else ""
    figures = counted(len(left or begun), "figure")
    st.button(
        f"Compute {figures}{about}" if left else f"Computing {figures}",
        key=f"{key}.compute",
        disabled=not left,
        type="primary",
        icon=":material/play_arrow:",
        on_click=_ask,
        args=(name, tuple(left), tuple(stopped.values())),
        help="It is kept, and stands here at the next visit at once.",
    )
    if any(map(job.was_stopped, stopped.values())):
        st.caption(job.STOPPED)


def _next(engine: Engine, open_: Mapping[K, Computed]) -> dict[K, Work[Any]]:
    """What has to be done next for each figure: its reference, until that is ready, or itself."""
    preparing = _preparing(engine, open_)
    return {place: preparing.get(place) or _work(engine, one) for place, one in open_.items()}


def _preparing(engine: Engine, open_: Mapping[K, Computed]) -> dict[K, Work[bool]]:
    """What gets the references ready that are not at hand, by the figures that wait for it."""
    preparing = {
        place: works.preparing(engine, one.found.recipe) for place, one in open_.items() if one.found
    }
    return {place: work for place, work in preparing.items() if work and not job.is_done(work)}


def _work(engine: Engine, one: Computed) -> Work[Measured]:
    found = one.found
    if found is None:
        raise ValueError("a figure that cannot be computed is no work")

    def compute(progress: Progress) -> Measured:
        return Reproduction(engine, found.recipe).measure(found, progress)

    return works.recipe_work(
        "figure",
        f"{', '.join(part.title for part in found.parts[:3])} under {found.recipe.label()}",
        engine,
        found.recipe,
        [part.corpus for part in found.parts],
        compute,
        *(str(part.task) for part in found.parts),
        found.rule.metric,
        found.rule.aggregate,
        found.rule.split,
    )


def seconds(engine: Engine, wanted: Iterable[Runnable]) -> float:
    """About how long computing takes: references, passes and trainings that are not there, and tasks.

    A reference, a pass or a training for many figures counts once.
    """
    recipes: dict[str, tuple[Corpus, list[Recipe]]] = {}
    references: dict[str, float] = {}
    learning = 0.0
    for found in wanted:
        name, splitting = str(found.recipe.reference), engine.references.splitting_seconds(found.recipe)
        references[name] = max(references.get(name, 0.0), splitting)
        for part in found.parts:
            recipes.setdefault(part.corpus.text_digest, (part.corpus, []))[1].append(found.recipe)
            learning += works.learning(engine, found.recipe, part.task, part.corpus)
    passes = (works.pending(engine, several, corpus) for corpus, several in recipes.values())
    return sum(references.values()) + sum(passes) + learning


def _ask(name: str, places: Sequence[Hashable], stopped: Sequence[Work[Any]]) -> None:
    """Note what is asked for, and begin anew what was asked for before and stopped."""
    job.start(stopped)
    asked = st.session_state.setdefault(_ASKED, {})
    asked[name] = {*asked.get(name, ()), *places}
