"""The page Layers: its head, its controls, and the models that its sections share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import beside, errors, held, job, selection, sentence_links, state, theme, works
from components.controls import segments
from components.explain import heading
from components.text import escape
from core.analysis.layered_source import layered_source
from core.analysis.layers.trajectories import Paths, of_sentence
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.evaluation.wording import quoted
from core.pipeline.engine import Engine
from core.recipe import Recipe

VIEWS = ("corpus", "sentence", "token")
_STYLE = """<style>
  .st-key-layers-token { max-height: 188px; overflow-y: auto; }
  .st-key-layers-token > * { flex-shrink: 0; }
</style>"""
"""Tokens of more than five rows scroll: half of the fifth row is seen, which says so."""


@dataclass(frozen=True)
class Choices:
    """What the controls say: the sentence, what the map is of, and recipe A on each model by its name."""

    sentence: str | None
    view: str
    named: list[tuple[str, Recipe]]


@dataclass(frozen=True, eq=False)
class LayeredModel:
    """A model with recipe A on it, its color, and its states of the visitor's sentence."""

    name: str
    recipe: Recipe
    color: str
    paths: Paths


@dataclass(frozen=True, eq=False)
class Places:
    """Where the figures of the page stand."""

    evolution: DeltaGenerator
    hops: DeltaGenerator
    scores: DeltaGenerator


def places(models: int, *, scored: bool) -> Places:
    """How words change on the left, what layers are good for on the right: a toggle is seen at once.

    The maps of more than two models need the whole width.
    """
    if scored and models <= 2:
        left, right = st.columns(2, gap="medium")
        return Places(left, left, right)
    if not scored and models == 1:
        left, right = st.columns(2, gap="medium")
        return Places(left, right, st.container())
    return Places(*(st.container() for _ in range(3)))


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Layers",
        "How do words change from layer to layer, and which layers make the best sentence vectors?",
        "A token's **state** is its vector in one layer. The map holds the cosine of a token's states in "
        "each pair of layers, averaged over tokens; a hop curve is its mean so many layers apart (Wang & "
        "Kuo 2020, Figure 1). **A high cosine of adjacent layers is owed to the residual connection**: a "
        "block adds to a state and does not replace it. It is no evidence that a layer does little, and a "
        "few dominant dimensions can hold a cosine up. The static row is the word's embedding without "
        "position. Scores by layer replace the layers of recipes A and B; those of pairs of layers (Huang "
        "et al. 2021, WhiteningBERT) are recipe A's. The best of many cells looks better than it is. "
        "Word groups are after Table I of Wang & Kuo. A word's **variance**, of the cosines of "
        "its adjacent layers, says how unevenly it moves, not what it means; **idf** is high for words "
        "that few texts have. **α** is the share that SBERT-WK gives a layer of a word (their Section IV).",
    )


def choose(engine: Engine, a: Recipe, b: Recipe | None) -> Choices:
    """The controls, in one row."""
    left, middle, right = st.columns([4, 3, 3], gap="small")
    with left:
        sentence = selection.sentence(sentence_links.compare, _show_sentence)
    with middle:
        view = segments(
            "Map of",
            VIEWS,
            "view",
            help="corpus: the words of its sentences. sentence, token: those chosen above.",
        )
    with right:
        named = beside.show(engine, a, b)
    return Choices(sentence, view, named)


def _show_sentence() -> None:
    """Map the sentence that was written, where a map of the corpus would not change by it (a callback)."""
    if held.now("view", VIEWS[0]) == VIEWS[0]:
        held.hold("view", "sentence")


def has_layers(engine: Engine, a: Recipe, b: Recipe | None) -> bool:
    """Whether recipe A can be looked at layer by layer; if not, the page says why, and offers B."""
    why = _layerless(engine, a)
    if why is None:
        return True
    errors.tell(why, "a")
    if b is not None and _layerless(engine, b) is None:
        st.button("Swap A and B", key="layers.swap", icon=":material/swap_vert:", on_click=state.swap)
    return False


def _layerless(engine: Engine, recipe: Recipe) -> StrataError | None:
    """Why a recipe cannot be looked at layer by layer."""
    try:
        layered_source(engine, recipe.as_read())
    except StrataError as error:
        return error
    return None


def read_models(
    engine: Engine, named: Sequence[tuple[str, Recipe]], b: Recipe | None, sentence: str
) -> list[LayeredModel]:
    """The models whose states of the sentence are there; the page says which have no layers.

    The first is recipe A's, and blue; recipe B's is orange. There is none before recipe A's is there.
    """
    look = theme.of(state.theme_name())
    others = iter(theme.OTHERS)
    pasted = Corpus.pasted([sentence])
    jobs = job.show_all(
        [
            works.recipe_work(
                "paths",
                f"Reading the sentence with {name}",
                engine,
                recipe.as_read(),
                pasted,
                partial(of_sentence, engine, recipe.as_read(), sentence),
            )
            for name, recipe in named
        ]
    )
    models: list[LayeredModel] = []
    for (name, recipe), each in zip(named, jobs, strict=True):
        of_b = bool(models) and b is not None and recipe.source == b.source
        try:
            paths = each.value()
        except StrataError as error:
            errors.tell(error, *(["b"] if of_b else []))
            continue
        if paths is None and not models:
            return []
        if paths is None:
            continue
        color = look.a if not models else look.b if of_b else next(others)
        models.append(LayeredModel(name, recipe, color, paths))
    return models


def quoted_start(sentence: str) -> str:
    """A sentence between quotes, its first 90 characters at most, as a caption names it."""
    return quoted(sentence if len(sentence) <= 90 else sentence[:89] + "…")


def choose_token(model: LayeredModel) -> int | None:
    """One token of the sentence as the first model cuts it, and where it was cut off; None without any."""
    tokens = model.paths.tokens
    if not len(tokens):
        st.info(f"{escape(model.name)} finds no token in this sentence.", icon=":material/edit:")
        return None
    st.html(_STYLE)
    with st.container(key="layers-token"):
        chosen = selection.token(tokens)
    if tokens.truncated.any():
        last = tokens.surface_forms(slice(0, len(tokens)))[int(np.flatnonzero(model.paths.counted)[-1])]
        st.caption(
            f":material/content_cut: {escape(model.name)} reads {len(tokens)} tokens at most: the sentence "
            f"is cut behind {escape(quoted(last))}."
        )
    return chosen
