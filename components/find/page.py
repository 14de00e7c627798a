"""The page Find: its head, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.cached import halved, parted
from components.controls import menu, segments
from components.explain import heading
from components.find.proxies import measured
from components.provenance import Named
from components.tasks import choice
from components.text import escape
from core.corpora.corpus import Corpus
from core.encoders.models import available
from core.errors import StrataError
from core.evaluation.tasks import TASK
from core.pipeline.engine import Engine
from core.recipe import SIMILARITY, SOURCE, Recipe
from core.search.aims import Parted
from core.search.budget import Budget
from core.search.proxies import PROXIES
from core.search.question import COSTS, WIDER, Question
from core.search.space import SEARCHED

BUDGETS = ("50", "200", "500", "2m", "10m")
"""How many recipes may be tried, or how long."""

ANY = "any"

NO_COST = "nothing"

GOLD = "gold scores"
"""What recipes are chosen by, unless by a proxy."""

TASKS = "find.tasks"
"""The control of the tasks that recipes are chosen by."""

SOURCES = "find.sources"
"""The control of the models that are searched beside recipe A's."""

MOST = 8
"""Tasks that a recipe is chosen by, at most."""

DIMENSIONS = (ANY, "32", "64", "128", "256", "384", "768")
"""The most dimensions that vectors may have."""


@dataclass(frozen=True)
class AskedSearch:
    """What is searched, how long, and the models with the states of their files."""

    question: Question
    budget: Budget
    sources: tuple[Named, ...] = ()

    @property
    def models(self) -> list[str]:
        """The sources that are searched, as recipes write them."""
        return [space.base.spelled()[SOURCE.name] for space in self.question.space.every]

    @property
    def searches_models(self) -> bool:
        """Whether proposals are of several models."""
        return len(self.models) > 1


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Find",
        "Which recipe is best for this model and this corpus, and can it be told apart from others?",
        "A search proposes recipes on **recipe A's model**, or on others beside it, and tries the "
        "published methods as well. Recipes are **chosen on dev**; **test is looked at once**, for the "
        "choice, plain mean pooling and the published method that is best on dev.\n"
        "- **A trial** takes milliseconds from the stored pass. Poolings that learn and SBERT-WK take "
        "seconds; each gets a twentieth of the time.\n"
        "- **Each recipe is one trial**: what changes nothing in it is left out, as the choice of tokens "
        "where [CLS] alone is taken. Recipes that score the same on every resample of dev are one of those "
        "that the choice is the best of, written as short as can be.\n"
        "- **Given up**: a recipe is first measured on a part of dev, and goes on only in the best "
        "quarter of the latest on the same rows; on a larger part, in the best third. Published methods "
        "are given up among themselves (successive halving, Li et al. 2020).\n"
        "- **Luck**: the best of many looks better on dev than it is. By how much is estimated by making "
        "the whole choice again on resamples of dev (Efron 1983).\n"
        "- **Proposals** come from a tree-structured Parzen estimator (Optuna).\n"
        "- **What a stage matters** is the share of variance that it explains by itself in a random "
        "forest of the trials (fANOVA, Hutter et al. 2014). The search looks where scores are high; the "
        "forest knows little of elsewhere.\n"
        "- **Without gold scores** a recipe can be chosen by what texts alone say of it. That is no "
        "measure of quality: the end of the page shows how well it would have chosen here.\n\n"
        "A corpus without dev and test is cut in two by a hash of its texts. A choice for one corpus "
        "says little of another.",
    )


