"""Similarities under Ditto with every attention head of a model, from a stored pass.

The similarities equal those of each recipe ``weight=ditto(layer=…, head=…)``, but every chunk of states is
read once for many heads. Stored texts come longest first, so texts of one length are adjacent, and a
batched product ``weights[text, head, token] @ states[text, token, dim]`` pools many heads at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float, Int

from core.analysis.heads.attention import source_with_heads
from core.corpora.corpus import Corpus
from core.errors import RecipeError, StoreError
from core.pipeline.engine import Engine
from core.pipeline.weighted_states import WeightedStates
from core.progress import Progress, Step, silent
from core.recipe import LAYERS, POST, SIMILARITY, Recipe
from core.sources.token_states import ReadableStates, StreamedPass, chunks
from core.stages.layers import Fusion, by_number, resolve
from core.threads import share_of_torch
from core.tokens.states import States, without_mark

SETTINGS = ("last", "first+last", "0+last", "static")
"""The layers heads are searched under; ``0+last`` is what the paper calls first-last."""

BLOCK_BYTES = 256_000_000
"""Pooled vectors that are held at once."""

Vectors = Float[np.ndarray, "text head dim"]


def with_head(base: Recipe, layers: str, layer: int, head: int) -> Recipe:
    """The recipe that a search scores for one head, counted from 1."""
    return base.replace(layers=layers, weight=f"ditto(layer={layer},head={head})")


def head_similarities(
    engine: Engine,
    base: Recipe,
    corpus: Corpus,
    settings: Sequence[str] = SETTINGS,
    progress: Progress = silent,
) -> Iterator[tuple[str, tuple[int, int], Float[np.ndarray, " pair"]]]:
    """The similarities of a corpus' pairs, one choice of layers and one head (from 1) after another."""
    source = source_with_heads(engine, base)
    layers = source.layers
    fusions = {name: resolve(LAYERS.parse(name), layers, source.name) for name in settings}
    if not_linear := [name for name, fusion in fusions.items() if not fusion.linear]:
        raise RecipeError(
            f"layers={not_linear[0]} weighs layers itself; heads are searched under averages of layers, "
            f"such as {', '.join(SETTINGS)}."
        )
    needed = sorted({i for fusion in fusions.values() for i in fusion.layers})
    weighted = engine.weighted_states(with_head(base, by_number(needed), 1, 1), corpus, progress)
    states = readable_states(weighted)
    similarity = SIMILARITY.bind(base.similarity)
    heads, total = source.location.heads, source.location.depth * source.location.heads
    place = states.tokens.place
    for number, (name, fusion) in enumerate(fusions.items()):
        width = states.read(fusion.layers[0], slice(0, 1)).shape[1]
        block = max(1, BLOCK_BYTES // (4 * width * max(states.tokens.sentences, 1)))
        for start in range(0, total, block):
            some = slice(start, min(start + block, total))
            vectors = _pool(weighted, states, fusion, some)
            for i in range(some.stop - some.start):
                own = _postprocess(base, vectors[place, i], corpus) if base.post else vectors[:, i]
                rows = (side if base.post else place[side] for side in (corpus.first, corpus.second))
                u, v = (own[side] for side in rows)
                layer, head = divmod(start + i, heads)
                yield name, (layer + 1, head + 1), similarity(u, v)
            done = number * total + some.stop
            progress(Step("Scoring attention heads", done, len(fusions) * total))


def readable_states(weighted: WeightedStates) -> ReadableStates:
    """The stored pass of some weighted states; it is read once for each block of heads."""
    states = weighted.states
    if isinstance(states, StreamedPass) or not isinstance(states, ReadableStates):
        raise StoreError(
            "This corpus is too large for its pass to be kept, and heads are searched in a stored pass: "
            "take a smaller corpus or split, or give more room with STRATA_CACHE_GB."
        )
    return states


def refuse_missing_attention(diagonals: np.ndarray) -> None:
    """Raise :class:`RecipeError` for the diagonals of a model that does not give its attention."""
    if np.isnan(diagonals).any():
        raise RecipeError("This model does not give its attention, so its heads cannot be compared.")


# -- pooling all heads at once -------------------------------------------------------------------


def _pool(weighted: WeightedStates, stored: ReadableStates, fusion: Fusion, heads: slice) -> Vectors:
    """One vector per stored text and head of a slice of all heads."""
    import torch  # here: it takes seconds, and not every start needs it

    tokens, width = stored.tokens, stored.read(fusion.layers[0], slice(0, 1)).shape[1]
    out = np.zeros((tokens.sentences, heads.stop - heads.start, width), np.float32)
    for states in chunks(stored, fusion.layers, diagonals=True):
        selected = weighted.selected[tokens.token_span(states.sentences)]
        layers = [states.layers[i] for i in fusion.layers]
        fused = np.ascontiguousarray(fusion.fuse(layers), np.float32)  # held while its memory is read
        one = torch.from_numpy(without_mark(fused))
        for texts, span, share in _shares(states, selected, tokens.lengths[states.sentences], heads):
            rows = one[span].reshape(share.shape[0], share.shape[2], -1)
            at = slice(states.sentences.start + texts.start, states.sentences.start + texts.stop)
            with share_of_torch():
                torch.bmm(torch.from_numpy(share), rows, out=torch.from_numpy(out[at]))
    return out


def _shares(
    states: States,
    selected: Bool[np.ndarray, " token"],
    lengths: Int[np.ndarray, " text"],
    heads: slice,
) -> list[tuple[slice, slice, np.ndarray]]:
    """For each run of texts of one length: its texts, its tokens, and shares ``[text, head, token]``.

    Shares sum to 1; a text whose selected diagonals are all 0 gets equal ones, as in the engine.
    """
    if states.diagonals is None:
        raise RecipeError("This model has no attention heads; take another model as source.")
    refuse_missing_attention(states.diagonals)
    flat = states.diagonals.reshape(len(selected), -1)[:, heads].astype(np.float64)
    flat[~selected] = 0
    runs = []
    edges = [0, *(np.flatnonzero(np.diff(lengths)) + 1).tolist(), len(lengths)]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    for start, stop in pairwise(edges):
        span = slice(int(offsets[start]), int(offsets[stop]))
        weights = flat[span].reshape(stop - start, int(lengths[start]), -1)
        chosen = selected[span].reshape(stop - start, -1, 1)
        total = weights.sum(axis=1, keepdims=True)
        weights = np.where(total > 0, weights, chosen)
        shares = weights / np.where(total > 0, total, np.maximum(chosen.sum(axis=1, keepdims=True), 1))
        share = np.ascontiguousarray(shares.transpose(0, 2, 1), np.float32)
        runs.append((slice(start, stop), span, share))
    return runs


def _postprocess(base: Recipe, vectors: np.ndarray, corpus: Corpus) -> np.ndarray:
    """The base recipe's post-processing, learnt from the vectors of one head."""
    for choice in base.post:
        step = POST.bind(choice)()
        step.fit(vectors[corpus.positions])
        vectors = np.asarray(step.transform(vectors), np.float32)
    return vectors
