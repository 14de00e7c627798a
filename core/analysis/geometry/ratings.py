"""Gold ratings: their scale, the positive pairs, and the densities of similarities by rating.

Papers state thresholds on the scale 0 to 5 of the STS tasks. On another scale the threshold is at the same
share of the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.corpora.scales import SCALE, Scale, scale_of
from core.loading import LOADING

FEWEST = 5
"""The smallest number of pairs that a density is estimated from."""

GRID = 256
"""Points at which densities are computed."""

Values = Float[np.ndarray, " pair"]


@dataclass(frozen=True)
class Definition:
    """A published way to measure alignment and uniformity.

    Attributes
    ----------
    name
        Whose it is.
    normalised
        Whether vectors are scaled to Euclidean norm 1.
    above
        The gold score on the scale 0 to 5 that positive pairs exceed; None for the highest one itself.
    """

    name: str
    normalised: bool
    above: float | None

    def positives(self, gold: Values, known: Scale | None = None) -> Bool[np.ndarray, " pair"]:
        """Which pairs are positive, on a scale that is ``known`` or told by the scores."""
        low, high = scale_of(gold, known)
        if self.above is None:
            return gold >= high - 1e-9
        return gold > _on_scale(self.above, (low, high)) + 1e-9

    def rule(self, gold: Values, known: Scale | None = None) -> str:
        """``gold > 4 on a scale of 0 to 5``: what makes a pair positive, in words."""
        low, high = scale_of(gold, known)
        what = f"= {high:g}" if self.above is None else f"> {_on_scale(self.above, (low, high)):g}"
        return f"gold {what} on a scale of {low:g} to {high:g}"


DEFINITIONS = {
    "normalised": Definition("SimCSE, Ditto", True, 4.0),
    "as they are": Definition("Stankevičius & Lukoševičius 2025", False, None),
}
"""SimCSE (Gao et al. 2021) and Ditto take unit vectors; the other paper's take vectors as they are."""


@dataclass(frozen=True, eq=False)
class Group:
    """The pairs whose rating lies in a range; the highest group holds its upper end too."""

    low: float
    high: float
    similarities: Values

    @property
    def label(self) -> str:
        """``4–5``."""
        return f"{self.low:g}–{self.high:g}"

    @property
    def spreads(self) -> bool:
        """Whether a density can be estimated."""
        return len(self.similarities) >= FEWEST and bool(np.ptp(self.similarities) > 1e-6)


def parts_of(scale: Scale) -> int:
    """The equal parts of a scale: steps of 1 where it has 2 to 10 of them, else five."""
    span = scale[1] - scale[0]
    return round(span) if float(span).is_integer() and 2 <= span <= 10 else 5


def by_rating(similarities: Values, gold: Values, known: Scale | None = None) -> list[Group]:
    """Pairs by rating, in the equal parts of the scale.

    Groups without pairs are left out.
    """
    low, high = scale_of(gold, known)
    steps = parts_of((low, high))
    edges = low + (high - low) / steps * np.arange(steps + 1)
    place = np.clip(np.searchsorted(edges, gold + 1e-9, side="right") - 1, 0, steps - 1)
    return [
        Group(float(edges[i]), float(edges[i + 1]), similarities[place == i])
        for i in range(steps)
        if (place == i).any()
    ]


def densities(
    groups: Sequence[Group],
) -> tuple[Float[np.ndarray, " point"], list[Float[np.ndarray, " point"] | None]]:
    """Kernel densities (Gaussian, Silverman's bandwidth) on one grid within −1 to 1, each of area 1.

    None for a group of fewer than :data:`FEWEST` pairs, or whose cosines are all equal.
    """
    estimated = [group.similarities for group in groups if group.spreads]
    if not estimated:
        return np.linspace(-1, 1, GRID), [None for _ in groups]
    room = 3 * max(float(values.std()) for values in estimated) * FEWEST**-0.2
    low, high = min(v.min() for v in estimated) - room, max(v.max() for v in estimated) + room
    grid = np.linspace(max(low, -1.0), min(high, 1.0), GRID)
    curves: list[np.ndarray | None] = []
    with LOADING:
        from scipy.stats import gaussian_kde
    for group in groups:
        if not group.spreads:
            curves.append(None)
            continue
        values = gaussian_kde(group.similarities, "silverman")(grid)
        curves.append(values / np.trapezoid(values, grid))
    return grid, curves


def overlap(
    grid: Float[np.ndarray, " point"], p: Float[np.ndarray, " point"], q: Float[np.ndarray, " point"]
) -> float:
    """The overlap coefficient of two densities, 0 (apart) to 1 (the same): the area under both."""
    return float(np.trapezoid(np.minimum(p, q), grid))


def _on_scale(score: float, scale: Scale) -> float:
    """A score of the scale 0 to 5 at the same share of another scale."""
    return scale[0] + (scale[1] - scale[0]) * score / SCALE[1]
