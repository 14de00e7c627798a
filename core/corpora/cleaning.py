"""Texts made fit to read: without control characters, halves of characters and empty lines."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.errors import counted

_HALF = "\N{REPLACEMENT CHARACTER}"

_HALVES = re.compile(r"[\ud800-\udfff]")

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""All characters of Unicode's category Cc."""

_UNSEEN = re.compile(r"[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
"""Spaces without width, and marks that turn the direction of all that stands behind them."""


@dataclass(frozen=True)
class Cleaned:
    """Pasted lines made fit to read, and what was changed."""

    sentences: tuple[str, ...]
    notes: tuple[str, ...]


def clean_lines(text: str) -> Cleaned:
    """Sentences from pasted text, one per line.

    Lines without anything to see in them are skipped, control characters become spaces and halves of
    characters become U+FFFD (:func:`whole`); each is counted in the notes.
    """
    given = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [whole(line) for line in given]
    halved = sum(a.count(_HALF) < b.count(_HALF) for a, b in zip(given, lines, strict=True))
    cleaned = [clean(line) for line in lines]
    changed = sum(a.strip() != b for a, b in zip(lines, cleaned, strict=True))
    kept = tuple(filter(_shows, cleaned))
    blank = len(lines) - len(kept) if kept else 0
    notes = []
    if changed:
        notes.append(f"Control characters were replaced by spaces in {counted(changed, 'line')}.")
    if halved:
        notes.append(f"Halves of characters were replaced by {_HALF} in {counted(halved, 'line')}.")
    if blank > 1:
        notes.append(f"{counted(blank, 'empty line')} skipped.")
    return Cleaned(kept, tuple(notes))


def clean(text: str) -> str:
    """``text`` without control characters and without spaces at its ends."""
    return _CONTROLS.sub(" ", whole(text)).strip()


def named(text: str, most: int) -> str:
    """``text`` as a name among others: on one line, of at most ``most`` characters, all of them its own.

    Without spaces that have no width, which two names could differ by, and marks that turn the direction of
    what stands behind the name. Empty where nothing of it is seen.
    """
    name = " ".join(_UNSEEN.sub("", clean(text)).split())[:most]
    return name if _shows(name) else ""


def whole(text: str) -> str:
    """``text`` with the halves of a character joined where both are there, else with U+FFFD for a half.

    Halves (surrogates) come from programs that count characters by 16 bits; nothing can write or read one.
    """
    if not _broken(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _shows(line: str) -> bool:
    """Whether a line has a character that is seen: zero-width spaces and marks of direction are not."""
    return any(unicodedata.category(c) not in ("Cf", "Zs") for c in line)


def _broken(text: str) -> bool:
    return _HALVES.search(text) is not None
