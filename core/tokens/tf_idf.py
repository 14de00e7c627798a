"""tf-idf of tokens: how often each occurs in its text, times its inverse document frequency."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

PerToken = Float[np.ndarray, " token"]
Whole = Int[np.ndarray, " token"]
Places = Int[np.ndarray, " _"]


def tf_idf(ids: Whole, texts: Whole, idf: PerToken) -> PerToken:
    """The idf of each token, times how often its id occurs in its text; ``texts`` has each token's text."""
    _, which, times = _different(ids, texts)
    return idf * times[which]


def gensim_tf_idf(ids: Whole, texts: Whole, idf: PerToken, unseen: Bool[np.ndarray, " token"]) -> PerToken:
    """tf-idf as the package gensim has it.

    Logarithms are to base 2, a token that is ``unseen`` where the idf was learnt weighs nothing, and the
    weights of a text's different tokens have norm 1; those of a text without a token seen are all 0.
    """
    first, which, times = _different(ids, texts)
    weights = np.where(unseen, 0.0, idf * times[which] / np.log(2))
    squares = np.bincount(texts[first], weights[first] ** 2)
    return weights / np.sqrt(np.where(squares > 0, squares, 1.0))[texts]


def _different(ids: Whole, texts: Whole) -> tuple[Places, Places, Places]:
    """Where each different token of a text is first, which of these each token is, and their counts."""
    _, first, which, times = np.unique(
        texts.astype(np.int64) << 32 | ids, return_index=True, return_inverse=True, return_counts=True
    )
    return first, which, times
