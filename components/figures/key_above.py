"""What colours and marks mean: lines over the axes, from the left edge of the figure on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from components.figures.labels import plain
from components.theme import Theme

LINE = 24
"""Pixels of a line, for which the margin above has room."""


def key_above(lines: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The title of a figure's layout that has these lines of HTML.

    A key that begins at an axis is cut in a narrow window, which leaves little beside the axis's names.
    """
    return {
        "title": {
            "text": "<br>".join(lines),
            "x": 0,
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 16},  # the first line stands above the anchor
            "font": {"size": 15},
        }
    }


def side_lines(called: Mapping[str, str], theme: Theme) -> list[str]:
    """A line in the colour of each side, with what its recipe is ``called``."""
    return [marked("●", name, theme.readable(theme.side(side))) for side, name in called.items()]


def marked(sign: str, words: str, color: str) -> str:
    """A mark and what it means, in its colour; the words are escaped."""
    return f'<span style="color:{color}">{sign} {plain(words)}</span>'
