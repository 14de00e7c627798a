"""The tokens of a list of texts, end to end, as every stage sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int


@dataclass(frozen=True, eq=False)
class Tokens:
    """All tokens of all texts, end to end, in *stored order*: longest text first.

    Attributes
    ----------
    ids
        Vocabulary id of each token.
    order
        ``order[i]`` is the position, in the list of texts, of the i-th stored text.
    offsets
        The tokens of the i-th stored text are ``ids[offsets[i]:offsets[i + 1]]``.
    special
        Tokens the tokenizer added ([CLS], [SEP], …).
    words
        Number of the word within its text that a token belongs to, as the tokenizer says; -1 for special
        tokens. Some tokenizers give one number to a whole text: see :meth:`word_numbers`.
    continues
        Pieces of a word after its first (``##ing``).
    cls
        Position within its text of the classification token; -1 where there is none.
    template
        Tokens of the prompt around the sentence, its mask tokens included.
    mask
        The mask tokens of the prompt.
    truncated
        Texts of which the model's limit cut something off.
    vocabulary
        The surface form of every id that occurs.
    """

    ids: Int[np.ndarray, " token"]
    order: Int[np.ndarray, " sentence"]
    offsets: Int[np.ndarray, " sentence+1"]
    special: Bool[np.ndarray, " token"]
    words: Int[np.ndarray, " token"]
    continues: Bool[np.ndarray, " token"]
    cls: Int[np.ndarray, " sentence"]
    template: Bool[np.ndarray, " token"]
    mask: Bool[np.ndarray, " token"]
    truncated: Bool[np.ndarray, " sentence"]
    vocabulary: dict[int, str]

    @classmethod
    def plain(
        cls,
        ids: Int[np.ndarray, " token"],
        order: Int[np.ndarray, " sentence"],
        offsets: Int[np.ndarray, " sentence+1"],
        words: Int[np.ndarray, " token"],
        vocabulary: dict[int, str],
    ) -> Tokens:
        """Tokens that are all the texts' own: whole words, nothing added and nothing cut."""
        nothing = np.zeros(len(ids), bool)
        return cls(
            ids=ids,
            order=order,
            offsets=offsets,
            special=nothing,
            words=words,
            continues=nothing,
            cls=np.full(len(order), -1),
            template=nothing,
            mask=nothing,
            truncated=np.zeros(len(order), bool),
            vocabulary=vocabulary,
        )

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)

    @property
    def own(self) -> Bool[np.ndarray, " token"]:
        """The sentences' own tokens: neither special ones nor a template's."""
        return ~(self.special | self.template)

    @property
    def sentences(self) -> int:
        """The number of texts."""
        return len(self.order)

    @property
    def bytes_in_memory(self) -> int:
        """The bytes of all arrays, those computed from them included, and about those of the vocabulary."""
        own = sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))
        vocabulary = 100 * len(self.vocabulary)  # an entry, its id and a short string
        later = 8 * len(self) + 16 * self.sentences  # sentence, lengths and place
        return own + vocabulary + later

    @property
    def filled(self) -> int:
        """The number of texts that have tokens; those without stand at the end of the stored order."""
        return int((self.lengths > 0).sum())

    @cached_property
    def lengths(self) -> Int[np.ndarray, " sentence"]:
        """Tokens per stored text."""
        return np.diff(self.offsets)

    @cached_property
    def sentence(self) -> Int[np.ndarray, " token"]:
        """The stored text that each token belongs to."""
        return np.repeat(np.arange(self.sentences), self.lengths)

    @cached_property
    def place(self) -> Int[np.ndarray, " sentence"]:
        """The inverse of ``order``: where the i-th text of the list is stored."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(self.sentences)
        return place

    def times(self, repeats: Int[np.ndarray, " sentence"]) -> Int[np.ndarray, " token"]:
        """How often each token occurs, as ``repeats`` says it of each text of the list."""
        return repeats[self.order][self.sentence]

    def share(self, sentences: int) -> float:
        """How much of all tokens the first so many stored texts hold, 0 to 1."""
        return float(self.offsets[sentences]) / max(len(self), 1)

    def spans(self, most: int, start: int = 0) -> Iterator[slice]:
        """Spans of whole stored texts with tokens, from ``start`` on.

        Each has at most ``most`` tokens, or is one text that has more.
        """
        filled = self.filled
        while start < filled:
            stop = int(np.searchsorted(self.offsets, self.offsets[start] + most, side="right")) - 1
            stop = min(max(stop, start + 1), filled)
            yield slice(start, stop)
            start = stop

    def token_span(self, sentences: slice) -> slice:
        """The tokens of some stored texts."""
        return slice(int(self.offsets[sentences.start]), int(self.offsets[sentences.stop]))

    def part(self, sentences: slice) -> Tokens:
        """Some stored texts by themselves, in stored order."""
        span = self.token_span(sentences)
        return Tokens(
            ids=self.ids[span],
            order=np.arange(sentences.stop - sentences.start),
            offsets=self.offsets[sentences.start : sentences.stop + 1] - span.start,
            special=self.special[span],
            words=self.words[span],
            continues=self.continues[span],
            cls=self.cls[sentences],
            template=self.template[span],
            mask=self.mask[span],
            truncated=self.truncated[sentences],
            vocabulary=self.vocabulary,
        )

    def restore(self, stored: np.ndarray) -> np.ndarray:
        """Rows in stored order, brought back to the order of the list of texts."""
        return stored[self.place]

    def span(self, text: int) -> slice:
        """The tokens of the text at position ``text`` of the list."""
        i = self.place[text]
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def word_numbers(self, span: slice) -> tuple[int, ...]:
        """The word that each token of a text belongs to: one number for all of its pieces.

        -1 for special tokens. ``continues`` tells words apart that have one number in ``words``.
        """
        words = self.words[span]
        begun = ~self.continues[span] & (words >= 0)
        begun &= np.diff(words, prepend=-1) == 0
        return tuple(np.where(words < 0, -1, words + np.cumsum(begun)).tolist())

    def surface_forms(self, span: slice) -> list[str]:
        """The surface forms of some tokens."""
        return [self.vocabulary[int(i)] for i in self.ids[span]]


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many texts of a corpus each vocabulary id occurs, repeats of a text counted.

    ``counts`` holds, by id, texts with that id; ids beyond its end occur in none.
    """

    texts: int
    counts: Float[np.ndarray, " id"]

    def of(self, ids: Int[np.ndarray, " token"]) -> Float[np.ndarray, " token"]:
        """Texts with each token's id; an id that occurs in none counts 1."""
        known = ids < len(self.counts)
        found = np.ones(len(ids))
        found[known] = np.maximum(self.counts[ids[known]], 1)
        return found

    def unseen(self, ids: Int[np.ndarray, " token"]) -> Bool[np.ndarray, " token"]:
        """Which tokens' ids occur in no text."""
        known = ids < len(self.counts)
        unseen = ~known
        unseen[known] = self.counts[ids[known]] == 0
        return unseen

    def idf(self, ids: Int[np.ndarray, " token"]) -> Float[np.ndarray, " token"]:
        """Inverse document frequency, log(texts / texts with it); an id that occurs in none counts 1."""
        known = ids < len(self.counts)
        return self._idf_by_id[np.where(known, ids, len(self.counts))]

    @cached_property
    def _idf_by_id(self) -> Float[np.ndarray, " id"]:
        """The idf of each id, and behind them that of any larger id, which occurs in no text."""
        texts = max(self.texts, 1)
        counts = np.append(np.maximum(self.counts, 1), 1.0)
        return np.log(texts / np.minimum(counts, texts))


def document_frequencies(
    tokens: Tokens, repeats: Int[np.ndarray, " sentence"] | None = None
) -> DocumentFrequencies:
    """Count texts per vocabulary id.

    ``repeats[i]`` says how often the i-th text of the list occurs in its corpus; once by default.
    """
    repeats = np.ones(tokens.sentences, int) if repeats is None else repeats
    size = int(tokens.ids.max(initial=-1)) + 1
    seen = np.unique(tokens.sentence.astype(np.int64) * max(size, 1) + tokens.ids)
    weights = repeats[tokens.order][seen // max(size, 1)]
    counts = np.bincount(seen % max(size, 1), weights=weights, minlength=size)
    return DocumentFrequencies(int(repeats.sum()), counts.astype(np.float64))
