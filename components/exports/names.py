"""Names of the files that a figure is saved as."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 120
"""Characters of a file name without its ending, each of them a byte: file systems take 255."""

_PART = 48
"""Characters of one part of it."""


def file_name(parts: Iterable[str], ending: str) -> str:
    """``strata_scores_STS-B-test_A-last-layer-mean.png``: letters, digits, ``-_+.`` alone.

    A long part, and a name of many, end where one of their words does.
    """
    words = [word for part in parts if (word := _word(part))]
    return f"{_cut('_'.join(['strata', *words]), LONGEST)}.{ending}"


def _word(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _cut(re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9+.]+|\.{2,}", "-", plain)), _PART)


def _cut(text: str, most: int) -> str:
    """At most so many characters, whole words of them; a word that alone is too long is cut."""
    text = text.strip("-_.")
    if len(text) > most:
        ends = [end for end in map(re.Match.start, re.finditer("[-_+]", text)) if most // 2 <= end <= most]
        text = text[: max(ends, default=most)]
    return text.rstrip("-_.")
