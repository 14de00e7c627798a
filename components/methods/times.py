"""What methods cost per sentence here, beside what papers print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from components import downloads
from components.jobs import asked, done
from components.progress import may_run, working
from components.text import escape
from core.corpus import Corpus
from core.embed import Road
from core.presets import PRESETS
from core.published_times import TIMED, TIMES, published_times
from core.recipe import Recipe
from core.timing import Timing, measure

REPEATS = 3

_KEPT = "methods.times"


def show(road: Road, base: Recipe, corpus: Corpus) -> None:
    """The button, and the table of what was measured."""
    st.markdown("##### Inference time per sentence")
    presets = {preset.name: preset for preset in PRESETS}
    recipes = {name: presets[name].apply(base) for name in TIMED}
    key = f"{base.spelled()['source']} {base.spelled()['reference']} {corpus.fingerprint}"
    found: list[Timing] | None = st.session_state.setdefault(_KEPT, {}).get(key)
    if found is None:
        about = (
            f"{len(recipes)} methods on the {len(corpus.sentences):,} sentences of {corpus.name}, "
            f"{REPEATS} times each, from the stored forward pass; the papers' figures beside."
        )
        if not asked("times", key, "Measure inference time here", about):
            return
        if not may_run(road, list(recipes.values()), corpus):
            return
        with working("times") as progress:
            st.session_state[_KEPT][key] = measure(road, corpus, recipes, progress, REPEATS)
        done()
        return
    table = times_table(found)
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        table,
        hide_index=True,
        column_config={name: number for name in table.columns if name.endswith("ms")}
        | {"published, CPU": st.column_config.TextColumn(width=330)},
        column_order=[name for name in table.columns if name not in ("recipe", "problem", "published in")],
        placeholder="–",
        alt="Milliseconds per sentence of each method here, and as published",
    )
    papers = " and ".join(dict.fromkeys(one.where for one in TIMES))
    hardware = " and ".join(dict.fromkeys(f"{one.hardware} ({one.device})" for one in TIMES))
    st.caption(
        escape(
            f"Milliseconds per sentence of {corpus.name} ({len(corpus.sentences):,} sentences), on the "
            "machine that serves this page. The forward pass is in batches and was timed when it was made; "
            f"from it to the vector is the median of {REPEATS} walks that remember nothing, what is learnt "
            "from the corpus (groups, directions) included. A dash: word-embedding rows alone are taken. "
            f"Published ({papers}): one sentence at a time, {hardware}; other models and vectors."
        )
    )
    for one in found:
        if one.problem:
            st.caption(f":material/block: {escape(one.name)}: {escape(one.problem)}")
    downloads.csv(table, "times")
    with st.expander("All published inference times"):
        st.dataframe(
            pd.DataFrame([asdict(one) for one in TIMES]),
            hide_index=True,
            column_config={"milliseconds": st.column_config.NumberColumn(format="%.2f")},
        )


def times_table(found: Sequence[Timing]) -> pd.DataFrame:
    """One row for each method, with what is printed for it."""
    return pd.DataFrame(
        [
            {
                "method": one.name,
                "forward pass, ms": None if math.isnan(one.pass_ms) else one.pass_ms,
                "pass to vector, ms": None if math.isnan(one.vector_ms) else one.vector_ms,
                "together, ms": None if math.isnan(one.vector_ms) else one.total_ms,
                "published, CPU": "; ".join(
                    f"{time.method.replace('Overhead of SBERT-WK', 'overhead')} {time.milliseconds:.2f}"
                    for time in published_times(one.name)
                ),
                "published in": "; ".join(dict.fromkeys(time.where for time in published_times(one.name))),
                "recipe": one.recipe,
                "problem": one.problem,
            }
            for one in found
        ]
    )
