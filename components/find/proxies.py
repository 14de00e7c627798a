"""How well recipes can be chosen without gold scores, on the page Find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import pandas as pd
import streamlit as st

from components import errors, figure_frame, job, provenance, state, theme, works
from components.cached import parted
from components.figure_frame import Framed
from components.figures.search import proxies
from components.job import Question
from components.provenance import Summary
from components.text import escape
from components.wording import UNIT, listed
from core.corpora.corpus import Corpus
from core.encoders.bundled_encoders import BUNDLED
from core.errors import StrataError
from core.evaluation.wording import fixed, signed
from core.literature.presets.comparable import comparable, plain_mean
from core.pipeline.engine import Engine
from core.progress import Progress
from core.recipe import Recipe
from core.search.known_regrets import means
from core.search.proxies import PROXIES, Regret, halves, regrets

LABEL = "No gold scores? How well texts alone would have chosen here"
"""What opens this section."""


def show(engine: Engine, corpus: Corpus, a: Recipe) -> None:
    """A question, then what each proxy would have chosen among the published methods."""
    recipes = [plain_mean(a), *comparable(a).values()]
    try:
        gold = parted(engine.corpus(corpus.link, "all", corpus.scale)).test
        cut = halves(gold.corpus)
    except StrataError as error:
        st.info(escape(str(error)), icon=":material/block:")
        return

    def compute(progress: Progress) -> list[Regret]:
        return regrets(engine, recipes, gold, progress)

    if told := measured(a.spelled()["source"]):
        st.caption(escape(told))
    what = f"Choosing among {len(recipes)} methods on {gold.name} without gold scores"
    work = works.recipe_work(
        "proxies",
        what,
        engine,
        recipes[0],
        [gold.corpus, cut],
        compute,
        works.reference_of(engine, a),  # which plain mean, the first of them, learns nothing from
    )
    try:
        found = job.show(
            replace(work, asks=True), lambda: _question(len(recipes), cut), key="find.proxies.work"
        )
    except StrataError as error:
        errors.tell(error)
        return
    if found:
        _draw(found, provenance.line([provenance.model(engine.source(a))], gold.corpus, gold.name))


def measured(source: str) -> str:
    """What choosing by each proxy loses on benchmarks, with a source or else with those that come along.

    Empty where nothing was measured. The numbers are those that ``python -m benchmarks.proxies`` wrote.
    """
    sources = [source] if means(source) else [model.source for model in BUNDLED]
    lines = []
    for each in sources:
        if (found := means(each)) is not None:
            losses = listed([f"{fixed(loss)} points by {proxy}" for proxy, loss in found.regret.items()])
            lines.append(
                f"Measured with source={each} on {listed(found.corpora)}: a choice among published methods "
                f"loses {losses} on average, a blind one {fixed(found.at_random)}."
            )
    return " ".join(lines)


def _question(recipes: int, cut: Corpus) -> Question:
    return Question(
        f"{recipes} methods are measured on {cut.rows:,} sentences cut into halves, which are read once, "
        "and on the gold scores. That takes a minute or two.",
        "Compare with gold",
        aside=True,
    )


def finding(found: Sequence[Regret]) -> str:
    """What the best proxy loses, and what a blind choice does."""
    best = min(found, key=lambda each: each.regret)
    return (
        f"{UNIT} on {best.corpus} test, of {best.recipes} recipes: chosen by {best.proxy}, "
        f"{fixed(best.score)}, {fixed(best.regret)} below the best; a blind choice is "
        f"{fixed(best.at_random)} below it on average"
    )


def _draw(found: Sequence[Regret], made_of: str) -> None:
    """What each loses; ``made_of`` is the line on model and corpus."""
    title = finding(found)
    lines = tuple(
        f"{each.proxy}: {PROXIES[each.proxy].explanation}; rank correlation with the scores "
        f"{signed(each.agrees, 2)}; it takes {each.recipe}"
        for each in found
    )
    figure_frame.show(
        Framed(
            key="find.regret",
            title=title,
            figure=proxies(found, theme.of(state.theme_name())),
            caption=(*lines, "The one that is best here need not be best on other texts", made_of),
            summary=Summary("find", corpus=f"{found[0].corpus} test", size=f"{found[0].recipes} recipes"),
            alt=title,
            numbers=lambda: pd.DataFrame([asdict(each) for each in found]),
        )
    )
