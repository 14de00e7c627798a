"""Options: the ways to take a stage, and what a recipe's plan must know of each.

An option is a plain function. Its name, docstring and keyword-only parameters say what users read; what
the pipeline must know beside that is a field of the stage's own option class, so that a misspelt field
fails when the option is registered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, Protocol, get_type_hints, runtime_checkable

import numpy as np
from jaxtyping import Bool, Float

from core.progress import Progress
from core.recipe.arguments import Argument, Value, text_of
from core.tokens.token_batch import Pooled, TokenBatch
from core.tokens.weight_inputs import Needs, WeightInputs, Weights
from core.versions import library_version

Fit = Literal["target", "reference", "wordfreq"]
"""What a step learns from: the corpus being embedded, the reference corpus, or English word frequencies."""

FIT: tuple[Fit, ...] = ("target", "reference")
"""What most steps may learn from, the default first."""

MINIMUM_SENTENCES = 30
"""Different sentences that any post-processing step needs that learns."""

Over = Literal["words", "tokens", "weights"]
"""What a weighted sum is divided by: how many words or tokens count, or the sum of their weights."""

Vectors = Float[np.ndarray, "sentence dim"]
PairVectors = Float[np.ndarray, "pair dim"]
TokenStatesMatrix = Float[np.ndarray, "token dim"]


@dataclass(frozen=True)
class Choice:
    """An option's name with the arguments that differ from its defaults, sorted as declared."""

    name: str
    arguments: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Option:
    """One way to take a stage: the function that does it, and what it says about itself.

    ``checked`` runs the function when a recipe is parsed, so that it can refuse its arguments then.
    ``label`` is how papers write it where that is not its name: ``z-score`` for zscore. ``package`` is one
    that it needs beyond the installation. ``edition`` is raised with every change of its numbers: what was
    kept of recipes with this option is then computed anew, and nothing else.
    """

    name: str
    explanation: str
    function: Callable[..., Any]
    arguments: Mapping[str, Argument]
    checked: bool = False
    label: str = ""
    package: str = ""
    edition: int = 1

    @property
    def title(self) -> str:
        """The name that people read."""
        return self.label or self.name

    @property
    def installed(self) -> bool:
        """Whether the package that it needs is there."""
        return not self.package or find_spec(self.package) is not None

    @property
    def marks(self) -> tuple[str, ...]:
        """What its numbers depend on beside its text: an edition after the first, its package's version."""
        editions = (f"@{self.edition}",) if self.edition > 1 else ()
        return (*editions, f"@{self.package}-{library_version(self.package)}") if self.package else editions

    def describe(self) -> str:
        """The option with its arguments: ``whiten(k=none,beta=1,gamma=1)``."""
        signature = ",".join(
            f"{a.name}={'…' if a.required else text_of(a.default)}" for a in self.arguments.values()
        )
        return f"{self.name}({signature})" if signature else self.name

    @property
    def help(self) -> list[str]:
        """Lines of the command line's help: the option with its explanation, then each argument."""
        arguments = (f"        {argument.describe()}" for argument in self.arguments.values())
        return [f"    {self.describe():<34} {self.explanation}", *arguments]


@dataclass(frozen=True)
class LearningOption(Option):
    """An option that learns from a corpus; ``learns`` says from what it may, the default first.

    An option that learns has the argument ``fit``; the function itself is not given it.
    """

    learns: tuple[Fit, ...] = ()


@dataclass(frozen=True)
class SourceOption(LearningOption):
    """A source of token vectors.

    ``reference`` says that it always learns from the reference corpus, ``layered`` that it has more layers
    than one, of which a recipe chooses.
    """

    reference: bool = False
    layered: bool = True


@dataclass(frozen=True)
class LayerOption(Option):
    """A choice of layers: a function from the number of blocks to layer numbers.

    ``rank`` is its place among the layers of a recipe's text. ``fuse`` makes a token's states in these
    layers one vector where that is not their average. ``neighbours`` is the argument that says how many of
    them on each side of a layer are looked at: more than there are others is the same as all.
    """

    rank: float = 0.0
    neighbours: str = ""
    fuse: Callable[..., TokenStatesMatrix] | None = None


@dataclass(frozen=True)
class TokenOption(Option):
    """A choice of tokens: a function from :class:`Tokens` to those that take part.

    ``masks`` says that it needs a template with mask tokens, ``reference`` that it is also given the
    document frequencies of the reference corpus. ``phrase`` is how a recipe's name says it where that is
    not ``content tokens``; its arguments stand in braces.
    """

    masks: bool = False
    reference: bool = False
    phrase: str = ""


@dataclass(frozen=True)
class WeightOption(LearningOption):
    """A token weight: a function from :class:`WeightInputs` to one number of 0 or more per token.

    ``over`` says what pool=mean may divide the weighted sum by, the default first: the sum of the weights,
    or the number of words, or of tokens, whose weight is above 0. Words are those of ``Needs.WORDS``. An
    option that says it has the argument ``over``; the function itself is not given it. Other weights are
    scaled to sum 1.
    """

    needs: Needs = Needs.TOKENS
    over: tuple[Over, ...] = ()


