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
from tokenizers import Tokenizer as Backend

from core.corpora.corpus import Corpus
from core.encoders.head import Head
from core.errors import shorten
from core.exports.affine import Layer, layers_of, stable
from core.exports.library import ExportError, instead_of_sum, reasons_behind_pooling
from core.exports.prompted import NotSeparableError, prompted
from core.exports.token_table import NoTableError, token_table, weight_reasons
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.progress import Progress
from core.recipe import LAYERS, POOL, TEMPLATE, WEIGHT, Recipe
from core.recipe.plan import Plan, divided_by
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

PROBED = 2000
"""Sentences of a corpus on which a tokenizer with a template must read as the engine does."""


@dataclass(frozen=True, eq=False)
class Design:
    """A recipe as modules of the library.

    Attributes
    ----------
    source
        The model.
    max_tokens
        Where texts are cut, special tokens and template included.
    tokenizer
        The model's tokenizer with the template inside; None without a template.
    layers
        The layers that are averaged, from 0.
    surface_forms, weights
        The vocabulary, and a number for each of its ids; None where all tokens count alike.
    modes
        Modes of the library's pooling.
    halved
        Whether the vectors of two modes are averaged.
    head
        The trained layer behind [CLS]; None without one.
    post
        What is done to sentence vectors, in order.
    comparison
        The library's name of the similarity.
    """

    source: Source
    max_tokens: int
    tokenizer: Backend | None
    layers: tuple[int, ...]
    surface_forms: tuple[str, ...]
    weights: Float[np.ndarray, " id"] | None
    modes: tuple[str, ...]
    halved: bool
    head: Head | None
    post: list[Layer]
    comparison: str


def reasons(recipe: Recipe) -> list[str]:
    """Every stage of a recipe with a model that the library has no module for."""
    found = []
    if any(LAYERS.find(choice).fuse is not None for choice in recipe.layers):
        found.append(f"layers={LAYERS.text(recipe.layers)} weighs layers for each token anew")
    elif any(choice.name == "static" for choice in recipe.layers):
        found.append("layers=static is no layer that its Transformer gives")
    pool = recipe.pool
    if pool.name == "sum":
        found.append(f"pool=sum does not divide, and its Pooling does{instead_of_sum(recipe)}")
    elif pool.name not in MODES or (pool.name == "dct" and POOL.arguments(pool).get("k") != 1):
        found.append(f"pool={POOL.text(pool)} is no mode of its Pooling")
    elif MODES[pool.name] != ("cls",):
        found += _weight_reasons(recipe)
    return found + reasons_behind_pooling(recipe)


def _weight_reasons(recipe: Recipe) -> list[str]:
    """Why the library has no WordWeights of a recipe's weight, as far as a recipe alone says it."""
    over = divided_by(recipe.weight)
    if over != "weights" and POOL.find(recipe.pool).weighted:
        return [
            f"weight={WEIGHT.text(recipe.weight)} divides by the number of {over}, and its WordWeights by "
            "the sum of their weights"
        ]
    return weight_reasons(recipe)


def designed(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> Design:
    """A recipe as modules, with what it has learnt from a corpus as its target.

    Raises
    ------
    ExportError
        A stage is no module of the library for this model.
    TooFewSentencesError
        A step would learn from too few sentences.
    """
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
    head = engine.passes.head(source, f"pool={plan.pooling.text}") if plan.pooling.head else None
    pooled = engine.embed(recipe.replace(post="none"), corpus, progress).vectors
    post = layers_of(recipe.post, engine.fitted_steps(recipe, corpus, progress), pooled.shape[1])
    return Design(
        source=source,
        max_tokens=engine.passes.tokenizer(source).max_tokens,
        tokenizer=_prompted(engine, recipe, source, corpus) if source.template else None,
        layers=layers,
        surface_forms=surface_forms,
        weights=weights,
        modes=MODES[recipe.pool.name],
        halved=recipe.pool.name == "clsmean",
        head=head,
        post=stable(post, pooled),
        comparison=recipe.similarity.name,
    )


def _prompted(engine: Engine, recipe: Recipe, source: Source, corpus: Corpus) -> Backend:
    """The model's tokenizer with the recipe's template inside."""
    reader = engine.passes.tokenizer(source)
    try:
        return prompted(reader.backend(), reader, source.template, corpus.sentences[:PROBED])
    except NotSeparableError as error:
        raise ExportError(
            f"template={TEMPLATE.text(recipe.template)}: a folder puts the template's tokens round those "
            "of the text, and this model's tokenizer cuts them together at their border, as in "
            f"{shorten(str(error))}; take a template with spaces round [X], or a model with WordPiece."
        ) from None


def _weights(
    recipe: Recipe, weighted: WeightedStates, surface_forms: tuple[str, ...]
) -> Float[np.ndarray, " id"] | None:
    """The number of each id; None where all tokens count alike, or the pooling looks at one token alone."""
    modes = MODES[recipe.pool.name]
    if modes == ("cls",):
        return None
    try:
        table = token_table(weighted, surface_forms, weights=weighted.plan.pooling.weighted)
    except NoTableError as error:
        raise ExportError(f"{error}, and the library's WordWeights have a number for each token.") from None
    if not table.even and modes != ("mean",):
        raise ExportError(
            f"pool={recipe.pool.name} with {weighted.plan.tokens.text} tokens and "
            f"weight={weighted.plan.weight.text}: the library's Pooling then takes all tokens alike; take "
            "tokens=all;weight=uniform, or pool=mean."
        )
    return None if table.even else table.numbers
