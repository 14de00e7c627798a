"""Texts longer than a model takes, cut into pieces: of a reference every token counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Bool

from core.corpora.corpus import Corpus
from core.errors import are, counted

BESIDE = 3
"""Tokens of a text beside those of its bytes at most: two special ones and a mark of a word's begin."""

TooLong = Callable[[Sequence[str]], Bool[np.ndarray, " text"]]


def may_be_too_long(texts: Sequence[str], limit: int) -> list[int]:
    """The texts that can have more than ``limit`` tokens: a token has one byte or more."""
    return [i for i, text in enumerate(texts) if len(text.encode()) + BESIDE > limit]


def cut(texts: Sequence[str], too_long: TooLong) -> list[list[str]]:
    """The pieces of each text: halves, cut where words end, until none is too long.

    A piece without a space is cut in the middle; one character is never cut.

    >>> cut(["a b c d", "e"], lambda texts: np.array([len(text) > 3 for text in texts], bool))
    [['a b', 'c d'], ['e']]
    """
    if not texts:
        return []
    flags = too_long(texts).tolist()
    halves = [
        _halves(text) if long and len(text) > 1 else [] for text, long in zip(texts, flags, strict=True)
    ]
    smaller = iter(cut([half for both in halves for half in both], too_long))
    return [
        [piece for _ in both for piece in next(smaller)] or [text]
        for text, both in zip(texts, halves, strict=True)
    ]


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    spaces = (text.rfind(" ", 1, middle + 1), text.find(" ", middle, -1))
    near = [place for place in spaces if place > 0]
    place = min(near, key=lambda place: abs(place - middle)) if near else middle
    return [half for half in (text[:place].strip(), text[place:].strip()) if half]


def in_pieces(corpus: Corpus, pieces: dict[int, list[str]], limit: int) -> Corpus:
    """A corpus with some of its texts, by their position, in pieces."""
    if not pieces:
        return corpus
    texts = [
        piece
        for i, (text, times) in enumerate(zip(corpus.sentences, corpus.repeats.tolist(), strict=True))
        for piece in pieces.get(i, [text]) * times
    ]
    number = sum(map(len, pieces.values()))
    cut = counted(number, "piece")
    note = f"{counted(len(pieces), 'text')} longer than {limit} tokens {are(len(pieces))} cut into {cut}."
    made = Corpus.of_texts(corpus.name, texts, origin=corpus.origin, notes=(*corpus.notes, note))
    return replace(made, address=corpus.address)
