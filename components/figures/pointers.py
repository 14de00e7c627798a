"""Arrows from point to point, and names beside points with a line to their own.

They are a trace, texts and plain lines. Of Plotly's own arrows each has the browser lay out the page:
with them, a figure of eleven recipes took 1.6 times as long to change.
"""

from __future__ import annotations

from collections.abc import Sequence

from components.figures.drawing import Drawing, scatter
from components.figures.drawn import Part
from components.figures.named_points import LINE, Label

BESIDE = "beside a point"
"""What names beside points and their lines are called, in one order, for whoever places them anew."""

HEAD, APART = 11, 8
"""Pixels of an arrow's head, and from its tip to the middle of the point that it goes to."""

_GAP = 2.0
"""Pixels between a name and the end of its line."""


def arrows_between(ways: Sequence[tuple[tuple[float, float], tuple[float, float]]], color: str) -> Part:
    """A trace of arrows, each from one place in the axes to another."""
    return scatter(
        x=[x for (begin, _), (end, _) in ways for x in (begin, end, None)],
        y=[y for (_, begin), (_, end) in ways for y in (begin, end, None)],
        mode="lines+markers",
        line={"color": color, "width": 1.5},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "size": [0, HEAD, 0] * len(ways),
            "standoff": APART,
            "opacity": 1,
            "color": color,
            "line": {"width": 0},
        },
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )


def add_name(figure: Drawing, x: float, y: float, label: Label, color: str, line: str) -> None:
    """Write a name in its ``color`` beside a point, with a line from the point to its near edge."""
    side = (label.right > 0) - (label.right < 0)
    across = label.right - side * label.half
    up = -label.down
    below = (up > 0) - (up < 0) if not side else 0
    figure.add_annotation(
        name=BESIDE,
        x=x,
        y=y,
        xshift=across,
        yshift=up,
        xanchor=("right", "center", "left")[side + 1],
        yanchor="middle",
        text=label.text,
        showarrow=False,
        borderpad=0,
        font={"color": color},
    )
    rows = label.text.count("<br>") + 1
    figure.add_shape(
        name=BESIDE,
        type="line",
        layer="below",  # what stood "between" grid and lines Plotly (4.1) leaves there for ever
        xref="x",
        yref="y",
        xsizemode="pixel",
        ysizemode="pixel",
        xanchor=x,
        yanchor=y,
        x0=0,
        y0=0,
        x1=across - side * _GAP,
        y1=up - below * (LINE * rows / 2),
        line={"color": line, "width": 1},
    )
