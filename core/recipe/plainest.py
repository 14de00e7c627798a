"""A recipe as plainly as it can be written: what cannot make a difference is left out."""

from __future__ import annotations

from dataclasses import replace

from core.errors import RecipeError
from core.recipe.in_vain import idle
from core.recipe.options import Choice
from core.recipe.recipe import LAYERS, MIX, POST, Recipe


def plainest(recipe: Recipe, depth: int) -> Recipe:
    """The recipe without what changes nothing on a model of ``depth`` blocks; the vectors are the same.

    A stage that its pooling does not look at is at its default, a mix of nothing is none, and a step that
    is repeated in vain is there once. Layers are called as an option is that gives them, and neighbours of
    a layer are no more than there are.

    >>> str(plainest(Recipe.parse("layers=wk(window=21);post=normalize+normalize"), 6))
    'layers=wk;post=normalize'
    >>> str(plainest(Recipe.parse("layers=6;tokens=content;weight=idf;pool=cls;mix=averaged(w=0)"), 6))
    'layers=last;pool=cls'
    """
    plain = Recipe()
    pairs = zip((None, *recipe.post), recipe.post, strict=False)
    return replace(
        recipe,
        **{name: getattr(plain, name) for name in idle(recipe)},
        layers=_named(tuple(_among(choice, depth) for choice in recipe.layers), depth),
        mix=plain.mix if _mixes_nothing(recipe.mix) else recipe.mix,
        post=tuple(choice for before, choice in pairs if choice != before or not POST.find(choice).once),
    )


def _mixes_nothing(mix: Choice) -> bool:
    share = MIX.find(mix).share
    return bool(share) and MIX.arguments(mix)[share] == 0


def _named(layers: tuple[Choice, ...], depth: int) -> tuple[Choice, ...]:
    """Layers that are averaged by the name of one option, or as they are by default, if these are they."""
    if any(LAYERS.find(choice).fuse for choice in layers) or not depth:
        return layers
    options = [(Choice(option.name),) for option in LAYERS if not (option.fuse or option.arguments)]
    numbers = _numbers(layers, depth)
    alike = (named for named in (*options, Recipe().layers) if _numbers(named, depth) == numbers)
    return next(alike, layers)


def _numbers(layers: tuple[Choice, ...], depth: int) -> set[int]:
    return {number for choice in layers for number in LAYERS.bind(choice)(depth)}


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
