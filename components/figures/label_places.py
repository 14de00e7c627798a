"""Where the names of points on a map stand, so that few of them lie over each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from components.figures.labels import cut_distinct

ROOM = (350.0, 260.0)
"""Pixels between the outer points of a map across and down, about, as if type were as large as on the page.

It is larger where a figure is presented. On wider pages names are farther apart.
"""

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

LENGTHS = (24, 16, 11)
"""Characters that names are cut to, the shorter ones where a longer one would lie over others."""

_OVER = 0.1
"""The share of a name that may lie over others."""

_OUTSIDE = 3.0
"""How many times as bad it is to lie outside of the map as over another name."""

LABEL_GAP = 0.075
"""Least distance of two labels at the ends of curves, as a share of the figure's height."""

Box = tuple[float, float, float, float]
"""Left, right, lower and upper end."""


def below_each_other(ends: Sequence[float], bounds: tuple[float, float]) -> list[float]:
    """Where labels at the ends of curves stand: :data:`LABEL_GAP` or more below each other."""
    gap = LABEL_GAP * (bounds[1] - bounds[0])
    places, last = list(ends), np.inf
    for i in sorted(range(len(ends)), key=lambda i: -ends[i]):
        places[i] = last = min(ends[i], last - gap)
    return places


def named(points: Float[np.ndarray, "point 2"], texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """A name of each point, as long as none lies over another, and Plotly's ``textposition`` of it.

    What has no room for a short one has no name.
    """
    names = cut_distinct(texts, LENGTHS[0])
    ways = positions(points, names)
    for length in LENGTHS[1:]:
        shorter = cut_distinct(texts, length)
        names = [name if way else less for name, way, less in zip(names, ways, shorter, strict=True)]
        ways = positions(points, names)
    shown = [name if way else "" for name, way in zip(names, ways, strict=True)]
    return shown, [way or "top center" for way in ways]


def positions(points: Float[np.ndarray, "point 2"], names: Sequence[str]) -> list[str]:
    """Plotly's ``textposition`` of each point's name: one by one from above, where it covers least.

    Empty for one that would lie over others everywhere. Both axes have the same scale.
    """
    spread = np.maximum(np.ptp(points, axis=0), np.finfo(np.float32).tiny)
    middle = points.min(axis=0) + np.ptp(points, axis=0) / 2
    at = (points - middle) * (ROOM / spread).min() + np.array(ROOM) / 2
    markers = [_box(x, y, MARKER, MARKER, -0.5, 0.0) for x, y in at]
    placed: list[Box] = []
    chosen = [""] * len(names)
    for i in np.argsort(-at[:, 1], kind="stable").tolist():
        width = CHARACTER * len(names[i])
        boxes = {way: _name_box(*at[i], width, *shift) for way, shift in _WAYS.items()}
        others = [*placed, *(box for j, box in enumerate(markers) if j != i)]
        way = min(boxes, key=lambda way: _badness(boxes[way], others))
        if sum(_shared(boxes[way], name) for name in placed) <= _OVER * width * LINE:
            chosen[i] = way
            placed.append(boxes[way])
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
