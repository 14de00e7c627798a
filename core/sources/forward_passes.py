"""Forward passes of models over corpora: from the store, computed and stored, or streamed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.corpora.corpus import Corpus
from core.encoders.speed import operations_a_second
from core.encoders.tokenizer import Tokenizer
from core.loading import LOADING
from core.progress import Progress, Step, silent
from core.settings import Settings
from core.sources.source import Source
from core.sources.texts_of_pass import taken_out
from core.sources.token_states import StreamedPass, TokenStates
from core.storage.keys import ENGINE, key_of
from core.storage.memo import Memo
from core.storage.store import Store
from core.storage.stored_pass import Layout, layer_file
from core.tokens import Tokens
from core.tokens.states import States

if TYPE_CHECKING:  # it loads torch, which takes seconds: it is imported where one is made
    import core.encoders.encoder

SHARE = 0.45
"""The share of a device's operations a second, in matrix products alone, at which a pass is estimated.

It counts until a pass of the model was timed.

Measured on one core with the bundled encoder: 4.7e10 of 1.0e11, with loading and storing; on an H200 in
float32: 0.4 for BERT-base and 0.6 for BERT-large.
"""

WRITTEN = 4e9
"""Bytes a second of a pass that are written: where a GPU reads, that bounds it.

The files of 10 to 26 layers took 7e9 to 1.4e10 on the 16 cores beside an H200, and a disk is slower.
"""

TIMED_TOKENS = 2_000
"""Tokens from which on a pass times its model: fewer say more about loading it than about its speed."""

CHARACTERS_PER_TOKEN = 4.2

ELSEWHERE = "workers"
"""The device of a pass that others have read: its seconds say nothing of reading here."""

MODELS = 2
"""Encoders whose weights stay in memory."""


class ForwardPasses:
    """Finds, makes and keeps forward passes."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._encoders: Memo[core.encoders.encoder.Encoder] = Memo(MODELS, lambda _: 1)
        streams = settings.memory_bytes // 32
        self._streams: Memo[StreamedPass] = Memo(streams, lambda stream: stream.tokens.bytes_in_memory)
        self._tokens: Memo[Tokens] = Memo(streams, lambda tokens: tokens.bytes_in_memory)

    def share_models(self, other: ForwardPasses) -> None:
        """Have the same encoders in memory as another."""
        self._encoders = other._encoders

    def tokenizer(self, source: Source) -> Tokenizer:
        """The tokenizer of a source; a random table uses the bundled encoder's."""
        return self.encoder(source).tokenizer

    def encoder(self, source: Source) -> core.encoders.encoder.Encoder:
        """The encoder of a source, its weights not loaded before they are needed."""
        with LOADING:
            from core.encoders.encoder import Encoder

        forward, device = self.settings.forward, self.settings.device
        key = (source.location.content, str(source.location.folder), forward)
        return self._encoders.get(key, lambda: Encoder(source.location, forward, device))

    def key(self, source: Source, corpus: Corpus) -> str:
        """What a pass depends on: model content, precision, its limit, the template, and the texts."""
        settings = (self.settings.forward, self.settings.storage)
        limit = source.location.max_tokens
        parts = (source.name, source.revision, *settings, limit, source.template, corpus.text_digest)
        return key_of(ENGINE, *parts)

    def get(
        self,
        source: Source,
        corpus: Corpus,
        progress: Progress,
        layers: Sequence[int] | None = None,
        *,
        diagonals: bool = False,
    ) -> tuple[TokenStates, float]:
        """The pass of a corpus' sentences, and the seconds that making it took just now.

        The seconds hold loading the model and tokenizing; they are 0 when the pass was stored.
        ``layers``, and the attention ``diagonals``, are checked for damage before they are used; all
        when layers is None.
        """
        key = self.key(source, corpus)
        files = None
        if layers is not None:
            files = [layer_file(i) for i in layers] + ["diagonals"] * diagonals
        if (stored := self.store.open(key, files)) is not None:
            return stored, 0.0
        if (stream := self._streams.peek(key)) is not None:
            return stream, 0.0
        with self.store.exclusively(key, progress, f"{source.name} on {corpus.name}"):
            if (stored := self.store.open(key, files)) is not None:  # another visitor ran it
                return stored, 0.0
            begin = time.perf_counter()
            states = self._run(source, corpus, key, progress)
            return states, time.perf_counter() - begin

    def tokens(self, source: Source, corpus: Corpus, progress: Progress) -> Tokens:
        """The tokens of a corpus in the source's template; those of its pass where there is one."""
        key = self.key(source, corpus)
        if (stored := self.store.open(key, ())) is not None:
            return stored.tokens
        if (stream := self._streams.peek(key)) is not None:
            return stream.tokens
        read = self.encoder(source).tokenizer
        return self._tokens.get(key, lambda: read(corpus.sentences, progress, source.template).tokens)

    def make(
        self,
        source: Source,
        corpus: Corpus,
        run: Callable[[Tokens, int], Iterator[States]],
        progress: Progress,
    ) -> float:
        """Make and keep the pass of a corpus from states that are read elsewhere; the seconds that it took.

        ``run`` gives the states of the stored texts from a number on. Nothing is done, in 0 seconds, where
        the pass is there.
        """
        key = self.key(source, corpus)
        with self.store.exclusively(key, progress, f"{source.name} on {corpus.name}"):
            if self.store.holds(key):
                return 0.0
            begin = time.perf_counter()
            tokens = self.encoder(source).tokenizer(corpus.sentences, progress, source.template).tokens
            layout = self.layout(source, diagonals=True)
            about = self.about(source, corpus) | {"device": ELSEWHERE}
            self.store.build(key, tokens, layout, lambda start: run(tokens, start), about, progress)
            return time.perf_counter() - begin

    def cut(self, source: Source, corpus: Corpus, part: Corpus, progress: Progress = silent) -> None:
        """Make the pass over some texts of a corpus from the stored pass over all of them.

        Nothing is done where the pass is there, the other one is not, or it would not fit into the store.
        """
        key = self.key(source, part)
        if self.store.holds(key) or (whole := self.store.open(self.key(source, corpus))) is None:
            return
        with self.store.exclusively(key, progress, f"{source.name} on {corpus.name}"):
            tokens = self.encoder(source).tokenizer(part.sentences, progress, source.template).tokens
            if self.store.holds(key) or not self.store.fits(len(tokens), whole.layout):
                return
            place = corpus.rows_of(part.sentences)
            share = len(tokens) / max(len(whole.tokens), 1)
            self.store.build(
                key,
                tokens,
                whole.layout,
                lambda start: taken_out(tokens, whole, place, start),
                self.about(source, corpus),
                progress,
                before=whole.seconds * share,
            )

    def pending(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """About how many seconds the pass would take, by its key; nothing when it is stored."""
        key = self.key(source, corpus)
        if self.store.holds(key):
            return {}
        location = source.location
        around = len(source.template) / CHARACTERS_PER_TOKEN + 2
        lengths = (len(text) / CHARACTERS_PER_TOKEN + around for text in corpus.sentences)
        tokens = sum(min(length, location.max_tokens) for length in lengths)
        return {key: self.seconds_for(source, tokens)}

    def seconds_for(self, source: Source, tokens: float) -> float:
        """About how many seconds a model takes to read so many tokens, special ones included.

        As fast as its longest stored pass; before there is one, by how fast its device multiplies, or
        writes what it gives, which is done meanwhile.
        """
        abouts = [about for about in self.store.abouts() if "kind" not in about]
        mine = [a for a in abouts if a.get("revision") == source.revision and a.get("device") != ELSEWHERE]
        timed = [about for about in mine if about["tokens"] >= TIMED_TOKENS and about.get("seconds", 0) > 0]
        if timed:  # the longest tells most
            about = max(timed, key=lambda about: about["tokens"])
            return float(tokens * about["seconds"] / max(about["tokens"], 1))
        depth, dim = source.location.depth, source.location.dim
        fast = operations_a_second(self.settings.device, self.settings.forward)
        row_bytes = (depth + 2) * dim * np.dtype(self.settings.storage).itemsize
        return float(tokens * max(24 * depth * dim**2 / (SHARE * fast), row_bytes / WRITTEN))

    def layout(self, source: Source, *, diagonals: bool) -> Layout:
        """What a stored pass of a model holds."""
        heads = source.location.heads if diagonals else 0
        return Layout(self.encoder(source).widths, (source.location.depth, heads), self.settings.storage)

    def about(self, source: Source, corpus: Corpus) -> dict[str, str]:
        """What a stored pass is of."""
        forward, names = self.settings.forward, {"model": source.name, "corpus": corpus.name}
        return names | {"revision": source.revision, "forward": forward, "template": source.template}

    def _run(self, source: Source, corpus: Corpus, key: str, progress: Progress) -> TokenStates:
        encoder = self.encoder(source)
        if not self.settings.is_roomy:
            self._encoders.forget(lambda other: other is not encoder)
        progress(Step(f"Loading {source.name} on the {encoder.device.label}", 0, 1))
        encoded = encoder.tokenizer(corpus.sentences, progress, source.template)
        layout = self.layout(source, diagonals=True)
        if not self.store.fits(len(encoded.tokens), layout):
            return self._streams.get(key, lambda: StreamedPass(encoder, encoded))
        about = self.about(source, corpus) | {"device": encoder.device.label}

        def run(start: int) -> Iterator[States]:
            return encoder.run(encoded, start, layout.storage)

        return self.store.build(key, encoded.tokens, layout, run, about, progress)
