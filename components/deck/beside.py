"""What room a figure has beside another one on a slide, and which figures need more."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from components.deck.document import PinnedFigure

WIDTH, HEIGHT = 960, 830
"""Pixels of the half of a slide that a figure is drawn for."""

LEAST = 19.0
"""Pixels of the smallest type there that is read in a room."""

_LETTER, _LINE = 0.5, 1.1
"""How wide a letter is and how high a line, as shares of the size of type."""

_UNSEEN = re.compile(r"<[^>]*>|[\u2066-\u2069]")


def crowded(figure: PinnedFigure) -> str:
    """Why a figure cannot be read in half of a slide, as the end of a sentence; empty where it can."""
    layout = figure.plotly.get("layout", {})
    axes = {name: axis for name, axis in layout.items() if re.fullmatch(r"[xy]axis\d*", name)}
    rows = [name for which, axis in axes.items() if which[0] == "y" for name in _names(axis)]
    across = WIDTH - max(map(_width, rows), default=0)
    for axis in (axis for which, axis in axes.items() if which[0] == "x"):
        names = _names(axis)
        start, end = axis.get("domain") or (0, 1)
        if len(names) > 1 and across * (end - start) / len(names) < _taken(names, axis):
            return f"its columns, {len(names)} in a row, would be narrower than their names"
    return ""


def _names(axis: Mapping[str, Any]) -> Sequence[str]:
    texts = axis.get("ticktext")
    shown = axis.get("showticklabels", True) and isinstance(texts, list | tuple)
    return [str(text) for text in texts] if texts and shown else []


def _taken(names: Sequence[str], axis: Mapping[str, Any]) -> float:
    """Pixels from one column's name to the next: where names have to lie half of both, else a line."""
    if axis.get("tickangle") == 0:
        return max((_width(one) + _width(next)) / 2 for one, next in pairwise(names))
    return _LINE * LEAST


def _width(name: str) -> float:
    lines = re.split("<br ?/?>", name)
    return _LETTER * LEAST * max(len(_UNSEEN.sub("", line)) for line in lines)
