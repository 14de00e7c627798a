"""What the tokens of a text have over the mean of their semantic group, which S3E and VLAWE pool.

A token belongs to the group whose mean is nearest to its state, whatever its id
(:mod:`core.stages.pooling.word_clusters` makes the groups).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
from jaxtyping import Float, Int

from core.recipe.arguments import Within
from core.stages.pooling.word_clusters import nearest, sum_by
from core.tokens.token_batch import TokenBatch

NUMBERS = 1 << 20
"""Numbers that the descriptors of a span of texts may take at a time (8 MB)."""

Starts = Annotated[int, Within(1, 100, "starts of k-means, of which the best counts")]
Seed = Annotated[int, Within(0, 2**31 - 1, "of the groups' first centres")]

States = Float[np.ndarray, "row dim"]
Rows = Float[np.ndarray, "sentence column"]
Groups = Float[np.ndarray, "group dim"]
Descriptors = Float[np.ndarray, "sentence group dim"]


def by_spans(describe: Callable[[Groups, TokenBatch], Rows], groups: Groups, batch: TokenBatch) -> Rows:
    """What ``describe`` says of a batch, asked for so many texts at a time that little memory is needed."""
    step = max(NUMBERS // groups.size, 1)
    starts = range(0, max(len(batch.cls), 1), step)
    return np.concatenate([describe(groups, batch.part(i, i + step)) for i in starts])


def residuals(
    batch: TokenBatch,
    groups: Groups,
    taken_off: Groups,
    process: Callable[[States], States] | None = None,
) -> Descriptors:
    """The sum over each text's tokens in each group of ``weight · (state - what is taken off)``.

    ``process`` is done to the states first; the groups are of processed words then.
    """
    kept = batch.selected
    states = batch.states[kept].astype(np.float64)
    states = process(states) if process else states
    group = nearest(states, groups)
    rows = batch.weights[kept, None] * (states - taken_off[group])
    return sums(rows, batch.texts[kept], group, (len(batch.cls), *groups.shape))


def sums(
    rows: Float[np.ndarray, "row dim"],
    text: Int[np.ndarray, " row"],
    group: Int[np.ndarray, " row"],
    shape: tuple[int, int, int],
) -> Descriptors:
    """The sum of the rows of each text in each group."""
    texts, groups, _ = shape
    return sum_by(text * groups + group, rows, np.ones(len(rows)), texts * groups).reshape(shape)
