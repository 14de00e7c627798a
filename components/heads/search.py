"""The search for the head that weighs tokens best, on the page Heads."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import job, works
from components.errors import tried
from components.heads import head_scores, layer_choices, word_correlations, worth
from components.heads.layer_choices import search_work
from components.heads.search_plan import SearchPlan
from components.job import Question
from components.text import escape
from components.wording import duration_range
from core.analysis.heads import head_correlations
from core.analysis.heads.head_correlations import correlations
from core.analysis.heads.head_search import published_head
from core.analysis.heads.head_similarities import with_head
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.source import Source
from core.work import LONG


def show(engine: Engine, plan: SearchPlan, source: Source, chosen: tuple[int, int]) -> None:
    """Scores of all heads, what they are worth, and how heads go with word weights."""
    location = source.location
    recipe = with_head(plan.base, plan.layers, 1, 1)
    searching = search_work(engine, plan, [plan.layers])
    correlating = works.recipe_work(
        "head-words",
        "Correlating heads with tf-idf",
        engine,
        recipe,
        plan.show_on,
        partial(correlations, engine, plan.base, plan.show_on),
        kept=works.if_kept(partial(head_correlations.is_kept, engine, plan.base, plan.show_on)),
    )
    jobs = job.show_each(
        {"scores": searching, "words": correlating},
        lambda: _question(engine, plan, recipe, location.depth * location.heads),
    )
    scores, words = tried(jobs["scores"].value), tried(jobs["words"].value)
    published = published_head(source.name, location.depth, location.heads)
    if isinstance(scores, str):
        st.warning(f"No search here. {escape(scores)}", icon=":material/block:")
    elif scores is not None:
        worth.show(engine, plan, scores[plan.layers], published)
        layer_choices.show(engine, plan)
        head_scores.show(plan, scores[plan.layers], chosen, published, source)
    if isinstance(words, str):
        st.warning(f"No correlation here. {escape(words)}", icon=":material/block:")
    elif words is not None:
        word_correlations.show(engine, plan, words, chosen, published, source)


def _question(engine: Engine, plan: SearchPlan, recipe: Recipe, heads: int) -> Question | None:
    """What is said before long reading."""
    seconds = sum(works.pending(engine, [recipe], corpus) for corpus in plan.corpora)
    if seconds < LONG:
        return None
    return Question(
        f"Reading {sum(len(corpus.sentences) for corpus in plan.corpora):,} sentences takes "
        f"{duration_range(seconds)}, once; then all {heads} heads take seconds.",
        f"Search all {heads} heads",
        aside=True,
    )
