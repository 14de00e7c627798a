"""The map of the page Mixing as w moves from 0 to 1, for a slide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.animation import Animation
from components.figures.mixing import heatmap
from components.theme import MARK, Theme
from components.wording import metrics_unit
from core.analysis.mixing import Mixture
from core.evaluation.wording import fixed

MAP = (0.44, 1.0)
"""What of the height the map takes."""

CURVE = (0.0, 0.36)
"""What of the height the curve of one w takes."""

ROOM = 0.24
"""Free below the curve's range and above, as a share of it: numbers stand over the points or under them."""

NUMBER = (0.03, 0.2)
"""From where to where a number reaches from its point, as a share of the curve's range."""

HALF = 0.3
"""Half the width of a number, in columns."""

HEIGHT = 560
"""Pixels of map and curve."""


def walk(found: Mixture, theme: Theme, at: tuple[float, str] | None = None) -> Animation | None:
    """The map with a frame round the row of one w, and below it that row as a curve, w after w.

    The map says which w is best, the curve what a share does to each choice of layers, beside the model
    alone. w passes from 0 to 1, and further where the chosen cell ``at`` lies outside; None without scores.
    """
    start = at or found.best
    if start is None:
        return None
    low, high = min(0.0, start[0]), max(1.0, start[0])
    shares = [w for w in found.shares if low <= w <= high]
    whole = _drawn(found, theme, at, _span(found, shares))
    figures = tuple(_step(whole, found, w) for w in shares)
    return Animation("w =", tuple(fixed(w, 2) for w in shares), figures, fixed(start[0], 2))


def _step(whole: go.Figure, found: Mixture, w: float) -> go.Figure:
    """The figure at one w."""
    row, columns = found.shares.index(w), len(found.layers)
    values = found.scores[row].astype(np.float32)
    step = go.Figure(whole)
    alone, curve, frame = step.data[-3:]
    curve.y, curve.text = values, [fixed(value) if np.isfinite(value) else "" for value in values]
    low, high = step.layout.yaxis2.range
    curve.textposition = sides(values, [values, np.asarray(alone.y)], high - low)
    frame.x = [-0.5, columns - 0.5, columns - 0.5, -0.5, -0.5]
    frame.y = [row - 0.5, row - 0.5, row + 0.5, row + 0.5, row - 0.5]
    return step


def sides(values: np.ndarray, lines: Sequence[np.ndarray], span: float) -> list[str]:
    """Where the number of each point stands: over it, or under it where fewer of the ``lines`` pass.

    ``span`` is the range of the axis.
    """
    columns, near = np.arange(len(values)), np.linspace(-HALF, HALF, 7)
    found = []
    for column, value in zip(columns, values, strict=True):
        away = np.concatenate([np.interp(column + near, columns, line) - value for line in lines]) / span
        over, under = (((NUMBER[0] < side) & (side < NUMBER[1])).sum() for side in (away, -away))
        found.append("bottom center" if under < over else "top center")
    return found


def _drawn(
    found: Mixture,
    theme: Theme,
    chosen: tuple[float, str] | None,
    span: tuple[float, float],
) -> go.Figure:
    """What stands still, and last the curve and the frame of a row without their places."""
    figure, columns = heatmap(found, theme, chosen), len(found.layers)
    below = {"x": np.arange(columns), "yaxis": "y2", "hovertemplate": "%{y:.1f}<extra></extra>"}
    quiet = {"showlegend": False, "cliponaxis": False}
    figure.add_scatter(
        y=found.scores[found.shares.index(0.0)].astype(np.float32),
        mode="lines+markers",
        line={"color": theme.faint, "width": 2, "dash": "dot"},
        marker={"size": 6, "color": theme.faint},
        **below,
        **quiet,
    )
    figure.add_scatter(
        mode="lines+markers+text",
        line={"color": MARK, "width": 3},
        marker={"size": 9, "color": MARK},
        **below,
        **quiet,
    )
    figure.add_scatter(mode="lines", line={"color": MARK, "width": 3}, hoverinfo="skip", **quiet)
    figure.add_annotation(
        text="score at this w; dotted: w = 0, the model alone",
        x=0,
        y=CURVE[1],
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        showarrow=False,
        font={"color": theme.faint},
    )
    figure.update_layout(
        height=HEIGHT,
        yaxis={"domain": MAP, "range": [-0.5, len(found.shares) - 0.5]},
        xaxis={"anchor": "y2", "range": [-0.5, columns - 0.5]},
        yaxis2={
            "domain": CURVE,
            "range": span,
            "title": {"text": metrics_unit(found.metrics)},
            "zeroline": False,
        },
    )
    figure.update_traces(colorbar={"len": MAP[1] - MAP[0], "y": sum(MAP) / 2}, selector={"type": "heatmap"})
    return figure


def _span(found: Mixture, shares: list[float]) -> tuple[float, float]:
    """The range of the curve over all steps, with room for the numbers."""
    scores = found.scores[[found.shares.index(w) for w in shares]]
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    room = ROOM * (high - low) or 1.0
    return low - room, high + room
