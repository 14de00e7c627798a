"""Tokenization of texts into the words of a file of word vectors."""

from __future__ import annotations

import itertools
import re
import unicodedata
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.progress import Progress, Step, silent
from core.tokens import Tokens

BATCH = 2048
"""The number of texts between two progress reports."""

_WORD = re.compile(
    r"""
    (?<!\w)['’](?:s|re|ve|ll|d|m)(?!\w)                    # 's set off by a space, as in treebanks
  | (?:[^\W\d_]\.){2,}                                      # u.s., e.g.
  | \w+ (?: (?: [-'’] | (?<=\d)[.,](?=\d) ) \w+ )*          # dog, mother-in-law, don't, 1,000
  | ([^\w\s]) \1*                                           # a punctuation mark, perhaps repeated: ...
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PART = re.compile(
    r"""
    ( ['’](?:s|re|ve|ll|d|m)$ | [^\W_]+ )
  | (?<=\w)[-'’](?=\w) | _+                                # hyphens and apostrophes between parts
  | ([^\w\s])
    """,
    re.VERBOSE | re.IGNORECASE,
)


_NEGATIONS = ("n't", "n’t")


@dataclass(frozen=True)
class UnknownWords:
    """The counts of words that a file of word vectors does not have.

    Attributes
    ----------
    tokens, of
        The number of tokens that are not in the file, and of all tokens.
    texts
        The number of texts of which no token is in the file.
    """

    tokens: int
    of: int
    texts: int


def words_in(text: str) -> list[str]:
    """The words and punctuation marks of a text."""
    return [match[0] for match in _WORD.finditer(unicodedata.normalize("NFC", text))]


def tokenise_words(
    texts: Sequence[str], index: Mapping[str, int], *, drop: int = 0, progress: Progress = silent
) -> tuple[Tokens, UnknownWords]:
    """The words of some texts as rows of a file of word vectors.

    The index is searched for the surface form of a word, then for its lower case. A word with hyphens or
    apostrophes, a number with points, or repeated punctuation that is not in the file is split, and its
    parts are searched for (``dog's`` as ``dog`` and ``'s``, ``don't`` as ``do`` and ``n't``). Other
    punctuation marks are separate tokens. Tokens that are not in the file are left out and counted.

    Parameters
    ----------
    texts
        Any texts; they are normalised to NFC.
    index
        The row of each word of the file.
    drop
        Leaves out the words of the first ``drop`` rows. These are the most frequent words, since files of
        word vectors are sorted by frequency (word2vec, GloVe, fastText and X2Static). 100 gives B2S-100 of
        Stankevičius & Lukoševičius (2025, section 3.2.4), who filter out the 100 most frequent words of
        X2Static's vocabulary. A text of such words alone keeps them.
    progress
        Receives the number of tokenized texts.

    Returns
    -------
    The tokens in stored order, longest text first. ``ids`` are rows. Every token is a word; the word
    numbers ``words`` also count the words that are left out. A text without known words has no tokens.
    """
    words = _Words(index)
    token_rows, counts = array("i"), array("i")
    for start in range(0, len(texts), BATCH):
        for text in texts[start : start + BATCH]:
            before = len(token_rows)
            token_rows.extend(words.of(text))
            counts.append(len(token_rows) - before)
        if len(texts) > BATCH:
            progress(Step("Tokenizing sentences into words", min(start + BATCH, len(texts)), len(texts)))
    rows, lengths = np.array(token_rows, np.int32), np.array(counts, np.int64)
    of_text = np.repeat(np.arange(len(lengths)), lengths)
    number = np.arange(len(rows)) - (np.cumsum(lengths) - lengths)[of_text]
    known = rows >= 0
    kept = known & (rows >= drop)
    kept |= known & ~_any(kept, of_text, len(texts))[of_text]
    unknown = UnknownWords(int((~known).sum()), len(rows), int((~_any(known, of_text, len(texts))).sum()))
    return _tokens(rows[kept], of_text[kept], number[kept], len(texts), words.surface_forms), unknown


def _any(chosen: np.ndarray, of_text: np.ndarray, texts: int) -> np.ndarray:
    """Whether each text has a chosen token."""
    return np.bincount(of_text[chosen], minlength=texts) > 0


def _tokens(
    rows: np.ndarray, of_text: np.ndarray, number: np.ndarray, texts: int, surface_forms: dict[int, str]
) -> Tokens:
    """Tokens in stored order, from tokens in the order of the texts."""
    lengths = np.bincount(of_text, minlength=texts)
    order = np.argsort(-lengths, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(texts)
    moved = np.argsort(place[of_text], kind="stable")
    return Tokens.plain(
        rows[moved],
        order=order,
        offsets=np.append(0, np.cumsum(lengths[order])),
        words=number[moved].astype(np.int32),
        vocabulary={int(row): surface_forms[int(row)] for row in np.unique(rows)},
    )


def _parts(word: str) -> list[str]:
    """What a word is made of: ``do`` and ``n't``, ``dog`` and ``'s``, ``mother`` and ``law``."""
    if word[-3:].lower() not in _NEGATIONS:
        return [part for match in _PART.finditer(word) if (part := match[1] or match[2])]
    stem = re.match(r"\w*", word[-4::-1])  # backwards, as a word may be of any length
    begins = len(word) - 3 - (stem.end() if stem else 0)
    before = itertools.takewhile(lambda match: match.start() < begins, _PART.finditer(word))
    parts = [*(match[1] or match[2] for match in before), word[begins:-3], word[-3:]]
    return [part for part in parts if part]


class _Words:
    """Looks words up, each surface form once.

    ``surface_forms`` holds the file's form of each row that is found.
    """

    def __init__(self, index: Mapping[str, int]) -> None:
        self._index = index
        self._rows: dict[str, tuple[int, ...]] = {}
        self.surface_forms: dict[int, str] = {}

    def of(self, text: str) -> list[int]:
        """The rows of a text's tokens; -1 for a token that is not in the file."""
        text_rows: list[int] = []
        for word in words_in(text):
            if (rows := self._rows.get(word)) is None:
                rows = self._rows[word] = self._look_up(word)
            text_rows.extend(rows)
        return text_rows

    def _look_up(self, word: str) -> tuple[int, ...]:
        if (row := self._row(word)) >= 0:
            return (row,)
        return tuple(self._row(part) for part in _parts(word)) or (-1,)

    def _row(self, word: str) -> int:
        """The row of a word: its surface form, lower case, or form with straight apostrophes; else -1."""
        straight = word.replace("’", "'")
        for form in (word, word.lower(), straight, straight.lower()):
            if (row := self._index.get(form, -1)) >= 0:
                self.surface_forms[row] = form
                return row
        return -1
