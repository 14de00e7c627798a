"""The source of a recipe whose layers are compared."""

from __future__ import annotations

from core.corpora.corpus import Corpus
from core.errors import RecipeError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.sources.source import Source


def layered_source(engine: Engine, recipe: Recipe, corpus: Corpus | None = None) -> Source:
    """The source of a recipe; raises :class:`RecipeError` when it has one layer only.

    ``corpus`` is the target, for a source that learns from it.
    """
    source = engine.source(recipe, corpus)
    if len(source.layers) == 1:
        raise RecipeError(
            f"source={source.name} has one vector per token and no layers to compare; "
            "take a model as source."
        )
    return source
