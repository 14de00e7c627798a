"""Numbers and a text's words in sentences: signs, intervals and quotes, written the same everywhere."""

from __future__ import annotations

import unicodedata

import numpy as np

Number = float | np.floating | np.integer

MINUS = "−"
"""The minus sign (U+2212), which is as wide as a plus."""


def fixed(value: Number, digits: int = 1) -> str:
    """``82.0``, ``−0.3``; what rounds to 0 has no sign."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", MINUS)


def shortest(value: Number) -> str:
    """``82``, ``−0.3``, ``0.0001``: no more digits than a number of six has."""
    return f"{float(value):g}".replace("-", MINUS)


def signed(value: Number, digits: int = 1) -> str:
    """``+2.4``, ``−0.3``; what rounds to 0 is ``0.0``."""
    text = fixed(value, digits)
    return text if text.startswith(MINUS) or not float(text) else f"+{text}"


def quoted(text: str) -> str:
    """A reader's word or text between quotes in a sentence: ``“rain”``."""
    return f"“{isolated(text)}”"


def isolated(text: str) -> str:
    """``text`` so that the quotes and numbers around it stay where they are.

    What holds letters written from right to left is isolated (U+2068 to U+2069); other text is as it was.
    """
    leftwards = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if leftwards else text


def digits_of(low: Number, high: Number) -> int:
    """One decimal; two where one would print a bound as 0.0."""
    return 2 if 0 < min(abs(float(low)), abs(float(high))) < 0.05 else 1


def between(low: Number, high: Number, digits: int | None = None) -> str:
    """``95 %: −0.2 to 1.1``, with so many digits; with those of :func:`digits_of` where none are given.

    Bounds that are no numbers are those of too few pairs: ``no interval``.
    """
    if not np.isfinite([float(low), float(high)]).all():
        return "no interval"
    digits = digits_of(low, high) if digits is None else digits
    return f"95 %: {fixed(low, digits)} to {fixed(high, digits)}"
