"""Correlation of every head's diagonal with tf-idf and its kin, on the page Heads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from components import figure_frame, provenance, state, theme
from components.controls import segments
from components.figure_frame import Framed
from components.figures.heads import HeadGrid, grids
from components.heads.page import by_model, take
from components.heads.search_plan import PUBLISHED, SearchPlan, heads_table
from core.analysis.heads.head_correlations import WEIGHTS, HeadCorrelations
from core.errors import counted
from core.evaluation.wording import signed
from core.sources.source import Source


def show(
    plan: SearchPlan,
    by_weight: Mapping[str, HeadCorrelations],
    chosen: tuple[int, int],
    published: tuple[int, int] | None,
    source: Source,
) -> None:
    """Spearman and Pearson of each head's diagonal with the chosen word weight."""
    weight = segments(
        "Word weight",
        WEIGHTS,
        "heads.weight",
        help="Is a head's diagonal high where a word is rare in the corpus?",
    )
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
                f"{counted(correlations.texts, 'different text')}, each once; documents are "
                "counted as often as they stand in the corpus.",
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
