"""The recipes that a search may propose, read from the registry: a new option is searched by itself.

A proposal is made stage by stage from a sampler's answers (:class:`Suggest`, which an Optuna trial is). It
may be a recipe that the model cannot follow; whoever scores it leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from core.encoders.head import has_head
from core.errors import RecipeError
from core.exports.kinds import exports, refuse
from core.recipe import (
    LAYERS,
    MIX,
    POOL,
    POST,
    REFERENCE,
    SIMILARITY,
    SOURCE,
    STAGES,
    TOKENS,
    WEIGHT,
    Recipe,
)
from core.recipe.arguments import Argument, Value
from core.recipe.in_vain import unused_by
from core.recipe.options import (
    Choice,
    LearningOption,
    MixOption,
    Option,
    PoolOption,
    PostOption,
    TokenOption,
)
from core.recipe.plainest import plainest
from core.recipe.variations import of_model, varied
from core.sources.source import Source

SEARCHED = (LAYERS.name, TOKENS.name, WEIGHT.name, POOL.name, MIX.name, POST.name, SIMILARITY.name)
"""The stages that are searched; template and reference are those of the recipe one begins with, and so is
the source where no others are given."""

STEPS = 2
"""Post-processing steps of a proposal, at most."""

_HELD = ("seed", "starts")
"""Arguments that are left at their defaults: they say how a fit begins, and not what it is."""

_ONE, _RANGE, _ENDS = "one", "range", "first+last"
"""Ways to take layers that are no option of the registry: one by its number, neighbours, and both ends."""


class Suggest(Protocol):
    """Where the answers come from; the methods are those of an Optuna trial."""

    def suggest_categorical(self, name: str, choices: Sequence[str]) -> str:
        """One of some texts."""

    def suggest_int(self, name: str, low: int, high: int, *, log: bool = False) -> int:
        """A whole number."""

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        """A number."""


@dataclass(frozen=True)
class _Under:
    """Answers about another source, asked for by names of its own: its layers and heads are others."""

    suggest: Suggest
    name: str

    def suggest_categorical(self, name: str, choices: Sequence[str]) -> str:
        """One of some texts."""
        return self.suggest.suggest_categorical(f"{self.name}: {name}", choices)

    def suggest_int(self, name: str, low: int, high: int, *, log: bool = False) -> int:
        """A whole number."""
        return self.suggest.suggest_int(f"{self.name}: {name}", low, high, log=log)

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        """A number."""
        return self.suggest.suggest_float(f"{self.name}: {name}", low, high, log=log)


@dataclass(frozen=True)
class Space:
    """What may be proposed.

    Attributes
    ----------
    base
        The recipe whose source, template and reference every proposal has, and its stages that are held.
    depth, heads
        Blocks of its model and attention heads of a block; 0 for a source without.
    stages
        The stages that are searched, some of :data:`SEARCHED`; the others are held as they are in ``base``.
    reference
        Whether a step may learn from the reference corpus.
    exports
        Whether every recipe must be one that can be written as a sentence-transformers model.
    head
        Whether the model holds a trained layer behind [CLS].
    others
        The same stages on other sources, of which a proposal may be as well.
    """

    base: Recipe
    depth: int
    heads: int
    stages: tuple[str, ...] = SEARCHED
    reference: bool = True
    exports: bool = False
    head: bool = True
    others: tuple[Space, ...] = ()

    def __post_init__(self) -> None:
        """Refuse stages that cannot be searched, and a space of one recipe."""
        if wrong := [name for name in self.stages if name not in SEARCHED]:
            allowed = ", ".join(SEARCHED)
            raise RecipeError(f"find: the stage {wrong[0]!r} is not searched; allowed are {allowed}.")
        if not self.stages:
            raise RecipeError(f"find: no stage is left to search; allowed are {', '.join(SEARCHED)}.")

    @classmethod
    def of(
        cls,
        base: Recipe,
        source: Source,
        stages: tuple[str, ...] = SEARCHED,
        *,
        reference: bool = True,
        exports: bool = False,
    ) -> Space:
        """The space of recipes on what the source of ``base`` has."""
        heads = source.location.heads if source.is_model else 0
        head = source.is_model and has_head(source.location)
        return cls(base, max(0, *source.layers), heads, stages, reference, exports, head)

    @property
    def held(self) -> Recipe:
        """``base`` with the stages that are searched at their defaults: what all proposals share."""
        plain = Recipe().spelled()
        searched = [name for name in self.stages if name != LAYERS.name or self.depth]
        return self.base.replace(**{name: plain[name] for name in searched})

    @property
    def every(self) -> tuple[Space, ...]:
        """This space and the others, a source each."""
        return (self, *self.others)

    @property
    def searched(self) -> tuple[str, ...]:
        """The stages in which proposals differ, the source among them where there are several."""
        return (SOURCE.name, *self.stages) if self.others else self.stages

    def propose(self, suggest: Suggest) -> Recipe:
        """A recipe; raises :class:`StrataError` for answers that no recipe of the space can be made of."""
        if not self.others:
            return self._proposed(suggest)
        spaces = {space.base.spelled()[SOURCE.name]: space for space in self.every}
        name = suggest.suggest_categorical(SOURCE.name, list(spaces))
        space = spaces[name]
        return space._proposed(suggest if space is self else _Under(suggest, name))

    def _proposed(self, suggest: Suggest) -> Recipe:
        """A recipe on this space's own source."""
        texts: dict[str, str] = {}
        for name in sorted(self.stages, key=lambda name: name in (TOKENS.name, WEIGHT.name)):
            if name in unused_by(self._pooling(texts)):
                texts[name] = Recipe().spelled()[name]
            elif name == LAYERS.name:
                texts[name] = self._layers(suggest)
            elif STAGES[name].many:
                texts[name] = self._several(suggest, name)
            else:
                texts[name] = self._one(suggest, name, name)
        recipe = plainest(self.base.replace(**texts), self.depth)
        if LAYERS.name not in self.stages:
            recipe = replace(recipe, layers=self.base.layers)
        if self.exports:
            refuse(recipe)
        return recipe

    def _pooling(self, texts: Mapping[str, str]) -> Choice:
        """The pooling that was proposed, before tokens and weight are; else the one that is held."""
        pool: Choice = POOL.parse(texts[POOL.name]) if POOL.name in texts else self.base.pool
        return pool

    def plainest(self, recipe: Recipe) -> Recipe:
        """A recipe without what changes nothing on its model, if that is searched."""
        depths = {space.base.source: space.depth for space in self.every}
        return plainest(recipe, depths.get(recipe.source, self.depth))

    def holds(self, recipe: Recipe) -> bool:
        """Whether a recipe is one that may be proposed, as far as what it is narrowed to says.

        What is written otherwise at a stage that is held may be the same: layer 6 is the last of six.
        """
        if any(space.holds(recipe) for space in self.others):
            return True
        held = [name for name in STAGES if name not in self.stages and name != REFERENCE.name]
        ours = replace(recipe, **{name: getattr(self.base, name) for name in held})
        if plainest(ours, self.depth) != plainest(recipe, self.depth):
            return False
        if self.exports and not exports(recipe):
            return False
        return self.reference or not recipe.needs_reference()

    def offered(self, stage: str) -> tuple[str, ...]:
        """The names of a stage's options that may be proposed; looked up once."""
        return self._offered[stage]

    @cached_property
    def _offered(self) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(option.name for option in STAGES[name] if self._is_offered(option))
            for name in SEARCHED
        }

    def _is_offered(self, option: Option) -> bool:
        """Whether an option is here, needs nothing that ``base`` has not, and takes no training."""
        if not option.installed or any(argument.required for argument in option.arguments.values()):
            return False
        if isinstance(option, TokenOption) and option.masks:
            return str(self.base.template.name) != "none"
        if isinstance(option, PoolOption) and option.head:
            return self.head
        if isinstance(option, LearningOption) and option.learns == ("reference",):
            return self.reference
        if isinstance(option, MixOption | TokenOption) and option.reference:
            return self.reference and self.depth > 0
        return not (isinstance(option, PostOption) and option.trains)

    def _layers(self, suggest: Suggest) -> str:
        """Layers: those of an option, one by its number, neighbours, or both ends."""
        if not self.depth:
            return LAYERS.text(self.base.layers)
        names = [_ONE, _RANGE, _ENDS, *self.offered(LAYERS.name)]
        name = suggest.suggest_categorical(LAYERS.name, names)
        if name == _ONE:
            return str(suggest.suggest_int("layers.one", 0, self.depth))
        if name == _RANGE:
            first = suggest.suggest_int("layers.from", 0, self.depth - 1)
            count = suggest.suggest_int("layers.count", 2, self.depth + 1)
            return "+".join(map(str, range(first, min(first + count, self.depth + 1))))
        return name if name == _ENDS else self._with_arguments(suggest, LAYERS.name, LAYERS.name, name)

    def _several(self, suggest: Suggest, stage: str) -> str:
        """Post-processing steps, none to :data:`STEPS`, in order."""
        none, steps = "none", []
        for number in range(1, STEPS + 1):
            place = f"{stage}.{number}"
            name = suggest.suggest_categorical(place, [none, *self.offered(stage)])
            if name == none:
                break
            steps.append(self._with_arguments(suggest, stage, place, name))
        return "+".join(steps) or none

    def _one(self, suggest: Suggest, stage: str, place: str) -> str:
        name = suggest.suggest_categorical(place, self.offered(stage))
        return self._with_arguments(suggest, stage, place, name)

    def _with_arguments(self, suggest: Suggest, stage: str, place: str, name: str) -> str:
        """An option with proposed arguments, as a recipe writes it."""
        option = STAGES[stage].options[name]
        given: list[tuple[str, Value]] = []
        for argument in option.arguments.values():
            if argument.name in _HELD or (argument.type is str and not argument.allowed):
                continue
            value = self._value(suggest, stage, f"{place}.{name}.{argument.name}", name, argument)
            given.append((argument.name, value))
        choice = Choice(name, tuple(given))
        return STAGES[stage].text(STAGES[stage].check((choice,) if STAGES[stage].many else choice))

    def _value(self, suggest: Suggest, stage: str, place: str, name: str, argument: Argument) -> Value:
        """One argument: a text that it allows, a layer or head of the model, or one of its usual values."""
        if argument.allowed:
            allowed = [text for text in argument.allowed if self.reference or text != "reference"]
            return suggest.suggest_categorical(place, allowed) if len(allowed) > 1 else allowed[0]
        most = of_model(self.depth, self.heads).get(argument.name, 0)
        if argument.type is int and most > 0:
            return suggest.suggest_int(place, int(argument.low or 0), most)
        plain = self.base.replace(**{stage: name})
        usual = next(one.usual() for one in varied(plain) if (one.stage, one.argument) == (stage, argument))
        texts = {str(value): value for value in ((None, *usual) if argument.optional else usual)}
        return texts[suggest.suggest_categorical(place, list(texts))]