def choose(engine: Engine, corpus: Corpus, a: Recipe) -> AskedSearch:
    """The controls, and what they ask.

    Raises :class:`~core.errors.StrataError` where nothing can be searched.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        budget = segments(
            "Recipes to try, or minutes (m)",
            BUDGETS,
            "find.budget",
            BUDGETS[0],
            width="content",
            persist_state="session",
        )
        by = menu(
            "Choose by",
            (GOLD, *PROXIES),
            "find.by",
            width=140,
            persist_state="session",
            help="Without gold scores: "
            + "; ".join(f"{proxy.name}, {proxy.explanation}" for proxy in PROXIES.values()),
        )
        parts = _parts(engine, corpus, by)
        cost = menu(
            "Also keep low",
            (NO_COST, *COSTS),
            "find.low",
            width=140,
            persist_state="session",
            help="The search then looks for the best score at every level of this cost",
        )
        with st.popover("What is tried", icon=":material/tune:"):
            stages, reference, exports, dimensions = _narrowed()
            sources = _sources(engine, a)
    if by != GOLD and (told := measured(a.spelled()["source"])):
        st.caption(escape(told))
    searched = tuple(name for name in SEARCHED if name in stages)
    if by != GOLD:  # a proxy is of the vectors alone
        searched = tuple(name for name in searched if name != SIMILARITY.name)
    first, *others = sorted([a.spelled()[SOURCE.name], *sources])  # whichever of them recipe A has
    question = Question.of(
        engine,
        a.replace(source=first),
        parts,
        searched,
        reference=reference,
        exports=exports,
        dimensions=None if dimensions == ANY else int(dimensions),
        cost="" if cost == NO_COST else cost,
        sources=others,
    )
    sources = tuple(engine.source(space.base) for space in question.space.every)
    return AskedSearch(question, Budget.parse(budget), sources)


def _narrowed() -> tuple[list[str], bool, bool, str]:
    """Which stages are searched, and what a recipe may learn from, export as, and be as wide as."""
    stages = st.multiselect(
        "Stages to search",
        SEARCHED,
        default=SEARCHED,
        key="find.stages",
        bind="query-params",
        persist_state="session",
        help="The search changes these. Other stages, source, template and reference stay as in recipe A",
    )
    reference = st.toggle(
        "Steps may learn from the reference",
        value=True,
        key="find.reference",
        bind="query-params",
        persist_state="session",
    )
    exports = st.toggle(
        "Only what exports",
        key="find.exports",
        bind="query-params",
        persist_state="session",
        help="The search then tries only recipes that a sentence-transformers folder can hold",
    )
    dimensions = menu(
        "Dimensions at most",
        DIMENSIONS,
        "find.dimensions",
        width=170,
        persist_state="session",
        help=f"How many a sentence vector may have; any: up to {WIDER} times as many as a token's vector",
    )
    return stages, reference, exports, dimensions


def _sources(engine: Engine, a: Recipe) -> list[str]:
    """The other models that are here and that are searched as well."""
    own, offered = a.spelled()[SOURCE.name], [name for name, _ in available(engine.settings.trust)]
    given = [*(st.session_state.get(SOURCES) or [])]  # folders too: recipe A had one before it took another
    offered += [name for name in given if name not in offered and _is_source(engine, name)]
    return st.multiselect(
        "Models to search beside recipe A's",
        [name for name in offered if name != own],
        key=SOURCES,
        bind="query-params",
        persist_state="session",
        placeholder="none",
        help="The search then tries recipes on these models too; each model reads the corpus once",
    )


def _is_source(engine: Engine, name: str) -> bool:
    """Whether a recipe's source of this name is here, and may be opened."""
    try:
        engine.source(Recipe.parse(f"source={name}"))
    except StrataError:
        return False
    return True


def _parts(engine: Engine, corpus: Corpus, by: str) -> list[Parted]:
    """Dev and test of the corpus in the bar, or of the tasks that the visitor chooses."""
    if by != GOLD:
        return [halved(engine.corpus(corpus.link, "all", corpus.scale), by)]
    choice.address(engine, TASKS)
    chosen = st.multiselect(
        "Tasks to choose by",
        list(dict.fromkeys([*(st.session_state.get(TASKS) or []), *choice.offered(engine)])),
        key=TASKS,
        width=330,
        bind="query-params",
        persist_state="session",
        accept_new_options=True,
        max_selections=MOST,
        placeholder=f"similarity on {corpus.name}",
        help="With several tasks the best mean rank decides. To add a task, type it, as agnews: clustering",
    )
    if not chosen:
        return [parted(engine.corpus(corpus.link, "all", corpus.scale))]
    asked = [choice.read(engine, text) for text in chosen]
    return [parted(engine.corpus(each.corpus, "all"), TASK.text(each.task)) for each in asked]
