"""Figures that move: the same points, in the same order and under the same axes, step after step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

LARGEST = 6_000_000
"""Characters of a figure with its frames, as JSON; a larger one is kept without them."""

MOST = 64
"""Frames of a figure."""

MOVES = ("x", "y", "z")
"""What of a trace may differ from frame to frame."""


@dataclass(frozen=True, eq=False)
class Animation:
    """The whole figure at each step, the names of the steps, and at which of them it is drawn at first.

    ``what`` says what a step is, as in "layer".
    """

    what: str
    names: tuple[str, ...]
    figures: tuple[go.Figure, ...]
    at: str


def moving(figure: go.Figure, animation: Animation | None) -> go.Figure:
    """A copy with Plotly's frames; without them where steps have other traces or are too many."""
    copy = go.Figure(figure)
    if animation is None or not 2 <= len(animation.names) <= MOST:
        return copy
    if any(_kinds(one) != _kinds(figure) for one in animation.figures):
        return copy
    copy.frames = [
        _frame(name, animation.what, one)
        for name, one in zip(animation.names, animation.figures, strict=True)
    ]
    copy.layout.meta = {"frame": animation.at}
    if len(copy.to_json()) > LARGEST:
        copy.frames, copy.layout.meta = (), None
    return copy


def _kinds(figure: go.Figure) -> list[str]:
    return [trace.type for trace in figure.data]


def _frame(name: str, what: str, figure: go.Figure) -> go.Frame:
    """What moves of each trace, and the words over the panels."""
    data: Sequence[dict[str, object]] = [
        {"type": trace.type} | {key: trace[key] for key in MOVES if key in trace and trace[key] is not None}
        for trace in figure.data
    ]
    notes = [note.to_plotly_json() for note in figure.layout.annotations]
    return go.Frame(
        name=name,
        group=what,
        data=data,
        traces=list(range(len(figure.data))),
        layout={"annotations": notes},
    )
