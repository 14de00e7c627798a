"""Token states of corpora, whatever their source, and what is counted of their tokens.

A source is what a recipe's ``source`` names: a model, or a table of token vectors, reading texts in the
recipe's template. All of them give :class:`~core.sources.token_states.TokenStates`, and nothing after this
file knows which it was.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from core.corpora.corpus import Corpus
from core.encoders.head import Head, load_head
from core.encoders.tokenizer import Tokenizer
from core.encoders.word_pieces import piece_decoder
from core.errors import RecipeError
from core.progress import Progress, silent
from core.recipe.options import Choice
from core.settings import Settings
from core.sources.doc2vec import Doc2Vec
from core.sources.forward_passes import ForwardPasses
from core.sources.pieces import cut, in_pieces, may_be_too_long
from core.sources.source import Source, find_source
from core.sources.token_states import TokenStates
from core.sources.token_tables import TokenTables
from core.sources.word_vectors import VectorsFile
from core.storage import json_arrays
from core.storage.store import Store
from core.storage.tables import TableKind
from core.tokens import DocumentFrequencies, Tokens, document_frequencies
from core.tokens.states import States
from core.tokens.words import TokenWords, WordShares, words_of

if TYPE_CHECKING:  # it loads torch, which takes seconds: it is imported where one is made
    import core.encoders.encoder

FREQUENCIES = TableKind("document-frequencies", 1)
WORDS = TableKind("word-shares", 1)
PIECES = TableKind("pieces", 1)

FEW_TOKENS = 200_000
"""Tokens whose words are remembered for as long as the tokens are: two megabytes at most."""


class Passes:
    """Gives the token states of corpora."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._forward = ForwardPasses(settings, store)
        self._tables = TokenTables(settings, store, self._forward)
        self._words: WeakKeyDictionary[Tokens, dict[Hashable, TokenWords]] = WeakKeyDictionary()

    def without_results(self) -> Passes:
        """The same, with the models that are in memory and nothing else."""
        other = Passes(self.settings, self.store)
        other._forward.share_models(self._forward)
        return other

    def source(self, choice: Choice, template: str = "", learns: Corpus | None = None) -> Source:
        """The source a recipe names; see :func:`~core.sources.source.find_source`."""
        return find_source(choice, template, learns, self.store, self.settings.trust)

    def tokenizer(self, source: Source) -> Tokenizer:
        """The tokenizer of a source; a random table uses the default encoder's."""
        return self._forward.tokenizer(source)

    def encoder(self, source: Source) -> core.encoders.encoder.Encoder:
        """The encoder of a source, its weights not loaded before they are needed."""
        return self._forward.encoder(source)

    @property
    def precision(self) -> tuple[str, str]:
        """The arithmetic of passes and the number format that they are stored in."""
        return self.settings.forward, self.settings.storage

    def head(self, source: Source, asked: str) -> Head:
        """The trained layer behind [CLS] of a model; ``asked`` names what asks for it.

        Raises :class:`RecipeError` for a source that is no model or has none.
        """
        head = load_head(source.location) if source.is_model else None
        if head is None:
            raise RecipeError(
                f"{asked}: {source.name} holds no trained layer behind [CLS] (pooler.dense); take pool=cls."
            )
        return head

    def get(
        self,
        source: Source,
        corpus: Corpus,
        progress: Progress = silent,
        layers: Sequence[int] | None = None,
        *,
        diagonals: bool = False,
    ) -> tuple[TokenStates, float]:
        """The token states of a corpus' sentences, and the seconds that making them took just now.

        The seconds are 0 when they were stored. ``layers``, and the attention ``diagonals``, are checked
        for damage before they are used; all when layers is None.
        """
        if source.is_model:
            return self._forward.get(source, corpus, progress, layers, diagonals=diagonals)
        return self._tables.get(source, corpus, progress)

    def key(self, source: Source, corpus: Corpus) -> str:
        """What a forward pass depends on: model content, precision, its limit, the template, the texts."""
        return self._forward.key(source, corpus)

    def make(
        self,
        source: Source,
        corpus: Corpus,
        run: Callable[[Tokens, int], Iterator[States]],
        progress: Progress = silent,
    ) -> float:
        """Make a model's pass from states that are read elsewhere.

        See :meth:`~core.sources.forward_passes.ForwardPasses.make`.
        """
        return self._forward.make(source, corpus, run, progress)

    def cut(self, source: Source, corpus: Corpus, part: Corpus, progress: Progress = silent) -> None:
        """Make a model's pass over some texts of a corpus from the stored pass over all of them.

        See :meth:`~core.sources.forward_passes.ForwardPasses.cut`; a table of vectors has no pass.
        """
        if source.is_model:
            self._forward.cut(source, corpus, part, progress)

    def fits(self, source: Source, tokens: float) -> bool:
        """Whether a model's pass over so many tokens may be stored."""
        return self.store.has_room(round(tokens) * self.row_bytes(source))

    def row_bytes(self, source: Source) -> int:
        """Bytes that a token takes in a stored pass of a model."""
        return self._forward.layout(source, diagonals=True).row_bytes()

    def pending(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """About how many seconds each forward pass would take that is not stored yet, by its key.

        A table of vectors that is learnt without one, as Doc2Vec's, counts as one.
        """
        which = self._forward if source.is_model else self._tables
        return which.pending(source, corpus)

    def training(self, source: Source, corpus: Corpus) -> dict[str, float]:
        """About how long training a table of vectors takes, as Doc2Vec's, by its key; done or not."""
        return self._tables.training(source, corpus)

    def are_stored(self, source: Source, corpus: Corpus) -> bool:
        """Whether nothing has to be read to have the token states of a corpus."""
        if source.is_model:
            return self.store.holds(self._forward.key(source, corpus))
        return self._tables.are_read(source)

    def seconds_for(self, source: Source, tokens: float) -> float:
        """About how many seconds a model takes to read so many tokens, special ones included."""
        return self._forward.seconds_for(source, tokens)

    # -- tokens and words ------------------------------------------------------------------------

    def in_pieces(self, source: Source, corpus: Corpus, progress: Progress = silent) -> Corpus:
        """A corpus whose texts are cut into pieces where the source's tokenizer would leave a rest out.

        Files of word vectors and Doc2Vec take texts of any length. The cuts are kept.
        """
        long = _perhaps_too_long(source, corpus)
        if not long:
            return corpus
        limit = source.location.max_tokens

        def too_long(texts: Sequence[str]) -> np.ndarray:
            return self.tokenizer(source).too_long(texts, progress)

        def find() -> dict[str, np.ndarray]:
            found = zip(long, cut([corpus.sentences[i] for i in long], too_long), strict=True)
            pieces = {i: parts for i, parts in found if len(parts) > 1}
            return {"pieces": json_arrays.as_array(pieces)}

        parts = _pieces_parts(source, corpus)
        kept = json_arrays.from_array(self.store.table(PIECES, parts, find, progress)["pieces"])
        return in_pieces(corpus, {int(i): pieces for i, pieces in kept.items()}, limit)

    def is_cut(self, source: Source, corpus: Corpus) -> bool:
        """Whether :meth:`in_pieces` has nothing to cut, or has its cuts kept."""
        if not _perhaps_too_long(source, corpus):
            return True
        return self.store.has_table(PIECES, _pieces_parts(source, corpus))

    def tokens(self, source: Source, texts: Sequence[str], progress: Progress = silent) -> Tokens:
        """The tokens of some texts, without a pass."""
        return self._tables.tokens(source, texts, progress)

    def tokens_of(self, source: Source, corpus: Corpus, progress: Progress = silent) -> Tokens:
        """The tokens of a corpus as a model reads it; no pass is made for them."""
        return self._forward.tokens(source, corpus, progress)

    def surface_forms(self, source: Source, progress: Progress = silent) -> tuple[str, ...]:
        """The surface form of every id of a source, by id; "" for one that stands for nothing."""
        if isinstance(source.table, VectorsFile):
            return self._tables.open_vectors(source.table, progress).words
        return self.tokenizer(source).pieces

    def frequencies(
        self, source: Source, corpus: Corpus, progress: Progress = silent
    ) -> DocumentFrequencies:
        """In how many texts of a corpus each of the source's token ids occurs; counted once, kept.

        The texts are read as they are, without the template.
        """
        source, parts = replace(source, template=""), source.counts_of(corpus)

        def count() -> dict[str, np.ndarray]:
            frequencies = document_frequencies(
                self.tokens(source, corpus.sentences, progress), corpus.repeats
            )
            return {"texts": np.array(frequencies.texts), "counts": frequencies.counts}

        arrays = self.store.table(FREQUENCIES, parts, count, progress)
        return DocumentFrequencies(int(arrays["texts"]), arrays["counts"])

    def words(self, source: Source, tokens: Tokens) -> TokenWords:
        """The words behind some tokens of a source; found once while few tokens are in memory."""
        known = self._words.setdefault(tokens, {})
        if source.tokenization in known:
            return known[source.tokenization]
        if isinstance(source.table, VectorsFile | Doc2Vec):
            words = words_of(tokens, lambda ids: tokens.vocabulary[ids[0]])
        else:
            decode = piece_decoder(source.location.folder, tokens.vocabulary)
            words = words_of(tokens, decode or self.tokenizer(source).decode)
        if len(tokens) <= FEW_TOKENS:
            known[source.tokenization] = words
        return words

    def word_shares(self, source: Source, corpus: Corpus, progress: Progress = silent) -> WordShares:
        """The share of a corpus' running text that each word has, without template; counted once, kept."""
        source, parts = replace(source, template=""), source.counts_of(corpus)

        def count() -> dict[str, np.ndarray]:
            tokens = self.tokens(source, corpus.sentences, progress)
            words = self.words(source, tokens)
            shares = WordShares.of_corpus(words, tokens.times(corpus.repeats))
            return {
                "surface_forms": json_arrays.as_array(words.surface_forms),
                "shares": np.array([*map(shares.share_of, words.surface_forms)]),
            }

        arrays = self.store.table(WORDS, parts, count, progress)
        return WordShares.of_shares(json_arrays.from_array(arrays["surface_forms"]), arrays["shares"])


def _perhaps_too_long(source: Source, corpus: Corpus) -> list[int]:
    if isinstance(source.table, VectorsFile | Doc2Vec):
        return []
    return may_be_too_long(corpus.sentences, source.location.max_tokens)


def _pieces_parts(source: Source, corpus: Corpus) -> tuple[object, ...]:
    return replace(source, template="").tokenization, corpus.text_digest
