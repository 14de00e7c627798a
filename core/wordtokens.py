"""Texts cut into the words of a file of word vectors."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.progress import Progress, Step, silent
from core.tokens import Tokens

BATCH = 2048
"""Texts between two reports of progress."""

_WORD = re.compile(
    r"""
    (?<!\w)['’](?:s|re|ve|ll|d|m)(?!\w)                    # 's written apart, as treebanks do
  | (?:[^\W\d_]\.){2,}                                      # u.s., e.g.
  | \w+ (?: (?: [-'’] | (?<=\d)[.,](?=\d) ) \w+ )*          # dog, mother-in-law, don't, 1,000
  | ([^\w\s]) \1*                                           # one mark, or the same several times: ...
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PART = re.compile(
    r"""
    ( ['’](?:s|re|ve|ll|d|m)$ | n['’]t$ | \w+?(?=n['’]t$) | [^\W_]+ )
  | (?<=\w)[-'’](?=\w) | _+                                # what joined the parts
  | ([^\w\s])
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Unknown:
    """What a file of word vectors does not know of some texts.

    Attributes
    ----------
    tokens, of
        Tokens that are not in the file, of how many in all.
    texts
        Texts that have no token at all that is in the file.
    """

    tokens: int
    of: int
    texts: int


def words_in(text: str) -> list[str]:
    """The words and marks of a text."""
    return [match[0] for match in _WORD.finditer(unicodedata.normalize("NFC", text))]


def tokenise_words(
    texts: Sequence[str], index: Mapping[str, int], *, drop: int = 0, progress: Progress = silent
) -> tuple[Tokens, Unknown]:
    """The words of some texts as rows of a file of word vectors.

    A word is looked up as it is written, then in lower case; a word with hyphens or apostrophes, a
    number with points, or several marks in a row that the file does not have are cut into parts and
    those are looked up (``dog's`` as ``dog`` and ``'s``, ``don't`` as ``do`` and ``n't``). Other marks
    are tokens of their own. Tokens that the file does not have are left out and counted.

    Parameters
    ----------
    texts
        Any texts; they are brought to Unicode's form NFC.
    index
        The row of each word of the file.
    drop
        Leave out words of the first ``drop`` rows: the most frequent ones, since files of word vectors
        are sorted by frequency (word2vec, GloVe, fastText and X2Static all write them so). 100 gives
        B2S-100 of Stankevičius & Lukoševičius (2025, section 3.2.4), who filter out the 100 most frequent
        words of X2Static's vocabulary. A text in which nothing else is left keeps its words.
    progress
        Is told how many texts are cut.

    Returns
    -------
    The tokens in stored order, longest text first. ``ids`` are rows; every token is a word of its own, and
    ``words`` counts the ones that are left out too. A text without known words has no tokens.
    """
    words = _Words(index)
    found, cut = array("i"), array("i")
    for start in range(0, len(texts), BATCH):
        for text in texts[start : start + BATCH]:
            before = len(found)
            found.extend(words.of(text))
            cut.append(len(found) - before)
        if len(texts) > BATCH:
            progress(Step("Cutting sentences into words", min(start + BATCH, len(texts)), len(texts)))
    rows, lengths = np.array(found, np.int32), np.array(cut, np.int64)
    of_text = np.repeat(np.arange(len(lengths)), lengths)
    number = np.arange(len(rows)) - (np.cumsum(lengths) - lengths)[of_text]
    known = rows >= 0
    kept = known & (rows >= drop)
    kept |= known & ~_any(kept, of_text, len(texts))[of_text]
    unknown = Unknown(int((~known).sum()), len(rows), int((~_any(known, of_text, len(texts))).sum()))
    return _tokens(rows[kept], of_text[kept], number[kept], len(texts), words.written), unknown


def _any(chosen: np.ndarray, of_text: np.ndarray, texts: int) -> np.ndarray:
    """Which texts have a token that is chosen."""
    return np.bincount(of_text[chosen], minlength=texts) > 0


def _tokens(
    rows: np.ndarray, of_text: np.ndarray, number: np.ndarray, texts: int, written: dict[int, str]
) -> Tokens:
    """Tokens in stored order, from tokens in the order of the texts."""
    lengths = np.bincount(of_text, minlength=texts)
    order = np.argsort(-lengths, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(texts)
    moved = np.argsort(place[of_text], kind="stable")
    nothing = np.zeros(len(rows), bool)
    return Tokens(
        ids=rows[moved],
        order=order,
        offsets=np.append(0, np.cumsum(lengths[order])),
        special=nothing,
        words=number[moved].astype(np.int32),
        continues=nothing,
        cls=np.full(texts, -1),
        template=nothing,
        mask=nothing,
        truncated=np.zeros(texts, bool),
        vocabulary={int(row): written[int(row)] for row in np.unique(rows)},
    )


class _Words:
    """Looks words up, each written form once; ``written`` holds the file's form of each row found."""

    def __init__(self, index: Mapping[str, int]) -> None:
        self._index = index
        self._rows: dict[str, tuple[int, ...]] = {}
        self.written: dict[int, str] = {}

    def of(self, text: str) -> list[int]:
        """The rows of a text's tokens; -1 for what the file does not have."""
        found: list[int] = []
        for word in words_in(text):
            if (rows := self._rows.get(word)) is None:
                rows = self._rows[word] = self._look_up(word)
            found.extend(rows)
        return found

    def _look_up(self, word: str) -> tuple[int, ...]:
        if (row := self._row(word)) >= 0:
            return (row,)
        parts = (match[1] or match[2] for match in _PART.finditer(word))
        return tuple(self._row(part) for part in parts if part) or (-1,)

    def _row(self, word: str) -> int:
        """The row of a word as written, in lower case, or with a straight apostrophe; else -1."""
        straight = word.replace("’", "'")
        for form in (word, word.lower(), straight, straight.lower()):
            if (row := self._index.get(form, -1)) >= 0:
                self.written[row] = form
                return row
        return -1
