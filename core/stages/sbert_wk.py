"""How a token's state moves from layer to layer, and the one vector that SBERT-WK makes of its states.

Wang & Kuo (2020), *SBERT-WK*: section III looks at the cosines between the states of a token, IV-A
weighs its layers by how little a state aligns with its neighbours and by how much of it lies outside
their span, IV-B weighs the tokens by how uneven their way is. The paper decomposes a matrix of states
for each token and layer; here all of it follows from the inner products of the token's states, and a
projection on neighbours is an elimination in one small matrix per token.

``window`` is the number of neighbours on either side, 1 or more, as far as there are layers. ``form``
is the paper's arithmetic or that of the authors' program. ``released``

- cuts the neighbours before layer k by a slice from k - window; where that is below 0 it counts from
  the end, so that such a layer mostly has none before it (a last layer with none at all, where the
  program divides by 0, is given those of the paper);
- takes the alignment of the state's projection on the neighbours' span instead of the state's, times
  the number of states in the window, its own included;
- has no ω: both weights count the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float

from core.threads import in_threads

Form = Literal["paper", "released"]
LayerStates = Sequence[Float[np.ndarray, "token dim"]]
Matrices = Float[np.ndarray, "token layer layer"]
Shares = Float[np.ndarray, "token layer"]

BLOCK_BYTES = 2_000_000
"""States in float64 that are multiplied at once: they stay in a core's own cache."""

ROUNDING = 1e-12
"""Squared parts of a state, and variances of cosines, up to this are rounding of float32 states."""

LEAST_COSINE = 1e-3
"""Alignments below it, negative ones too, count as this much: no weight is negative or unbounded."""


