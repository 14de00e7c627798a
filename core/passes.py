"""Token vectors for texts: from the store, by a forward pass that is then stored, or streamed.

A source is what a recipe's ``source`` names: an :class:`~core.encoder.Encoder` or a table of token
vectors. All of them give a :class:`Pass`, and nothing after this file knows which it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import numpy as np

from core.corpus import Corpus
from core.encoder import STATIC, Encoder, States
from core.memo import Memo
from core.models import Location, locate
from core.options import Choice
from core.progress import Progress, Step, silent
from core.recipe import SOURCE
from core.settings import Settings
from core.static import RandomTable, TablePass
from core.store import Store, key_of
from core.stored import Layout, layer_file
from core.tokenizer import Encoded, Tokenizer
from core.tokens import DocumentFrequencies, Tokens, document_frequencies

CHUNK_BYTES = 16_000_000
"""States that are read at once: small enough to stay near the processor, large enough to be few."""

TYPICAL_FLOPS = 1e11
CHARACTERS_PER_TOKEN = 4.2


@runtime_checkable
class Pass(Protocol):
    """The token vectors of some texts, in stored order."""

    @property
    def tokens(self) -> Tokens:
        """The tokens of the texts."""

    @property
    def layers(self) -> tuple[int, ...]:
        """The layer numbers there are."""

    @property
    def seconds(self) -> float:
        """How long making it took when it was made; 0 for a table."""


@runtime_checkable
class Readable(Pass, Protocol):
    """A pass any stretch of which can be read again at little cost."""

    def read(self, layer: int, tokens: slice) -> np.ndarray:
        """States ``[token, dim]`` of a stretch of tokens."""


@dataclass(eq=False)
class StreamedPass:
    """A pass too large to keep: every reading runs the model again, all layers at once.

    ``seconds`` adds up what the readings took.
    """

    encoder: Encoder
    encoded: Encoded
    seconds: float = 0.0

    @property
    def tokens(self) -> Tokens:
        """The tokens of the texts."""
        return self.encoded.tokens

    @property
    def layers(self) -> tuple[int, ...]:
        """The static rows (-1) and layers 0 … L."""
        return tuple(sorted(self.encoder.widths))

    def stream(self, progress: Progress) -> Iterator[States]:
        """The states of all texts with tokens, batch by batch."""
        what = f"Reading sentences with {self.encoder.location.name} (too many to keep)"
        begin = time.perf_counter()
        for states in self.encoder.run(self.encoded):
            self.seconds += time.perf_counter() - begin
            yield states
            progress(Step(what, states.sentences.stop, self.tokens.sentences))
            begin = time.perf_counter()


def chunks(found: Pass, layers: Sequence[int], progress: Progress = silent) -> Iterator[States]:
    """The states of some layers, in stretches of whole texts that fit in :data:`CHUNK_BYTES`.

    A streamed pass gives all its layers, since they cost nothing more.
    """
    if isinstance(found, StreamedPass):
        yield from found.stream(progress)
        return
    readable = cast("Readable", found)
    tokens = found.tokens
    filled = int((tokens.lengths > 0).sum())
    width = readable.read(layers[0], slice(0, 1)).shape[1] if filled else 1
    size = max(1, CHUNK_BYTES // (4 * width * len(layers)))
    start = 0
    while start < filled:
        stop = int(np.searchsorted(tokens.offsets, tokens.offsets[start] + size, side="right")) - 1
        stop = min(max(stop, start + 1), filled)
        span = slice(int(tokens.offsets[start]), int(tokens.offsets[stop]))
        yield States(slice(start, stop), {i: readable.read(i, span) for i in layers}, None)
        start = stop


@dataclass(frozen=True)
class Source:
    """What a recipe's ``source`` resolved to, with the revision that names its content."""

    name: str
    revision: str
    location: Location
    table: RandomTable | None = None


