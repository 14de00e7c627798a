"""Names of the files that a figure is saved as."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 120
"""Characters of a file name without its ending, in at most twice as many bytes: file systems take 255."""

_PART = 48
"""Characters of one part of it."""

_SPELLED = str.maketrans({"±": "+-", "×": "x"})
"""Signs without which numbers would read as others."""


def file_name(parts: Iterable[str], ending: str) -> str:
    """``strata_scores_STS-B-test_A-last-layer-mean.png``: letters and digits of any script, ``-_+.`` alone.

    Latin letters lose their accents. A long part, and a name of many, end where one of their words does.
    """
    words = [word for part in parts if (word := _word(part))]
    return f"{_cut('_'.join(['strata', *words]), LONGEST)}.{ending}"


def _word(text: str) -> str:
    kept = ""
    for letter in unicodedata.normalize("NFKD", text.translate(_SPELLED)):
        is_mark = unicodedata.category(letter).startswith("M")
        if is_mark and (not kept or kept[-1].isascii()):
            continue
        kept += letter if is_mark or letter.isalnum() or letter in "+." else "-"
    plain = re.sub(r"\.{2,}", "-", unicodedata.normalize("NFC", kept))
    return _cut(re.sub("-{2,}", "-", plain), _PART)


def _cut(text: str, most: int) -> str:
    """At most so many characters in twice as many bytes, whole words; a longer word is cut."""
    text = text.strip("-_.")
    room = min(most, len(text.encode()[: 2 * most].decode(errors="ignore")))
    if len(text) > room:
        ends = [end for end in map(re.Match.start, re.finditer("[-_+]", text)) if room // 2 <= end <= room]
        text = text[: max(ends, default=room)]
    return text.rstrip("-_.+")
