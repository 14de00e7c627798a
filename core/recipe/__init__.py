"""Recipes: their text, their stages, and the registry of what each stage offers."""

from core.recipe.recipe import (
    LAYERS,
    MIX,
    POOL,
    POST,
    REFERENCE,
    SIMILARITY,
    SOURCE,
    STAGES,
    TEMPLATE,
    TOKENS,
    WEIGHT,
    Recipe,
    defaults,
    describe_options,
    shown,
)

__all__ = [
    "LAYERS",
    "MIX",
    "POOL",
    "POST",
    "REFERENCE",
    "SIMILARITY",
    "SOURCE",
    "STAGES",
    "TEMPLATE",
    "TOKENS",
    "WEIGHT",
    "Recipe",
    "defaults",
    "describe_options",
    "shown",
]
