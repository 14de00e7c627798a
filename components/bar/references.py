"""The references of the bar's recipes: one that is not at hand is got ready before its page goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from components import job, works
from components.job import Question
from components.wording import duration_range, listed
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import LONG, Work


def not_ready(engine: Engine, recipes: Mapping[str, Recipe | None]) -> dict[str, Work[bool]]:
    """What gets the references ready that are not at hand, by side.

    All that is named by a reference, as every result of a recipe that learns from it, can be asked for
    once that is done. A reference that cannot be had is none of these: the page says why.
    """
    found = {}
    for side, recipe in recipes.items():
        try:
            work = works.preparing(engine, recipe) if recipe else None
        except StrataError:
            continue
        if recipe and work and not job.is_done(work):
            long = work.seconds >= LONG and works.reference_asks(engine, recipe)
            found[side] = replace(work, asks=long)
    return found


def left_of(late: Mapping[str, Work[bool]]) -> dict[str, Work[bool]]:
    """Have them got ready; those that are not yet, for which a question or a panel stands here."""
    different = {work.key: work for work in late.values()}

    def question() -> Question:
        names = listed([str(work.key[2]) for work in different.values() if isinstance(work.key, tuple)])
        seconds = sum(work.seconds for work in different.values())
        return Question(
            f"Getting the reference {names} ready takes {duration_range(seconds)}, once. What a recipe "
            "learns from it comes after that."
        )

    jobs = dict(zip(different, job.show_all(list(different.values()), question), strict=True))
    # of what failed, the bar says why
    return {side: work for side, work in late.items() if not jobs[work.key].state.is_answered}
