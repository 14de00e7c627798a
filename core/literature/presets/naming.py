"""Names of recipes: a preset's where a recipe is one, else short words for what it does.

>>> name(Recipe.parse("layers=static;tokens=content;weight=sif(punctuation=unknown);post=ccr"))
'SIF'
>>> name(Recipe.parse("layers=2+5;weight=idf;post=whiten(k=64)"))
'layers 2+5, idf, whitening k=64'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from core.evaluation.wording import MINUS
from core.literature.presets import PRESETS
from core.recipe import LAYERS, POOL, REFERENCE, SOURCE, STAGES, TEMPLATE, TOKENS, Recipe
from core.recipe.arguments import Value, text_of
from core.recipe.in_vain import idle
from core.recipe.options import Choice
from core.recipe.recipe import AnyStage

_PLAIN, _MEAN = Recipe(), "mean"

_FOLDERS = re.compile(r"(?<![\w.~])(?:~|\.\.?)?/(?:[^/(),;]+/)+")
"""The folders before the last part of a path; of no hub id, which begins with its owner."""


def name(recipe: Recipe) -> str:
    """The preset that the recipe is, else its layers and what it does beside plain mean pooling.

    A preset that is called what the recipe does is written as other such names are. A source with one
    layer has none to name, and is called as static rows are. The source, and
    whether a step learns from the target or the reference, are left out; :func:`names` adds them where
    recipes would be called alike.
    """
    preset, words = preset_name(recipe), ", ".join(_words(recipe))
    return words if preset.casefold() == words.casefold() else preset or words


def name_beside_layers(recipe: Recipe) -> str:
    """What a recipe does on whichever layers: ``idf, whitening k=64``, or ``mean``."""
    return ", ".join(_steps_beside_layers(recipe))


def name_with_source(recipe: Recipe) -> str:
    """The name with the source after it: ``Mean · bundled``."""
    return name(recipe) if _is_bound(recipe) else f"{name(recipe)} · {_source(recipe)}"


def preset_name(recipe: Recipe) -> str:
    """The preset of the same steps; empty when there is none. One that is its source goes before others."""
    bound = _presets().get(_steps(recipe, source=recipe.source))
    if bound or _is_layered(recipe):
        return bound or _presets().get(_steps(recipe), "")
    of_static_rows = _presets().get(_steps(recipe.replace(layers="static")), "")
    return of_static_rows if name_beside_layers(recipe) != _MEAN else ""


@cache
def _presets() -> dict[tuple[object, ...], str]:
    """The first preset of each steps."""
    by_steps: dict[tuple[object, ...], str] = {}
    for preset in PRESETS:
        recipe = Recipe.parse(preset.recipe)
        by_steps.setdefault(_steps(recipe, source=recipe.source if preset.bound else None), preset.name)
    return by_steps


def _steps(recipe: Recipe, source: Choice | None = None) -> tuple[object, ...]:
    """Everything that a recipe does, less its reference; of any source where none is given."""
    return (
        source,
        *(getattr(recipe, stage) for stage in STAGES if stage not in (SOURCE.name, REFERENCE.name)),
    )


def names(recipes: Sequence[Recipe], *, tell_sources: bool = False) -> list[str]:
    """A name for each recipe; different recipes have different names.

    Where sources differ, or are to be told, each name says its own. Names that are still alike say what
    each step learns from, and then the whole recipe.
    """
    sources = [_source(recipe) for recipe in recipes]
    tell = tell_sources or len(set(sources)) > 1
    given = [name_with_source(recipe) if tell else name(recipe) for recipe in recipes]
    for longer in (_long_name, Recipe.label):
        alike = Counter(text for _, text in set(zip(recipes, given, strict=True)))
        given = [
            longer(recipe) if alike[text] > 1 else text for recipe, text in zip(recipes, given, strict=True)
        ]
    return given


def _long_name(recipe: Recipe) -> str:
    parts = list(_words(recipe, fits=True))
    parts += (
        [f"reference {STAGES[REFERENCE.name].text(recipe.reference)}"] if recipe.needs_reference() else []
    )
    return f"{', '.join(parts)} · {_source(recipe)}"


def _is_bound(recipe: Recipe) -> bool:
    """Whether the recipe's name says its source already."""
    return _steps(recipe, source=recipe.source) in _presets()


