"""Names along rows and columns of tokens: type as large as there is room for, then fewer names."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from components.theme import FONT_SIZE

LEAST = 9
"""Pixels of the smallest type that can be read."""

LINE = 1.1
"""Pixels that a line of names takes for each pixel of its type."""


@dataclass(frozen=True)
class Names:
    """The places that have their name, from 0, and the size of its type in pixels."""

    places: tuple[int, ...]
    size: int


def fitting(count: int, room: float, *, largest: int = FONT_SIZE, kept: Collection[int] = ()) -> Names:
    """The names of ``count`` tokens that have so many pixels together.

    Type is ``largest`` where rows are high enough, and never smaller than :data:`LEAST`: lower rows leave
    names out evenly. Those at the places ``kept`` stay, and their neighbours give way.
    """
    size = min(largest, int(room / (LINE * max(count, 1))))
    if size >= LEAST:
        return Names(tuple(range(count)), size)
    every = math.ceil(LINE * LEAST * count / room)
    others = (one for one in range(0, count, every) if all(abs(one - own) >= every for own in kept))
    return Names(tuple(sorted({*kept, *others})), LEAST)
