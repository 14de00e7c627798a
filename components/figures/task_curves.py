"""Main values of tasks over layers: a panel for each kind of task, a curve for each recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.figures.labels import plain, short
from components.theme import Theme
from core.evaluation.wording import fixed


@dataclass(frozen=True, eq=False)
class TaskCurve:
    """One recipe over the places of a panel: means, their spread over tasks (NaN for none), hover texts."""

    label: str
    color: str
    values: np.ndarray
    spreads: np.ndarray
    hovers: Sequence[str]


def task_curves(
    panels: Mapping[str, Sequence[TaskCurve]], places: Sequence[str], theme: Theme
) -> go.Figure:
    """A panel for each kind of task on a scale of its own, with a band of one spread round each curve.

    The last place stands apart where it is no single layer: no line leads to it.
    """
    figure = make_subplots(rows=1, cols=len(panels), subplot_titles=[short(t, 40) for t in panels])
    apart = len(places) > 1 and not places[-1].isdigit()
    x = np.arange(len(places), dtype=float)
    for column, curves in enumerate(panels.values(), 1):
        for curve in curves:
            where = {"row": 1, "col": column}
            for span in (slice(0, -1), slice(-1, None)) if apart else (slice(None),):
                known = np.isfinite(curve.spreads[span])
                if known.sum() > 1:
                    at, mean, width = x[span][known], curve.values[span][known], curve.spreads[span][known]
                    figure.add_trace(_band(curve, at, mean, width), **where)
                figure.add_trace(
                    _line(curve, x[span], span, legend=column == 1 and span.start != -1, places=places),
                    **where,
                )
    figure.update_xaxes(
        tickvals=x,
        ticktext=[plain(place).replace("+last", "<br>+last") for place in places],
        tickangle=0,
        range=[-0.4, len(places) - 0.6],
        title={"text": "layer"},
        zeroline=False,
    )
    figure.update_yaxes(zeroline=False)
    figure.update_yaxes(title={"text": "main value × 100"}, col=1)
    figure.update_layout(
        template=theme.template,
        height=400,
        margin={"t": 34, "b": 8, "l": 8, "r": 8},
        legend={"orientation": "h", "y": -0.24, "x": 0},
    )
    return figure


def _band(curve: TaskCurve, x: np.ndarray, values: np.ndarray, spreads: np.ndarray) -> go.Scatter:
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([values + spreads, (values - spreads)[::-1]]).astype(np.float32),
        fill="toself",
        fillcolor=curve.color,
        opacity=0.15,
        mode="lines",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )


def _line(
    curve: TaskCurve, x: np.ndarray, span: slice, *, legend: bool, places: Sequence[str]
) -> go.Scatter:
    spreads = curve.spreads[span]
    said = [
        f"{plain(place)}: {fixed(value)}"
        + (f" ± {spread:.1f} over tasks" if np.isfinite(spread) else "")
        + (f", {hover}" if hover else "")
        for place, value, spread, hover in zip(
            places[span], curve.values[span], spreads, curve.hovers[span], strict=True
        )
    ]
    return go.Scatter(
        x=x,
        y=curve.values[span].astype(np.float32),
        mode="lines+markers",
        name=short(curve.label, 40),
        legendgroup=curve.label,
        line={"color": curve.color, "width": 2.5},
        marker={"size": 9, "color": curve.color},
        customdata=said,
        hovertemplate=f"{short(curve.label, 40)}, %{{customdata}}<extra></extra>",
        showlegend=legend,
    )
