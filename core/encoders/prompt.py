"""Sentences inside a template, as tokens.

The text around the sentence is tokenised together with it, so that pieces at the border come out as the
model saw them in training. Mask tokens are put in as ids: a sentence that spells ``[MASK]`` stays plain
text. When a text is too long the sentence is shortened, never the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike
from tokenizers import Encoding, Tokenizer

from core.encoders.template import MASK, split, with_ending
from core.errors import RecipeError, shorten


@dataclass
class Row:
    """The tokens of one text, column by column; ``own`` are the sentence's."""

    ids: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)
    special: list[bool] = field(default_factory=list)
    types: list[int] = field(default_factory=list)
    cut: bool = False

    def add(self, ids: Sequence[int], words: Sequence[int], own: Sequence[bool], kind: int) -> None:
        """Append tokens of the text; ``words`` count from 0 and go on from those that are there."""
        next_word = max(self.words, default=-1) + 1
        self.ids += ids
        self.words += [-1 if word < 0 else word + next_word for word in words]
        self.own += own
        self.special += [False] * len(ids)
        self.types += [kind] * len(ids)


class Prompt:
    """A template for one tokenizer.

    Parameters
    ----------
    backend
        A tokenizer that neither cuts nor pads, and reads special tokens in texts as plain text.
    template
        Text with ``[X]``, and ``[MASK]`` where mask tokens go; a model without one leaves them out.
    mask
        The mask token's id and whether it takes the space before and after it into itself; None for a
        model without.
    max_tokens
        The longest text, special tokens included.

    Raises
    ------
    RecipeError
        The template leaves no room for a sentence.
    """

    def __init__(
        self, backend: Tokenizer, template: str, mask: tuple[int, bool, bool] | None, max_tokens: int
    ) -> None:
        if mask is None:
            template = template.replace(MASK, "")
        parts = split(template)
        self._backend, self._mask, self._ending = backend, mask, parts.sentence
        self._max = max_tokens
        self._before, self._after = (_trimmed(texts, mask) for texts in (parts.before, parts.after))
        self._fixed = {
            text: backend.encode(text, add_special_tokens=False)
            for text in (*self._before[:-1], *self._after[1:])
        }
        probe = backend.encode("a")
        plain = [i for i, special in enumerate(probe.special_tokens_mask) if not special]
        self._kind = probe.type_ids[plain[0]]
        self._lead = (probe.ids[: plain[0]], probe.type_ids[: plain[0]])
        self._trail = (probe.ids[plain[-1] + 1 :], probe.type_ids[plain[-1] + 1 :])
        need = len(self.rows([""])[0].ids)
        if need >= max_tokens:
            raise RecipeError(
                f"template: {shorten(template)} is {need:,} tokens long by itself; the model reads at most "
                f"{max_tokens:,}, so no room is left for a sentence."
            )

    def rows(self, sentences: Sequence[str]) -> list[Row]:
        """The tokens of each sentence in its prompt."""
        own = [with_ending(sentence, self._ending) for sentence in sentences]
        before, after = self._before[-1], self._after[0]
        encodings = self._backend.encode_batch(
            [before + sentence + after for sentence in own], add_special_tokens=False
        )
        return [
            self._row(encoding, len(before), len(before) + len(sentence))
            for encoding, sentence in zip(encodings, own, strict=True)
        ]

    def _row(self, encoding: Encoding, start: int, stop: int) -> Row:
        # a space that was trimmed off stands before the end of its span
        spans = [(min(a, b - 1), b) for a, b in encoding.offsets]
        own = [min(b, stop) > max(a, start) for a, b in spans]
        may_go = [i for i, (a, b) in enumerate(spans) if own[i] and a >= start and b <= stop]
        around = len(self._lead[0]) + len(self._trail[0]) + len(self._before) + len(self._after) - 2
        around += sum(len(self._fixed[text].ids) for text in (*self._before[:-1], *self._after[1:]))
        room = max(0, self._max - around - (len(own) - len(may_go)))
        gone = set(may_go[room:])
        kept = [i for i in range(len(own)) if i not in gone]
        words = _apart([-1 if w is None else w for w in encoding.word_ids], own)
        row = Row(cut=bool(gone))
        self._special(row, *self._lead)
        for text in self._before[:-1]:
            self._add_fixed(row, text)
            self._add_mask(row)
        row.add(
            [encoding.ids[i] for i in kept], [words[i] for i in kept], [own[i] for i in kept], self._kind
        )
        for text in self._after[1:]:
            self._add_mask(row)
            self._add_fixed(row, text)
        self._special(row, *self._trail)
        return row

    def _add_fixed(self, row: Row, text: str) -> None:
        encoding = self._fixed[text]
        words = [-1 if w is None else w for w in encoding.word_ids]
        row.add(encoding.ids, words, [False] * len(encoding.ids), self._kind)

    def _add_mask(self, row: Row) -> None:
        assert self._mask is not None  # noqa: S101  (there is a second part only where a mask stood)
        row.add([self._mask[0]], [-1], [False], self._kind)

    @staticmethod
    def _special(row: Row, ids: Sequence[int], types: Sequence[int]) -> None:
        row.ids += ids
        row.words += [-1] * len(ids)
        row.own += [False] * len(ids)
        row.special += [True] * len(ids)
        row.types += types


def _apart(words: list[int], own: list[bool]) -> list[int]:
    """Word numbers from 0, so that none is both the template's and the sentence's."""
    numbers: list[int] = []
    number, before = -1, None
    for word, mine in zip(words, own, strict=True):
        if word >= 0 and (word, mine) != before:
            number, before = number + 1, (word, mine)
        numbers.append(number if word >= 0 else -1)
    return numbers


def _trimmed(texts: tuple[str, ...], mask: tuple[int, bool, bool] | None) -> list[str]:
    """Texts between masks, without the spaces that the mask token takes into itself."""
    trimmed = list(texts)
    if mask is None:
        return trimmed
    _, strips_before, strips_after = mask
    for i, _ in enumerate(pairwise(trimmed)):
        trimmed[i] = trimmed[i].rstrip() if strips_before else trimmed[i]
        trimmed[i + 1] = trimmed[i + 1].lstrip() if strips_after else trimmed[i + 1]
    return trimmed


def as_arrays(rows: Sequence[Row]) -> dict[str, np.ndarray]:
    """Rows end to end."""

    def column(name: str, dtype: DTypeLike) -> np.ndarray:
        return np.array([value for row in rows for value in getattr(row, name)], dtype)

    special, own = column("special", bool), column("own", bool)
    return {
        "lengths": np.array([len(row.ids) for row in rows], int),
        "ids": column("ids", np.int32),
        "special": special,
        "words": column("words", np.int32),
        "types": column("types", np.int8),
        "template": ~own & ~special,
        "truncated": np.array([row.cut for row in rows], bool),
    }
