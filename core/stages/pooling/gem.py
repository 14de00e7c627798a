"""GEM: tokens are weighted by what they add to their neighbours, and a text loses its commonest directions.

Everything about a text's geometry follows from the inner products of its tokens' states, so that texts of
equal length are worked on together, in matrices no wider than a text or a window is long, or than a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from jaxtyping import Bool, Float, Int

from core.errors import RecipeError, TooFewSentencesError
from core.matrices import leading
from core.recipe import POOL
from core.recipe.arguments import Within
from core.recipe.options import FIT
from core.threads import one_thread
from core.tokens.token_batch import Pooled, TokenBatch

NUMBERS = 1 << 21
"""Numbers that texts of one length may take at a time (16 MB)."""

TINY = 1e-10
"""Squared share of a token's length below which it adds nothing: float32 states say no more."""

Texts = Float[np.ndarray, "sentence token dim"]
Steps = Float[np.ndarray, "sentence token step"]


@dataclass(frozen=True, eq=False)
class Directions:
    """Principal directions of a corpus as columns, with their singular values, largest first."""

    columns: Float[np.ndarray, "dim direction"]
    values: Float[np.ndarray, " direction"]


@POOL.option(learns=FIT, label="GEM")
def gem(
    batches: Iterable[TokenBatch],
    *,
    m: Annotated[int, Within(1, 20, "neighbours on each side of a token")] = 7,
    k: Annotated[int, Within(25, 1000, "principal directions of the corpus to choose from")] = 45,
    h: Annotated[int, Within(1, 25, "directions chosen for a text and removed from it")] = 17,
    t: Annotated[float, Within(1, 6, "power of the singular values in a text's coarse vector")] = 3.0,
) -> Callable[[TokenBatch], Pooled]:
    """GEM: tokens weighted by novelty, significance and uniqueness; h common directions removed.

    Of a token with state v, let r be the length of what of it is orthogonal to its m neighbours on each
    side, and q that part at length 1 (the last column of Q and the last entry of R in the QR factorisation
    of the window, the token last). Its weight is the sum of

    - the novelty ``exp(r / |v|)``,
    - the significance ``r / (2m + 1)``,
    - the uniqueness ``exp(-|σ ∘ qᵀD| / h)``,

    where D has h of the k principal directions of the corpus: those with the largest ``σ_j |S d_j|`` for
    this text's states S. The weighted sum of the states, less its part in D, is the sentence vector.
    Principal directions d_j and singular values σ_j are those of the corpus' coarse vectors, not centred, a
    text as often as it stands there: ``Σ_j s_j^t u_j`` over the singular values s and vectors u of S.
    Selected tokens alone take part, in their order; the recipe's weights are not used. Significance and
    uniqueness depend on the scale of the states, as they do in the paper.

    Where the sources are silent: r is used without its sign. A token that adds nothing to its neighbours
    (one that stands twice in a window, in a static source) has no q and uniqueness 1, as in the released
    code. Singular vectors, of which a factorisation may as well give the opposite, point to the token with
    the largest part in them. A k above ``dim`` means all directions. The released code differs in one
    thing: it divides the significance by the tokens in the window, fewer at the ends of a text.

    Parameters
    ----------
    batches
        What the principal directions are learnt from.
    m, k, h, t
        As above; the defaults are the paper's.

    Returns
    -------
    A function from a batch to ``[sentence, dim]``; a text without tokens gives 0.

    Raises
    ------
    RecipeError
        ``h`` is not below ``dim``: nothing would be left.
    TooFewSentencesError
        No more texts than directions: they would say what these texts are, not what is common.

    References
    ----------
    Yang, Zhu & Chen 2019, Parameter-free Sentence Embedding via Orthogonal Basis.
    """
    return partial(_pool, _learn(batches, k, h, t), m, h)


# -- learning ----------------------------------------------------------------------------------------


