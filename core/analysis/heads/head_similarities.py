"""Similarities under Ditto with every attention head of a model, from a stored pass.

The similarities equal those of each recipe ``weight=ditto(layer=…, head=…)``, but every chunk of states is
read once for many heads. Stored texts come longest first, so texts of one length are adjacent, and a
batched product ``weights[text, head, token] @ states[text, token, dim]`` pools many heads at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

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
from core.spans import runs
from core.stages.layers import Fusion, by_number, resolve
from core.threads import at_once, one_thread
from core.tokens.states import States

SETTINGS = ("last", "first+last", "0+last", "static")
"""The layers heads are searched under; ``0+last`` is what the paper calls first-last."""

BLOCK_BYTES = 64_000_000
"""Pooled vectors that are held at once, in memory that is used again: new memory costs more than they."""

HELD_BYTES = 256_000_000
"""States up to which they stay in memory for all blocks of heads; more are read for each."""

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
    heads, total = source.location.heads, source.location.depth * source.location.heads
    place = states.tokens.place
    for number, (name, fusion) in enumerate(fusions.items()):
        width = states.read(fusion.layers[0], slice(0, 1)).shape[1]
        block = min(total, max(1, BLOCK_BYTES // (4 * width * max(states.tokens.sentences, 1))))
        memory = np.zeros((states.tokens.sentences, block, width), np.float32)
        fused = _Fused(states, fusion)
        for start in range(0, total, block):
            some = slice(start, min(start + block, total))
            vectors = memory[:, : some.stop - some.start]
            _pool(weighted, fused, some, vectors)
            compare = partial(_similarities, base, corpus, place)
            for i, one in enumerate(at_once(compare, list(vectors.transpose(1, 0, 2))), start):
                layer, head = divmod(i, heads)
                yield name, (layer + 1, head + 1), one
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


@dataclass
class _Fused:
    """The states of a stored pass, their layers made one; read anew each time where they are many."""

    stored: ReadableStates
    fusion: Fusion
    held: list[tuple[States, np.ndarray]] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[States, Float[np.ndarray, "token dim"]]]:
        yield from self.held or self._read()

    def _read(self) -> Iterator[tuple[States, Float[np.ndarray, "token dim"]]]:
        tokens = len(self.stored.tokens.ids)
        for states in chunks(self.stored, self.fusion.layers, diagonals=True):
            fused = np.ascontiguousarray(
                self.fusion.fuse([states.layers[i] for i in self.fusion.layers]), np.float32
            )
            if tokens * 4 * fused.shape[1] <= HELD_BYTES:
                self.held.append((replace(states, layers={}), fused))
            yield states, fused


def _pool(weighted: WeightedStates, fused: _Fused, heads: slice, out: Vectors) -> None:
    """One vector per stored text and head of a slice of all heads."""
    tokens = fused.stored.tokens
    for states, rows in fused:
        selected = weighted.selected[tokens.token_span(states.sentences)]
        shares = _shares(states, selected, tokens.lengths[states.sentences], heads)
        _pool_runs(rows, shares, out[states.sentences])


def _pool_runs(states: np.ndarray, shares: list[tuple[slice, slice, np.ndarray]], out: Vectors) -> None:
    """Pool texts of one length by one product for each; some lengths at once."""

    def pool(run: tuple[slice, slice, np.ndarray]) -> None:
        texts, span, share = run
        rows = states[span].reshape(share.shape[0], share.shape[2], -1)
        np.matmul(share, rows, out[texts])

    with one_thread(max((share[0].size for _, _, share in shares), default=0) * states.shape[1]):
        at_once(pool, shares)


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
    found = []
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    for texts in runs(lengths, slice(0, len(lengths))):
        span = slice(int(offsets[texts.start]), int(offsets[texts.stop]))
        weights = flat[span].reshape(texts.stop - texts.start, int(lengths[texts.start]), -1)
        chosen = selected[span].reshape(texts.stop - texts.start, -1, 1)
        total = weights.sum(axis=1, keepdims=True)
        weights = np.where(total > 0, weights, chosen)
        shares = weights / np.where(total > 0, total, np.maximum(chosen.sum(axis=1, keepdims=True), 1))
        share = np.ascontiguousarray(shares.transpose(0, 2, 1), np.float32)
        found.append((texts, span, share))
    return found


def _similarities(
    base: Recipe,
    corpus: Corpus,
    place: Int[np.ndarray, " position"],
    vectors: Float[np.ndarray, "text dim"],
) -> Float[np.ndarray, " pair"]:
    """The similarities of pairs by the vectors of one head, of each stored text."""
    first, second = corpus.first, corpus.second
    if base.post:
        vectors = _postprocess(base, vectors[place], corpus)
    else:
        first, second = place[first], place[second]
    similarities: np.ndarray = SIMILARITY.bind(base.similarity)(vectors[first], vectors[second])
    return similarities


def _postprocess(base: Recipe, vectors: np.ndarray, corpus: Corpus) -> np.ndarray:
    """The base recipe's post-processing, learnt from the vectors of one head."""
    for choice in base.post:
        step = POST.bind(choice)()
        step.fit(vectors[corpus.positions])
        vectors = np.asarray(step.transform(vectors), np.float32)
    return vectors
