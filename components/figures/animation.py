"""Figures that move: the same traces, in the same order and under the same axes, step after step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

LARGEST = 6_000_000
"""Characters of a figure with its frames, as JSON; a larger one is kept without them."""

MOST = 64
"""Frames of a figure."""

MOVES = ("x", "y", "z", "text", "textposition")
"""What of a trace may differ from frame to frame."""


@dataclass(frozen=True, eq=False)
class Animation:
    """The whole figure at each step, the names of the steps, and at which of them it stands at first.

    ``what`` says what a step is, as in "layer". A step may hold more than the figure on the page does, such
    as a curve of the layer that is passed.
    """

    what: str
    names: tuple[str, ...]
    figures: tuple[go.Figure, ...]
    at: str


def moving(figure: go.Figure, animation: Animation | None) -> go.Figure:
    """The figure at its first step, with Plotly's frames.

    A copy of ``figure`` itself where there are no steps, where they have other traces, are too many or too
    large together, and where nothing differs.
    """
    still = go.Figure(figure)
    if animation is None or not 2 <= len(animation.names) <= MOST:
        return still
    first = animation.figures[0]
    if any(_kinds(one) != _kinds(first) for one in animation.figures):
        return still
    places = [i for i in range(len(first.data)) if any(_moved(one, first, i) for one in animation.figures)]
    if not places:
        return still
    copy = go.Figure(animation.figures[animation.names.index(animation.at)])
    copy.frames = [
        _frame(name, animation.what, one, places)
        for name, one in zip(animation.names, animation.figures, strict=True)
    ]
    copy.layout.meta = {"frame": animation.at}
    return copy if len(copy.to_json()) <= LARGEST else still


def _kinds(figure: go.Figure) -> list[str]:
    return [trace.type for trace in figure.data]


def _moved(figure: go.Figure, other: go.Figure, place: int) -> bool:
    """Whether what moves of a trace differs between two steps."""
    one, two = (each.data[place] for each in (figure, other))
    return any(not _same(one[name], two[name]) for name in MOVES if name in one)


def _same(one: object, two: object) -> bool:
    first, second = np.asarray(one), np.asarray(two)
    return np.array_equal(first, second, equal_nan=first.dtype.kind == second.dtype.kind == "f")


def _frame(name: str, what: str, figure: go.Figure, places: Sequence[int]) -> go.Frame:
    """What moves of each trace that does, and the words over the panels."""
    traces = [figure.data[place] for place in places]
    data: Sequence[dict[str, object]] = [
        {"type": trace.type} | {key: trace[key] for key in MOVES if key in trace and trace[key] is not None}
        for trace in traces
    ]
    notes = [note.to_plotly_json() for note in figure.layout.annotations]
    return go.Frame(name=name, group=what, data=data, traces=list(places), layout={"annotations": notes})