def _learn(batches: Iterable[TokenBatch], k: int, h: int, t: float) -> Directions:
    """Principal directions of the coarse vectors of a corpus' texts."""
    moment, number = np.zeros(()), 0
    for batch in batches:
        dim = batch.states.shape[1]
        if h >= dim:
            raise RecipeError(
                f"pool=gem: h={h} directions removed of {dim} dimensions leave nothing; allowed are 1 "
                f"to {dim - 1} with these states."
            )
        for texts, states in _by_length(batch, dim):
            with one_thread(states[0].size * states.shape[1]):
                coarse = _coarse(states, t)
            moment = moment + coarse.T @ (coarse * batch.repeats[texts, None])
            number += int(np.count_nonzero(batch.repeats[texts]))
    wanted = min(k, len(moment)) if moment.ndim else k
    if number <= wanted:
        raise TooFewSentencesError(
            f"pool=gem(k={k}) learns {wanted} principal directions; it needs more than {wanted} different "
            f"sentences, got {number}."
        )
    values, columns = leading(moment, wanted)
    real = values > values[0] * len(moment) * np.finfo(np.float64).eps
    return Directions(columns[:, real].copy(), np.sqrt(values[real]))


def _coarse(states: Texts, t: float) -> Float[np.ndarray, "sentence dim"]:
    """``Σ_j s_j^t u_j``, which is ``Sᵀ Σ_j s_j^(t-1) v_j``; v_j and s_j² are of ``S Sᵀ``.

    Of a text with more tokens than dimensions, u_j and s_j² are of ``Sᵀ S``, and ``S u_j`` is ``s_j v_j``.
    """
    turned = states.transpose(0, 2, 1)
    if states.shape[1] > states.shape[2]:
        squares, own = np.linalg.eigh(turned @ states)
        powers = np.maximum(squares, 0) ** (t / 2)
        return ((own * _signs(states @ own)) @ powers[:, :, None])[:, :, 0]
    squares, tokens = np.linalg.eigh(states @ turned)
    powers = np.maximum(squares, 0) ** ((t - 1) / 2)
    each = (tokens * _signs(tokens)) @ powers[:, :, None]
    return (each * states).sum(axis=1)


def _signs(
    tokens: Float[np.ndarray, "sentence token direction"],
) -> Float[np.ndarray, "sentence 1 direction"]:
    """The sign of the largest part of each direction, of the first of equals."""
    size = np.abs(tokens)
    largest = np.argmax(size > size.max(axis=1, keepdims=True) * (1 - 1e-6), axis=1)
    return np.sign(np.take_along_axis(tokens, largest[:, None], axis=1))


# -- one batch -----------------------------------------------------------------------------------------


def _pool(directions: Directions, m: int, h: int, batch: TokenBatch) -> Pooled:
    dim = batch.states.shape[1]
    out = np.zeros((len(batch.cls), dim), np.float32)
    for texts, states in _by_length(batch, dim + 2 * m * (2 * m + directions.columns.shape[1])):
        along = np.tensordot(states, directions.columns, axes=1)
        chosen = _choose(along, directions.values, h)
        with one_thread(along[0].size * along.shape[1]):
            weights = _weights(states, along, directions.values * chosen, m, h)
        pooled = (weights[:, :, None] * states).sum(axis=1)
        common = (pooled @ directions.columns) * chosen
        out[texts] = pooled - common @ directions.columns.T
    return out


