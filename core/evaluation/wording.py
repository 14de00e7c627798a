"""Numbers in words: signs and intervals, written the same everywhere."""

from __future__ import annotations

import numpy as np

Number = float | np.floating | np.integer

MINUS = "−"
"""The minus sign (U+2212), which is as wide as a plus."""


def fixed(value: Number, digits: int = 1) -> str:
    """``82.0``, ``−0.3``; what rounds to 0 has no sign."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", MINUS)


def signed(value: Number, digits: int = 1) -> str:
    """``+2.4``, ``−0.3``; what rounds to 0 is ``0.0``."""
    text = fixed(value, digits)
    return text if text.startswith(MINUS) or not float(text) else f"+{text}"


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
