"""Which layers are averaged.

Layer 0 is the output of the embedding block, 1 … L are the transformer blocks, and ``static`` is the
raw row of the word-embedding matrix (before position, type and LayerNorm). *first* is layer 1 here
(as in BERT-whitening and SimCSE's present code); write ``0+last`` for the papers that mean layer 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from jaxtyping import Float

from core.errors import RecipeError
from core.recipe import LAYERS
from core.recipe.arguments import Text, Within
from core.recipe.options import Choice, FuseLayers
from core.stages import sbert_wk
from core.tokens.states import STATIC

Rows = Float[np.ndarray, "row dim"]


@dataclass(frozen=True)
class Fusion:
    """Which layers a recipe takes, and how a token's states in them become one.

    ``linear`` says that this is their average, so that pooled vectors may be averaged instead.
    """

    layers: tuple[int, ...]
    fuse: FuseLayers
    linear: bool


def average(layers: Sequence[Rows]) -> Rows:
    """The mean over layers, of tokens or of texts; one layer alone is given back as it is.

    Raises :class:`RecipeError` for layers that are not equally wide.
    """
    if len(layers) == 1:
        return layers[0]
    widths = sorted({layer.shape[1] for layer in layers})
    if len(widths) > 1:
        raise RecipeError(
            f"layers: this model's static rows are {widths[0]} or {widths[1]} wide, unlike its layers; "
            "allowed is static alone, or layers from 0."
        )
    total = layers[0] + layers[1]
    for layer in layers[2:]:
        total += layer
    total /= len(layers)
    return total


@LAYERS.option(rank=1)
def first(depth: int) -> Iterable[int]:
    """The first transformer block: layer 1."""
    return (1,)


@LAYERS.option(rank=1e6)
def last(depth: int) -> Iterable[int]:
    """The last transformer block: layer L."""
    return (depth,)


@LAYERS.option(name="all", rank=1e7)
def _all(depth: int) -> Iterable[int]:
    """Every layer from the embedding block to the last: 0 to L."""
    return range(depth + 1)


@LAYERS.option(rank=STATIC)
def static(depth: int) -> Iterable[int]:
    """The raw rows of the word-embedding matrix, without context."""
    return (STATIC,)


@LAYERS.free_text
def number(
    depth: int, *, index: Annotated[int, Within(0, 1000, "a layer's number from 0")]
) -> Iterable[int]:
    """One layer by its number; 0 is the output of the embedding block."""
    return (index,)


def _fuse_by_evolution(
    states: Sequence[Rows], *, window: int, start: int, omega: float, form: sbert_wk.Form
) -> Rows:
    gram = sbert_wk.gram(states)
    return sbert_wk.fuse(states, sbert_wk.alphas(gram, window, omega, form))


@LAYERS.option(fuse=_fuse_by_evolution, neighbours="window", label="SBERT-WK")
def wk(
    depth: int,
    *,
    window: Annotated[int, Within(1, 24, "neighbouring layers on each side")] = 2,
    start: Annotated[int, Within(0, 1000, "the first layer that takes part")] = 4,
    omega: Annotated[float, Within(0, 1, "share of alignment; the rest is novelty")] = 0.5,
    form: Annotated[sbert_wk.Form, Text("the paper's, or that of its code")] = "paper",
) -> Iterable[int]:
    """SBERT-WK: per token, layers weighted by how they align with, and add to, their neighbours."""
    if start >= depth:
        raise RecipeError(
            f"layers=wk(start): got {start}, which leaves fewer than two of this model's layers; allowed "
            f"is 0 to {depth - 1}."
        )
    return range(start, depth + 1)


def by_number(layers: Iterable[int]) -> str:
    """An average of layers as a recipe writes it: ``static+0+6``."""
    return "+".join("static" if layer == STATIC else str(layer) for layer in sorted(set(layers)))


def resolve(choices: tuple[Choice, ...], layers: tuple[int, ...], source: str) -> Fusion:
    """What ``choices`` mean for a source that offers ``layers``.

    A source with one layer only (token vectors without context) gives it for every name, and refuses
    a number other than 0. Raises :class:`RecipeError` for a layer that does not exist.
    """
    depth = max(layers)
    fusing = [choice for choice in choices if LAYERS.find(choice).fuse is not None]
    if fusing and len(choices) > 1:
        raise RecipeError(f"layers={fusing[0].name} weighs layers itself and stands alone.")
    if len(layers) == 1:
        numbered = [c for c in choices if c.name == "number" and c.arguments[0][1] != 0]
        if numbered or fusing:
            raise RecipeError(f"layers: {source} has one layer only; allowed is static or 0.")
        return Fusion(layers, average, linear=True)
    numbers = tuple(sorted({i for choice in choices for i in LAYERS.bind(choice)(depth)}))
    missing = [i for i in numbers if i not in layers]
    if missing:
        raise RecipeError(
            f"layers: {source} has no layer {missing[0]}; allowed is static and 0 to {depth}."
        )
    if fusing and (fuse := LAYERS.find(fusing[0]).fuse) is not None:
        return Fusion(numbers, partial(fuse, **LAYERS.arguments(fusing[0])), linear=False)
    return Fusion(numbers, average, linear=True)