@dataclass(frozen=True)
class PoolOption(LearningOption):
    """A pooling: a function from :class:`TokenBatch` to one vector per text.

    ``linear`` says that, the weights given, it is a linear map of the token states, the same in every
    dimension: it then commutes with averaging layers, so that one pooled vector per layer answers for
    every set of layers. ``weighted`` says that it uses the weights. A pooling that learns is a function
    from an iterable of batches, which may be read more than once, to the function from batch to vectors.
    ``cls`` says that it takes the classification token alone, whichever tokens are chosen.
    ``head`` says that the vectors then go through the trained layer that a checkpoint holds behind [CLS].
    ``width`` gives the columns of its vectors from its arguments and those of a token's vector, where they
    are many times as many. ``seconds`` is about how long one that learns takes to learn, by different words
    of the texts, columns of a token's vector, and its arguments.
    """

    linear: bool = False
    weighted: bool = False
    cls: bool = False
    head: bool = False
    width: Callable[[Mapping[str, Any], int], int] | None = None
    seconds: Callable[[Mapping[str, Any], int, int], float] = lambda arguments, words, dim: 0.0


@dataclass(frozen=True)
class MixOption(Option):
    """What the sentence vector is mixed with; ``reference`` says that it learns from the reference.

    ``share`` is the argument that says how much of it; of 0 the vector stays as it is.
    """

    reference: bool = False
    share: str = ""


@dataclass(frozen=True)
class PostOption(LearningOption):
    """A post-processing step: a function that makes an unfitted :class:`Transformer`.

    ``directions`` is the argument that says how many directions of the vectors it learns, all of them where
    that is None: it then needs more sentences than that. ``removes`` says that these are taken away.
    ``affine`` says that the fitted step is v ↦ v L + b, ``scaling`` that it multiplies each vector by a
    number of that vector's own, ``once`` that the same step right behind it changes nothing.
    """

    directions: str = ""
    removes: bool = False
    affine: bool = False
    scaling: bool = False
    once: bool = False

    @property
    def trains(self) -> bool:
        """Whether it gives a :class:`Trainable`, by its annotation: what trains may take long to load."""
        return get_type_hints(self.function).get("return") is Trainable

    def minimum_sentences(self, arguments: Mapping[str, Any], dim: int) -> int:
        """Different sentences that the step must learn from; 0 for a step that learns nothing.

        Learnt from two sentences, every step makes their cosine -1. Whitening all columns of N sentences
        with N ≤ dim puts every pair at -1/(N - 1).
        """
        if not self.learns:
            return 0
        directions = min(arguments[self.directions] or dim, dim) if self.directions else 0
        return max(MINIMUM_SENTENCES, 1 + directions)

    def too_many(self, arguments: Mapping[str, Any], dim: int) -> str:
        """What a reader must know where more directions are asked for than vectors of ``dim`` numbers have.

        Empty where they have as many.
        """
        asked = (arguments[self.directions] or 0) if self.directions else 0
        most = dim - 1 if self.removes else dim
        if asked <= most:
            return ""
        got = f"post={self.name}({self.directions}): got {asked:,}; the vectors have {dim:,} dimensions"
        if self.removes:
            return f"{got}, and all are taken away: every vector is 0. Take at most {most:,}."
        return f"{got}, so {self.directions} is at most {most:,}: all in which they differ are taken."


@dataclass(frozen=True)
class SimilarityOption(Option):
    """How two vectors are compared.

    ``bilinear`` says that it is their inner product, each vector times a number of its own: f(u) f(v) u·v.
    """

    bilinear: bool = False


@runtime_checkable
class Transformer(Protocol):
    """A post-processing step as scikit-learn has it: what ``fit`` learns, ``transform`` applies to rows."""

    def fit(self, x: Vectors, /) -> Any:
        """Learn from the rows of ``x``."""

    def transform(self, x: Vectors, /) -> Vectors:
        """The rows, transformed."""


@runtime_checkable
class Trainable(Transformer, Protocol):
    """A transformer that takes long to fit, so that what it has learnt is stored.

    ``progress`` is called after each epoch; an exception in it stops the training.
    """

    progress: Progress

    def seconds(self, rows: int, dim: int) -> float:
        """About how long learning from so many rows takes."""

    def arrays(self) -> dict[str, np.ndarray]:
        """What it has learnt, as arrays by their names: a store can keep them."""

    def restore(self, arrays: dict[str, np.ndarray]) -> Transformer:
        """This transformer with what :meth:`arrays` gave."""


# What ``Stage.bind`` gives: the option's function with the recipe's arguments.
MakeSource = Callable[[], object]
MakeTemplate = Callable[[], str]
NumberLayers = Callable[[int], Iterable[int]]
SelectTokens = Callable[..., Bool[np.ndarray, " token"]]
WeighTokens = Callable[[WeightInputs], Weights]
PoolTokens = Callable[[TokenBatch], Pooled]
LearnPooling = Callable[[Iterable[TokenBatch]], PoolTokens]
MakeMix = Callable[[], object]
MakeTransformer = Callable[[], Transformer]
CompareVectors = Callable[[PairVectors, PairVectors], Float[np.ndarray, " pair"]]
FuseLayers = Callable[[Sequence[TokenStatesMatrix]], TokenStatesMatrix]
