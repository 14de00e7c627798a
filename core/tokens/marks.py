"""The marks that tokenizers put on tokens: ``##ing`` goes on a word, ``▁the`` and ``Ġthe`` begin one."""

from __future__ import annotations

from collections.abc import Iterable

BEGINS = ("▁", "Ġ")
"""Marks of a word's begin: SentencePiece's, and that of byte-level BPE."""

GOES_ON = "##"
"""WordPiece's mark of a piece after a word's first."""


def begins_word(form: str) -> bool:
    """Whether a surface form has the mark of a word's begin."""
    return form.startswith(BEGINS)


def goes_on(form: str) -> bool:
    """Whether a surface form has the mark of a later piece; ``##`` by itself is a text."""
    return form.startswith(GOES_ON) and len(form) > len(GOES_ON)


def without_begin(form: str) -> str:
    """A surface form without the marks of a word's begin, as a reader expects it: ``the``, ``##ing``.

    One that is nothing but marks stays as it is.
    """
    return form.lstrip("".join(BEGINS)) or form


def without_marks(form: str) -> str:
    """A surface form without any mark: ``the``, ``ing``."""
    return form.removeprefix(GOES_ON) if goes_on(form) else without_begin(form)


def joined(forms: Iterable[str]) -> str:
    """A word from the surface forms of its tokens."""
    return without_begin("".join(form.removeprefix(GOES_ON) if goes_on(form) else form for form in forms))
