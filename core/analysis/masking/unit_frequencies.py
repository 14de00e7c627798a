"""In how many texts of a corpus the units of masked sentences occur: words or tokens, and their tf-idf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from core.analysis.masking.plan import Level, MaskingPlan
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.progress import Progress, silent
from core.sources.source import Source
from core.storage import json_arrays
from core.storage.tables import TableKind
from core.tokens import DocumentFrequencies, document_frequencies

WORD_FREQUENCIES = TableKind("word-document-frequencies", 1)


@dataclass(frozen=True, eq=False)
class UnitFrequencies:
    """In how many texts of a corpus each unit of masked sentences occurs; its repeats count.

    ``numbers`` has the id of each word; None where units are tokens, which have their own.
    """

    known: DocumentFrequencies
    numbers: Mapping[str, int] | None

    @classmethod
    def of(
        cls, engine: Engine, source: Source, level: Level, learn: Corpus, progress: Progress = silent
    ) -> UnitFrequencies:
        """The frequencies of tokens or words in a corpus; stored."""
        if level == "tokens":
            return cls(engine.passes.frequencies(source, learn, progress), None)
        return cls(*word_frequencies(engine, source, learn, progress))

    def idf(self, planned: MaskingPlan) -> Float[np.ndarray, " unit"]:
        """log(texts / texts with it) of each unit of a sentence; one in no text counts as in one."""
        if self.numbers is None:
            return self.known.idf(planned.ids[planned.starts])
        unseen = len(self.numbers)
        return self.known.idf(np.array([self.numbers.get(word, unseen) for word in planned.counted]))

    def tf_idf(self, planned: MaskingPlan) -> Float[np.ndarray, " unit"]:
        """The idf of each unit, times how often it occurs in the sentence; not scaled to the sentence."""
        times = Counter(planned.counted)
        return self.idf(planned) * [times[word] for word in planned.counted]


def inverse_frequencies(
    engine: Engine, planned: MaskingPlan, learn: Corpus, progress: Progress = silent
) -> Float[np.ndarray, " unit"]:
    """The idf of each unit of one sentence; see :meth:`UnitFrequencies.idf`."""
    return UnitFrequencies.of(engine, planned.source, planned.level, learn, progress).idf(planned)


def word_frequencies(
    engine: Engine, source: Source, corpus: Corpus, progress: Progress = silent
) -> tuple[DocumentFrequencies, dict[str, int]]:
    """The document frequencies of a corpus' words, and the id of each word in them; stored.

    Words are those of the source's tokenizer in lower case, punctuation apart, read without template.
    """
    source, parts = replace(source, template=""), source.counts_of(corpus)

    def count() -> dict[str, np.ndarray]:
        tokens = engine.passes.tokens(source, corpus.sentences, progress)
        words = engine.passes.words(source, tokens)
        frequencies = document_frequencies(replace(tokens, ids=words.of.astype(np.int32)), corpus.repeats)
        surface_forms = json_arrays.as_array(words.surface_forms)
        texts = np.array(frequencies.texts)
        return {"surface_forms": surface_forms, "texts": texts, "counts": frequencies.counts}

    arrays = engine.store.table(WORD_FREQUENCIES, parts, count, progress)
    numbers = {word: i for i, word in enumerate(json_arrays.from_array(arrays["surface_forms"]))}
    return DocumentFrequencies(int(arrays["texts"]), arrays["counts"]), numbers
