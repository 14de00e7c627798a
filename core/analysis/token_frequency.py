"""How frequent tokens are: in English, in a corpus, and in how many of its texts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from jaxtyping import Float

from core.analysis.vocabulary import Vocabulary, bare
from core.corpus import Corpus
from core.embed import Road
from core.passes import Source
from core.progress import Progress, silent
from core.store import key_of
from core.words import WordShares

PER_BILLION = 1e9


def zipf(vocabulary: Vocabulary) -> Float[np.ndarray, " token"]:
    """The Zipf frequency in English of each token that is a word: log10 of times in a billion words.

    By the package ``wordfreq``, as in :meth:`~core.words.WordShares.english`. NaN for pieces of words,
    punctuation, special tokens, and words that are not in its list.
    """
    blank = vocabulary.special | vocabulary.subword | vocabulary.punctuation
    found = np.array(
        [
            0.0 if none else _english(bare(text).lower())
            for text, none in zip(vocabulary.written, blank.tolist(), strict=True)
        ]
    )
    return _log10(found * PER_BILLION)


def log_count(
    road: Road, source: Source, vocabulary: Vocabulary, corpus: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " token"]:
    """log10 of how often each token occurs in a corpus; NaN for one that does not.

    The texts are read plain, each counted as often as it stands in the corpus, special tokens included.
    Counted once, and kept.
    """
    source = replace(source, template="")

    def count() -> dict[str, np.ndarray]:
        tokens = road.passes.tokens(source, corpus.sentences, progress)
        times = corpus.repeats[tokens.order][tokens.sentence]
        return {"counts": np.bincount(tokens.ids, weights=times)}

    key = key_of("token counts", source.cutting, corpus.text_digest, corpus.repeats.tolist())
    counts = road.store.table(f"token-counts-{key}", count)["counts"]
    return _log10(_at(counts, vocabulary))


def idf(
    road: Road, source: Source, vocabulary: Vocabulary, corpus: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " token"]:
    """log(texts / texts with the token), as the weight idf has it; NaN for a token in no text."""
    found = road.passes.frequencies(source, corpus, progress)
    return np.log(found.texts) - np.log(10) * _log10(_at(found.counts, vocabulary))


@lru_cache(maxsize=1 << 18)
def _english(word: str) -> float:
    """The share of a word; remembered, for every drawing of a map asks for the same ones."""
    return WordShares.english().share_of(word)


def _at(counts: np.ndarray, vocabulary: Vocabulary) -> Float[np.ndarray, " token"]:
    """Counts by id for the tokens of a vocabulary; ids beyond the end have 0."""
    reach = max(int(vocabulary.ids.max(initial=-1)) + 1, len(counts))
    return np.pad(counts.astype(float), (0, reach - len(counts)))[vocabulary.ids]


def _log10(values: np.ndarray) -> Float[np.ndarray, " token"]:
    return np.log10(values, out=np.full(len(values), np.nan), where=values > 0)
