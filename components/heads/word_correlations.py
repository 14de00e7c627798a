"""Correlation of every head's diagonal with tf-idf and its kin, on the page Heads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from components import figure_frame, job, provenance, state, theme, works
from components.controls import segments
from components.errors import tried
from components.figure_frame import Framed
from components.figures.heads import HeadGrid, grids
from components.heads.page import by_model, take
from components.heads.search_plan import PUBLISHED, SearchPlan, heads_table
from components.text import escape
from core.analysis.heads.head_correlations import GENSIM, WEIGHTS, HeadCorrelations, gensim_correlations
from core.analysis.heads.head_similarities import with_head
from core.errors import counted
from core.evaluation.wording import signed
from core.pipeline.engine import Engine
from core.sources.source import Source
from core.work import Work


def show(
    engine: Engine,
    plan: SearchPlan,
    by_weight: Mapping[str, HeadCorrelations],
    chosen: tuple[int, int],
    published: tuple[int, int] | None,
    source: Source,
) -> None:
    """Spearman and Pearson of each head's diagonal with the chosen word weight."""
    weight = segments(
        "Word weight",
        (*WEIGHTS, GENSIM),
        "heads.weight",
        help="Is a head's diagonal high where a word is rare: in the corpus itself, or in the recipe's "
        "reference, by the package gensim, as Ditto's paper has it?",
    )
    if weight == GENSIM:
        found = tried(lambda: job.show(_of_reference(engine, plan)))
        if found is None:
            return
        if isinstance(found, str):
            st.warning(f"No correlation here. {escape(found)}", icon=":material/block:")
            return
        by_weight = {**by_weight, weight: found}
    correlations = by_weight[weight]
    marks = {published: PUBLISHED} if published else {}
    spelled = plan.base.spelled()
    title = finding(weight, correlations)
    figure_frame.show(
        Framed(
            key="heads.words",
            title=title,
            figure=grids(
                [
                    HeadGrid(correlations.spearman, f"Spearman with {weight}", 2, marks),
                    HeadGrid(correlations.pearson, f"Pearson with {weight}", 2, marks),
                ],
                chosen,
                "correlation",
                theme.of(state.theme_name()),
                signed=True,
            ),
            caption=(
                f"The diagonal of each head against {weight}, over all {correlations.tokens:,} tokens that "
                "are neither special nor the template's, of "
                f"{counted(correlations.texts, 'different text')}, each once; "
                f"{_learnt(engine, plan, weight)}.",
                f"source={spelled['source']};template={spelled['template']}",
                provenance.line([provenance.model(source)], plan.show_on),
            ),
            summary=by_model(
                provenance.summary(
                    "heads",
                    {},
                    {"": source},
                    provenance.split(plan.show_on),
                    counted(correlations.tokens, "token"),
                )
            ),
            alt=title,
            numbers=lambda: numbers(by_weight),
            on_select=take,
            hint="A click on a cell chooses its head.",
        )
    )


def _of_reference(engine: Engine, plan: SearchPlan) -> Work[HeadCorrelations]:
    """The correlations with what is learnt from the reference."""
    return works.recipe_work(
        "head-gensim",
        f"Correlating heads with {GENSIM}",
        engine,
        with_head(plan.base, plan.layers, 1, 1),
        plan.show_on,
        partial(gensim_correlations, engine, plan.base, plan.show_on),
        engine.references.of(plan.base).texts_fingerprint,
    )


def _learnt(engine: Engine, plan: SearchPlan, weight: str) -> str:
    """What the documents of a word weight are."""
    if weight != GENSIM:
        return "documents are counted as often as they stand in the corpus"
    reference = engine.references.of(plan.base)
    return (
        f"learnt from {reference.name}, {counted(len(reference.sentences), 'different text')}: logarithms "
        "to base 2, 0 for what is not there, norm 1 in each text"
    )


def finding(weight: str, correlations: HeadCorrelations) -> str:
    """The heads whose diagonals go least and most with the word weight, in one sentence."""
    spearman = correlations.spearman
    if not np.isfinite(spearman).any():
        return f"No diagonal varies with {weight}"
    ends = [
        np.unravel_index(int(at), spearman.shape) for at in (np.nanargmax(spearman), np.nanargmin(spearman))
    ]
    high, low = (f"{signed(spearman[at], 2)} in L{at[0] + 1}-H{at[1] + 1}" for at in ends)
    return f"A head's diagonal against {weight}: Spearman from {low} to {high}"


def numbers(by_weight: Mapping[str, HeadCorrelations]) -> pd.DataFrame:
    """One row for each head."""
    table = heads_table(next(iter(by_weight.values())).spearman.shape)
    for name, correlations in by_weight.items():
        table[f"{name}, Pearson"] = correlations.pearson.ravel()
        table[f"{name}, Spearman"] = correlations.spearman.ravel()
    return table
