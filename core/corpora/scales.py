"""The scale of gold scores: the lowest and highest that could be given, said or told by the scores."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Scale = tuple[float, float]
"""The lowest and highest score that could be given."""

SCALE: Scale = (0.0, 5.0)
"""The scale of the STS tasks."""

SCALES: tuple[Scale, ...] = ((0.0, 1.0), (-1.0, 1.0), (1.0, 5.0), SCALE, (0.0, 10.0), (0.0, 100.0))
"""Scales in use, those that are guessed first before the others."""


def scales_for(low: float, high: float) -> list[Scale]:
    """The scales that scores from ``low`` to ``high`` can be on, the likeliest first.

    0 to 1 where none is above 1, 1 to 5 where none is below 1, else 0 to 5, 10 or 100, whichever holds
    them first; their own range is the last, and the only one where no scale in use holds them. One score
    alone that none holds is an end of its range.
    """
    holding = [scale for scale in SCALES if scale[0] <= low and high <= scale[1]]
    if low == high and not holding:
        return [(min(low, 0.0), max(high, 0.0))]
    own = [(low, high)] if low < high and (low, high) not in holding else []
    return holding + own


def scale_of(gold: Float[np.ndarray, " row"], said: Scale | None = None) -> Scale:
    """The scale that was said, else the likeliest of these scores; 0 to 5 without scores."""
    if said is not None:
        return said
    return scales_for(float(gold.min()), float(gold.max()))[0] if len(gold) else SCALE
