"""Scores and durations in words, the same on every page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import counted
from core.evaluation.difference import Difference
from core.evaluation.sts import Score
from core.evaluation.wording import between, digits_of, fixed, signed

UNIT = "Spearman × 100"
"""The unit of every score."""

_UNITS = {
    "all": UNIT,
    "mean": f"mean {UNIT} of subsets",
    "wmean": f"mean {UNIT} of subsets by size",
}


def unit_of(aggregate: str) -> str:
    """What a score is: one correlation over all pairs, or a mean of those of subsets."""
    return _UNITS[aggregate]


LOPSIDED = 0.25
"""Share of half an interval by which a number may be off its middle, to be said with ±."""


def value(score: Score) -> str:
    """``70.2 ± 2.7``; ``70.2 (3 pairs)`` where these are too few for an interval."""
    return plus_minus(score.spearman, score.low, score.high, score.pairs)


def plus_minus(middle: float, low: float, high: float, pairs: int | None = None, digits: int = 1) -> str:
    """A number with half of its interval: ``70.2 ± 2.7``; ``70.2 (3 pairs)`` where these are too few.

    It stands alone there without ``pairs``. An interval of which the number is not about the middle has
    its ends: ``61.2 (95 %: 17.9 to 79.9)``.
    """
    if not np.isfinite(middle):
        return "no score"
    number = fixed(middle, digits)
    if not np.isfinite([low, high]).all():
        return number + (f" ({counted(pairs, 'pair')})" if pairs is not None else "")
    if is_lopsided(middle, low, high):
        return f"{number} ({between(low, high, digits if digits > 1 else None)})"
    return f"{number} ± {fixed((high - low) / 2, digits)}"


def brief(middle: float, low: float, high: float) -> str:
    """As :func:`plus_minus`, for a place that says the interval beside: alone where ± would not hold."""
    return fixed(middle) if is_lopsided(middle, low, high) else plus_minus(middle, low, high)


def is_lopsided(middle: float, low: float, high: float) -> bool:
    """Whether an interval is farther from a number on one side, so that ± would not say it."""
    half = (high - low) / 2
    return abs(middle - low - half) > LOPSIDED * half  # of no interval it is not


def with_interval(difference: Difference) -> str:
    """``+2.4, 95 %: 1.3 to 3.5``; of a side without a score there is no difference."""
    low, high = difference.low, difference.high
    if not np.isfinite(difference.value):
        return "one side has no score"
    return f"{signed(difference.value, digits_of(low, high))}, {between(low, high)}"


def better_by(difference: Difference) -> str:
    """Which side is better by how much, with the paired interval; or that no difference is shown."""
    if difference.shown:
        side, by, bounds = difference.ahead
        return f"{side} better by {by} ({bounds})"
    interval = f" ({with_interval(difference)})" if difference.low < difference.high else ""
    return f"no difference shown{interval}"


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def layers_named(layers: str) -> str:
    """A value of ``layers=`` in words: ``layer 6``, ``layers first+last``, ``all layers``."""
    if layers == "all":
        return "all layers"
    return f"layer{'s' * ('+' in layers)} {layers}"


_UNITS_OF_TIME = (("minutes", 60, 90), ("hours", 3600, 36), ("days", 86_400, np.inf))
"""Units above seconds, what each has of these, and how many of it are said."""


def duration(seconds: float) -> str:
    """A time in words, rounded to what an estimate is worth."""
    if seconds < 90:
        return f"{10 * max(1, round(seconds / 10))} seconds"
    unit, each = next((unit, each) for unit, each, most in _UNITS_OF_TIME if seconds < most * each)
    return f"{round(seconds / each)} {unit}"


def duration_range(seconds: float) -> str:
    """``30 seconds to 2 minutes``: half an estimate to twice of it, as idle or busy as the machine is.

    ``up to 10 seconds`` where both are said alike.
    """
    least, most = duration(seconds / 2), duration(2 * seconds)
    if least == most:
        return f"up to {most}"
    number, unit = least.split()
    return f"{number if most.endswith(unit) else least} to {most}"


def metric_name(metric: str) -> str:
    """A metric of a task as it stands in a sentence: ``Spearman``, which is a name; ``accuracy``."""
    return metric.capitalize() if metric in ("spearman", "pearson") else metric


def metrics_unit(metrics: Sequence[str]) -> str:
    """``accuracy × 100``; ``mean of Spearman and accuracy × 100`` where a value is the mean of both."""
    return f"{'mean of ' * (len(metrics) > 1)}{metrics_named(metrics)} × 100"


def metrics_named(metrics: Sequence[str]) -> str:
    """``Spearman and accuracy``."""
    return listed([metric_name(metric) for metric in metrics])


def upper_first(sentence: str) -> str:
    """A sentence as it stands in a title."""
    return sentence[:1].upper() + sentence[1:]


def lower_first(sentence: str) -> str:
    """A sentence as it stands after a colon."""
    return sentence[:1].lower() + sentence[1:]
