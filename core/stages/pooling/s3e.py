"""S3E: how the parts of a text that lie in semantic groups of words vary together, in both its forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

import numpy as np
from jaxtyping import Float

from core.errors import TooFewSentencesError
from core.matrices import leading, units
from core.recipe import POOL
from core.recipe.arguments import Within
from core.recipe.options import FIT
from core.stages.pooling.residuals import Descriptors, Groups, Rows, Seed, Starts, by_spans, residuals, sums
from core.stages.pooling.word_clusters import (
    collect_words,
    learn_groups,
    mean_weights,
    nearest,
    seconds,
    sum_by,
)
from core.stages.pooling.word_damping import Damping, learn_damping
from core.threads import one_thread
from core.tokens.token_batch import Pooled, TokenBatch

MIN_TEXTS = 30
"""Different texts that ``form=released`` needs; a direction removed from two leaves the cosine -1."""

Pool = Callable[[TokenBatch], Pooled]


@POOL.option(learns=FIT, weighted=True, label="S3E", edition=2, seconds=seconds)
def s3e(
    batches: Iterable[TokenBatch],
    *,
    k: Annotated[int, Within(2, 60, "groups of words")] = 10,
    form: Literal["paper", "released"] = "paper",
    centre: Literal["mean", "printed"] = "mean",
    words: Literal["given", "processed"] = "given",
    starts: Starts = 10,
    seed: Seed = 0,
) -> Pool:
    """S3E: how the parts of a text that lie in k semantic groups of words vary together.

    With groups G_i of mean g_i, a text is described by ``v_i = Σ weight · (v_w - g_i)`` over its tokens in
    G_i, and by the covariances of v_1 … v_k, each seen as ``dim`` observations of one variable: the upper
    triangle, √2 off the diagonal, scaled to norm 1. The weights are those of the recipe; the authors'
    are ``weight=sif(a=0.001,punctuation=unknown)``. The text says of g_i that it is the weighted average,
    ``Σ weight · v_w / Σ weight``, as in the released code; equation 2, as printed, divides by the number of
    words instead (``centre=printed``). Either way a word belongs to the group whose weighted average is
    nearest, which is how k-means makes groups.

    ``words=processed`` normalises the words first, as the experiments of the paper do (Wang et al. 2019,
    PVN): mean off, and the ten first principal directions damped to the variance of the eleventh (the
    share ``(λ_j - λ_11) / λ_j`` of each is removed).

    The groups are of the words of the corpus that is scored, as in the released code. With
    ``fit=reference;reference=vocabulary`` they are of English words at large, each once, as the text of the
    paper has them of a vocabulary; words that the source does not know are left out.

    ``form=released`` follows the released code where it differs. Words are always processed, and g_i is the
    weighted average. A word counts once in a text (with the mean of its
    tokens' states and weights), and the weight multiplies the word alone, ``weight · v_w - g_i``. Before
    the covariances stands the sum of the weighted words over their number; from the whole, the first
    direction of the corpus' vectors is removed, not centred, a text as often as it stands there.
    How much the mean counts beside the covariances, of norm 1, is up to the scale of the states. The sizes
    in the paper's tables, 355 from 300 dimensions and 10 groups, are those of this form.

    Parameters
    ----------
    batches
        What is learnt from; ``form=released`` goes through it twice.
    k
        Groups.
    form
        As the paper says, or as its code does.
    centre
        What g_i is: as the text says, or as equation 2 prints it.
    words
        As they are given, or processed.
    starts
        k-means is started so often from other centres of k-means++, and the closest groups count: with one
        start the score depends on the seed.
    seed
        Of k-means++.

    Returns
    -------
    A function from a batch to ``[sentence, k (k + 1) / 2]``, with ``dim`` columns more if released.
    A text gives 0 when it has no tokens or each of them is its group's mean.

    Raises
    ------
    TooFewSentencesError
        Fewer than ``k`` different words, or fewer than 30 texts for the released form.

    References
    ----------
    Wang, Chen, Wang & Kuo 2020, Efficient Sentence Embedding via Semantic Subspace Analysis, eq. 1-8.
    """
    if form == "released":
        return _released(batches, k, seed, starts)
    pool = f"pool=s3e(k={k})"
    table = collect_words(batches, k, pool)
    damp = learn_damping(table.vectors) if words == "processed" else None
    table = table if damp is None else replace(table, vectors=damp(table.vectors))
    groups = learn_groups(table, k, seed, pool, starts)
    taken_off = groups * mean_weights(table, groups)[:, None] if centre == "printed" else groups
    return partial(by_spans, partial(_s3e, damp, taken_off), groups)


def _s3e(damp: Damping | None, taken_off: Groups, groups: Groups, batch: TokenBatch) -> Rows:
    return _covariances(residuals(batch, groups, taken_off, damp)).astype(np.float32)


def _covariances(descriptors: Descriptors) -> Float[np.ndarray, "sentence pair"]:
    """Covariances of the groups, upper triangle with √2 off the diagonal, scaled to norm 1; 0 stays 0.

    They are not divided by ``dim``, which the scaling would undo.
    """
    centred = descriptors - descriptors.mean(axis=2, keepdims=True)
    with one_thread(centred[0].size * centred.shape[1] if len(centred) else 0):
        covariances = np.matmul(centred, centred.transpose(0, 2, 1))
    first, second = np.triu_indices(descriptors.shape[1])
    vectors = covariances[:, first, second] * np.where(first < second, np.sqrt(2), 1.0)
    return units(vectors)


# -- the form of the released code -----------------------------------------------------------------


def _released(batches: Iterable[TokenBatch], k: int, seed: int, starts: int) -> Pool:
    """Learn the groups of the processed words, then the first direction of the corpus' vectors."""
    pool = f"pool=s3e(k={k},form=released)"
    words = collect_words(batches, k, pool)
    damp = learn_damping(words.vectors)
    groups = learn_groups(replace(words, vectors=damp(words.vectors)), k, seed, pool, starts)
    describe = partial(by_spans, partial(_mean_and_covariances, damp), groups)
    moment, texts = np.zeros(()), 0
    for batch in batches:
        vectors = describe(batch)
        moment = moment + vectors.T @ (vectors * batch.repeats[:, None])
        texts += int((vectors.any(axis=1) & (batch.repeats > 0)).sum())
    if texts < MIN_TEXTS:
        raise TooFewSentencesError(
            f"{pool} removes the first direction of its corpus' vectors; it needs {MIN_TEXTS} different "
            f"sentences, got {texts}."
        )
    _, direction = leading(moment, 1)
    return partial(_without, direction, describe)


def _without(direction: Float[np.ndarray, "column 1"], describe: Pool, batch: TokenBatch) -> Rows:
    vectors = describe(batch)
    return (vectors - (vectors @ direction) @ direction.T).astype(np.float32)


def _mean_and_covariances(damp: Damping, groups: Groups, batch: TokenBatch) -> Rows:
    """The vector of each text, before the first direction is removed."""
    kept, texts = batch.selected, len(batch.cls)
    span = int(batch.ids.max(initial=0)) + 1
    keys, word = np.unique(batch.texts[kept] * span + batch.ids[kept], return_inverse=True)
    tokens = np.bincount(word)
    states = damp(batch.states[kept].astype(np.float64))
    vectors = sum_by(word, states, np.ones(len(states)), len(keys)) / tokens[:, None]
    weighted = vectors * (np.bincount(word, batch.weights[kept]) / tokens)[:, None]
    text, group = keys // span, nearest(vectors, groups)
    number = np.bincount(text, minlength=texts)
    mean = sum_by(text, weighted, np.ones(len(keys)), texts) / np.maximum(number, 1)[:, None]
    apart = sums(weighted - groups[group], text, group, (texts, *groups.shape))
    return np.concatenate([mean, _covariances(apart)], axis=1)
