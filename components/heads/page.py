"""The page Heads: its head, its controls, and what its figures of one sentence share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import job, link, provenance, selection, sentence_links, state, works
from components.controls import segments
from components.errors import attempt
from components.explain import heading
from components.provenance import Summary
from components.text import escape
from core.analysis.heads.attention import SentenceAttention, attention, comes_along
from core.analysis.heads.head_search import published_head, search_base
from core.analysis.heads.head_similarities import with_head
from core.corpora.corpus import Corpus
from core.errors import counted, shorten
from core.evaluation.wording import quoted
from core.pipeline.engine import Engine
from core.pipeline.token_weights import TokenWeights
from core.recipe import WEIGHT, Recipe
from core.sources.source import Source
from core.tokens.marks import without_begin

ARRIVAL = (5, 4)
"""The head one arrives with: the untuned model's best on the dev split of demo."""

LARGE = 96
"""Tokens up to which the figures of one head and of the diagonals have one row for each."""

POST = "heads.post"
"""Key of the choice whether a search takes the recipe's post-processing, and its query parameter."""

SIDE = "heads.side"
"""Key of the choice whose heads are drawn, and its query parameter."""


@dataclass(frozen=True)
class Side:
    """The recipe whose model's heads are drawn, and its letter, ``A`` or ``B``."""

    letter: str
    recipe: Recipe

    @property
    def key(self) -> str:
        """As the bar calls it: ``a`` or ``b``."""
        return self.letter.lower()


def unused() -> dict[str, str]:
    """What of the bar the page does not use, and why: the other recipe, and stages of the drawn one."""
    drawn = "a"
    if st.session_state.get(SIDE, st.query_params.get(SIDE)) == "B" and state.now("b") is not None:
        drawn = "b"
    why = f"This page draws the heads of recipe {drawn.upper()}; choose the other one beside the sentence."
    stages = {
        "layers": "The page has its own choice of layers.",
        "weight": "Each head is tried as the weight.",
        "pool": "Each head weighs a mean.",
        "mix": "Each head weighs the model's own token vectors.",
        "post": f"It is taken where {drawn.upper()}'s post-processing is switched on, beside the layers.",
        "similarity": "Sentences are compared by cosine.",
    }
    if st.session_state.get(POST, st.query_params.get(POST) == "true"):
        del stages["post"]
    return {state.other(drawn): why} | {f"{drawn}.{stage}": reason for stage, reason in stages.items()}


def head() -> None:
    """Title and how to read the page."""
    heading(
        "Heads",
        "Which attention heads find the words that matter?",
        "A tile is one head: row by row, how much each token looks at each other one; a row sums to 1. "
        "The **diagonal** is a token looking at itself, which Ditto takes as its weight (Chen et al. 2023, "
        "*Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings*). What it does not show: "
        "attention is not explanation. A head that looks at a word need not use it, and a score that "
        "rises with a head's weights says that they help on this corpus, not why. "
        "**tf-idf** is high for words that a text has often and few texts have. Layers and heads are "
        "counted from 1, as in papers; code counts from 0 (*index*), and both are printed.",
    )


def choose_side(a: Recipe, b: Recipe | None) -> tuple[Side, Sequence[Any]]:
    """The recipe whose model's heads are drawn, and places for the sentence, the token and the head.

    There is a choice where B is on; a recipe's heads depend on its model and template.
    """
    if b is None:
        return Side("A", a), st.columns([5, 2, 2])
    *places, last = st.columns([8, 3, 3, 2])
    with last:
        letter = segments(
            "Heads of",
            provenance.SIDES,
            SIDE,
            persist_state="session",
            help="The heads of recipe A's model, or of recipe B's; with the recipe's template.",
        )
    return Side(letter, a if letter == "A" else b), places


def choose(
    source: Source, recipe: Recipe, places: Sequence[Any]
) -> tuple[str | None, tuple[int, int], Any]:
    """The sentence and the head to look at, and a place for the token.

    The start is the head of the recipe's own weight, else the one that is published for the model. The
    page says so when a link names a head that the model lacks.
    """
    depth, heads = source.location.depth, source.location.heads
    own = WEIGHT.arguments(recipe.weight) if recipe.weight.name == "ditto" else {}
    published = published_head(source.name, depth, heads)
    start = (int(own["layer"]), int(own["head"])) if own else published or ARRIVAL
    wanted = st.query_params.get("head", "")
    left, middle, right = places
    with left:
        sentence = selection.sentence(sentence_links.compare)
    with right:
        chosen = selection.head(depth, heads, start)
    names = {f"{i}-{j}" for i in range(1, depth + 1) for j in range(1, heads + 1)}
    if wanted and wanted not in names:
        why = f"this model has {depth} layers × {heads} heads, so the page shows {chosen[0]}-{chosen[1]}."
        link.explain("head", f"The link names a head {shorten(wanted)}; {why}")
    return sentence, chosen, middle


