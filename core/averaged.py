"""Avg.: each token's mean over its contexts in a reference corpus (Stankevičius & Lukoševičius 2025).

The table holds one row per vocabulary id that occurs in the reference and per layer, kept like a pass of
one text whose tokens are those ids. Averaging over contexts commutes with averaging layers, so every set
of layers can be read from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import torch

from core.chunks import Pass, chunks
from core.encoder import States
from core.errors import RecipeError
from core.options import Choice, Text, Within
from core.progress import Progress
from core.recipe import MIX, SOURCE, Recipe
from core.tokens import Tokens

Least = Annotated[int, Within(1, 1_000_000, "contexts a token needs; rarer ones take their static row")]


@dataclass(frozen=True)
class Averaged:
    """The token vectors of a model, averaged over their contexts in the reference corpus."""

    model: str
    least: int


@dataclass(frozen=True)
class Mixed:
    """How much of the averaged token vectors' sentence vector is mixed in."""

    w: float
    least: int


@SOURCE.option(reference=True)
def averaged(
    *,
    model: Annotated[str, Text("the encoder: bundled, a hub id or a folder")] = "bundled",
    least: Least = 1,
) -> Averaged:
    """Avg.: each token's mean over its contexts in the reference corpus, layer by layer."""
    return Averaged(model, least)


@MIX.option
def none() -> None:
    """The sentence vector alone."""


@MIX.option(name="averaged", reference=True)
def _averaged(
    *,
    w: Annotated[float, Within(-1, 1.5, "share of Avg.: 0 is the model alone, 1 is Avg. alone")] = 0.5,
    least: Least = 1,
) -> Mixed:
    """BERT+Avg.: v (1 − w) + v_Avg w, where v_Avg is the same recipe on averaged token vectors."""
    return Mixed(w, least)


def averaged_half(recipe: Recipe) -> Recipe | None:
    """The recipe whose vectors are mixed in: this one on averaged token vectors; None without a mix.

    Raises :class:`RecipeError` for a source that is no model.
    """
    mixed = MIX.bind(recipe.mix)()
    if not isinstance(mixed, Mixed):
        return None
    model = SOURCE.bind(recipe.source)()
    if not isinstance(model, str):
        raise RecipeError(f"mix=averaged needs a model as source; got source={SOURCE.text(recipe.source)}.")
    source = Choice("averaged", (("model", model), ("least", mixed.least)))
    return replace(recipe, source=source, mix=Choice("none"))


def vocabulary_of(tokens: Tokens) -> Tokens:
    """The different ids of some tokens, as the tokens of one text."""
    ids = np.unique(tokens.ids)
    nothing = np.zeros(len(ids), bool)
    return Tokens(
        ids=ids.astype(np.int32),
        order=np.zeros(1, np.int64),
        offsets=np.array([0, len(ids)], np.int64),
        special=nothing,
        words=np.arange(len(ids), dtype=np.int32),
        continues=nothing,
        cls=np.full(1, -1),
        template=nothing,
        mask=nothing,
        truncated=np.zeros(1, bool),
        vocabulary=tokens.vocabulary,
    )


def contexts(tokens: Tokens, repeats: np.ndarray) -> np.ndarray:
    """How often each of the different ids occurs, a text counted as often as it stands in its corpus."""
    _, place = np.unique(tokens.ids, return_inverse=True)
    return np.bincount(place, weights=repeats[tokens.order][tokens.sentence])


def average(found: Pass, repeats: np.ndarray, progress: Progress) -> Iterator[States]:
    """The mean of each id's states over its contexts, in every layer, as the states of one text.

    One reading of the pass answers for all layers. Sums are in float32.
    """
    tokens = found.tokens
    ids = np.unique(tokens.ids)
    sums: dict[int, torch.Tensor] = {}
    for states in chunks(found, found.layers, progress):
        span = tokens.stretch(states.sentences)
        place = torch.from_numpy(np.searchsorted(ids, tokens.ids[span]))
        times = np.repeat(repeats[tokens.order[states.sentences]], tokens.lengths[states.sentences])
        for layer, rows in states.layers.items():
            weighted = rows * times[:, None].astype(np.float32) if (times != 1).any() else rows
            if layer not in sums:
                sums[layer] = torch.zeros(len(ids), rows.shape[1])
            sums[layer].index_add_(0, place, torch.from_numpy(weighted))
    counts = contexts(tokens, repeats)[:, None]
    means = {layer: (total.numpy() / counts).astype(np.float32) for layer, total in sums.items()}
    yield States(slice(0, 1), means, None)


def fill_unseen(
    ids: np.ndarray, known: np.ndarray, rows: np.ndarray, static: np.ndarray | None
) -> np.ndarray:
    """Rows for ``ids``: those of ``known`` ids, else the static row.

    ``rows`` are one layer's, by known id; ``static`` holds the static rows of all ``ids`` that are not
    known, in order. None, for a model whose static rows are of another width, gives the layer's mean row.
    """
    seen = np.isin(ids, known)
    out = np.zeros((len(ids), rows.shape[1]), np.float32)
    out[seen] = rows[np.searchsorted(known, ids[seen])]
    if static is not None:
        out[~seen] = static
    elif len(rows):
        out[~seen] = rows.mean(axis=0)
    return out
