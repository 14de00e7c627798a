"""Token vectors that are looked up: random ones, those of a file, averages over contexts, Doc2Vec's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.corpora.corpus import Corpus
from core.errors import StoreError
from core.progress import Progress
from core.settings import Settings
from core.sources.averaged import Averaged, average, contexts, vocabulary_of
from core.sources.doc2vec import Doc2Vec, paragraph_vectors, seconds, whole_texts
from core.sources.forward_passes import ForwardPasses
from core.sources.joined_vectors import join
from core.sources.lookups import averaged_lookup, vectors_lookup
from core.sources.random_table import RandomTable
from core.sources.source import Source
from core.sources.token_states import TableStates
from core.sources.word_tokenizer import UnknownWords, tokenise_words
from core.sources.word_vectors import VectorsFile, WordVectors, digest_of, open_vectors
from core.storage.keys import key_of
from core.storage.memo import Memo
from core.storage.store import Store
from core.storage.stored_pass import StoredPass
from core.storage.tables import TableKind
from core.tokens import Tokens
from core.tokens.states import STATIC, States

CONTEXTS = TableKind("contexts", 1)
DOC2VEC = TableKind("doc2vec", 1, ("gensim",))


class TokenTables:
    """Finds, learns and keeps tables of token vectors."""

    def __init__(self, settings: Settings, store: Store, forward: ForwardPasses) -> None:
        self.store, self._forward = store, forward
        memory = settings.memory_bytes
        self._random_rows: Memo[np.ndarray] = Memo(memory // 32)
        self._vectors: Memo[WordVectors] = Memo(memory * 3 // 16, lambda vectors: vectors.bytes_in_memory)
        self._lookups: Memo[TableStates] = Memo(memory // 8, lambda states: states.bytes_in_memory)
        store.on_eviction(self._release)

    def tokens(self, source: Source, texts: Sequence[str], progress: Progress) -> Tokens:
        """The tokens of some texts as the table has them."""
        if isinstance(source.table, Doc2Vec):
            return whole_texts(texts)
        if isinstance(source.table, VectorsFile):
            return self._words(source.table, texts, progress)[0]
        return self._forward.tokenizer(source)(texts, progress, source.template).tokens

    def open_vectors(self, table: VectorsFile, progress: Progress) -> WordVectors:
        """The word vectors of a file, or of several side by side."""
        keys = tuple(digest_of(Path(path), self.store) for path in table.paths)

        def opened() -> WordVectors:
            return join([open_vectors(Path(path), self.store, progress) for path in table.paths])

        return self._vectors.get(keys, opened)

    def pending(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """Seconds of what is still to be learnt, by its key: averages need a forward pass."""
        if isinstance(source.table, Doc2Vec) and not self._is_kept(source, corpus):
            return self.training(source, corpus)
        return {} if self.are_read(source) else self._forward.pending(_model_of(source), source.learnt_from)

    def training(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """Seconds of training Doc2Vec, done or not, by its key; nothing for another table."""
        if not isinstance(source.table, Doc2Vec):
            return {}
        key = DOC2VEC.key(_paragraphs_parts(source, corpus))
        return {key: seconds(source.table, _learnt_texts(source), corpus.sentences)}

    def are_read(self, source: Source) -> bool:
        """Whether no forward pass is needed: averages alone need one."""
        return not isinstance(source.table, Averaged) or self.store.holds(self._averaged_key(source))

    def get(self, source: Source, corpus: Corpus, progress: Progress) -> tuple[TableStates, float]:
        """The token vectors of a corpus' sentences, and the seconds that learning took just now."""
        learns = source.learns.texts_fingerprint if source.learns is not None else ""
        key = (source.name, source.revision, source.template, corpus.text_digest, learns)  # notes name it
        begin, learnt = time.perf_counter(), False
        if (states := self._lookups.peek(key)) is None:
            learnt = not self._is_kept(source, corpus)
            states = self._lookups.get(key, lambda: self._make_lookup(source, corpus, progress))
            states.on_growth = lambda grown: self._lookups.put(key, grown)
        return states, time.perf_counter() - begin if learnt else 0.0

    def _is_kept(self, source: Source, corpus: Corpus) -> bool:
        """Whether a table needs no learning any more."""
        if isinstance(source.table, Averaged):
            return self.store.open(self._averaged_key(source)) is not None
        if isinstance(source.table, Doc2Vec):
            return self.store.has_table(DOC2VEC, _paragraphs_parts(source, corpus))
        return True

    def _make_lookup(self, source: Source, corpus: Corpus, progress: Progress) -> TableStates:
        table = source.table
        if isinstance(table, VectorsFile):
            vectors = self.open_vectors(table, progress)
            tokens, unknown = self._words(table, corpus.sentences, progress)
            return vectors_lookup(tokens, vectors, unknown, source.name)
        tokens = self.tokens(source, corpus.sentences, progress)
        if isinstance(table, Doc2Vec):
            rows = self._paragraphs(table, source, corpus, progress)
            return TableStates(tokens, lambda _, ids: rows[ids], tables={STATIC: rows})
        if isinstance(table, RandomTable):
            return TableStates(tokens, lambda _, ids: self._random(source, table)[ids])
        assert isinstance(table, Averaged)  # noqa: S101  (a model is not looked up)
        stored, counts = self._averages(source, progress)
        return averaged_lookup(
            tokens,
            stored,
            counts,
            table.least,
            lambda ids: self._forward.encoder(source).static_rows(
                ids
            ),  # the memo may let go of the encoder
            source.name,
        )

    def _random(self, source: Source, table: RandomTable) -> np.ndarray:
        size = self._forward.tokenizer(source).vocabulary
        return self._random_rows.get(source.revision, lambda: table.rows(size))

    def _release(self, folder: Path) -> None:
        """Let go of what reads files of a folder that is removed from the store."""
        self._lookups.forget(lambda states: states.folder == folder)
        self._vectors.forget(lambda vectors: vectors.matrix.folder == folder)

    def _paragraphs(self, table: Doc2Vec, source: Source, corpus: Corpus, progress: Progress) -> np.ndarray:
        def make() -> dict[str, np.ndarray]:
            return {"vectors": paragraph_vectors(table, _learnt_texts(source), corpus.sentences, progress)}

        parts = _paragraphs_parts(source, corpus)
        return self.store.table(DOC2VEC, parts, make, progress, source.name)["vectors"]

    def _words(
        self, table: VectorsFile, texts: Sequence[str], progress: Progress
    ) -> tuple[Tokens, UnknownWords]:
        index = self.open_vectors(table, progress).index
        return tokenise_words(texts, index, drop=table.drop, progress=progress)

    def _averages(self, source: Source, progress: Progress) -> tuple[StoredPass, np.ndarray]:
        """The table of averages, and how often each of its ids occurs."""
        key, model, reference = self._averaged_key(source), _model_of(source), source.learnt_from
        stored = self.store.open(key)
        if stored is None:
            with self.store.exclusively(key, progress, source.name):
                stored = self.store.open(key) or self._average(model, reference, key, progress)

        def count() -> dict[str, np.ndarray]:
            tokens = self._forward.tokenizer(model)(reference.sentences, progress, "").tokens
            return {"counts": contexts(tokens, reference.repeats)}

        parts = model.counts_of(reference)
        return stored, self.store.table(CONTEXTS, parts, count, progress)["counts"]

    def _average(self, model: Source, reference: Corpus, key: str, progress: Progress) -> StoredPass:
        states, _ = self._forward.get(model, reference, progress)
        tokens = vocabulary_of(states.tokens)
        parts = model.counts_of(reference)
        counts = {"counts": contexts(states.tokens, reference.repeats)}
        self.store.table(CONTEXTS, parts, lambda: counts, progress)
        layout = self._forward.layout(model, diagonals=False)
        if not self.store.fits(len(tokens), layout):
            raise StoreError(
                f"The averages of {model.name} take {len(tokens) * layout.row_bytes() / 1e6:,.0f} MB, more "
                f"than there is room for. {self.store.shortage()}"
            )
        about = self._forward.about(model, reference) | {"kind": "averages"}

        def average_from(start: int) -> Iterator[States]:
            return iter(()) if start else average(states, reference.repeats, progress)

        return self.store.build(key, tokens, layout, average_from, about, progress)

    def _averaged_key(self, source: Source) -> str:
        reference = source.learnt_from
        model_pass = self._forward.key(_model_of(source), reference)
        return key_of("averages", model_pass, reference.repeats.tolist())


def _model_of(source: Source) -> Source:
    """The model whose token states are averaged, without a template."""
    location = source.location
    return Source(location.name, location.revision, location)


def _learnt_texts(source: Source) -> list[str]:
    """The texts that a source learns from, each as often as it occurs."""
    return [source.learnt_from.sentences[i] for i in source.learnt_from.positions]


def _paragraphs_parts(source: Source, corpus: Corpus) -> tuple[str, ...]:
    return source.revision, source.learnt_from.texts_fingerprint, corpus.text_digest
