"""The scores of published recipes on the page's corpus, in the menu of a recipe.

A score that was computed with its interval is there at once. The others are computed while nothing else is
done, without one, for whoever has opened the menu; nothing is read or trained for them.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import job
from components.bar.foreseen import MOST
from components.cached import shared_queue
from components.dialogs import renew_page
from components.errors import tried
from components.methods.scores import ScoresHere
from components.wording import value
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.option_scores import OptionScores, option_scores
from core.evaluation.scoring import Scored
from core.evaluation.sts import check_scorable
from core.evaluation.wording import fixed
from core.literature.presets import PRESETS
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Work


def show(engine: Engine, recipe: Recipe, corpus: Corpus | None) -> dict[str, str]:
    """The scores of presets with the model of ``recipe``, as they are written, by the preset's name.

    Where some are still to come, what waits for them stands here and has the page drawn anew.
    """
    place = st.empty()  # there in every run: the menu beside it keeps its place
    if corpus is None:
        return {}
    try:
        check_scorable(corpus)
        here = ScoresHere(engine, recipe, corpus)
        work = _work(here)
    except StrataError:  # the page says why
        return {}
    outcomes = {preset.name: here.outcome(preset.apply(recipe)) for preset in PRESETS}
    known = {name: value(one.score) for name, one in outcomes.items() if isinstance(one, Scored)}
    with place:
        plain = _without_interval(work, corpus)
    return {name: fixed(score) for name, score in plain.items()} | known


def _work(here: ScoresHere) -> Work[OptionScores]:
    """The work that scores the presets which need nothing beside the model."""
    recipes = {preset.name: preset.apply(here.base) for preset in PRESETS if not preset.needs}
    compute = partial(option_scores, here.engine, recipes, here.corpus)
    key = ("preset scores", str(here.base.source), str(here.base.template), *here.scope)
    return Work(key, "Scores of published recipes", compute)


def _without_interval(work: Work[OptionScores], corpus: Corpus) -> dict[str, float]:
    if _is_over(work):
        scores = tried(shared_queue().job(work).value)
        return scores.scores if isinstance(scores, OptionScores) else {}
    if len(corpus.sentences) <= MOST:
        st.fragment(_wait, run_every=job.TICK)(work)
    return {}


def _wait(work: Work[OptionScores]) -> None:
    """Have it done, again where something else came between; have the page drawn anew once it is there."""
    if _is_over(work):
        renew_page()
    job.idle(work)


def _is_over(work: Work[OptionScores]) -> bool:
    return shared_queue().job(work).state.is_answered
