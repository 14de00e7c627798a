"""The best head under each choice of layers, on the page Heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import job, table_numbers, works
from components.controls import folded
from components.errors import tried
from components.heads.search_plan import SearchPlan
from components.text import escape
from core.analysis.heads.head_search import HeadScores, is_kept, search
from core.analysis.heads.head_similarities import SETTINGS, with_head
from core.pipeline.engine import Engine
from core.progress import Progress
from core.work import Work


def show(engine: Engine, plan: SearchPlan) -> None:
    """A table with the best head under each choice of layers, searched once it is opened."""
    folded("Under the other layers", lambda: _table(engine, plan), "heads.settings")


def _table(engine: Engine, plan: SearchPlan) -> None:
    results = tried(lambda: job.show(search_work(engine, plan, SETTINGS), key="heads.choices"))
    if results is None:
        return
    if isinstance(results, str):
        st.warning(escape(results), icon=":material/block:")
        return
    rows, rank = [], f"rank on {plan.show_on.split_name}"
    for name, scores in results.items():
        best = scores[0].best
        row: dict[str, object] = {
            "layers": name,
            f"best on {plan.choose_on.split_name}": f"L{best[0]}-H{best[1]}" if best else "none",
        }
        for head_scores, corpus in zip(scores, plan.corpora, strict=True):
            row[f"{corpus.split_name}"] = head_scores.of(*best) if best else np.nan
            row[f"{corpus.split_name}: middle head"] = head_scores.median
            row[f"{corpus.split_name}: uniform"] = head_scores.uniform
        if best and not plan.same:
            row[rank] = scores[1].rank(*best)
        rows.append(row)
    table = pd.DataFrame(rows)
    st.dataframe(
        table_numbers.written(table, {name: 2 for name in table.columns if name != rank}),
        hide_index=True,
        alt="The best head under each choice of layers, with its Spearman × 100",
    )
    st.caption("Spearman × 100; the head is chosen anew for each row.")


def search_work(
    engine: Engine, plan: SearchPlan, layers: Sequence[str]
) -> Work[dict[str, list[HeadScores]]]:
    """Work that scores all heads under each choice of layers.

    Gives two scores by choice: on the pairs that a head is chosen on, and on those that it is shown on.
    """

    def compute(progress: Progress) -> dict[str, list[HeadScores]]:
        by_corpus = [search(engine, plan.base, corpus, layers, progress) for corpus in plan.corpora]
        return {name: [scores[name] for scores in by_corpus] for name in layers}

    def kept() -> bool:
        return all(is_kept(engine, plan.base, corpus, layers) for corpus in plan.corpora)

    return works.recipe_work(
        "heads",
        "Scoring all heads",
        engine,
        with_head(plan.base, plan.layers, 1, 1),
        plan.corpora,
        compute,
        *layers,
        kept=works.if_kept(kept),
    )
