"""The page Find: its head, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.cached import halved, parted
from components.controls import menu, segments
from components.explain import heading
from components.find.proxies import measured
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
    """What is searched, and how long."""

    question: Question
    budget: Budget

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
        "A search proposes recipes on **recipe A's model**, or on others beside it: layers, tokens, "
        "weights, poolings, mixing, post-processing and their arguments, as the bar offers them; "
        "published methods are tried as well. Nothing is read twice: a trial takes milliseconds from the "
        "stored pass, poolings that learn and SBERT-WK take seconds and get a twentieth of the time "
        "each. A proposal is first measured on a part of dev, and given up unless it is in the best "
        "quarter of the latest on the same rows, on a larger part in the best third; so are published "
        "methods among themselves (successive halving, Li et al. 2020). "
        "Recipes are **chosen on dev**; **test is looked at once**, for the choice, plain mean pooling "
        "and the published method that is best on dev. A corpus without these splits is cut in two by a "
        "hash of its texts. The best of many looks better on dev than it is: by how much is estimated by "
        "making the whole choice again on resamples of dev (Efron 1983). Proposals are made by a "
        "tree-structured Parzen estimator (Optuna). What each stage matters is the share of variance that "
        "it explains by itself in a random forest of the trials (fANOVA, Hutter et al. 2014); the search "
        "looks where scores are high, and the forest knows little of elsewhere. A choice for one corpus "
        "says little of another. **Without gold scores** a recipe can be chosen by what texts alone say "
        "of it; that is no measure of quality, and how well it would have chosen here is shown at the end "
        "of the page.",
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
            help="Then proposals are made for the whole front of scores against it",
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
    return AskedSearch(question, Budget.parse(budget))


def _narrowed() -> tuple[list[str], bool, bool, str]:
    """Which stages are searched, and what a recipe may learn from, export as, and be as wide as."""
    stages = st.multiselect(
        "Stages to search",
        SEARCHED,
        default=SEARCHED,
        key="find.stages",
        bind="query-params",
        persist_state="session",
        help="The others stay as recipe A has them, as source, template and reference do",
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
        help="Only recipes that can be taken away as a sentence-transformers model",
    )
    dimensions = menu(
        "Dimensions at most",
        DIMENSIONS,
        "find.dimensions",
        width=170,
        persist_state="session",
        help=f"Of sentence vectors; any: up to {WIDER} times those of a token's vector",
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
        help="A proposal is then of any of them; each reads the corpus once",
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
        help="Over several a recipe is chosen by its mean rank; type another one, as agnews: clustering",
    )
    if not chosen:
        return [parted(engine.corpus(corpus.link, "all", corpus.scale))]
    asked = [choice.read(engine, text) for text in chosen]
    return [parted(engine.corpus(each.corpus, "all"), TASK.text(each.task)) for each in asked]
