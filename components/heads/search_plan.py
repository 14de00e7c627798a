"""What the search for the best head compares, as the controls of the page Heads say it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import provenance
from components.controls import renew, segments
from components.heads.page import POST, Side, by_model
from components.provenance import Summary
from core.analysis.heads.head_search import search_base
from core.analysis.heads.head_similarities import SETTINGS
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.source import Source

BEST, PUBLISHED = "★", "†"
"""Marks of the best head here, and of the one that a paper reports for the model."""


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """What is searched: the recipe and layers, the pairs a head is chosen on, and those it is shown on.

    ``splits`` are all that the corpus has.
    """

    base: Recipe
    layers: str
    choose_on: Corpus
    show_on: Corpus
    splits: tuple[str, ...] = ()

    @property
    def corpora(self) -> list[Corpus]:
        """Both, or one when they are the same."""
        return [self.choose_on] if self.same else [self.choose_on, self.show_on]

    @property
    def same(self) -> bool:
        """Whether the head is shown on the very pairs it is chosen on."""
        return self.choose_on.fingerprint == self.show_on.fingerprint

    @property
    def overlaps(self) -> bool:
        """Whether some of the pairs it is shown on are among those it is chosen on."""
        return bool(set(self.choose_on.splits) & set(self.show_on.splits)) and not self.same


def choose(engine: Engine, side: Side, corpus: Corpus) -> SearchPlan:
    """The controls of the search; a corpus with a dev split begins with choosing on it."""
    st.markdown("## Which head weighs tokens best?")
    left, middle, right = st.columns([3, 2, 2], vertical_alignment="bottom")
    with left:
        layers = segments(
            "Layers",
            SETTINGS,
            "heads.layers",
            default="0+last",
            help="0+last is what the paper calls first-last; first is layer 1 here.",
        )
    whole = engine.corpus(corpus.link, "all")
    splits = [*whole.splits, "all"] if whole.splits else ["all"]
    own = corpus.splits[0] if len(corpus.splits) == 1 and corpus.splits[0] in splits else "all"
    start = next((name for name in ("dev", "validation") if name in splits), own)
    renew("heads.split", corpus.link, start)
    with middle:
        chosen = st.selectbox(
            "Choose the head on",
            splits,
            index=splits.index(start),
            key="heads.split",
            bind="query-params",
            persist_state="session",
            help="The best head is picked on this split, and shown on the one that the bar names.",
        )
    with right:
        post = bool(side.recipe.post) and st.toggle(
            f"With {side.letter}'s post-processing",
            key=POST,
            bind="query-params",
            persist_state="session",
            help="Learnt anew for each head.",
        )
    choose_on = corpus if chosen == own else engine.corpus(corpus.link, str(chosen))
    return SearchPlan(search_base(side.recipe, post=post), layers, choose_on, corpus, whole.splits)


def caption(plan: SearchPlan, source: Source) -> tuple[str, ...]:
    """The recipe, and a line for each set of pairs: the head is chosen on the first, shown on the last."""
    recipe = plan.base.replace(layers=plan.layers)
    return (
        f"{recipe.label()};weight=ditto(layer=…,head=…)",
        *(
            provenance.line([provenance.model(source)], corpus, provenance.pairs(corpus))
            for corpus in plan.corpora
        ),
    )


def summary(plan: SearchPlan, source: Source) -> Summary:
    """The recipe's name, the model, and the pairs a head is chosen on and shown on."""
    return by_model(
        provenance.summary(
            "heads",
            {"": plan.base.replace(layers=plan.layers)},
            {"": source},
            " and ".join(map(provenance.split, plan.corpora)),
            " and ".join(map(provenance.pairs, plan.corpora)),
        )
    )


def heads_table(shape: tuple[int, ...]) -> pd.DataFrame:
    """A row for each head, counted from 1."""
    layers, heads = (grid.ravel() + 1 for grid in np.indices(shape))
    return pd.DataFrame({"layer": layers, "head": heads})
