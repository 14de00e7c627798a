"""A recipe as a static-token model: one table of vectors, and no transformer.

Where token vectors are looked up (``source=averaged`` or ``random``, or the static rows of a model), a
sentence vector is a weighted mean of rows. The library's StaticEmbedding takes the plain mean over the
tokens of a text, so weights and affine post-processing go into the rows: with y_i = x_i L + b the mean of
w_i y_i is (Σ w_i / n) times the recipe's vector. Where all tokens weigh alike that factor is 1; else the
direction is exact and the length is not, and the folder scales its vectors to length 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from tokenizers import Tokenizer as Backend

from core.corpora.corpus import Corpus
from core.exports.affine import Affine, Layer, finished, layers_of, stable
from core.exports.library import ExportError, instead_of_sum, reasons_behind_pooling
from core.exports.token_table import NoTableError, TokenTable, token_table, weight_reasons
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.progress import Progress
from core.recipe import LAYERS, POOL, SOURCE, TEMPLATE, TOKENS, Recipe
from core.recipe.options import Choice
from core.sources.averaged import Averaged
from core.sources.random_table import RandomTable
from core.sources.source import Source
from core.sources.token_states import TableStates
from core.stages.layers import average
from core.tokens.states import STATIC

NOT_COUNTED = 1e-11
"""The number of a token that does not count: it does where a text has no other."""

Rows = Float[np.ndarray, "id column"]


@dataclass(frozen=True, eq=False)
class StaticDesign:
    """A recipe as a table.

    Attributes
    ----------
    source
        What its tokens are those of.
    tokenizer
        It adds no special token, and cuts where the engine does.
    vectors
        The recipe's vector of each id.
    weights
        How much each id counts.
    counted
        The ids that count where a text has one of them.
    directions
        Whether the folder gives vectors of length 1 where the recipe does not.
    first
        The affine map that goes into the rows; None without one.
    post
        What is done to the mean of rows.
    comparison
        The library's name of the similarity.
    """

    source: Source
    tokenizer: Backend
    vectors: Rows
    weights: Float[np.ndarray, " id"]
    counted: Bool[np.ndarray, " id"]
    directions: bool
    first: Affine | None
    post: list[Layer]
    comparison: str

    @property
    def rows(self) -> Float[np.ndarray, "id column"]:
        """The table, in float32."""
        mapped = self.vectors if self.first is None else self.first(self.vectors)
        return np.ascontiguousarray(mapped * self.weights[:, None], np.float32)

    def exactly(self, texts: Sequence[Int[np.ndarray, " token"]]) -> tuple[Rows, Rows]:
        """The vectors of texts from their ids, before and after post-processing, in float64."""
        shares = [self.weights[ids] / self.weights[ids].sum() for ids in texts]
        pooled = np.array([share @ self.vectors[ids] for ids, share in zip(texts, shares, strict=True)])
        return pooled, finished(self.post, pooled if self.first is None else self.first(pooled))


def is_static(recipe: Recipe) -> bool:
    """Whether the token vectors of a recipe are looked up."""
    model = isinstance(SOURCE.bind(recipe.source)(), str)
    return not model or [choice.name for choice in recipe.layers] == ["static"]


def static_of(recipe: Recipe) -> Recipe:
    """The same recipe on token vectors that are averaged over its reference; itself where it is static.

    Without the tokens that the tokenizer adds, a template and a mixture.
    """
    model = SOURCE.bind(recipe.source)()
    if is_static(recipe) or not isinstance(model, str):
        return recipe
    tokens = "content" if recipe.tokens == Choice("all") else TOKENS.text(recipe.tokens)
    source = SOURCE.text(Choice("averaged", (("model", model),)))
    return recipe.replace(source=source, tokens=tokens, template="none", mix="none")


def reasons(recipe: Recipe) -> list[str]:
    """Every stage under which a recipe with looked-up token vectors is no mean of rows."""
    found = []
    source = SOURCE.bind(recipe.source)()
    if not isinstance(source, str | Averaged | RandomTable):
        found.append(
            f"source={SOURCE.text(recipe.source)} has words or texts of its own for tokens, and "
            "StaticEmbedding a model's tokenizer"
        )
    if recipe.template != Choice("none"):
        found.append(
            f"template={TEMPLATE.text(recipe.template)} adds tokens, and StaticEmbedding adds none"
        )
    if recipe.tokens == Choice("all") and recipe.weight == Choice("uniform"):
        found.append(
            "tokens=all counts those that the tokenizer adds, and StaticEmbedding adds none (take "
            "tokens=content)"
        )
    if any(LAYERS.find(choice).fuse is not None for choice in recipe.layers):
        found.append(f"layers={LAYERS.text(recipe.layers)} is no mean of layers")
    if recipe.pool.name != "mean":
        instead = instead_of_sum(recipe) if recipe.pool.name == "sum" else ""
        found.append(f"pool={POOL.text(recipe.pool)} is no mean{instead}")
    return found + weight_reasons(recipe) + reasons_behind_pooling(recipe)


def static_designed(engine: Engine, recipe: Recipe, corpus: Corpus, progress: Progress) -> StaticDesign:
    """A recipe as a table, with what it has learnt from a corpus as its target.

    Raises
    ------
    ExportError
        Its vectors are no means of rows.
    TooFewSentencesError
        A step would learn from too few sentences.
    """
    weighted = engine.weighted_states(recipe, corpus, progress)
    source = engine.source(recipe, corpus)
    forms = engine.passes.surface_forms(source, progress)
    table = _table(recipe, weighted, forms)
    vectors = _rows(engine, source, weighted, len(forms))
    layers = layers_of(recipe.post, engine.fitted_steps(recipe, corpus, progress), vectors.shape[1])
    own = ~table.special
    even = bool(table.selected[own].all() and np.ptp(table.weights[own]) == 0)
    pooled = engine.embed(recipe.replace(post="none"), corpus, progress).vectors.astype(np.float64)
    first, post = (layers[0], layers[1:]) if layers and layers[0] is not None else (None, layers)
    directions = not even and not post
    if directions and recipe.similarity.name != "cosine":
        raise ExportError(
            f"weight={weighted.plan.weight.text} with tokens={weighted.plan.tokens.text}: StaticEmbedding "
            "divides by the number of all tokens, so that lengths are not the recipe's; take "
            "similarity=cosine, or post=…+normalize."
        )
    return StaticDesign(
        source=source,
        tokenizer=_tokenizer(engine, source),
        vectors=vectors,
        weights=np.ones(len(forms)) if even else np.where(table.counted, table.weights, NOT_COUNTED),
        counted=table.counted,
        directions=directions,
        first=first,
        post=[None] if directions else stable(post, pooled if first is None else first(pooled)),
        comparison=recipe.similarity.name,
    )


def _table(recipe: Recipe, weighted: WeightedStates, surface_forms: tuple[str, ...]) -> TokenTable:
    """Each id's share in a text, or why there is none."""
    try:
        table = token_table(weighted, surface_forms, weights=True)
    except NoTableError as error:
        raise ExportError(f"{error}, and a static-token model has a vector for each token.") from None
    if (table.counted & table.special).any():
        raise ExportError(
            f"tokens={TOKENS.text(recipe.tokens)} counts tokens that the tokenizer adds, and "
            "StaticEmbedding adds none; take tokens=content."
        )
    return table


def _rows(engine: Engine, source: Source, weighted: WeightedStates, count: int) -> Rows:
    """The vector of every id: the mean over the recipe's layers."""
    ids = np.arange(count)
    if isinstance(weighted.states, TableStates):
        return average([weighted.states.rows(i, ids) for i in weighted.fusion.layers]).astype(np.float64)
    assert weighted.fusion.layers == (STATIC,)  # noqa: S101  (is_static)
    return engine.passes.encoder(source).static_rows(ids).astype(np.float64)


def _tokenizer(engine: Engine, source: Source) -> Backend:
    """The tokenizer without special tokens: a text that spells one is plain text, and none is added."""
    reader = engine.passes.tokenizer(source)
    backend = reader.backend()
    said: dict[str, Any] = json.loads(backend.to_str())
    said["added_tokens"] = [token for token in said["added_tokens"] if not token["special"]]
    made: Backend = type(backend).from_str(json.dumps(said))
    made.no_padding()
    made.enable_truncation(reader.max_tokens - backend.num_special_tokens_to_add(False))
    return made