def gram(states: LayerStates, reach: int | None = None) -> Matrices:
    """Inner products of every token's states, in float64, from one layer's float32 states or more.

    With ``reach`` only of layers that far apart at most, 0 for others: 1 is enough for :func:`variance`.
    The result is a view whose memory runs along the tokens: the functions below are fastest with it.
    """
    layers, (tokens, dim) = len(states), states[0].shape
    size = max(1, min(tokens, BLOCK_BYTES // (8 * layers * dim)))
    products = np.zeros((layers, layers, tokens))

    def multiply(some: slice) -> None:
        block = np.empty((layers, size, dim))
        for span in _spans(some, size):
            rows = block[:, : span.stop - span.start]
            for i, state in enumerate(states):
                rows[i] = state[span]
                near = slice(0 if reach is None else max(i - reach, 0), i + 1)
                np.vecdot(rows[near], rows[i], out=products[i, near, span])

    in_threads(multiply, tokens)
    for i in range(layers):
        products[:i, i] = products[i, :i]
    return _tokens_first(products)


def cosines(gram: Matrices) -> Matrices:
    """Cosines of every token's states (eq. 2), -1 to 1; 0 with a zero state, itself included."""
    products = _layers_first(gram)
    norms = np.sqrt(np.einsum("iit->it", products))
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    scaled = products * scale[:, None] * scale
    return _tokens_first(np.clip(scaled, -1, 1, out=scaled))


def hops(cosines: Matrices) -> Float[np.ndarray, "token layer-1"]:
    """Mean cosine of layers k apart, k = 1 to one less than there are layers (Fig. 1 e-h)."""
    tokens, layers, _ = cosines.shape
    curves = np.empty((tokens, layers - 1))
    for hop in range(1, layers):
        curves[:, hop - 1] = np.diagonal(cosines, hop, 1, 2).mean(axis=1)
    return curves


def variance(gram: Matrices) -> Float[np.ndarray, " token"]:
    """Population variance of the cosines of adjacent layers (section III), not scaled to any sum.

    0 for a token whose cosines are the same up to rounding; with fewer than three layers all are 0.
    """
    tokens, layers, _ = gram.shape
    if layers < 3:
        return np.zeros(tokens)
    spread = np.diagonal(cosines(gram), 1, 1, 2).var(axis=1)
    return np.where(spread > ROUNDING, spread, 0.0)


def alignment(gram: Matrices, window: int = 2, form: Form = "paper") -> Shares:
    """Inverse alignment weights (eq. 5, 6): 1 / mean cosine with the neighbours, scaled to sum 1.

    A zero state gets 0. Uniform where every state is zero, or all have the same direction.
    """
    cosine, windows = _layers_first(cosines(gram)), _windows(gram.shape[1], window, form)
    left = _left(cosine, windows) if form == "released" else None
    return _tokens_first(_alignment(cosine, windows, left))


def residuals(gram: Matrices, window: int = 2, form: Form = "paper") -> Shares:
    """‖v - P v‖² / ‖v‖² of every state, P the projection on the neighbours; 0 for a zero state."""
    return _tokens_first(_left(_layers_first(cosines(gram)), _windows(gram.shape[1], window, form)))


def novelty(gram: Matrices, window: int = 2, form: Form = "paper") -> Shares:
    """Novelty weights (eq. 7, 8): ‖v - P v‖ / ‖v‖, P the projection on the neighbours, to sum 1.

    A zero state gets 0. Uniform where no state has anything that its neighbours have not.
    """
    return _tokens_first(_to_sum_1(np.sqrt(_layers_first(residuals(gram, window, form)))))


def alphas(gram: Matrices, window: int = 2, omega: float = 0.5, form: Form = "paper") -> Shares:
    """Weights of a token's layers (eq. 9), of sum 1.

    Parameters
    ----------
    gram
        Inner products of the layers that take part; the paper leaves out the first ones.
    window, form
        As above.
    omega
        Share of the alignment, 0 to 1, the rest is novelty; ``released`` does not heed it and takes 1/2.
    """
    cosine, windows = _layers_first(cosines(gram)), _windows(gram.shape[1], window, form)
    left, released = _left(cosine, windows), form == "released"
    share = 0.5 if released else omega
    aligned = _alignment(cosine, windows, left if released else None)
    return _tokens_first(share * aligned + (1 - share) * _to_sum_1(np.sqrt(left)))


def fuse(states: LayerStates, alpha: Shares) -> Float[np.ndarray, "token dim"]:
    """One float32 vector per token (eq. 10): the sum of its states, each times its layer's weight."""
    weights = np.ascontiguousarray(alpha.T, np.float32)[:, :, None]
    fused = np.empty_like(states[0])
    size = max(1, BLOCK_BYTES // (8 * fused.shape[1]))

    def add(some: slice) -> None:
        part = np.empty((size, fused.shape[1]), fused.dtype)
        for span in _spans(some, size):
            into, own = fused[span], part[: span.stop - span.start]
            np.multiply(states[0][span], weights[0, span], out=into)
            for state, weight in zip(states[1:], weights[1:], strict=True):
                into += np.multiply(state[span], weight[span], out=own)

    in_threads(add, len(fused))
    return fused


# -- inside: [layer, layer, token] and [layer, token], so that operations run along the tokens ------


def _spans(some: slice, size: int) -> Iterator[slice]:
    """Parts of a span of rows, of that size."""
    for start in range(some.start, some.stop, size):
        yield slice(start, min(start + size, some.stop))


def _windows(layers: int, window: int, form: Form) -> list[list[int]]:
    """The neighbours of each layer."""
    every, windows = list(range(layers)), []
    for k in every:
        before = every[max(k - window, 0) : k]
        cut = every[k - window : k] if form == "released" else before
        windows.append(cut + every[k + 1 : k + window + 1] or before)
    return windows


def _left(cosine: np.ndarray, windows: list[list[int]]) -> np.ndarray:
    """‖v - P v‖² / ‖v‖², 0 for a zero state."""
    orders = [[*window, k] for k, window in enumerate(windows)]
    return np.stack([_last_pivot(cosine[np.ix_(order, order)]) for order in orders])


def _last_pivot(matrix: np.ndarray) -> np.ndarray:
    """What elimination leaves of the last diagonal element; ``matrix`` is used up.

    A row that depends on those before it adds nothing to their span and is passed over.
    """
    for i in range(len(matrix) - 1):
        pivot, below = matrix[i, i], matrix[i + 1 :, i]
        factor = np.divide(below, pivot, out=np.zeros_like(below), where=pivot > ROUNDING)
        matrix[i + 1 :, i + 1 :] -= factor[:, None] * matrix[i, i + 1 :]
    return np.where(matrix[-1, -1] > ROUNDING, matrix[-1, -1], 0.0)


def _alignment(cosine: np.ndarray, windows: list[list[int]], left: np.ndarray | None) -> np.ndarray:
    """The paper's weights, or those of the released program from what projections leave."""
    alone = np.ones(cosine.shape[-1])
    mean = np.stack([cosine[k, w].mean(axis=0) if w else alone for k, w in enumerate(windows)])
    present = np.einsum("iit->it", cosine)  # 1, or 0 for a zero state
    if left is None:
        return _to_sum_1(present / np.maximum(mean, LEAST_COSINE))
    inside = 1 - left
    mean = np.divide(mean, np.sqrt(inside), out=mean.copy(), where=inside > ROUNDING)
    counts = np.array([[len(window) + 1] for window in windows])
    weights = _to_sum_1(present / (np.maximum(mean, LEAST_COSINE) * counts))
    return np.where(cosine.min(axis=(0, 1)) > 1 - ROUNDING, 1 / len(windows), weights)


def _to_sum_1(values: np.ndarray) -> np.ndarray:
    """``values`` scaled to sum 1 over the layers; uniform where all are 0."""
    total = values.sum(axis=0)
    return np.divide(values, total, out=np.full_like(values, 1 / len(values)), where=total > 0)


def _layers_first(matrix: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(np.moveaxis(matrix, 0, -1))


def _tokens_first(matrix: np.ndarray) -> np.ndarray:
    return np.moveaxis(matrix, -1, 0)
