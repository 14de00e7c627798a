"""Recipes as points of a figure: where they stand, and where their names do."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from components.figures.labels import NAME, cut_distinct, plain

CHARACTER, LINE = 8.0, 19.0
"""Pixels of a label: one character's width, a line's height."""

ROW = 26
"""Characters of a row of a label; longer ones have two."""

PLOT = (470.0, 300.0)
"""Pixels that a figure's axes span on a page 1280 wide."""

_AROUND = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
_OUT = (16.0, 34.0, 56.0)
"""Where a label can stand: in which direction of its marker, and how far away."""

OVER = 8.0
"""How many times as bad a name over another name is as over an arrow or a marker: neither can be read."""

MARKER, ARROW, CROSSED = 9.0, 3.0, 300.0
"""Pixels from the middle of a marker, and of an arrow, to its edge; and how bad a line over another's
marker is, as square pixels of a label over others: it would seem to be the other's name."""

Arrow = tuple[int, int]
"""The places in a list of points of those that an arrow begins and ends at."""


@dataclass(frozen=True, eq=False)
class Point:
    """One recipe: where it stands, its score (NaN for none), and the ring of recipe A or B.

    ``kind`` says why it is there, as ``pinned``; where kinds differ, each of
    :data:`components.figures.geometry.SYMBOLS` has its own.
    """

    label: str
    x: float
    y: float
    score: float
    hover: str
    side: str = ""
    kind: str = ""

    @property
    def live(self) -> bool:
        """Whether it is recipe A or B and nothing else: no variant of anything."""
        return bool(self.side) and self.label == self.side

    @property
    def known(self) -> bool:
        """Whether it can be drawn."""
        return bool(np.isfinite(self.x) and np.isfinite(self.y))


class Label(NamedTuple):
    """The name of the point with this number.

    Its middle stands so many pixels ``right`` and ``down`` from the point; ``half`` is half its width.
    """

    number: int
    text: str
    right: float
    down: float
    half: float


def label_places(points: Sequence[Point], arrows: Sequence[Arrow] = ()) -> list[Label]:
    """A label for each point, and where it stands.

    Points in one place share a label. Greedy: each label takes the spot where it, and the line to it, cover
    least of what is there already, the nearest of equal ones.
    """
    spots = _unit_square(points) * PLOT
    groups: list[list[int]] = []
    for number in range(len(points)):
        near = next((g for g in groups if np.abs(spots[g[0]] - spots[number]).max() < 5), None)
        if near is None:
            groups.append([number])
        else:
            near.append(number)
    marks = np.concatenate([spots - MARKER, spots + MARKER], axis=1)
    taken = np.concatenate([marks, *(_along(spots[begin], spots[end]) for begin, end in arrows)])
    placed = np.empty((0, 4))
    found = []
    every = _names(points)
    for group in groups:
        names = [every[i] for i in group]
        rows = _rows(names[:3])
        text = "<br>".join(map(plain, rows)) + (" and …" if len(names) > 3 else "")
        width = CHARACTER * max(map(len, rows))
        half = np.array([width / 2, LINE * len(rows) / 2])
        shifts = np.array(
            [
                (right * (out + width / 2), down * (half[1] - LINE / 2 + (0.8 if right else 1) * out))
                for out in _OUT
                for right, down in _AROUND
            ]
        )
        middles = spots[group[0]] + shifts * (1, -1)
        boxes = np.concatenate([middles - half, middles + half], axis=1)
        best = 0
        others = np.delete(spots, group, axis=0)
        covered = _shared(boxes, taken).sum(axis=1) + OVER * _shared(boxes, placed).sum(axis=1)
        costs = covered + _outside(boxes) + _crossed(spots[group[0]], middles, others)
        for number, cost in enumerate(costs):
            if cost < costs[best] - 1:
                best = number
        placed = np.concatenate([placed, boxes[best : best + 1]])
        right, down = map(float, shifts[best])
        found.append(Label(group[0], text, right, down, width / 2))
    return found


def _rows(names: Sequence[str]) -> list[str]:
    """The names of one place over rows; a name of more than a row has two, parted at a word."""
    if len(names) > 1:
        together = " and ".join(names)
        one = len(together) * CHARACTER < PLOT[0]
        return [together] if one else [*(f"{name} and" for name in names[:-1]), names[-1]]
    name = names[0].replace("· ", "·\N{NO-BREAK SPACE}")  # which belongs to the model behind it
    width = max(ROW, len(name) // 2 + 4)
    rows = textwrap.wrap(name, width, break_long_words=False, break_on_hyphens=False)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows] or [""]


def _names(points: Sequence[Point]) -> list[str]:
    """The labels, cut where they are long, with the recipe that each is: ``zscore (B)``."""
    cut = cut_distinct([point.label for point in points], NAME)
    return [
        f"{label} ({point.side})" if point.side and not point.live else label
        for label, point in zip(cut, points, strict=True)
    ]


def _shared(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The area that each box shares with each other one; boxes are left, low, right and high."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0.0).prod(axis=2))


def _outside(boxes: np.ndarray) -> np.ndarray:
    """How far each box leaves the axes, made to weigh more than any overlap."""
    beyond = np.maximum(-boxes[:, :2], 0.0) + np.maximum(boxes[:, 2:] - PLOT, 0.0)
    return np.asarray(1000 * beyond.sum(axis=1))


def _along(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Boxes that follow each other along an arrow."""
    steps = max(1, int(np.ceil(np.linalg.norm(end - begin) / (2 * ARROW))))
    middles = begin + np.linspace(0, 1, steps + 1)[:, None] * (end - begin)
    return np.concatenate([middles - ARROW, middles + ARROW], axis=1)


def _crossed(start: np.ndarray, ends: np.ndarray, others: np.ndarray) -> np.ndarray:
    """What the markers weigh, by :data:`CROSSED`, that the line from a point to each end passes over."""
    ways = ends - start
    along = np.clip(((others - start) @ ways.T) / (ways**2).sum(axis=1), 0, 1)
    passing = start + along[..., None] * ways
    apart = np.linalg.norm(passing - others[:, None], axis=2)
    return np.asarray(CROSSED * (apart < MARKER).sum(axis=0))


def _unit_square(points: Sequence[Point]) -> np.ndarray:
    """Where points stand in the figure, as shares of its width and height."""
    spots = np.empty((len(points), 2))
    for column, axis in enumerate("xy"):
        if points:
            low, high = with_room(points, axis)["range"]
            spots[:, column] = (np.array([getattr(point, axis) for point in points]) - low) / (high - low)
    return spots


def are_near(a: Point, b: Point, points: Sequence[Point]) -> bool:
    """Whether two points are too close for an arrow between them."""
    spots = _unit_square([*points, a, b])
    return bool(np.abs(spots[-1] - spots[-2]).max() < 0.03)


def with_room(points: Sequence[Point], axis: str) -> dict[str, list[float]]:
    """An axis' range with room for labels beside the outermost points."""
    values = [getattr(point, axis) for point in points]
    if not values:
        return {}
    low, high = min(values), max(values)
    room = 0.14 * (high - low) or max(abs(low) * 0.1, 0.1)
    return {"range": [low - room, high + room]}
