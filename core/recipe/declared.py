"""An option as its function declares it: name, explanation, arguments, and those that the pipeline reads.

An option with the field ``learns`` gets the argument ``fit`` and one with ``over`` the argument ``over``:
the pipeline reads them, and the function is not given them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

from core.recipe.arguments import Argument
from core.recipe.options import Option

O = TypeVar("O", bound=Option)  # noqa: E741

_OF_THE_PIPELINE = {
    "learns": ("fit", "what it is learnt from"),
    "over": ("over", "what the weighted sum is divided by"),
}
"""The arguments that the pipeline reads, with their meaning, by the field that says what they may be."""


def name_of(function: Callable[..., object]) -> str:
    """What an option is called unless it is told: as its function is, less a trailing underscore."""
    return function.__name__.rstrip("_")


def declared(kind: type[O], name: str, function: Callable[..., object], fields: Mapping[str, Any]) -> O:
    """The option that a function declares, of a stage's option class.

    Raises :class:`TypeError` for a field that the class lacks, a function without a docstring, and a
    parameter of a type that a recipe cannot write.
    """
    explanation, arguments = _explanation(function), _arguments(function)
    for field, (argument, meaning) in _OF_THE_PIPELINE.items():
        if allowed := fields.get(field):
            arguments[argument] = Argument(argument, str, allowed[0], allowed=allowed, meaning=meaning)
    return kind(name, explanation, function, arguments, **fields)


def of_the_pipeline(option: Option) -> set[str]:
    """The arguments of an option that the pipeline reads, by name."""
    return {argument for field, (argument, _) in _OF_THE_PIPELINE.items() if getattr(option, field, ())}


def _explanation(function: Callable[..., object]) -> str:
    """The first paragraph of the docstring; empty under ``python -OO``."""
    explanation = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    if not explanation and sys.flags.optimize < 2:
        raise TypeError(f"option {function.__name__!r} needs a docstring: it is what users read")
    return explanation


def _arguments(function: Callable[..., object]) -> dict[str, Argument]:
    """What the keyword-only parameters say, by name."""
    parameters = inspect.signature(function).parameters.values()
    keywords = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    hints = get_type_hints(function, include_extras=True) if keywords else {}
    return {p.name: Argument.of(p.name, p, hints.get(p.name)) for p in keywords}
