"""The recipe: what is done at each stage from a sentence to its vector, and its text form.

    sentences → template → token vectors → layers → weights → pooling → mix → post → similarity

A recipe's text is ``stage=value`` joined by ``;``. Stages may come in any order and defaults are
left out of the printed form, so equal recipes have equal texts and ``Recipe.parse(str(r)) == r``.

>>> import core
>>> recipe = Recipe.parse("post = zscore + quantile(output=normal) ; layers=12+1; pool=mean")
>>> str(recipe)
'layers=1+12;post=zscore+quantile(output=normal)'
>>> str(Recipe())
''

This module knows the stages by name and default only. What each stage offers is registered by the
stage's own file (``core/stages/pooling/``, ``core/stages/weighting.py``, …) on the objects below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from core.errors import RecipeError, closest, shorten
from core.recipe import options
from core.recipe.arguments import Text
from core.recipe.grammar import split
from core.recipe.options import Choice
from core.recipe.stage import Stage

SOURCE: Stage[options.SourceOption, options.MakeSource] = Stage(
    "source", "Where token vectors come from.", options.SourceOption
)
TEMPLATE: Stage[options.Option, options.MakeTemplate] = Stage(
    "template", "The prompt a sentence is put into before the model reads it.", options.Option
)
LAYERS: Stage[options.LayerOption, options.NumberLayers] = Stage(
    "layers", "Which layers are averaged.", options.LayerOption, many=True, unordered=True
)
TOKENS: Stage[options.TokenOption, options.SelectTokens] = Stage(
    "tokens", "Which tokens take part.", options.TokenOption
)
WEIGHT: Stage[options.WeightOption, options.WeighTokens] = Stage(
    "weight", "How much each token counts.", options.WeightOption
)
POOL: Stage[options.PoolOption, options.PoolTokens] = Stage(
    "pool", "How token vectors become one sentence vector.", options.PoolOption
)
MIX: Stage[options.MixOption, options.MakeMix] = Stage(
    "mix", "What the sentence vector is mixed with.", options.MixOption
)
POST: Stage[options.PostOption, options.MakeTransformer] = Stage(
    "post", "What is done to the finished vectors, in order.", options.PostOption, many=True, empty="none"
)
REFERENCE: Stage[options.Option, options.MakeTemplate] = Stage(
    "reference", "The other corpus that fit=reference learns from.", options.Option, brackets=True
)
SIMILARITY: Stage[options.SimilarityOption, options.CompareVectors] = Stage(
    "similarity", "How two sentence vectors are compared.", options.SimilarityOption
)

AnyStage = Stage[Any, Any]
"""A stage, whatever its options are."""

STAGES: dict[str, AnyStage] = {
    stage.name: stage
    for stage in (
        *(SOURCE, TEMPLATE, LAYERS, TOKENS, WEIGHT),
        *(POOL, MIX, POST, REFERENCE, SIMILARITY),
    )
}

MAX_LENGTH = 2000
"""Characters a recipe may have: it travels in URLs, whose text nobody vouches for."""

TOLD = 5
"""Parts that cannot be read whose reasons are told."""


@REFERENCE.free_text
def corpus(*, name: Annotated[str, Text("a corpus by name or path")]) -> str:
    """A corpus by name or path; news(unit=sentence) is read sentence by sentence, not line by line."""
    return name


@dataclass(frozen=True)
class Recipe:
    """How sentences become vectors; hashable, and the same thing as its text.

    Each field holds a :class:`~core.recipe.options.Choice` of the stage of that name, or a tuple of
    choices for the stages of many (``layers``, ``post``). Fields are checked on construction.
    """

    source: Choice = Choice("bundled")
    template: Choice = Choice("none")
    layers: tuple[Choice, ...] = (Choice("first"), Choice("last"))
    tokens: Choice = Choice("all")
    weight: Choice = Choice("uniform")
    pool: Choice = Choice("mean")
    mix: Choice = Choice("none")
    post: tuple[Choice, ...] = ()
    reference: Choice = Choice("corpus", (("name", "demo"),))
    similarity: Choice = Choice("cosine")

    def __post_init__(self) -> None:
        """Check every field against its stage and keep it in canonical form."""
        for name, stage in STAGES.items():
            object.__setattr__(self, name, stage.check(getattr(self, name)))

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """The recipe that ``text`` writes; raises :class:`RecipeError` with what is allowed.

        Every part that cannot be read is told with its reason, in a line of its own where they are several.
        """
        if not isinstance(text, str):
            raise RecipeError(f"A recipe is a text; got {shorten(text)} ({type(text).__name__}).")
        if len(text) > MAX_LENGTH:
            got = f"got {len(text):,} characters"
            raise RecipeError(f"A recipe has at most {MAX_LENGTH:,} characters; {got}.")
        values: dict[str, Any] = {}
        mistakes: list[RecipeError] = []
        for part in filter(str.strip, _parts(text)):
            try:
                name, value = _part(part)
                if name in values:
                    raise RecipeError(f"The stage {name!r} is given twice.")
                values[name] = None  # also where its value cannot be read
                values[name] = STAGES[name].parse(value)
            except RecipeError as mistake:
                mistakes.append(mistake)
        if mistakes:
            raise _together(mistakes)
        return cls(**values)

    @classmethod
    def of(cls, given: Recipe | str) -> Recipe:
        """The recipe that is given as it is, or by its text; raises what :meth:`parse` raises."""
        return given if isinstance(given, Recipe) else cls.parse(given)

    def replace(self, **texts: str) -> Recipe:
        """This recipe with other values for some stages, each given as text."""
        return replace(self, **{name: STAGES[name].parse(text) for name, text in texts.items()})

    def __str__(self) -> str:
        return ";".join(
            f"{name}={text}" for name, text in self.spelled().items() if not self._default(name)
        )

    def spelled(self) -> dict[str, str]:
        """Every stage with its value as text, defaults included, in the order of the stages."""
        return {name: stage.text(getattr(self, name)) for name, stage in STAGES.items()}

    def keyed(self) -> dict[str, str]:
        """Every stage with the text that kept results are found by; see :meth:`Stage.keyed`."""
        return {name: stage.keyed(getattr(self, name)) for name, stage in STAGES.items()}

    def label(self) -> str:
        """A short reading for legends and captions: what is not default, or what the default is."""
        return str(self) or f"default: {defaults()}"

    def choices(self) -> Iterator[tuple[AnyStage, Choice]]:
        """Every choice with its stage, in the order of the stages."""
        for name, stage in STAGES.items():
            value = getattr(self, name)
            yield from ((stage, choice) for choice in (value if stage.many else (value,)))

    def as_read(self) -> Recipe:
        """What is read under this recipe: its source, template and reference, all else at its default."""
        return Recipe(source=self.source, template=self.template, reference=self.reference)

    def on_reference(self) -> Recipe:
        """This recipe with everything that is learnt from the target learnt from the reference."""

        def moved(stage: AnyStage, choice: Choice) -> Choice:
            if stage.fit(choice) != "target":
                return choice
            kept = tuple(pair for pair in choice.arguments if pair[0] != "fit")
            return Choice(choice.name, (*kept, ("fit", "reference")))

        return replace(
            self,
            source=moved(SOURCE, self.source),
            weight=moved(WEIGHT, self.weight),
            pool=moved(POOL, self.pool),
            post=tuple(moved(POST, choice) for choice in self.post),
        )

    def stepwise(self) -> list[tuple[str, Recipe]]:
        """The recipes from source and layers alone to this one, each with one step more.

        Each is named by the step that it adds; the last is this recipe. Post-processing steps count one by
        one; a stage at its default is no step.
        """
        spelled = self.spelled()
        recipe = Recipe(source=self.source, layers=self.layers, reference=self.reference)
        steps = [(f"layers={spelled['layers']}", recipe)]
        for name in STAGES:
            if getattr(self, name) == getattr(recipe, name):
                continue
            values = [getattr(self, name)]
            if name == "post":
                values = [self.post[: i + 1] for i in range(len(self.post))]
            for value in values:
                recipe = replace(recipe, **{name: value})
                last = value[-1:] if name == "post" else value
                steps.append((f"{name}={STAGES[name].text(last)}", recipe))
        return steps

    def on_target(self) -> list[tuple[AnyStage, Choice]]:
        """Every choice that learns from the target, the texts that are embedded, with its stage."""
        return [(stage, choice) for stage, choice in self.choices() if stage.fit(choice) == "target"]

    def from_reference(self) -> list[tuple[AnyStage, Choice]]:
        """Every choice that learns from the reference corpus, with its stage."""
        return [
            (stage, choice)
            for stage, choice in self.choices()
            if stage.fit(choice) == "reference" or getattr(stage.find(choice), "reference", False)
        ]

    def needs_reference(self) -> bool:
        """Whether any step learns from the reference corpus."""
        return bool(self.from_reference())

    def _default(self, name: str) -> bool:
        return getattr(self, name) == _DEFAULTS[name]


def _parts(text: str) -> list[str]:
    """A recipe's text cut at each ``;`` that is one; at each, where a bracket is left open, to find it."""
    try:
        return split(text, ";")
    except RecipeError:
        if '"' in text:
            raise
        return text.split(";")


