"""Recipes that between them take every registered turning: read from the registry, not listed."""

import math
from collections.abc import Iterator

from core.options import Argument, Choice, Option, Stage, Value
from core.recipe import STAGES

NEEDED: dict[tuple[str, str], dict[str, Value]] = {}
"""Values of required text arguments, by stage and option: the one thing a registry cannot know."""


def choices(stage: Stage) -> Iterator[Choice]:
    """Every option of a stage with its defaults, and with each end of each argument's range."""
    for option in stage:
        required = {a.name: _value(stage, option, a) for a in option.arguments.values() if a.required}
        yield stage._check_one(Choice(option.name, tuple(required.items())))
        for argument in option.arguments.values():
            for value in _ends(argument):
                yield stage._check_one(
                    Choice(option.name, tuple((required | {argument.name: value}).items()))
                )


def turnings() -> list[str]:
    """``stage=value`` for every choice of every stage, each once."""
    found = [
        f"{stage.name}={stage.text((choice,) if stage.many else choice)}"
        for stage in STAGES.values()
        for choice in choices(stage)
    ]
    return list(dict.fromkeys(found))


def _value(stage: Stage, option: Option, argument: Argument) -> Value:
    if argument.type is str and not argument.allowed:
        return NEEDED[stage.name, option.name][argument.name]
    return (_ends(argument) or [1])[0]


def _ends(argument: Argument) -> list[Value]:
    if argument.allowed:
        return list(argument.allowed)
    if argument.type is str:
        return []
    return [argument.type(end) for end in (argument.low, argument.high) if math.isfinite(end)]
