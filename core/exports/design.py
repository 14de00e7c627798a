"""Which modules of sentence-transformers a recipe is made of, or why it is none.

The library reads a sentence with a transformer, averages layers with weights (WeightedLayerPooling),
multiplies token vectors by a number for each id and divides by the sum (WordWeights), pools (Pooling), and
applies maps to sentence vectors (Dense, Normalize). A recipe is such a model where each of its stages is
one of these; what a stage has learnt is frozen in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.corpora.corpus import Corpus
from core.encoders.head import Head
from core.errors import StrataError
from core.exports.affine import Affine, Layer, layers_of
from core.exports.token_table import NoTableError, token_table
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.progress import Progress
from core.recipe import LAYERS, MIX, POOL, POST, SOURCE, TEMPLATE, Recipe
from core.recipe.options import Choice
from core.recipe.plan import Plan
from core.sources.source import Source

MODES: dict[str, tuple[str, ...]] = {
    "mean": ("mean",),
    "cls": ("cls",),
    "clshead": ("cls",),
    "clsmean": ("cls", "mean"),
    "max": ("max",),
    "lasttoken": ("lasttoken",),
    "dct": ("mean_sqrt_len_tokens",),
}
"""What the library's Pooling calls our poolings; the vectors of several modes stand side by side."""

COMPARISONS = ("cosine", "dot", "euclidean", "manhattan")
"""Similarities that the library has, under the same names."""


class ExportError(StrataError):
    """A recipe that is no model of the library, or a folder that cannot be written."""


@dataclass(frozen=True, eq=False)
class Design:
    """A recipe as modules of the library.

    Attributes
    ----------
    source
        The model.
    max_tokens
        Where texts are cut, special tokens included.
    layers
        The layers that are averaged, from 0.
    surface_forms, weights
        The vocabulary, and a number for each of its ids; None where all tokens count alike.
    modes
        Modes of the library's pooling.
    head
        The trained layer behind [CLS]; None without one.
    post
        What is done to sentence vectors, in order.
    comparison
        The library's name of the similarity.
    """

    source: Source
    max_tokens: int
    layers: tuple[int, ...]
    surface_forms: tuple[str, ...]
    weights: Float[np.ndarray, " id"] | None
    modes: tuple[str, ...]
    head: Head | None
    post: list[Layer]
    comparison: str


def refuse(recipe: Recipe) -> None:
    """Raise :class:`ExportError` with every stage of a recipe that the library has no module for."""
    if reasons := _reasons(recipe):
        raise ExportError(f"This recipe is no sentence-transformers model: {'; '.join(reasons)}.")


def exports(recipe: Recipe) -> bool:
    """Whether the library has a module for every stage of a recipe."""
    return not _reasons(recipe)


def _reasons(recipe: Recipe) -> list[str]:
    reasons = []
    if not isinstance(SOURCE.bind(recipe.source)(), str):
        source = SOURCE.text(recipe.source)
        reasons.append(
            f"source={source} is a table of token vectors, and its Transformer reads with a model"
        )
    if recipe.template != Choice("none"):
        reasons.append(
            f"template={TEMPLATE.text(recipe.template)} goes round a sentence, its prompts only before it"
        )
    if any(LAYERS.find(choice).fuse is not None for choice in recipe.layers):
        reasons.append(f"layers={LAYERS.text(recipe.layers)} weighs layers for each token anew")
    elif any(choice.name == "static" for choice in recipe.layers):
        reasons.append("layers=static is no layer that its Transformer gives")
    pool = recipe.pool
    if pool.name == "sum":
        reasons.append("pool=sum does not divide, and its Pooling does (pool=mean has the same cosines)")
    elif pool.name not in MODES or (pool.name == "dct" and POOL.arguments(pool).get("k") != 1):
        reasons.append(f"pool={POOL.text(pool)} is no mode of its Pooling")
    if recipe.mix != Choice("none"):
        reasons.append(f"mix={MIX.text(recipe.mix)} needs a second table of token vectors")
    for choice in recipe.post:
        option = POST.find(choice)
        if not (option.affine or option.scaling):
            reasons.append(f"post={POST.text((choice,))} is neither an affine map nor a scaling")
    if recipe.similarity.name not in COMPARISONS:
        reasons.append(f"similarity={recipe.similarity.name} is none that it compares by")
    return reasons


def designed(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> Design:
    """A recipe as modules, with what it has learnt from a corpus as its target.

    Raises
    ------
    ExportError
        A stage is no module of the library.
    TooFewSentencesError
        A step would learn from too few sentences.
    """
    refuse(recipe)
    plan, weighted = Plan.of(recipe), engine.weighted_states(recipe, corpus, progress)
    source, layers = engine.source(recipe, corpus), weighted.fusion.layers
    surface_forms = engine.passes.surface_forms(source, progress)
    weights = _weights(recipe, weighted, surface_forms)
    tokens = weighted.states.tokens
    if "cls" in MODES[recipe.pool.name] and (tokens.cls[tokens.lengths > 0] != 0).any():
        raise ExportError(
            f"pool={recipe.pool.name}: the library takes the first token of a text for [CLS], and this "
            "model puts it elsewhere."
        )
    dim = source.location.dim
    head = engine.passes.head(source, f"pool={plan.pooling.text}") if plan.pooling.head else None
    first: Affine | int = dim if head is None else head.weight.shape[0]
    if recipe.pool.name == "clsmean":
        first = Affine(np.concatenate([np.eye(dim), np.eye(dim)]) / 2, np.zeros(dim))
    return Design(
        source=source,
        max_tokens=engine.passes.tokenizer(source).max_tokens,
        layers=layers,
        surface_forms=surface_forms,
        weights=weights,
        modes=MODES[recipe.pool.name],
        head=head,
        post=layers_of(recipe.post, engine.fitted_steps(recipe, corpus, progress), first),
        comparison=recipe.similarity.name,
    )


def _weights(
    recipe: Recipe, weighted: WeightedStates, surface_forms: tuple[str, ...]
) -> Float[np.ndarray, " id"] | None:
    """The number of each id; None where all tokens count alike, or the pooling looks at one token alone."""
    modes = MODES[recipe.pool.name]
    if modes == ("cls",):
        return None
    if weighted.plan.weight.counted and weighted.plan.pooling.weighted:
        raise ExportError(
            f"weight={weighted.plan.weight.text} divides by the number of tokens, and the library's "
            "WordWeights by the sum of their weights."
        )
    try:
        table = token_table(weighted, surface_forms, weights=weighted.plan.pooling.weighted)
    except NoTableError as error:
        raise ExportError(f"{error}, and the library's WordWeights have a number for each token.") from None
    if table is not None and modes != ("mean",):
        raise ExportError(
            f"pool={recipe.pool.name} with {weighted.plan.tokens.text} tokens and "
            f"weight={weighted.plan.weight.text}: the library's Pooling then takes all tokens alike; take "
            "tokens=all;weight=uniform, or pool=mean."
        )
    return table
