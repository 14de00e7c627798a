"""Recipes beside a recipe: without one of its steps, or with one argument at other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType
from typing import Any

import numpy as np

from core.errors import RecipeError, shorten
from core.recipe.arguments import Argument, Value, text_of
from core.recipe.options import Choice
from core.recipe.recipe import STAGES, Recipe

_NO_STEPS = ("source", "reference")
"""Stages that say what is read, and are no step of a method."""

MOST_VALUES = 25
"""Values of an argument that are tried at once."""

_STEPS = (0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5)
_MOST_STEPS, _NARROW, _WIDE, _MIDDLE = 12, 40, 50, 32
"""Steps of a narrow range, and when one is narrow; where values lie when the recipe has none."""


def without_each(recipe: Recipe) -> list[tuple[str, Recipe]]:
    """The recipe without each of its steps, one at a time, each named by the step that it lacks.

    A stage that is not at its default goes back to it; post-processing steps are left out one by one.
    """
    plain, found = Recipe(), []
    for name, stage in STAGES.items():
        value = getattr(recipe, name)
        if name in _NO_STEPS or value == getattr(plain, name):
            continue
        if name != "post":
            found.append((f"{name}={stage.text(value)}", replace(recipe, **{name: getattr(plain, name)})))
            continue
        for place, choice in enumerate(recipe.post):
            others = (*recipe.post[:place], *recipe.post[place + 1 :])
            found.append((f"post={stage.text((choice,))}", replace(recipe, post=others)))
    return found


@dataclass(frozen=True)
class Varied:
    """A numeric argument of a recipe that can take other values; ``place`` is that of its choice."""

    recipe: Recipe
    stage: str
    place: int
    argument: Argument

    @property
    def title(self) -> str:
        """``k of post=whiten``; with the place where the stage has such a choice twice."""
        choice = self._choices[self.place]
        again = sum(other.name == choice.name for other in self._choices[: self.place])
        return f"{self.argument.name} of {self.stage}={choice.name}" + (f" ({again + 1})" if again else "")

    @property
    def now(self) -> Value:
        """The recipe's own value."""
        value: Value = STAGES[self.stage].arguments(self._choices[self.place])[self.argument.name]
        return value

    def at(self, value: Value) -> Recipe:
        """The recipe with another value; raises :class:`RecipeError` for one that is not allowed."""
        choices = self._choices
        own = choices[self.place]
        given = {**dict(own.arguments), self.argument.name: value}
        changed: Any = Choice(own.name, tuple(given.items()))
        if STAGES[self.stage].many:
            changed = (*choices[: self.place], changed, *choices[self.place + 1 :])
        return replace(self.recipe, **{self.stage: changed})

    def label(self, value: Value) -> str:
        """``k = 64``."""
        return f"{self.argument.name} = {text_of(value)}"

    def usual(self, most: Mapping[str, int] = MappingProxyType({})) -> tuple[Value, ...]:
        """Values to begin with: evenly over a narrow range, else by factors round the recipe's own.

        ``most`` is what arguments can be at most; see :func:`of_model`.
        """
        low, high = self.argument.low, self.argument.high
        if (end := most.get(self.argument.name)) is not None:
            high = end if high is None else min(high, end)
        own = float(self.now) if isinstance(self.now, int | float) else None
        factor = 2.0 if self.argument.type is int else 10**0.5
        if low is not None and high is not None and high - low <= _NARROW and not 0 < low <= high / _WIDE:
            step = next(step for step in _STEPS if (high - low) / step <= _MOST_STEPS)
            spread = np.arange(low, high + step / 2, step).tolist()
        else:
            spread = [(own or _MIDDLE) * factor**power for power in range(-4, 5)]
        values = {self._rounded(value) for value in [*spread, *([] if own is None else [own])]}
        if low == 0:
            values.add(self._rounded(0))
        return tuple(sorted(v for v in values if (low is None or low <= v) and (high is None or v <= high)))

    def read(self, text: str) -> tuple[Value, ...]:
        """Values written with commas or spaces between, each once, from small to large.

        Raises :class:`RecipeError` for one that is not allowed, for none, and for too many.
        """
        where = f"{self.stage}={self._choices[self.place].name}({self.argument.name})"
        values = {self.argument.read(part, where) for part in text.replace(",", " ").split()}
        if not values or len(values) > MOST_VALUES:
            raise RecipeError(
                f"{where}: got {shorten(text)}; allowed is 1 to {MOST_VALUES} values with a space between."
            )
        return tuple(sorted(values, key=lambda value: inf if value is None else float(value)))

    def text(self, values: Sequence[Value]) -> str:
        """Values as :meth:`read` takes them."""
        return " ".join(map(text_of, values))

    @property
    def _choices(self) -> tuple[Choice, ...]:
        value: Any = getattr(self.recipe, self.stage)
        return value if STAGES[self.stage].many else (value,)

    def _rounded(self, value: float) -> int | float:
        return round(value) if self.argument.type is int else float(f"{value:.3g}")


def of_model(depth: int, heads: int) -> dict[str, int]:
    """The most that arguments which count a model's layers and heads can be, by their names."""
    return {"layer": depth, "start": depth - 2, "head": heads}


def varied(recipe: Recipe) -> list[Varied]:
    """Every numeric argument of a recipe's choices, in the order of the stages; seeds apart."""
    return [
        Varied(recipe, name, place, argument)
        for name, stage in STAGES.items()
        for place, choice in enumerate(getattr(recipe, name) if stage.many else (getattr(recipe, name),))
        for argument in stage.find(choice).arguments.values()
        if argument.type in (int, float) and argument.name != "seed" and choice.name != _free(name)
    ]


def _free(stage: str) -> str:
    """The name of the choices that a free text of the stage makes."""
    bare = STAGES[stage].bare
    return "" if bare is None else bare.name
