"""The head of the page Layers: which models, which token, what the map is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from components import selection, state, theme
from components.explain import heading
from components.figures.layers import OTHERS
from components.text import escape
from core.analysis.trajectories import Paths, layered, of_sentence
from core.embed import Road
from core.errors import StrataError
from core.progress import Progress
from core.recipe import Recipe

VIEWS = ("corpus", "sentence", "token")
CROWD = 60
"""Tokens of a sentence from which on their buttons scroll in a box of their own."""


@dataclass(frozen=True, eq=False)
class Model:
    """One of the models side by side: recipe A on it, and the visitor's sentence read by it."""

    name: str
    recipe: Recipe
    color: str
    paths: Paths


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Layers",
        "How words change from layer to layer, and which layers make the best sentence vectors.",
        "The map holds the cosine of a token's states in each pair of layers, averaged over tokens; a hop "
        "curve is its mean so many layers apart (Wang & Kuo 2020, Figure 1). **A high cosine of adjacent "
        "layers is owed to the residual connection**: a block adds to a state and does not replace it. It "
        "is no evidence that a layer does little, and a few dominant dimensions can hold a cosine up. The "
        "static row is the word's embedding without position. Scores by layer replace the layers of recipe "
        "A (all pairs: Huang et al. 2021, WhiteningBERT); the best of many cells looks better than it is. "
        "Word groups are after Table I of Wang & Kuo, α after their Section IV; a word's variance says how "
        "unevenly it moves, not what it means.",
    )


def models(
    road: Road, found: Sequence[tuple[str, Recipe]], b: Recipe | None, sentence: str, progress: Progress
) -> list[Model]:
    """The models that have layers, each with the sentence read; the page says which have none.

    The first is recipe A's, and blue; recipe B's is orange.
    """
    look = theme.of(state.theme_name())
    others = iter(OTHERS)
    made: list[Model] = []
    for name, recipe in found:
        try:
            paths = of_sentence(road, layered_recipe(recipe), sentence, progress)
        except StrataError as error:
            st.error(escape(str(error)), icon=":material/error:")
            continue
        of_b = made and b is not None and recipe.source == b.source
        color = look.a if not made else look.b if of_b else next(others)
        made.append(Model(name, recipe, color, paths))
    return made


def layered_recipe(recipe: Recipe) -> Recipe:
    """What the states depend on: source and template alone."""
    return Recipe(source=recipe.source, template=recipe.template, reference=recipe.reference)


def choose_token(model: Model) -> int | None:
    """One token of the sentence as the first model cuts it, and where it was cut off; None without any."""
    tokens = model.paths.tokens
    if not len(tokens):
        st.info(f"{escape(model.name)} finds no token in this sentence.", icon=":material/edit:")
        return None
    with st.container(height=130 if len(tokens) > CROWD else "content", border=False):
        chosen = selection.token(tokens)
    if tokens.truncated.any():
        last = tokens.written(slice(0, len(tokens)))[int(np.flatnonzero(model.paths.counted)[-1])]
        st.caption(
            f":material/content_cut: {escape(model.name)} reads {len(tokens)} tokens at most: the sentence "
            f"is cut behind “{escape(last)}”."
        )
    return chosen


def view() -> str:
    """What the map is of."""
    chosen = st.segmented_control(
        "Map of",
        VIEWS,
        default=VIEWS[0],
        required=True,
        key="view",
        bind="query-params",
        help="corpus: the words of its sentences. sentence, token: those chosen above.",
    )
    return chosen if chosen in VIEWS else VIEWS[0]


def has_layers(road: Road, recipe: Recipe) -> bool:
    """Whether recipe A can be looked at layer by layer; the page says why when it cannot."""
    try:
        layered(road, layered_recipe(recipe))
    except StrataError as error:
        st.error(escape(str(error)), icon=":material/error:")
        return False
    return True
