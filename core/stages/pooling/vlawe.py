"""VLAWE: what a text's tokens have over the means of semantic groups of words, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Literal

import numpy as np

from core.matrices import units
from core.recipe import POOL
from core.recipe.arguments import Within
from core.recipe.options import FIT
from core.stages.pooling.residuals import Groups, Rows, Seed, Starts, by_spans, residuals
from core.stages.pooling.word_clusters import collect_words, learn_groups, seconds
from core.tokens.token_batch import Pooled, TokenBatch


@POOL.option(
    learns=FIT,
    weighted=True,
    label="VLAWE",
    edition=2,
    width=lambda arguments, dim: arguments["k"] * dim,
    seconds=seconds,
)
def vlawe(
    batches: Iterable[TokenBatch],
    *,
    k: Annotated[int, Within(1, 30, "groups of words")] = 10,
    scaled: Literal["no", "root"] = "no",
    starts: Starts = 10,
    seed: Seed = 0,
) -> Callable[[TokenBatch], Pooled]:
    """VLAWE: what a text's tokens have over the mean of their group of words, summed in each of k groups.

    ``v_i = Σ weight · (v_w - g_i)`` over the tokens in group i; all v_i side by side. With uniform weights
    and ``scaled=root`` this is the authors' method: they take the square root of every number's size, which
    keeps its sign, and scale the vector to norm 1.

    Parameters
    ----------
    batches
        What is learnt from.
    k
        Groups.
    scaled
        Whether each number is put to its root and the vector to norm 1; a zero vector stays zero.
    starts
        Starts of k-means, of which the closest groups count.
    seed
        Of k-means++.

    Returns
    -------
    A function from a batch to ``[sentence, k · dim]``; a text without tokens gives 0.

    Raises
    ------
    TooFewSentencesError
        Fewer than ``k`` different words.

    References
    ----------
    Ionescu & Butnaru 2019, Vector of Locally-Aggregated Word Embeddings (VLAWE): A Novel Document-level
    Representation.
    """
    pool = f"pool=vlawe(k={k})"
    groups = learn_groups(collect_words(batches, k, pool), k, seed, pool, starts)
    return partial(by_spans, partial(_vlawe, scaled == "root"), groups)


def _vlawe(root: bool, groups: Groups, batch: TokenBatch) -> Rows:
    rows = residuals(batch, groups, groups).reshape(len(batch.cls), groups.size)
    if root:
        rows = np.sign(rows) * np.sqrt(np.abs(rows))
        rows = units(rows)
    return rows.astype(np.float32)
