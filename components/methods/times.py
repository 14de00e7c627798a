"""What methods cost per sentence here, beside what papers print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from components import downloads, job, works
from components.controls import folded
from components.job import Question
from components.methods.scores import ScoresHere
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.timing import ALONE, Timing, measure
from core.literature.presets import PRESETS
from core.literature.published_times import TIMED, TIMES, published_times
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.work import Work

REPEATS = 3


def show(here: ScoresHere) -> None:
    """The button, and the table of what was measured."""
    engine, corpus = here.engine, here.corpus
    st.markdown("## Inference time per sentence")
    presets = {preset.name: preset for preset in PRESETS}
    recipes = {name: presets[name].apply(here.base) for name in TIMED}
    work = Work(
        ("times", *here.scope),
        "Measuring inference time",
        lambda progress: measure(engine, corpus, recipes, progress, REPEATS),
        asks=True,
    )
    found = job.show(work, lambda: _question(engine, list(recipes.values()), corpus))
    if found is None:
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
            f"Milliseconds per sentence of {corpus.name} ({counted(len(corpus.sentences), 'sentence')}), "
            "on the machine that serves this page. The forward pass is in batches and was timed when it "
            f"was made; alone: the median over {ALONE} sentences that are read one at a time, as the "
            f"papers do; from it to the vector is the median of {REPEATS} runs without cached results, "
            "what is learnt "
            "from the corpus (groups, directions) included. A dash: word-embedding rows alone are taken. "
            f"Published ({papers}): one sentence at a time, {hardware}; other models and vectors."
        )
    )
    for one in found:
        if one.problem:
            st.caption(f":material/block: {escape(one.name)}: {escape(one.problem)}")
    downloads.csv(table, "times")
    folded("All published inference times", _published, "all.times")


def _published() -> None:
    """The table of what the papers print."""
    st.dataframe(
        pd.DataFrame([asdict(one) for one in TIMES]),
        hide_index=True,
        column_config={"milliseconds": st.column_config.NumberColumn(format="%.2f")},
        alt="All published inference times",
    )


def _question(engine: Engine, recipes: Sequence[Recipe], corpus: Corpus) -> Question:
    """What is measured, and what must be read before."""
    reading = works.reading(engine, recipes, corpus)
    about = (
        f"{counted(len(recipes), 'method')} on the {counted(len(corpus.sentences), 'sentence')} "
        f"of {corpus.name}, {REPEATS} times each, from the stored forward pass; the papers' figures beside."
    )
    about += f" {reading.text}" if reading else ""
    return Question(about, "Measure inference time here", aside=True)


def times_table(found: Sequence[Timing]) -> pd.DataFrame:
    """One row for each method, with what is printed for it."""
    return pd.DataFrame(
        [
            {
                "method": one.name,
                "forward pass, ms": None if math.isnan(one.pass_ms) else one.pass_ms,
                "pass to vector, ms": None if math.isnan(one.vector_ms) else one.vector_ms,
                "together, ms": None if math.isnan(one.vector_ms) else one.total_ms,
                "pass alone, ms": None if math.isnan(one.alone_ms) else one.alone_ms,
                "together alone, ms": None if math.isnan(one.vector_ms) else one.alone_total_ms,
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