def _part(text: str) -> tuple[str, str]:
    """The stage and the value of one part of a recipe's text."""
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or name not in STAGES:
        raise RecipeError(
            f"A recipe is stage=value joined by ';'; got {shorten(text.strip())}."
            f"{closest(name, STAGES)} Stages: {', '.join(STAGES)}."
        )
    return name, value


def _together(mistakes: Sequence[RecipeError]) -> RecipeError:
    """One error for all mistakes of a text, of which the first :data:`TOLD` are told."""
    if len(mistakes) == 1:
        return mistakes[0]
    told = [f"{number}. {mistake}" for number, mistake in enumerate(mistakes[:TOLD], 1)]
    left = len(mistakes) - len(told)
    more = [f"{left} more."] if left else []
    return RecipeError("\n".join([f"{len(mistakes)} parts cannot be read.", *told, *more]))


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Recipe)}


def defaults() -> str:
    """What the stages at their defaults do to a text, in words.

    >>> defaults()
    'first+last layers, all tokens, mean, cosine'
    """
    does = {name: STAGES[name].text(_DEFAULTS[name]) for name in ("layers", "tokens", "pool", "similarity")}
    return f"{does['layers']} layers, {does['tokens']} tokens, {does['pool']}, {does['similarity']}"


def shown(recipe: Recipe | str) -> str:
    """The text of a recipe for a line of words: the empty one is ``(defaults)``."""
    return str(recipe) or "(defaults)"


def describe_options() -> str:
    """Every stage, option and argument as plain text: the command line's help on recipes."""
    lines = []
    for stage in STAGES.values():
        default = stage.text(_DEFAULTS[stage.name])
        lines.append(f"{stage.name}  {stage.question} Default: {default}.")
        for option in stage:
            lines.extend(option.help)
        if stage.bare is not None:
            lines.append(f"    {f'<{stage.bare.name}>':<34} {stage.bare.explanation}")
    return "\n".join(lines)
