"""Recipes that between them take every registered choice of a stage: read from the registry, not listed."""

from collections.abc import Iterator
from dataclasses import replace

from core.recipe import STAGES
from core.recipe.arguments import Argument, Value
from core.recipe.options import Choice
from core.recipe.stage import Stage
from tests.core.helpers import tiny

NEEDED: dict[tuple[str, str], dict[str, Value]] = {
    ("weight", "ditto"): {"head": 2},
    ("weight", "usif"): {"n": 1},
    ("layers", "wk"): {"start": 1},
    ("post", "flow"): {"epochs": 1, "transforms": 2},
    ("source", "doc2vec"): {"epochs": 2, "dim": 8},
    ("source", "vectors"): {"path": "VECTORS"},
}
"""Values that a tiny model needs in place of a default, by stage and option."""

LARGEST: dict[tuple[str, str, str], Value] = {
    ("weight", "ditto", "layer"): tiny.DEPTH,
    ("weight", "ditto", "head"): tiny.HEADS,
    ("weight", "variance", "start"): tiny.DEPTH - 2,
    ("layers", "wk", "start"): tiny.DEPTH - 1,
    ("pool", "s3e", "k"): 20,
    ("pool", "vlawe", "k"): 20,
    ("post", "flow", "epochs"): 2,
    ("source", "doc2vec", "epochs"): 3,
    ("source", "doc2vec", "least"): 3,
    ("source", "averaged", "least"): 3,
}
"""The largest value of an argument that a tiny model and a hundred sentences allow."""


def choices(stage: Stage) -> Iterator[Choice]:
    """Every option of a stage with its defaults, and with each end of each argument's range."""
    for option in stage:
        required = dict(NEEDED.get((stage.name, option.name), {}))
        yield _checked(stage, Choice(option.name, tuple(required.items())))
        for argument in option.arguments.values():
            largest = LARGEST.get((stage.name, option.name, argument.name), argument.high)
            for value in _ends(replace(argument, high=largest)):
                arguments = required | {argument.name: value}
                yield _checked(stage, Choice(option.name, tuple(arguments.items())))


def stage_choices() -> list[str]:
    """``stage=value`` for every choice of every stage, each once."""
    found = [
        f"{stage.name}={stage.text((choice,) if stage.many else choice)}"
        for stage in STAGES.values()
        for choice in choices(stage)
    ]
    return list(dict.fromkeys(found))


def _checked(stage: Stage, choice: Choice) -> Choice:
    """A choice in canonical form."""
    return stage.check((choice,))[0] if stage.many else stage.check(choice)


def _ends(argument: Argument) -> list[Value]:
    if argument.allowed:
        return list(argument.allowed)
    if argument.type is str:
        return []
    return [argument.type(end) for end in (argument.low, argument.high) if end is not None]
