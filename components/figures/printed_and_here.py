"""Figures of a paper against those that are measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.labels import plain
from components.theme import Theme

HEIGHT = 420


@dataclass(frozen=True)
class Point:
    """A printed figure and the one here; ``same`` where nothing is known to differ."""

    label: str
    printed: float
    here: float
    low: float
    high: float
    same: bool


def printed_and_here(points: Sequence[Point], theme: Theme) -> go.Figure:
    """Printed figures across, those here upwards with their 95 % interval, and the line where both agree.

    Hollow markers are figures on another model or setting.
    """
    figure = Drawing()
    values = [value for point in points for value in (point.printed, point.here)]
    ends = [min(values) - 2, max(values) + 2]
    figure.add_trace(
        scatter(
            x=ends,
            y=ends,
            mode="lines",
            line={"color": theme.faint, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for same, symbol, name in (
        (True, "circle", "the paper's own setting"),
        (False, "circle-open", "another model or setting"),
    ):
        drawn = [point for point in points if point.same is same]
        if not drawn:
            continue
        here, low, high = (np.array([getattr(p, end) for p in drawn]) for end in ("here", "low", "high"))
        figure.add_trace(
            scatter(
                x=[point.printed for point in drawn],
                y=here,
                error_y=whiskers(here, low, high, thickness=1.2),
                mode="markers",
                marker={"symbol": symbol, "size": 9, "color": theme.a if same else theme.faint},
                text=[plain(point.label) for point in drawn],
                hovertemplate="%{text}<br>printed %{x}, here %{y:.2f}<extra></extra>",
                name=name,
            )
        )
    figure.update_xaxes(title={"text": "printed"}, range=ends)
    figure.update_yaxes(title={"text": "here"}, range=ends)
    figure.update_layout(
        template=theme.template,
        height=HEIGHT,
        margin={"t": 34, "b": 8, "l": 8, "r": 8},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )
    return figure.made()
