"""The recipes that the editor of a stage offers beside the one in the bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from components.bar.control import Control
from components.bar.options import layer_names, set_names
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import LAYERS, REFERENCE, SOURCE, TEMPLATE, Recipe
from core.recipe.options import Choice, Option

READ = (SOURCE, TEMPLATE, REFERENCE)
"""Stages that say what is read: nothing is known of their options before that."""


def in_place(control: Control, engine: Engine) -> dict[str, Recipe]:
    """The recipe with each option alone in the place of what the stage holds, by the option's title."""
    stage = control.stage
    if stage is LAYERS:
        names = [*layer_names(control, engine), *set_names(control, engine)]
        texts = {stage.options[name].title if name in stage.options else name: name for name in names}
    else:
        picked = {option.title: control.picked(Choice(option.name)) for option in _by_name(control)}
        texts = {title: stage.text((choice,) if stage.many else choice) for title, choice in picked.items()}
        if stage.many:
            texts = {"none": "none"} | texts
    return {title: control.recipe.replace(**{stage.name: text}) for title, text in texts.items()}


def one_click_away(control: Control, engine: Engine) -> list[Recipe]:
    """The recipes that a click on one of the options gives, in the order of the options.

    Where a stage holds several, a click adds an option to them or takes it away.
    """
    stage = control.stage
    if not stage.many:
        recipes = list(in_place(control, engine).values())
    else:
        recipes = []
        for choices in _toggled(control, engine):
            with suppress(StrataError):  # a set that the stage does not hold
                recipes.append(control.recipe.replace(**{stage.name: stage.text(stage.check(choices))}))
    return [recipe for recipe in dict.fromkeys(recipes) if recipe != control.recipe]


def _toggled(control: Control, engine: Engine) -> Iterator[Sequence[Choice]]:
    """What the stage holds after a click on each option that a click alone chooses."""
    stage = control.stage
    if stage is LAYERS:
        single = layer_names(control, engine)
        now = [choice for choice in control.chosen if stage.text((choice,)) in single]
        for name in single:
            (choice,) = stage.parse(name)
            yield _with_or_without(control, now, choice)
        yield from map(stage.parse, set_names(control, engine))
        return
    for option in _by_name(control):
        yield _with_or_without(control, control.chosen, control.picked(Choice(option.name)))


def _by_name(control: Control) -> list[Option]:
    """The options of a stage that a click alone chooses: they are here, and lack no argument."""
    free = control.stage.bare.name if control.stage.bare else ""
    return [
        option
        for option in control.stage
        if option.installed and option.name != free and not control.lacks_argument(Choice(option.name))
    ]


def _with_or_without(control: Control, chosen: Sequence[Choice], choice: Choice) -> tuple[Choice, ...]:
    """The choices without an option, or with it as the last where it is none of them."""
    (name,) = control.names([choice])
    others = tuple(one for one, other in zip(chosen, control.names(chosen), strict=True) if other != name)
    return others if len(others) < len(chosen) else (*chosen, choice)
