"""The variances of adjacent-layer cosines, brought together by word (SBERT-WK, section III)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.loading import LOADING
from core.tokens import Tokens
from core.tokens.words import TokenWords


@dataclass(frozen=True, eq=False)
class WordVariances:
    """The variances of adjacent-layer cosines of the words of a corpus.

    Attributes
    ----------
    surface_forms
        The different words, in lower case.
    variance
        Mean over a word's occurrences of the variance of its adjacent cosines; the pieces of an occurrence
        are averaged first.
    times
        The number of occurrences of each word.
    texts
        The number of texts with each word.
    function
        Whether a word is one of scikit-learn's English stop words.
    of
        The number of texts.
    """

    surface_forms: tuple[str, ...]
    variance: Float[np.ndarray, " word"]
    times: Float[np.ndarray, " word"]
    texts: Float[np.ndarray, " word"]
    function: Bool[np.ndarray, " word"]
    of: int


def word_variances(
    tokens: Tokens, words: TokenWords, variances: Float[np.ndarray, " token"], repeats: np.ndarray
) -> WordVariances:
    """The variances of tokens brought together by word.

    Parameters
    ----------
    words
        The words of ``tokens``.
    variances
        One for each token.
    repeats
        The number of times that each text of the list occurs in its corpus.
    """
    starts = np.flatnonzero(words.begins)
    named = np.array([bool(text) for text in words.surface_forms], bool)
    kept = tokens.own[starts] & named[words.of[starts]]
    pieces = np.diff(np.append(starts, len(tokens)))
    occurrences = (np.add.reduceat(variances, starts) if len(starts) else np.zeros(0)) / pieces
    word, text = words.of[starts][kept], tokens.sentence[starts][kept]
    weight = repeats[tokens.order].astype(np.float64)
    size = len(words.surface_forms)
    times = np.bincount(word, weight[text], size)
    sums = np.bincount(word, weight[text] * occurrences[kept], size)
    seen = np.unique(text.astype(np.int64) * size + word)
    texts = np.bincount(seen % size, weight[seen // size], size)
    present = np.flatnonzero(times > 0)
    surface_forms = tuple(words.surface_forms[i] for i in present)
    with LOADING:  # here, and not where a page shows what is stored
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return WordVariances(
        surface_forms,
        sums[present] / times[present],
        times[present],
        texts[present],
        np.array([word in ENGLISH_STOP_WORDS for word in surface_forms], bool),
        int(repeats.sum()),
    )
