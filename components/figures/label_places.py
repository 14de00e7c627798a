"""Where the names of points on a map stand, so that few of them lie over each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

ROOM = (370.0, 340.0)
"""Pixels of a map across and down, about; on wider pages names are farther apart."""

CHARACTER, LINE, MARKER = 6.6, 15.0, 9.0
"""Pixels of a character of a name, of its height, and of a point."""

_WAYS = {
    "top center": (-0.5, 1.0),
    "bottom center": (-0.5, -1.0),
    "middle right": (0.0, 0.0),
    "middle left": (-1.0, 0.0),
    "top right": (0.0, 1.0),
    "bottom right": (0.0, -1.0),
    "top left": (-1.0, 1.0),
    "bottom left": (-1.0, -1.0),
}
"""Plotly's positions of a text: the shift of its left end by its width, and of its middle upwards."""

_OUTSIDE = 3.0
"""How many times as bad it is to lie outside of the map as over another name."""

Box = tuple[float, float, float, float]
"""Left, right, lower and upper end."""


def positions(points: Float[np.ndarray, "point 2"], names: Sequence[str]) -> list[str]:
    """Plotly's ``textposition`` of each point's name: one by one from above, where it covers least."""
    spread = np.maximum(np.ptp(points, axis=0), np.finfo(np.float32).tiny)
    at = (points - points.min(axis=0)) / spread * ROOM
    markers = [_box(x, y, MARKER, MARKER, -0.5, 0.0) for x, y in at]
    placed: list[Box] = []
    chosen = [""] * len(names)
    for i in np.argsort(-at[:, 1], kind="stable").tolist():
        width = CHARACTER * len(names[i])
        boxes = {way: _name_box(*at[i], width, *shift) for way, shift in _WAYS.items()}
        others = [*placed, *(box for j, box in enumerate(markers) if j != i)]
        chosen[i] = min(boxes, key=lambda way: _badness(boxes[way], others))
        placed.append(boxes[chosen[i]])
    return chosen


def _name_box(x: float, y: float, width: float, across: float, up: float) -> Box:
    """The box of a name: beside its point where it is level with it, else over or under it."""
    aside = 0.0 if up else np.sign(across + 0.5) * MARKER
    return _box(x + aside, y + up * (MARKER + LINE) / 2, width, LINE, across, 0.0)


def _box(x: float, y: float, width: float, height: float, across: float, up: float) -> Box:
    left, middle = x + across * width, y + up * height
    return left, left + width, middle - height / 2, middle + height / 2


def _badness(box: Box, others: Sequence[Box]) -> float:
    """The area of a box over others, and that outside of the map."""
    left, right, low, high = box
    area = (right - left) * (high - low)
    return sum(_shared(box, other) for other in others) + _OUTSIDE * (
        area - _shared(box, (0.0, ROOM[0], -LINE, ROOM[1] + LINE))
    )


def _shared(one: Box, other: Box) -> float:
    across = min(one[1], other[1]) - max(one[0], other[0])
    up = min(one[3], other[3]) - max(one[2], other[2])
    return max(0.0, across) * max(0.0, up)
