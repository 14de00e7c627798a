"""The page Tokens: its head, its parts, and the models that lie beside each other."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import beside
from components.bar import bar
from components.controls import segments
from components.explain import heading
from components.text import escape
from components.tokens.controls import CORPUS
from core.corpora.built_in import demo
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.recipe.plan import Plan

PARTS = ("tokens", "frequency in components", "sentences")

PART = "part"
"""Key of the part that is shown."""

MOST = 2
"""Maps that fit beside each other."""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Tokens",
        "Do token vectors lie together by meaning, or by frequency and form?",
        "Each point is a token. Frequent and rare tokens, pieces of words and capitalised words tend to "
        "lie apart whatever they mean: the frequency and sub-word biases of Lu (2023, slides) after Jiang "
        "et al. (2022, PromptBERT). **R²** says how much of the colour a plane over the map accounts for; "
        "what a map shows in curves it does not count. PCA keeps large distances, and only the share of "
        "the variance that is named; **UMAP and t-SNE keep neighbours: neither the distance nor the size "
        "of their islands means anything**. All three have a fixed seed. Several layers share one map, "
        "each centred and scaled to the same variance, so that a token can be followed from layer to "
        "layer. Components that go along with frequency: Mu & Viswanath (2018). No map is evidence of its "
        "own: look at the neighbours.",
    )


def choose() -> str:
    """The part of the page that is shown."""
    return segments("Show", PARTS, "part", label_visibility="collapsed")


def unused() -> dict[str, str]:
    """What of the bar the part of the page that is shown does not use, with the reason."""
    part = _chosen(PART)
    if part == PARTS[2]:
        return {"similarity": "The map's neighbours are the nearest by cosine."}
    stages = bar.all_but("source", why="This part looks at the model's token vectors, before any of this.")
    if _chosen("rows") == CORPUS or _chosen("frequency" if part == PARTS[1] else "colour").endswith(
        "corpus"
    ):
        return stages
    return stages | {
        "corpus": "Nothing here is read from it; this corpus gives the scores in the bar alone."
    }


def stand_in(corpus: Corpus | None, a: Recipe | None, unused: Mapping[str, str]) -> Corpus | None:
    """The corpus; one that is built in where it cannot be read, and nothing is read from it."""
    if corpus is None and a is not None and "corpus" in unused and Plan.of(a).source_fit != "target":
        return demo()
    return corpus


def _chosen(key: str) -> str:
    """What a control holds before it is drawn, at first the address's; empty where it is left alone."""
    return str(st.session_state.get(key, st.query_params.get(key, "")))


def choose_models(engine: Engine, a: Recipe, b: Recipe | None) -> list[tuple[str, Recipe]]:
    """Recipe A on the models beside each other; no more than fit."""
    named = beside.show(engine, a, b)
    if len(named) > MOST:
        left = ", ".join(name for name, _ in named[MOST:])
        st.caption(f":material/info: Two maps fit beside each other; left out: {escape(left)}.")
    return named[:MOST]