def _by_length(batch: TokenBatch, numbers: int) -> Iterator[tuple[Int[np.ndarray, " sentence"], Texts]]:
    """Places and states of texts with equally many selected tokens, so many at a time.

    ``numbers`` is what a token takes, beside its inner products with the others of a short text.
    """
    kept = batch.states[batch.selected]
    lengths = np.bincount(batch.texts[batch.selected], minlength=len(batch.cls))
    starts = np.cumsum(lengths) - lengths
    for length in np.unique(lengths[lengths > 0]):
        texts = np.flatnonzero(lengths == length)
        step = max(NUMBERS // int(length * (numbers + length)), 1)
        for some in (texts[i : i + step] for i in range(0, len(texts), step)):
            yield some, kept[starts[some][:, None] + np.arange(length)].astype(np.float64)


def _choose(
    along: Float[np.ndarray, "sentence token direction"], values: Float[np.ndarray, " direction"], h: int
) -> Bool[np.ndarray, "sentence direction"]:
    """The ``h`` directions that a text goes along most, each times its singular value."""
    order = np.argsort(-values * np.linalg.norm(along, axis=1), axis=1, kind="stable")
    chosen = np.zeros(order.shape, bool)
    np.put_along_axis(chosen, order[:, :h], True, axis=1)
    return chosen


def _weights(
    states: Texts,
    along: Float[np.ndarray, "sentence token direction"],
    values: Float[np.ndarray, "sentence direction"],
    m: int,
    h: int,
) -> Float[np.ndarray, "sentence token"]:
    """Novelty, significance and uniqueness of each token, added up.

    ``along`` has the inner products of tokens and directions; ``values`` the singular values of the
    directions chosen for each text, 0 for the others.
    """
    lengths = np.linalg.norm(states, axis=2)
    units = np.where(lengths > 0, lengths, 1.0)[:, :, None]
    around, inside = _windows(states.shape[1], m)
    share, parts = _new_part(_cosines(states / units, around.shape[1]), around, inside)
    directed = along / units
    taken = (parts[:, :, None, :] @ directed[:, around])[:, :, 0]
    new = (directed - taken) / np.where(share > 0, share, np.inf)[:, :, None]
    common = np.linalg.norm(values[:, None, :] * new, axis=2)
    return np.exp(share) + share * lengths / (2 * m + 1) + np.exp(-common / h)


def _cosines(units: Texts, farthest: int) -> Steps:
    """The inner product of each token and the one so many steps behind it, of up to ``farthest`` steps."""
    length = units.shape[1]
    cosines = np.zeros((*units.shape[:2], farthest + 1))
    for step in range(min(farthest, length - 1) + 1):
        behind = units[:, step:]
        cosines[:, : length - step, step] = np.einsum("std,std->st", units[:, : length - step], behind)
    return cosines


def _new_part(
    cosines: Steps, around: Int[np.ndarray, "token neighbour"], inside: Bool[np.ndarray, "token neighbour"]
) -> tuple[Float[np.ndarray, "sentence token"], Float[np.ndarray, "sentence token neighbour"]]:
    """What of each token, at length 1, is orthogonal to its neighbours.

    Returns its length, 0 when it is next to nothing, and how much of each neighbour (at length 1) is taken
    from the token to get it. Neighbours may depend on each other: the pseudo-inverse of their inner
    products projects on what they span.
    """

    def between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return cosines[:, np.minimum(one, other), np.abs(one - other)]

    token = np.arange(len(around))
    both = inside[:, :, None] & inside[:, None, :]
    among = np.where(both, between(around[:, :, None], around[:, None, :]), 0.0)
    own = np.where(inside, between(token[:, None], around), 0.0)
    values, vectors = np.linalg.eigh(among)
    inverse = np.where(values > TINY, 1 / np.where(values > TINY, values, 1.0), 0.0)
    parts = (((own[:, :, None] @ vectors) * inverse[:, :, None]) @ vectors.transpose(0, 1, 3, 2))[:, :, 0]
    squared = cosines[:, :, 0] - (own * parts).sum(axis=2)
    return np.sqrt(np.where(squared > TINY, squared, 0.0)), parts


def _windows(
    length: int, m: int
) -> tuple[Int[np.ndarray, "token neighbour"], Bool[np.ndarray, "token neighbour"]]:
    """Places of up to ``m`` tokens before and after each one, and which of them are inside the text.

    Outside of it the place is the token's own, which is never its neighbour.
    """
    reach = max(min(m, length - 1), 1)
    steps = np.delete(np.arange(-reach, reach + 1), reach)
    token = np.arange(length)[:, None]
    inside = (token + steps >= 0) & (token + steps < length)
    return np.where(inside, token + steps, token), inside
