"""The difference of two recipes' scores on the same rows, with its interval, and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.evaluation.statistics import interval
from core.evaluation.wording import between, digits_of, fixed, signed

Samples = Float[np.ndarray, " _"]
"""A score × 100 for each bootstrap resample, in their order; NaN where a side has no score, perhaps one."""


@dataclass(frozen=True)
class Difference:
    """B minus A in Spearman × 100, with its paired 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    @classmethod
    def paired(cls, a: float, a_samples: Samples, b: float, b_samples: Samples) -> Difference:
        """B minus A, from both values and their bootstrap samples of the same resamples, in their order.

        NaN where one side has no score: it then has one sample, or samples that are NaN.
        """
        if not np.isfinite(b - a):
            return NO_DIFFERENCE
        return cls(float(b - a), *interval(b_samples - a_samples))

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    @property
    def known(self) -> bool:
        """Whether both sides have a score, of pairs enough for an interval."""
        return bool(np.isfinite([self.value, self.low, self.high]).all())

    @property
    def ahead(self) -> tuple[str, str, str]:
        """Of a difference that is shown: which side is better, by how much, and the bounds of that."""
        if self.value > 0:
            return "B", self.amount, between(self.low, self.high)
        return "A", self.amount, between(-self.high, -self.low)

    @property
    def amount(self) -> str:
        """How large it is, whoever is ahead, with as many digits as its bounds are written with."""
        return fixed(abs(self.value), self._digits)

    @property
    def _digits(self) -> int:
        return digits_of(self.low, self.high)

    def words(self, unit: str = "Spearman × 100", *, on: str = "") -> str:
        """The difference as a sentence, in words that say what of, and ``on`` which corpus."""
        where = f" on {on}" if on else ""
        if not np.isfinite(self.value):
            return f"The difference{where} cannot be computed: one side has no score."
        if not self.known:
            few = "of too few pairs for an interval"
            return f"No difference shown{where}: B − A is {signed(self.value)} ({unit}, {few})."
        if self.value == self.low == self.high == 0:
            return f"No difference shown{where}: A and B score the same ({unit})."
        if not self.shown:
            bounds = between(self.low, self.high)
            value = signed(self.value, self._digits)
            return f"No difference shown{where}: B − A is {value} ({unit}, {bounds})."
        side, by, bounds = self.ahead
        return f"{side} is better by {by}{where} ({unit}, {bounds})."


NO_DIFFERENCE = Difference(float("nan"), float("nan"), float("nan"))
"""The difference where one side has no score: NaN, with bounds that are NaN."""
