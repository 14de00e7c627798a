"""About how many different words texts have, without reading all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2

SAMPLED = 50_000
"""Words of a sample, about; texts of up to twice as many are counted."""

_LETTERS = 5
"""Characters of a word, about, with the blank before it."""

_FEW, _PIECE = 100, 1_000
"""A sample of fewer texts is one of pieces of so many characters instead."""

_WORD = re.compile(r"\w+|[^\w\s]")


def vocabulary_size(texts: Sequence[str]) -> int:
    """Different words and marks of texts; case does not count. Of many texts a sample tells it.

    The vocabulary grows with a power of the length of the texts (Heaps' law), and the power falls as they
    grow: both follow from a quarter, a half and all of the sample.

    References
    ----------
    H. S. Heaps: Information Retrieval, Computational and Theoretical Aspects. 1978.
    """
    whole = sum(map(len, texts))
    step = max(1, whole // (_LETTERS * SAMPLED))
    if step > 1 and len(texts) < _FEW * step:
        texts = [text[start : start + _PIECE] for text in texts for start in range(0, len(text), _PIECE)]
    sample = texts[::step]
    words = [_WORD.findall(text.lower()) for text in sample]
    found = _mean_count(words, 1)
    if step == 1 or not found:
        return round(found)
    quarter, half = _mean_count(words, 4), _mean_count(words, 2)
    power, doublings = log2(found / half), log2(whole / sum(map(len, sample)))
    falls, growth = max(0.0, log2(half / quarter) - power), 0.0
    while doublings > 0:
        power = max(0.0, power - falls)
        growth += power * min(1.0, doublings)
        doublings -= 1
    return round(found * 2**growth)


def _mean_count(words: Sequence[Sequence[str]], parts: int) -> float:
    """Different words of one of so many equal parts of a sample, on average."""
    return sum(len(set().union(*words[start::parts])) for start in range(parts)) / parts
