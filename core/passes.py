"""Token vectors for texts: from the store, by a forward pass that is then stored, streamed, or looked up.

A source is what a recipe's ``source`` names (an :class:`~core.encoder.Encoder` or a table of token
vectors), reading texts in the recipe's template. All of them give a :class:`~core.chunks.Pass`, and
nothing after this file knows which it was.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.averaged import Averaged, average, contexts, vocabulary_of
from core.chunks import Pass, StreamedPass
from core.corpus import Corpus
from core.encoder import STATIC, Encoder, States
from core.errors import RecipeError, StoreError
from core.lookups import averaged_lookup, vectors_lookup
from core.memo import Memo
from core.models import Location, locate
from core.options import Choice
from core.paragraph import Doc2Vec, paragraph_vectors, whole_texts
from core.progress import Progress, Step, silent
from core.recipe import SOURCE
from core.settings import Settings
from core.static import RandomTable, TablePass, VectorsFile
from core.store import Store, key_of
from core.stored import Layout, StoredPass, layer_file
from core.tokenizer import Tokenizer
from core.tokens import DocumentFrequencies, Tokens, document_frequencies
from core.words import Words, WordShares, words_of
from core.wordtokens import Unknown, tokenise_words
from core.wordvectors import WordVectors, digest_of, open_vectors

TYPICAL_FLOPS = 1e11
CHARACTERS_PER_TOKEN = 4.2


@dataclass(frozen=True, eq=False)
class Source:
    """What a recipe's ``source`` and ``template`` resolved to, with the revision that names its content.

    ``table`` is None for a model; ``learns`` is the corpus that a table is learnt from, if it is.
    ``location`` is the model whose tokenizer is used.
    """

    name: str
    revision: str
    location: Location
    template: str = ""
    table: RandomTable | Averaged | VectorsFile | Doc2Vec | None = None
    learns: Corpus | None = None

    @property
    def is_model(self) -> bool:
        """Whether token vectors come from a forward pass over the very text."""
        return self.table is None

    @property
    def cutting(self) -> tuple[str, ...]:
        """What the tokens of a text depend on beside the text."""
        if isinstance(self.table, VectorsFile | Doc2Vec):
            return (self.revision,)
        return (self.location.revision, str(self.location.max_tokens), self.template)


class Passes:
    """Finds, makes and keeps passes."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._encoders: Memo[Encoder] = Memo(2)
        self._tables: Memo[np.ndarray] = Memo(3)
        self._vectors: Memo[WordVectors] = Memo(4)
        self._lookups: Memo[TablePass] = Memo(16)
        self._streams: Memo[StreamedPass] = Memo(4)

    def source(self, choice: Choice, template: str = "", learns: Corpus | None = None) -> Source:
        """The source a recipe names; no weights are loaded.

        ``learns`` is the corpus that a source learns from; one that does not needs none.
        """
        made = SOURCE.bind(choice)()
        if isinstance(made, str):
            location = locate(made, self.store.digest)
            return Source(location.name, location.revision, location, template)
        if isinstance(made, Averaged):
            location = locate(made.model, self.store.digest)
            corpus = _required(learns, choice)
            revision = f"{made} of {location.revision} over {corpus.fingerprint}"
            name = f"Avg. of {location.name} over {corpus.name}"
            return Source(name, revision, location, template, made, corpus)
        location, name = locate("bundled", self.store.digest), SOURCE.text(choice)
        if isinstance(made, Doc2Vec):
            return Source(name, str(made), location, "", made, _required(learns, choice))
        if isinstance(made, VectorsFile):
            digest = digest_of(Path(made.path), self.store)
            return Source(Path(made.path).name, f"sha256:{digest[:16]} {made.drop}", location, "", made)
        return Source(name, f"{made} over the vocabulary of {location.revision}", location, template, made)

    def layers(self, source: Source) -> tuple[int, ...]:
        """The layer numbers a source offers."""
        if not isinstance(source.table, Averaged | None):
            return (STATIC,)
        return tuple(range(STATIC, source.location.depth + 1))

    def tokenizer(self, source: Source) -> Tokenizer:
        """The tokenizer of a source; a random table uses the bundled encoder's."""
        return self.encoder(source).tokenizer

    def encoder(self, source: Source) -> Encoder:
        """The encoder of a source, its weights not loaded before they are needed."""
        forward = self.settings.forward
        key = (source.location.revision, str(source.location.folder), forward)
        return self._encoders.get(key, lambda: Encoder(source.location, forward))

    def tokens(self, source: Source, texts: Sequence[str], progress: Progress = silent) -> Tokens:
        """The tokens of some texts, without a pass."""
        if isinstance(source.table, Doc2Vec):
            return whole_texts(texts)
        if isinstance(source.table, VectorsFile):
            return self._words(source.table, texts, progress)[0]
        return self.tokenizer(source)(texts, progress, source.template).tokens

    def written(self, source: Source, progress: Progress = silent) -> tuple[str, ...]:
        """The written form of every id of a source, by id; "" for one that stands for nothing."""
        if isinstance(source.table, VectorsFile):
            return self._open_vectors(source.table, progress).words
        return self.tokenizer(source).pieces

    def key(self, source: Source, corpus: Corpus) -> str:
        """What a pass depends on: model content, precision, its limit, the template, and the texts."""
        settings = (self.settings.forward, self.settings.storage)
        limit = source.location.max_tokens
        return key_of(source.name, source.revision, *settings, limit, source.template, corpus.text_digest)

    def get(
        self,
        source: Source,
        corpus: Corpus,
        progress: Progress = silent,
        layers: Sequence[int] | None = None,
        *,
        diagonals: bool = False,
    ) -> tuple[Pass, float]:
        """The pass of a corpus' sentences, and the seconds that making it took just now.

        The seconds hold loading the model and cutting tokens; they are 0 when the pass was found.
        ``layers``, and the attention ``diagonals``, are checked for damage before they are used; all
        when layers is None.
        """
        if not source.is_model:
            return self._look_up(source, corpus, progress)
        key = self.key(source, corpus)
        files = None
        if layers is not None:
            files = [layer_file(i) for i in layers] + ["diagonals"] * diagonals
        if (found := self.store.open(key, files)) is not None:
            return found, 0.0
        if (stream := self._streams.peek(key)) is not None:
            return stream, 0.0
        with self.store.exclusively(key, progress, f"{source.name} on {corpus.name}"):
            if (found := self.store.open(key, files)) is not None:  # another visitor ran it
                return found, 0.0
            begin = time.perf_counter()
            made = self._run(source, corpus, key, progress)
            return made, time.perf_counter() - begin

    def pending(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """About how many seconds each forward pass would take that is not stored yet, by its key."""
        if isinstance(source.table, Averaged):
            model, reference = _averaged_from(source)
            stored = self.store.holds(self._averaged_key(model, reference))
            return {} if stored else self.pending(model, reference)
        key = self.key(source, corpus)
        if not source.is_model or self.store.holds(key):
            return {}
        location = source.location
        around = len(source.template) / CHARACTERS_PER_TOKEN + 2
        lengths = (len(text) / CHARACTERS_PER_TOKEN + around for text in corpus.sentences)
        tokens = sum(min(length, location.max_tokens) for length in lengths)
        return {key: self.seconds_for(source, tokens)}

    def seconds_for(self, source: Source, tokens: float) -> float:
        """About how many seconds a model takes to read so many tokens, special ones included."""
        abouts = [entry.about for entry in self.store.entries() if "kind" not in entry.about]
        timed = [a for a in abouts if a.get("revision") == source.revision and a.get("seconds", 0) > 1]
        if timed:  # the longest tells most: a few tokens say more about starting up than about speed
            about = max(timed, key=lambda about: about["tokens"])
            return float(tokens * about["seconds"] / max(about["tokens"], 1))
        return float(tokens * 24 * source.location.depth * source.location.dim**2 / TYPICAL_FLOPS)

    def frequencies(
        self, source: Source, corpus: Corpus, progress: Progress = silent
    ) -> DocumentFrequencies:
        """In how many texts of a corpus each of the source's token ids occurs; counted once, kept.

        The texts are read as they are, without the template.
        """
        source = replace(source, template="")
        parts = (source.cutting, corpus.text_digest, key_of(corpus.repeats.tolist()))

        def count() -> dict[str, np.ndarray]:
            found = document_frequencies(self.tokens(source, corpus.sentences, progress), corpus.repeats)
            return {"texts": np.array(found.texts), "counts": found.counts}

        arrays = self.store.table("df-" + key_of(*parts), count)
        return DocumentFrequencies(int(arrays["texts"]), arrays["counts"])

    def words(self, source: Source, tokens: Tokens) -> Words:
        """The words behind some tokens of a source."""
        if isinstance(source.table, VectorsFile | Doc2Vec):
            return words_of(tokens, lambda ids: tokens.vocabulary[ids[0]])
        return words_of(tokens, self.tokenizer(source).decode)

    def word_shares(self, source: Source, corpus: Corpus, progress: Progress = silent) -> WordShares:
        """The share of a corpus' running text that each word has, without template; counted once, kept."""
        source = replace(source, template="")
        parts = (source.cutting, corpus.text_digest, key_of(corpus.repeats.tolist()))

        def count() -> dict[str, np.ndarray]:
            tokens = self.tokens(source, corpus.sentences, progress)
            words = self.words(source, tokens)
            shares = WordShares.of_corpus(words, corpus.repeats[tokens.order][tokens.sentence])
            written = np.frombuffer(json.dumps(words.written).encode(), np.uint8)
            return {"written": written, "shares": np.array([*map(shares.share_of, words.written)])}

        arrays = self.store.table("words-" + key_of(*parts), count)
        return WordShares.of_shares(json.loads(arrays["written"].tobytes()), arrays["shares"])

    # -- forward passes --------------------------------------------------------------------------

    def _run(self, source: Source, corpus: Corpus, key: str, progress: Progress) -> Pass:
        encoder = self.encoder(source)
        progress(Step(f"Loading {source.name}", 0, 1))
        encoded = encoder.tokenizer(corpus.sentences, progress, source.template)
        layout = self._layout(source, diagonals=True)
        if not self.store.fits(len(encoded.tokens), layout):
            return self._streams.get(key, lambda: StreamedPass(encoder, encoded))
        about = self._about(source, corpus)
        return self.store.build(
            key, encoded.tokens, layout, lambda start: encoder.run(encoded, start), about, progress
        )

    def _layout(self, source: Source, *, diagonals: bool) -> Layout:
        heads = source.location.heads if diagonals else 0
        return Layout(self.encoder(source).widths, (source.location.depth, heads), self.settings.storage)

    def _about(self, source: Source, corpus: Corpus) -> dict[str, str]:
        forward, names = self.settings.forward, {"model": source.name, "corpus": corpus.name}
        return names | {"revision": source.revision, "forward": forward, "template": source.template}

    # -- token tables ----------------------------------------------------------------------------

    def _look_up(self, source: Source, corpus: Corpus, progress: Progress) -> tuple[TablePass, float]:
        learns = source.learns.fingerprint if source.learns is not None else ""
        key = (source.revision, source.template, corpus.text_digest, learns)
        begin, made = time.perf_counter(), False
        if (found := self._lookups.peek(key)) is None:
            made = not self._is_kept(source, corpus)
            found = self._lookups.get(key, lambda: self._make_lookup(source, corpus, progress))
        return found, time.perf_counter() - begin if made else 0.0

    def _is_kept(self, source: Source, corpus: Corpus) -> bool:
        """Whether a table needs no learning any more."""
        if isinstance(source.table, Averaged):
            return self.store.open(self._averaged_key(*_averaged_from(source))) is not None
        if isinstance(source.table, Doc2Vec):
            return self.store.has_table(_paragraphs_key(source, corpus))
        return True

    def _make_lookup(self, source: Source, corpus: Corpus, progress: Progress) -> TablePass:
        table = source.table
        if isinstance(table, VectorsFile):
            vectors = self._open_vectors(table, progress)
            tokens, unknown = self._words(table, corpus.sentences, progress)
            return vectors_lookup(tokens, vectors, unknown, source.name)
        tokens = self.tokens(source, corpus.sentences, progress)
        if isinstance(table, Doc2Vec):
            rows = self._paragraphs(table, source, corpus, progress)
            return TablePass(tokens, lambda _, ids: rows[ids])
        if isinstance(table, RandomTable):
            size = self.tokenizer(source).vocabulary
            rows = self._tables.get(source.revision, lambda: table.rows(size))
            return TablePass(tokens, lambda _, ids: rows[ids])
        assert isinstance(table, Averaged)  # noqa: S101  (a model is not looked up)
        stored, counts = self._averages(source, progress)
        static_rows = self.encoder(source).static_rows
        return averaged_lookup(tokens, stored, counts, table.least, static_rows, source.name)

    def _paragraphs(self, table: Doc2Vec, source: Source, corpus: Corpus, progress: Progress) -> np.ndarray:
        learns = _required(source.learns, Choice("doc2vec"))
        learn = [learns.sentences[i] for i in learns.positions]

        def make() -> dict[str, np.ndarray]:
            return {"vectors": paragraph_vectors(table, learn, corpus.sentences, progress)}

        return self.store.table(_paragraphs_key(source, corpus), make)["vectors"]

    def _open_vectors(self, table: VectorsFile, progress: Progress) -> WordVectors:
        path = Path(table.path)
        key = digest_of(path, self.store)
        return self._vectors.get(key, lambda: open_vectors(path, self.store, progress))

    def _words(
        self, table: VectorsFile, texts: Sequence[str], progress: Progress
    ) -> tuple[Tokens, Unknown]:
        index = self._open_vectors(table, progress).index
        return tokenise_words(texts, index, drop=table.drop, progress=progress)

    def _averages(self, source: Source, progress: Progress) -> tuple[StoredPass, np.ndarray]:
        """The table of averages, and how often each of its ids occurs."""
        model, reference = _averaged_from(source)
        key = self._averaged_key(model, reference)
        found = self.store.open(key)
        if found is None:
            with self.store.exclusively(key, progress, source.name):
                found = self.store.open(key) or self._average(model, reference, key, progress)

        def count() -> dict[str, np.ndarray]:
            tokens = self.tokens(model, reference.sentences, progress)
            return {"counts": contexts(tokens, reference.repeats)}

        return found, self.store.table(f"contexts-{key}", count)["counts"]

    def _average(self, model: Source, reference: Corpus, key: str, progress: Progress) -> StoredPass:
        found, _ = self.get(model, reference, progress)
        tokens = vocabulary_of(found.tokens)
        self.store.table(f"contexts-{key}", lambda: {"counts": contexts(found.tokens, reference.repeats)})
        layout = self._layout(model, diagonals=False)
        if not self.store.fits(len(tokens), layout):
            raise StoreError(
                f"The averages of {model.name} take {len(tokens) * layout.row_bytes() / 1e6:,.0f} MB, more "
                "than the store may hold; set STRATA_CACHE_GB higher."
            )
        about = self._about(model, reference) | {"kind": "averages"}

        def average_from(start: int) -> Iterator[States]:
            return iter(()) if start else average(found, reference.repeats, progress)

        return self.store.build(key, tokens, layout, average_from, about, progress)

    def _averaged_key(self, model: Source, reference: Corpus) -> str:
        return key_of("averages", self.key(model, reference), reference.repeats.tolist())


def _averaged_from(source: Source) -> tuple[Source, Corpus]:
    """The model whose tokens are averaged, reading plain texts, and the corpus they are averaged over."""
    place = source.location
    return Source(place.name, place.revision, place), _required(source.learns, Choice("averaged"))


def _paragraphs_key(source: Source, corpus: Corpus) -> str:
    learns = _required(source.learns, Choice("doc2vec"))
    return "doc2vec-" + key_of(source.revision, learns.fingerprint, corpus.text_digest)


def _required(corpus: Corpus | None, choice: Choice) -> Corpus:
    if corpus is None:
        raise RecipeError(f"source={choice.name} is learnt from a corpus; name one.")
    return corpus
