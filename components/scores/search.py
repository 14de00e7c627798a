"""A search for a better recipe on the corpus of the page Scores."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from components import figure_frame, job, state, take, theme, works
from components.cached import dev_and_test
from components.controls import segments
from components.errors import notes
from components.figure_frame import Framed
from components.figures.search import search
from components.job import Question
from components.provenance import Summary
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.sts import Aggregate
from core.evaluation.wording import between, fixed, signed
from core.literature.presets.naming import name as recipe_name
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.search.budget import Budget
from core.search.find import Compared, Found, find, left_out
from core.search.question import Question as Searched

LABEL = "Find a better recipe"
"""What opens this section."""

TRIALS = ("50", "200", "500")
"""How many recipes may be tried."""

_KEY, _DEV = "trials", "dev, Spearman × 100"


def show(engine: Engine, corpus: Corpus, a: Recipe, aggregate: Aggregate) -> None:
    """Controls, then the question, the search at work, or what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        trials = int(segments("Recipes to try", TRIALS, "search.trials", TRIALS[1], width="content"))
        reference = st.toggle(
            "Steps may learn from the reference",
            value=True,
            key="search.reference",
            bind="query-params",
            persist_state="session",
        )
    try:
        whole = engine.corpus(corpus.link, "all", corpus.scale)
        dev, test, told = dev_and_test(whole)
        searched = Searched.of(engine, a, dev, reference=reference, aggregate=aggregate)
    except StrataError as error:
        st.info(escape(str(error)), icon=":material/block:")
        return

    def compute(progress: Progress) -> Found:
        return find(engine, searched, test, Budget(trials), progress)

    what = f"Searching {trials} recipes on {whole.name} dev"
    work = works.recipe_work(
        _KEY, what, engine, searched.space.held, [dev, test], compute, trials, reference, aggregate
    )
    try:
        found = job.show(replace(work, asks=True), lambda: _question(trials, dev, test))
    except StrataError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return
    if found is not None:
        notes([*told, *found.notes])
        _draw(found, whole)


def finding(found: Found, corpus: str) -> str:
    """What the choice scores on test, and what that is above plain mean pooling."""
    test = found.test
    head = f"Spearman × 100 on {corpus} test: the recipe chosen on dev has {fixed(test.spearman)}"
    if found.baseline is None:
        return f"{head} ({between(test.low, test.high)})"
    return f"{head}, {_above(found.baseline)}"


def _above(other: Compared) -> str:
    """The paired difference from another recipe, in words."""
    gain, interval = other.gain, between(other.gain.low, other.gain.high)
    if not gain.shown:
        return f"no difference shown from {other.name}: {signed(gain.value)} ({interval})"
    word = "above" if gain.value > 0 else "below"
    return f"{fixed(abs(gain.value))} {word} {other.name} (difference {interval})"


def table(found: Found) -> pd.DataFrame:
    """Each recipe that was scored, once, the best on dev first."""
    return pd.DataFrame(list(found.scored.items()), columns=["recipe", _DEV])


def _question(trials: int, dev: Corpus, test: Corpus) -> Question:
    return Question(
        f"{trials} proposals and the published methods are tried with recipe A's model on {len(dev):,} "
        f"pairs of dev; the best is scored on {len(test):,} pairs of test. That takes minutes; it can be "
        "stopped, and goes on later.",
        label="Search",
    )


def _draw(found: Found, whole: Corpus) -> None:
    look = theme.of(state.theme_name())
    title = finding(found, whole.name)
    chosen = Recipe.parse(found.recipe)
    figure_frame.show(
        Framed(
            key=_KEY,
            title=title,
            figure=search(
                [trial.dev for trial in found.trials],
                [trial.recipe for trial in found.trials],
                found.test,
                look,
            ),
            caption=(
                f"The choice: {found.recipe or '(defaults)'}",
                f"{found.pairs[0]:,} pairs of dev, {found.pairs[1]:,} of test",
                f"{left_out(found.trials)} of {len(found.trials)} trials could not be scored",
            ),
            summary=Summary("scores", {"": recipe_name(chosen)}, corpus=f"{whole.name} test"),
            alt=title,
            numbers=lambda: table(found),
        )
    )
    st.markdown(f"**{escape(recipe_name(chosen))}**: `{found.recipe or 'the defaults'}`")
    said = [
        f"On dev it has {fixed(found.dev)}, of which {fixed(found.optimism)} points are owed to choosing "
        f"the best of {len(found.scored)} recipes, published methods among them (the whole choice made "
        "again on resamples of dev)."
    ]
    if found.preset is not None:
        said.append(f"On test it is {_above(found.preset)}, the published method that is best on dev.")
    st.markdown(escape(" ".join(said)))
    take.buttons(chosen, "What the search chose", "search.take")
    st.dataframe(
        table(found),
        hide_index=True,
        height=250,
        alt="Recipes by their score on dev",
        column_config={_DEV: st.column_config.NumberColumn(format="%.2f")},
    )