def _source(recipe: Recipe) -> str:
    """The source as text; of a path its last part, as two that end alike are told by the whole recipe."""
    return _FOLDERS.sub("", SOURCE.text(recipe.source))


def _words(recipe: Recipe, *, fits: bool = False) -> Iterator[str]:
    """The layers, where the source has more than one, and what is done beside."""
    if _is_layered(recipe):
        yield _layers(recipe)
    yield from _steps_beside_layers(recipe, fits=fits)


def _is_layered(recipe: Recipe) -> bool:
    return SOURCE.find(recipe.source).layered


def _steps_beside_layers(recipe: Recipe, *, fits: bool = False) -> Iterator[str]:
    """Each step that is not at its default, unless the pooling does not look at it. Else ``mean``."""
    unsaid = {SOURCE.name, LAYERS.name, REFERENCE.name, *idle(recipe)}
    for stage in STAGES.values():
        if stage.name in unsaid:
            continue
        value = getattr(recipe, stage.name)
        if value == getattr(_PLAIN, stage.name):
            continue
        for choice in value if stage.many else (value,):
            yield step_name(stage, choice, fits=fits)
    if recipe == replace(_PLAIN, layers=recipe.layers, source=recipe.source, reference=recipe.reference):
        yield _MEAN


def step_name(stage: AnyStage, choice: Choice, *, fits: bool = False) -> str:
    """One step in short words: ``whitening k=64``; ``fits`` says what it learns from too."""
    words = _tokens_name(choice) if stage is TOKENS else _choice_name(stage, choice)
    if stage is POOL and not stage.find(choice).label:
        words += " pooling"
    fit = stage.fit(choice) if fits else None
    return words + (f" of the {fit}" if fit else "")


def _choice_name(stage: AnyStage, choice: Choice) -> str:
    option = stage.find(choice)
    if option is stage.bare:
        words = str(choice.arguments[0][1])
        words = f"“{words}”" if stage is TEMPLATE else words
    else:
        given = (f"{name}={_value(value)}" for name, value in choice.arguments if name != "fit")
        words = " ".join([option.title, *given])
    return _FOLDERS.sub("", words) if stage is SOURCE else words


def _value(value: Value) -> str:
    """An argument's value; a number below 0 has a minus, as in sentences and figures."""
    text = text_of(value)
    return text if isinstance(value, str) else text.replace("-", MINUS)


def _tokens_name(choice: Choice) -> str:
    """``content tokens``, ``without frequent + pieces``."""
    option = TOKENS.find(choice)
    if not option.phrase:
        return f"{_choice_name(TOKENS, choice)} tokens"
    arguments = TOKENS.arguments(choice).items()
    said = {argument: " + ".join(text_of(value).split()) for argument, value in arguments}
    return option.phrase.format(**said)


def _layers(recipe: Recipe) -> str:
    """``last layer``, ``first+last``, ``layers 2+5``, ``static``, ``SBERT-WK``."""
    text = "+".join(step_name(LAYERS, choice) for choice in recipe.layers)
    if text == "last":
        return "last layer"
    if text == "all":
        return "all layers"
    if all(LAYERS.find(choice) is LAYERS.bare for choice in recipe.layers):
        return f"layer {text}" if len(recipe.layers) == 1 else f"layers {text}"
    return text


def value_name(stage: AnyStage, value: Choice | tuple[Choice, ...]) -> str:
    """A stage's value in short words: ``z-score + ABTT d=3``, ``idf (ref.)``, ``2+5``, ``none``."""
    choices = value if isinstance(value, tuple) else (value,)
    joined = "+" if stage is LAYERS else " + "
    return joined.join(_cell_name(stage, choice) for choice in choices) or str(stage.empty)


def _cell_name(stage: AnyStage, choice: Choice) -> str:
    """A step with a word on what it learns from, where that is not what it learns from by itself."""
    fit = stage.find(choice).arguments.get("fit")
    elsewhere = stage is not SOURCE and fit is not None and stage.fit(choice) == "reference" != fit.default
    return _choice_name(stage, choice) + (" (ref.)" if elsewhere else "")