def choose_token(attention: SentenceAttention, place: Any) -> int:
    """The token to look at, chosen in ``place``; above the figures, where a long sentence was cut."""
    _cut_note(attention)
    with place:
        return selection.token_menu(attention.surface_forms, attention.own.tolist())


def _cut_note(attention: SentenceAttention) -> None:
    """Say at which token the model cut the sentence, if it did."""
    if not attention.truncated:
        return
    own = np.flatnonzero(attention.own)
    end = f", after {quoted(attention.surface_forms[own[-1]])}" if len(own) else ""
    st.warning(
        f"The sentence is longer than {len(attention.surface_forms)} tokens, the limit of "
        f"{escape(attention.source.name)}, and cut there{escape(end)}.",
        icon=":material/content_cut:",
    )


def attention_of(engine: Engine, side: Side, sentence: str) -> SentenceAttention | None:
    """The attention of every head; None while it is computed, or when the page says why there is none."""
    work = works.recipe_work(
        "attention",
        "Attention heads of the sentence",
        engine,
        side.recipe,
        _pasted(sentence),
        partial(attention, engine, side.recipe, sentence),
        kept=works.if_kept(partial(comes_along, engine, side.recipe, sentence)),
    )
    return attempt(side.key, side.recipe, lambda: job.show(work))


def weights_of(engine: Engine, side: Side, sentence: str, chosen: tuple[int, int]) -> TokenWeights | None:
    """Ditto's weights with the chosen head, of the tokens that the recipe selects; None as above."""
    ditto = with_head(search_base(side.recipe), "last", *chosen)
    work = works.token_weights(engine, "Weights of the sentence's tokens", ditto, _pasted(sentence))
    weights = attempt(side.key, side.recipe, lambda: job.show(work))
    return weights[0] if weights else None


def _pasted(sentence: str) -> Corpus:
    return Corpus.of_texts("sentence", [sentence], origin="pasted")


def take(points: Sequence[dict[str, Any]]) -> None:
    """Choose the head that a visitor clicked on; a click that takes the choice back changes nothing."""
    for point in points[:1]:
        name = point.get("customdata")
        if name:
            selection.take("head", str(name[0] if isinstance(name, list) else name))


def caption(attention: SentenceAttention, side: Side, explanation: str) -> tuple[str, ...]:
    """What is drawn, by which model, of which sentence."""
    spelled = search_base(side.recipe).spelled()
    return (
        explanation,
        f"{side.letter}: source={spelled['source']};template={spelled['template']} · "
        f"{provenance.model(attention.source)} · one sentence, "
        f"{counted(len(attention.surface_forms), 'token')}",
    )


def summary(attention: SentenceAttention) -> Summary:
    """The model and the sentence."""
    size = counted(len(attention.surface_forms), "token")
    return by_model(provenance.summary("heads", {}, {"": attention.source}, "one sentence", size))


def by_model(summary: Summary) -> Summary:
    """The same, with files that are named by the model: heads are those of one of two."""
    return replace(summary, by_model=True)


def explain_cells(explanation: str, size: int, of: str) -> str:
    """``explanation``, and how many tokens a cell stands for when there is no room for each."""
    return explanation if size == 1 else f"{explanation} Each cell is the largest {of}."


def surface_forms_of(attention: SentenceAttention) -> list[str]:
    """The tokens without their word-start marks."""
    return [*map(without_begin, attention.surface_forms)]


def labels_of(attention: SentenceAttention, size: int) -> list[str]:
    """A name for each token, or for each span of ``size`` tokens by its first."""
    names = selection.token_names(surface_forms_of(attention))
    return names if size == 1 else [f"{name} …" for name in names[::size]]


def with_columns(table: pd.DataFrame, **columns: Any) -> pd.DataFrame:
    """``table`` with columns before its own, which may have the same names: they are tokens."""
    for place, (name, values) in enumerate(columns.items()):
        table.insert(place, name, values, allow_duplicates=True)
    return table
