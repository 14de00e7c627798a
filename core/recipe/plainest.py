"""A recipe as plainly as it can be written: what cannot make a difference is left out."""

from __future__ import annotations

from dataclasses import replace

from core.errors import RecipeError
from core.recipe.options import Choice
from core.recipe.recipe import LAYERS, POST, Recipe


def plainest(recipe: Recipe, depth: int) -> Recipe:
    """The recipe without repeated steps, and looking at no more layers than a model of ``depth`` has.

    >>> str(plainest(Recipe.parse("layers=wk(window=21);post=normalize+normalize"), 6))
    'layers=wk;post=normalize'
    """
    pairs = zip((None, *recipe.post), recipe.post, strict=False)
    post = tuple(choice for before, choice in pairs if choice != before or not POST.find(choice).once)
    return replace(recipe, layers=tuple(_among(choice, depth) for choice in recipe.layers), post=post)


def _among(choice: Choice, depth: int) -> Choice:
    """A choice of layers that looks at no more neighbours than there are."""
    named = LAYERS.find(choice).neighbours
    if not named:
        return choice
    try:
        most = max(1, len([*LAYERS.bind(choice)(depth)]) - 1)
    except RecipeError:  # it is refused where the recipe is followed
        return choice
    given = LAYERS.arguments(choice)
    return choice if given[named] <= most else Choice(choice.name, tuple((given | {named: most}).items()))
