"""A recipe resolved once: the functions of its options, what they need and what they learn from.

The pipeline follows the plan of a recipe and looks up no option by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from core.recipe.options import (
    Choice,
    CompareVectors,
    LearnPooling,
    MakeTransformer,
    Over,
    PoolTokens,
    SelectTokens,
    Trainable,
    WeighTokens,
)
from core.recipe.recipe import MIX, POOL, POST, SIMILARITY, SOURCE, TEMPLATE, TOKENS, WEIGHT, Recipe
from core.tokens.weight_inputs import Needs


@dataclass(frozen=True, eq=False)
class TokenSelection:
    """Which tokens take part; see :class:`~core.recipe.options.TokenOption`."""

    text: str
    select: SelectTokens
    masks: bool
    reference: bool


@dataclass(frozen=True, eq=False)
class TokenWeighting:
    """How much each token counts; ``fit`` is None for a weight that learns nothing.

    ``over`` says what a weighted sum is divided by; see :class:`~core.recipe.options.WeightOption`.
    """

    text: str
    weigh: WeighTokens
    needs: Needs
    fit: str | None
    over: Over


@dataclass(frozen=True, eq=False)
class Pooling:
    """How token vectors become one; a pooling that learns has ``learn`` and ``fit``, another ``pool``.

    ``head`` is as in :class:`~core.recipe.options.PoolOption`; ``seconds`` has the arguments.
    """

    text: str
    linear: bool
    weighted: bool
    head: bool
    fit: str | None
    pool: PoolTokens | None
    learn: LearnPooling | None
    seconds: Callable[[int, int], float]


@dataclass(frozen=True, eq=False)
class PostStep:
    """One post-processing step; ``fit`` is None for a step that learns nothing.

    ``key`` is what kept results are found by. ``minimum_sentences`` gives, for the width of the vectors,
    how many different sentences it learns from, ``too_many`` what a reader must know where its argument
    ``directions`` asks for more than they have.
    """

    text: str
    key: str
    make: MakeTransformer
    fit: str | None
    minimum_sentences: Callable[[int], int]
    too_many: Callable[[int], str]
    directions: str

    @classmethod
    def of(cls, choice: Choice) -> PostStep:
        """The step that a choice picks."""
        option, arguments = POST.find(choice), POST.arguments(choice)
        return cls(
            text=POST.text((choice,)),
            key=POST.keyed((choice,)),
            make=POST.bind(choice),
            fit=POST.fit(choice),
            minimum_sentences=partial(option.minimum_sentences, arguments),
            too_many=partial(option.too_many, arguments),
            directions=option.directions,
        )

    @property
    def trainable(self) -> Trainable | None:
        """A new transformer, if it is one that takes long to fit; else None."""
        transformer = self.make()
        return transformer if isinstance(transformer, Trainable) else None


@dataclass(frozen=True, eq=False)
class Plan:
    """What a recipe does at every stage.

    Attributes
    ----------
    recipe
        The recipe itself; its layers are resolved when the source is known.
    keyed
        What kept results are found by, for every stage; see :meth:`Recipe.keyed`.
    source_fit
        What the source learns from: target, reference or None.
    template
        The prompt; empty for none.
    tokens, weight, pooling, steps
        The token selection, the token weight, the pooling, and the post-processing steps in order.
    mix
        What the mix option gives; None without a mix.
    compare
        The similarity of two sentence vectors.
    """

    recipe: Recipe
    keyed: Mapping[str, str]
    source_fit: str | None
    template: str
    tokens: TokenSelection
    weight: TokenWeighting
    pooling: Pooling
    mix: object
    steps: tuple[PostStep, ...]
    compare: CompareVectors

    @classmethod
    def of(cls, recipe: Recipe) -> Plan:
        """Resolve every choice of a recipe but its layers."""
        text, source = recipe.spelled(), SOURCE.find(recipe.source)
        return cls(
            recipe=recipe,
            keyed=recipe.keyed(),
            source_fit="reference" if source.reference else SOURCE.fit(recipe.source),
            template=TEMPLATE.bind(recipe.template)(),
            tokens=_selection(recipe, text["tokens"]),
            weight=_weighting(recipe, text["weight"]),
            pooling=_pooling(recipe, text["pool"]),
            mix=MIX.bind(recipe.mix)(),
            steps=tuple(map(PostStep.of, recipe.post)),
            compare=SIMILARITY.bind(recipe.similarity),
        )

    @property
    def fits(self) -> tuple[str, ...]:
        """What the vectors before mixing and post-processing are learnt from, source included."""
        fits = [self.source_fit, self.weight.fit, self.pooling.fit]
        if self.tokens.reference:
            fits.append("reference")
        return tuple(dict.fromkeys(fit for fit in fits if fit in ("target", "reference")))

    @property
    def trained(self) -> tuple[str, ...]:
        """The pooling and the steps that learn for seconds and more, by name."""
        pooling = (self.recipe.pool.name,) if self.pooling.learn else ()
        steps = zip(self.recipe.post, self.steps, strict=True)
        return pooling + tuple(choice.name for choice, step in steps if step.trainable)


def _selection(recipe: Recipe, text: str) -> TokenSelection:
    option = TOKENS.find(recipe.tokens)
    return TokenSelection(text, TOKENS.bind(recipe.tokens), option.masks, option.reference)


def _weighting(recipe: Recipe, text: str) -> TokenWeighting:
    option = WEIGHT.find(recipe.weight)
    return TokenWeighting(
        text, WEIGHT.bind(recipe.weight), option.needs, WEIGHT.fit(recipe.weight), divided_by(recipe.weight)
    )


def divided_by(weight: Choice) -> Over:
    """What pool=mean divides the weighted sum by under a weight."""
    return cast("Over", WEIGHT.arguments(weight).get("over", "weights"))


def _pooling(recipe: Recipe, text: str) -> Pooling:
    option, fit, function = POOL.find(recipe.pool), POOL.fit(recipe.pool), POOL.bind(recipe.pool)
    learn = cast("LearnPooling", function) if option.learns else None
    pool = None if option.learns else function
    seconds = partial(option.seconds, POOL.arguments(recipe.pool))
    return Pooling(text, option.linear, option.weighted, option.head, fit, pool, learn, seconds)
