"""About how many different words texts have, without reading all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

SAMPLED = 20_000
"""Words that are looked at."""

GROWTH = 0.6
"""The exponent of Heaps' law: the vocabulary grows with this power of the length of the text."""

_WORD = re.compile(r"\w+|[^\w\s]")


def vocabulary_size(texts: Sequence[str]) -> int:
    """Different words and marks of the first texts, and by Heaps' law of all of them; case does not count.

    References
    ----------
    H. S. Heaps: Information Retrieval, Computational and Theoretical Aspects. 1978.
    """
    found: set[str] = set()
    words = characters = 0
    for text in texts:
        some = _WORD.findall(text.lower())
        found.update(some)
        words, characters = words + len(some), characters + len(text)
        if words >= SAMPLED:
            break
    whole = sum(map(len, texts))
    return round(len(found) * (whole / max(characters, 1)) ** GROWTH)
