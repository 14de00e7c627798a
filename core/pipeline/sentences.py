"""The sentences of corpora of longer texts, found once and kept.

They are kept in parts too, so that what was stopped goes on where it was.
"""

from __future__ import annotations

import numpy as np

from core.corpora.corpus import Corpus
from core.corpora.units import in_sentences, split_some
from core.progress import Progress
from core.storage import json_arrays
from core.storage.store import Store
from core.storage.tables import Arrays, TableKind

SENTENCES = TableKind("sentences", 1, ("syntok",))
"""The sentences of a corpus of longer texts, and of each part of its texts."""

PART = 1_000_000
"""Characters of the texts of a part, about."""

SPLIT_A_SECOND = 400_000
"""Characters a second in which sentences are found: WikiText-2 has 10.7 million."""


def by_sentence(store: Store, corpus: Corpus, progress: Progress) -> Corpus:
    """The corpus of the sentences of another.

    Raises :class:`CorpusError` for a corpus without any.
    """

    def find() -> Arrays:
        found: list[str] = []
        for part in _parts(corpus):
            found += _of_part(store, corpus, part, progress)
        return {"sentences": json_arrays.as_array(found)}

    kept = store.table(SENTENCES, (corpus.texts_fingerprint,), find, progress)
    return in_sentences(corpus, json_arrays.from_array(kept["sentences"]))


def splitting_seconds(store: Store, corpus: Corpus) -> float:
    """About how long finding the sentences of a corpus takes that are not kept; 0 where all are."""
    if store.has_table(SENTENCES, (corpus.texts_fingerprint,)):
        return 0.0
    left = [part for part in _parts(corpus) if not store.has_table(SENTENCES, _key(corpus, part))]
    characters = sum(len(corpus.sentences[place]) for part in left for place in part)
    return max(1, characters) / SPLIT_A_SECOND  # parts that are kept are still to be joined


def _of_part(store: Store, corpus: Corpus, part: range, progress: Progress) -> list[str]:
    def find() -> Arrays:
        return {"sentences": json_arrays.as_array(split_some(corpus, part, progress))}

    found: list[str] = json_arrays.from_array(
        store.table(SENTENCES, _key(corpus, part), find, progress)["sentences"]
    )
    return found


def _key(corpus: Corpus, part: range) -> tuple[object, ...]:
    return corpus.texts_fingerprint, part.start, part.stop


def _parts(corpus: Corpus) -> list[range]:
    """The places of the texts of each part."""
    through = np.cumsum([len(text) for text in corpus.sentences])
    ends = [*(np.flatnonzero(np.diff((through - 1) // PART)) + 1).tolist(), len(through)]
    return [range(first, end) for first, end in zip([0, *ends], ends, strict=False)]