class Passes:
    """Finds, makes and keeps passes."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._encoders: Memo[Encoder] = Memo(2)
        self._tables: Memo[np.ndarray] = Memo(3)
        self._lookups: Memo[TablePass] = Memo(16)
        self._streams: Memo[StreamedPass] = Memo(4)

    def source(self, choice: Choice) -> Source:
        """The source a recipe names; no weights are loaded."""
        made = SOURCE.bind(choice)()
        if isinstance(made, RandomTable):
            location = locate("bundled", self.store.digest)
            revision = f"{made} over the vocabulary of {location.revision}"
            return Source(SOURCE.text(choice), revision, location, made)
        location = locate(made, self.store.digest)
        return Source(location.name, location.revision, location)

    def layers(self, source: Source) -> tuple[int, ...]:
        """The layer numbers a source offers."""
        return (STATIC,) if source.table else tuple(range(STATIC, source.location.depth + 1))

    def tokenizer(self, source: Source) -> Tokenizer:
        """The tokenizer of a source; a random table uses the bundled encoder's."""
        return self.encoder(source).tokenizer

    def encoder(self, source: Source) -> Encoder:
        """The encoder of a source, its weights not loaded before they are needed."""
        forward = self.settings.forward
        key = (source.location.revision, str(source.location.folder), forward)
        return self._encoders.get(key, lambda: Encoder(source.location, forward))

    def tokens(self, source: Source, texts: Sequence[str]) -> Tokens:
        """The tokens of some texts, without a pass."""
        return self.tokenizer(source)(texts).tokens

    def key(self, source: Source, corpus: Corpus) -> str:
        """What a pass depends on: model content, precision, its limit, and the texts."""
        settings = (self.settings.forward, self.settings.storage)
        limit = source.location.max_tokens
        return key_of(source.name, source.revision, *settings, limit, corpus.text_digest)

    def get(
        self,
        source: Source,
        corpus: Corpus,
        progress: Progress = silent,
        layers: Sequence[int] | None = None,
    ) -> tuple[Pass, float]:
        """The pass of a corpus' sentences, and the seconds that making it took just now.

        The seconds hold loading the model and cutting tokens; they are 0 when the pass was found.
        ``layers`` are checked for damage before they are used; all when None.
        """
        if source.table is not None:
            return self._from_table(source, source.table, corpus, progress), 0.0
        key = self.key(source, corpus)
        files = None if layers is None else [layer_file(i) for i in layers]
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

    def pending_seconds(self, source: Source, corpus: Corpus) -> float:
        """About how long a forward pass would take; 0 when it is stored or none is needed."""
        if source.table is not None or self.store.holds(self.key(source, corpus)):
            return 0.0
        location = source.location
        lengths = (len(text) / CHARACTERS_PER_TOKEN + 2 for text in corpus.sentences)
        tokens = sum(min(length, location.max_tokens) for length in lengths)
        abouts = [entry.about for entry in self.store.entries()]
        timed = [a for a in abouts if a.get("revision") == source.revision and a.get("seconds", 0) > 1]
        if timed:  # the longest tells most: a few tokens say more about starting up than about speed
            about = max(timed, key=lambda about: about["tokens"])
            return float(tokens * about["seconds"] / max(about["tokens"], 1))
        return tokens * 24 * location.depth * location.dim**2 / TYPICAL_FLOPS

    def frequencies(
        self, source: Source, corpus: Corpus, progress: Progress = silent
    ) -> DocumentFrequencies:
        """In how many texts of a corpus each of the source's token ids occurs; counted once, kept."""
        limit = source.location.max_tokens
        repeats = key_of(corpus.repeats.tolist())
        key = "df-" + key_of(source.location.revision, limit, corpus.text_digest, repeats)

        def count() -> dict[str, np.ndarray]:
            tokens = self.tokenizer(source)(corpus.sentences, progress).tokens
            found = document_frequencies(tokens, corpus.repeats)
            return {"texts": np.array(found.texts), "counts": found.counts}

        arrays = self.store.table(key, count)
        return DocumentFrequencies(int(arrays["texts"]), arrays["counts"])

    def _run(self, source: Source, corpus: Corpus, key: str, progress: Progress) -> Pass:
        encoder = self.encoder(source)
        progress(Step(f"Loading {source.name}", 0, 1))
        encoded = encoder.tokenizer(corpus.sentences, progress)
        heads = (source.location.depth, source.location.heads)
        layout = Layout(encoder.widths, heads, self.settings.storage)
        if not self.store.fits(len(encoded.tokens), layout):
            return self._streams.get(key, lambda: StreamedPass(encoder, encoded))
        about = {
            "model": source.name,
            "revision": source.revision,
            "corpus": corpus.name,
            "forward": self.settings.forward,
        }
        return self.store.build(
            key, encoded.tokens, layout, lambda start: encoder.run(encoded, start), about, progress
        )

    def _from_table(
        self, source: Source, table: RandomTable, corpus: Corpus, progress: Progress
    ) -> TablePass:
        def make() -> TablePass:
            tokenizer = self.tokenizer(source)
            rows = self._tables.get(source.revision, lambda: table.rows(tokenizer.vocabulary))
            return TablePass(tokenizer(corpus.sentences, progress).tokens, rows)

        return self._lookups.get((source.revision, corpus.text_digest), make)
