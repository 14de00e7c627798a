"""The page Scores: its head, its control, and the scores that its sections share."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import job, page_style, provenance, works
from components.controls import segments
from components.errors import attempt
from components.explain import heading
from components.provenance import Summary
from core.corpora.corpus import Corpus
from core.evaluation.scoring import Scored
from core.evaluation.sts import AGGREGATES, Aggregate, check_aggregate
from core.pipeline.engine import Engine
from core.recipe import Recipe


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Scores",
        "How well do similarities follow human judgement, and is B really better than A?",
        "The score is the rank correlation (Spearman × 100) of similarity with the gold score, "
        "which is how similar people judged a pair to be. The interval says how far it "
        "would move on other pairs of the same kind (bootstrap over pairs); the difference is "
        "bootstrapped on the same pairs for both, so that it can be clear even where the two intervals "
        "overlap. A score on one corpus says nothing about another, and text matters: SentEval's "
        "files are lower-cased and tokenised, the hub's are raw.",
    )


def places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places side by side for the scores and for how those of subsets become one."""
    with st.container(key=page_style.SCORES, horizontal=True, vertical_alignment="center", gap="large"):
        return st.container(), st.container(width="content")


def choose(corpus: Corpus) -> Aggregate:
    """How the scores of subsets become one; no choice where the corpus has one subset, or none."""
    said = "all: one correlation over all pairs. mean: of the subsets' scores. wmean: weighted by size."
    parted = len(set(corpus.subset)) > 1
    return check_aggregate(
        segments(
            "Aggregate over subsets",
            AGGREGATES,
            "aggregate",
            default="all",
            help=said if parted else f"{said} This corpus has no subsets: the three are the same.",
            disabled=not parted,
        )
    )


def score_all(
    engine: Engine, recipes: Mapping[str, Recipe], corpus: Corpus, aggregate: Aggregate
) -> dict[str, Scored]:
    """The score of each recipe by its side, as far as it is there; the page says why a recipe has none."""
    on = provenance.split(corpus)
    jobs = job.show_each(
        {
            side: works.scoring(engine, f"Scoring {side} on {on}", recipe, corpus, aggregate)
            for side, recipe in recipes.items()
        },
        lambda: works.reading(engine, list(recipes.values()), corpus),
    )
    results = {side: attempt(side.lower(), recipes[side], each.value) for side, each in jobs.items()}
    return {side: scored for side, scored in results.items() if scored is not None}


def unit(scored: Scored) -> str:
    """The name of the similarity."""
    return scored.recipe.spelled()["similarity"]


def caption(corpus: Corpus, sides: Mapping[str, Scored]) -> tuple[str, ...]:
    """The exact recipes, the model, the corpus and its size."""
    return (
        *(provenance.recipe_line(side, scored.recipe) for side, scored in sides.items()),
        provenance.line([models(sides)], corpus, provenance.pairs(corpus)),
    )


def summary(corpus: Corpus, sides: Mapping[str, Scored]) -> Summary:
    """The recipes' names, their models, the corpus and its size."""
    return provenance.summary(
        "scores",
        {side: scored.recipe for side, scored in sides.items()},
        provenance.told_apart({side: provenance.model_of(scored) for side, scored in sides.items()}),
        provenance.split(corpus),
        provenance.pairs(corpus),
    )


def notes_of(scored: Scored) -> list[str]:
    """What a reader must know of a score, but why it does not exist: that stands in the headline."""
    return [note for note in scored.notes if note != scored.score.problem]


def models(sides: Mapping[str, Scored]) -> str:
    """The model of each side with its revision."""
    return provenance.of_sides(
        {side: f"{scored.about['model']} ({scored.about['revision']})" for side, scored in sides.items()}
    )
