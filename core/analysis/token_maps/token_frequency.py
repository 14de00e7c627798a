"""The frequency of tokens: in English, in a corpus, and in the texts of a corpus (idf)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from jaxtyping import Float

from core.analysis.token_maps.vocabulary import Vocabulary
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.sources.source import Source
from core.storage.tables import TableKind
from core.tokens.marks import without_marks
from core.tokens.words import WordShares

TOKEN_COUNTS = TableKind("token-counts", 1)

PER_BILLION = 1e9


def zipf(vocabulary: Vocabulary) -> Float[np.ndarray, " token"]:
    """The Zipf frequency in English of each token that is a word: log10 of its count per billion words.

    The frequencies come from the package ``wordfreq``, as in
    :meth:`~core.tokens.words.WordShares.english`. NaN for pieces of words, punctuation, special tokens,
    and words that are not in its list.
    """
    blank = vocabulary.special | vocabulary.subword | vocabulary.punctuation
    shares = np.array(
        [
            0.0 if no_word else _english(without_marks(text).lower())
            for text, no_word in zip(vocabulary.surface_forms, blank.tolist(), strict=True)
        ]
    )
    return _log10(shares * PER_BILLION)


def log_count(
    engine: Engine, source: Source, vocabulary: Vocabulary, corpus: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " token"]:
    """log10 of each token's count in a corpus; NaN for a token that does not occur.

    The texts are read without template, with special tokens; a repeated text counts each time. The counts
    are stored.
    """
    source, parts = replace(source, template=""), source.counts_of(corpus)

    def count() -> dict[str, np.ndarray]:
        tokens = engine.passes.tokens(source, corpus.sentences, progress)
        return {"counts": np.bincount(tokens.ids, weights=tokens.times(corpus.repeats))}

    counts = engine.store.table(TOKEN_COUNTS, parts, count, progress)["counts"]
    return _log10(_at(counts, vocabulary))


def idf(
    engine: Engine, source: Source, vocabulary: Vocabulary, corpus: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " token"]:
    """log(texts / texts with the token), as in the weight idf; NaN for a token in no text."""
    frequencies = engine.passes.frequencies(source, corpus, progress)
    return np.log(frequencies.texts) - np.log(10) * _log10(_at(frequencies.counts, vocabulary))


@lru_cache(maxsize=1 << 18)
def _english(word: str) -> float:
    """The share of a word in English; cached, since every map asks for the same words."""
    return WordShares.english().share_of(word)


def _at(counts: np.ndarray, vocabulary: Vocabulary) -> Float[np.ndarray, " token"]:
    """The counts of a vocabulary's ids; an id beyond the end of ``counts`` has 0."""
    reach = max(int(vocabulary.ids.max(initial=-1)) + 1, len(counts))
    return np.pad(counts.astype(float), (0, reach - len(counts)))[vocabulary.ids]


def _log10(values: np.ndarray) -> Float[np.ndarray, " token"]:
    return np.log10(values, out=np.full(len(values), np.nan), where=values > 0)
