"""Avg.: each token's mean over its contexts in a reference corpus (Stankevičius & Lukoševičius 2025).

The table holds one row per layer and vocabulary id that occurs in the reference. It is stored like a pass
of one text whose tokens are those ids. Averages over contexts and over layers commute, so the table serves
every set of layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.loading import LOADING
from core.progress import Progress
from core.recipe import SOURCE
from core.recipe.arguments import Text
from core.sources.token_states import TokenStates, chunks
from core.stages.mix import MinContexts
from core.tokens import Tokens
from core.tokens.states import States, without_mark


@dataclass(frozen=True)
class Averaged:
    """The token vectors of a model, averaged over their contexts in the reference corpus."""

    model: str
    least: int


@SOURCE.option(reference=True, label="Avg.")
def averaged(
    *,
    model: Annotated[str, Text("the encoder: bundled, untuned, a hub id or a folder")] = "bundled",
    least: MinContexts = 1,
) -> Averaged:
    """Avg.: each token's mean over its contexts in the reference corpus, layer by layer."""
    return Averaged(model, least)


def vocabulary_of(tokens: Tokens) -> Tokens:
    """The different ids of some tokens, as the tokens of one text."""
    ids = np.unique(tokens.ids)
    return Tokens.plain(
        ids.astype(np.int32),
        order=np.zeros(1, np.int64),
        offsets=np.array([0, len(ids)], np.int64),
        words=np.arange(len(ids), dtype=np.int32),
        vocabulary=tokens.vocabulary,
    )


def contexts(tokens: Tokens, repeats: np.ndarray) -> np.ndarray:
    """The count of each different id; a text counts as often as it occurs in its corpus."""
    _, place = np.unique(tokens.ids, return_inverse=True)
    return np.bincount(place, weights=tokens.times(repeats))


def average(token_states: TokenStates, repeats: np.ndarray, progress: Progress) -> Iterator[States]:
    """The mean of each id's states over its contexts, in every layer, as the states of one text.

    One reading of the pass gives all layers. Sums are in float32.
    """
    with LOADING:
        import torch  # here: it takes seconds, and not every start needs it

    tokens = token_states.tokens
    ids = np.unique(tokens.ids)
    sums: dict[int, torch.Tensor] = {}
    for states in chunks(token_states, token_states.layers, progress):
        span = tokens.token_span(states.sentences)
        place = torch.from_numpy(np.searchsorted(ids, tokens.ids[span]))
        times = np.repeat(repeats[tokens.order[states.sentences]], tokens.lengths[states.sentences])
        for layer, rows in states.layers.items():
            weighted = rows * times[:, None].astype(np.float32) if (times != 1).any() else rows
            if layer not in sums:
                sums[layer] = torch.zeros(len(ids), rows.shape[1])
            sums[layer].index_add_(0, place, torch.from_numpy(without_mark(weighted)))
    counts = contexts(tokens, repeats)[:, None]
    means = {layer: (total.numpy() / counts).astype(np.float32) for layer, total in sums.items()}
    yield States(slice(0, 1), means, None)


def fill_unseen(
    ids: np.ndarray, known: np.ndarray, rows: np.ndarray, static: np.ndarray | None
) -> np.ndarray:
    """The rows of ``ids``: the averages of ``known`` ids, else the static row.

    ``rows`` holds one layer's averages by known id; ``static`` holds the static rows of the unknown ``ids``
    in order. Without ``static``, as for a model whose static rows have another width, an unknown id gets
    the mean row of the layer.
    """
    seen = np.isin(ids, known)
    out = np.zeros((len(ids), rows.shape[1]), np.float32)
    out[seen] = rows[np.searchsorted(known, ids[seen])]
    if static is not None:
        out[~seen] = static
    elif len(rows):
        out[~seen] = rows.mean(axis=0)
    return out
