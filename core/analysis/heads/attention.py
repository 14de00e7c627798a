"""Attention matrices of one sentence, of every head of a model.

Of a corpus only the diagonals are kept (see :mod:`core.analysis.heads.head_search`): a token's attention
to itself.
Papers count layers and heads from 1 and so does everything here that takes a head.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.pipeline.engine import Engine
from core.progress import Progress, Step, silent
from core.recipe import Recipe
from core.sources.source import Source
from core.storage.stored_pass import arrays_of_tokens, tokens_of_arrays
from core.storage.tables import Arrays, TableKind
from core.tokens import Tokens

LARGEST_BYTES = 800_000_000
"""Attention matrices of one sentence, all layers and heads, that are made."""

ATTENTION = TableKind("attention", 1, forward=True)
"""Such tables come with the installation, for the sentence one arrives with; visits write none."""

Attention = Float[np.ndarray, "layer head token token"]


@dataclass(frozen=True, eq=False)
class SentenceAttention:
    """The attention of one sentence in the template of its recipe.

    Attributes
    ----------
    source
        The model.
    tokens
        The tokens of the sentence, special tokens and the template's included.
    weights
        After softmax: ``[..., t, s]`` is the attention of token t to token s; each row sums to 1.
    """

    source: Source
    tokens: Tokens
    weights: Attention

    @property
    def depth(self) -> int:
        """The number of transformer blocks."""
        return self.weights.shape[0]

    @property
    def heads(self) -> int:
        """Heads per block."""
        return self.weights.shape[1]

    @property
    def surface_forms(self) -> tuple[str, ...]:
        """The surface form of each token."""
        return tuple(self.tokens.surface_forms(self.tokens.span(0)))

    @property
    def diagonals(self) -> Float[np.ndarray, "layer head token"]:
        """The attention of each token to itself."""
        return np.asarray(self.weights.diagonal(axis1=2, axis2=3))

    def beside(self, offset: int) -> Float[np.ndarray, "layer head"]:
        """The mean attention of each head to the token ``offset`` places on, -1 the one before.

        Over all tokens that have one, special ones included; NaN where none has.
        """
        found = self.weights.diagonal(offset, axis1=2, axis2=3)
        return found.mean(axis=2) if found.shape[2] else np.full(found.shape[:2], np.nan)

    @property
    def own(self) -> Bool[np.ndarray, " token"]:
        """The sentence's own tokens: neither special nor the template's."""
        return self.tokens.own

    @property
    def truncated(self) -> bool:
        """Whether the model's limit cut the sentence."""
        return bool(self.tokens.truncated[0])

    def of(self, layer: int, head: int) -> Float[np.ndarray, "token token"]:
        """One head, counted from 1."""
        return np.asarray(self.weights[layer - 1, head - 1])


def source_with_heads(engine: Engine, recipe: Recipe) -> Source:
    """The source of a recipe, if it has attention heads.

    Raises :class:`RecipeError` for token vectors without context, and for a model without heads.
    """
    source = engine.source(recipe)
    if not source.is_model:
        raise RecipeError(
            f"source={source.name}: token vectors without context have no attention heads; take a model "
            "as source, such as source=bundled."
        )
    if not source.location.heads:
        raise RecipeError(
            f"{source.name}: its config.json names no attention heads; take another model as source."
        )
    return source


def attention(engine: Engine, recipe: Recipe, text: str, progress: Progress = silent) -> SentenceAttention:
    """The attention of every head in one sentence, by the source and template of a recipe.

    Visits store nothing: a forward pass of one sentence is short, and its matrices grow with the square of
    its length.

    Raises
    ------
    RecipeError
        The source has no heads, or does not give its attention.
    CorpusError
        The sentence has no token, or so many that its matrices would not fit.
    """
    source = source_with_heads(engine, recipe)
    arrays = engine.shipped_table(
        ATTENTION, _parts(engine, source, text), lambda: _read(engine, source, text, progress)
    )
    return SentenceAttention(source, tokens_of_arrays(arrays), arrays["weights"])


def comes_along(engine: Engine, recipe: Recipe, text: str) -> bool:
    """Whether it comes with the installation; raises :class:`RecipeError` for a source without heads."""
    source = source_with_heads(engine, recipe)
    return engine.store.has_table(ATTENTION, _parts(engine, source, text))


def _parts(engine: Engine, source: Source, text: str) -> tuple[object, ...]:
    return (engine.passes.key(source, Corpus.pasted([text])),)


def _read(engine: Engine, source: Source, text: str, progress: Progress) -> Arrays:
    """The tokens of a sentence and the attention of all heads, as arrays."""
    encoder = engine.passes.encoder(source)
    progress(Step(f"Reading the sentence with {source.name}", 0, 1))
    encoded = encoder.tokenizer([text], template=source.template)
    if not len(encoded.tokens):
        raise CorpusError(f"{source.name} makes no token of this sentence; write another one.")
    count, place = len(encoded.tokens), source.location
    most = int((LARGEST_BYTES / (4 * place.depth * place.heads)) ** 0.5)
    if count > most:
        raise CorpusError(
            f"The sentence has {count:,} tokens; the attention of {place.depth} × {place.heads} heads is "
            f"shown for {most:,} at most. Shorten it."
        )
    return {**arrays_of_tokens(encoded.tokens), "weights": encoder.attentions(encoded, 0)}


def heaviest(weights: Float[np.ndarray, " token"], most: int = 5) -> list[int]:
    """The positions of the largest weights above 0, the largest first; of equal ones the earlier."""
    order = np.argsort(-weights, kind="stable")[:most]
    return [int(i) for i in order if weights[i] > 0]


def coarse(
    weights: Float[np.ndarray, "*rest token token"], most: int
) -> tuple[Float[np.ndarray, "*rest block block"], int]:
    """Square matrices of at most ``most`` rows, and how many tokens one row stands for.

    A cell is the largest weight of its block, so that a single strong cell is not lost in it.
    """
    tokens = weights.shape[-1]
    size = -(-tokens // max(most, 1))
    if size <= 1:
        return weights, 1
    starts = np.arange(0, tokens, size)
    rows = np.maximum.reduceat(weights, starts, axis=-2)
    return np.maximum.reduceat(rows, starts, axis=-1), size
