"""The sentences of corpora of longer texts, found once and kept."""

from __future__ import annotations

from core.corpora.corpus import Corpus
from core.corpora.units import in_sentences, split_all
from core.progress import Progress
from core.storage import json_arrays
from core.storage.store import Store
from core.storage.tables import Arrays, TableKind

SENTENCES = TableKind("sentences", 1, ("syntok",))
"""The sentences of a corpus of longer texts."""

SPLIT_A_SECOND = 400_000
"""Characters a second in which sentences are found: WikiText-2 has 10.7 million."""


def by_sentence(store: Store, corpus: Corpus, progress: Progress) -> Corpus:
    """The corpus of the sentences of another."""

    def find() -> Arrays:
        return {"sentences": json_arrays.as_array(split_all(corpus, progress))}

    kept = store.table(SENTENCES, (corpus.texts_fingerprint,), find, progress)
    return in_sentences(corpus, json_arrays.from_array(kept["sentences"]))


def splitting_seconds(store: Store, corpus: Corpus) -> float:
    """About how long finding the sentences of a corpus takes; 0 where they are kept."""
    if store.has_table(SENTENCES, (corpus.texts_fingerprint,)):
        return 0.0
    return sum(map(len, corpus.sentences)) / SPLIT_A_SECOND
