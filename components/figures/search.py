"""The trials of a search: each score on dev, the best so far, and what the choice scores on test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.labels import wrapped
from components.theme import Theme
from core.evaluation.sts import Score

HEIGHT = 340


def search(scores: Sequence[float], recipes: Sequence[str], test: Score, theme: Theme) -> go.Figure:
    """Points for the trials in order, a line for the best so far on dev, and the choice on test at the end.

    ``scores`` are NaN for recipes that could not be scored; these are not drawn.
    """
    number = np.arange(1, len(scores) + 1)
    values = np.array(scores, float)
    best = np.fmax.accumulate(values)
    figure = Drawing()
    figure.add_trace(
        scatter(
            x=number,
            y=values,
            mode="markers",
            marker={"size": 7, "color": theme.a, "opacity": 0.55},
            text=[wrapped(recipe or "(defaults)", 60, 4) for recipe in recipes],
            hovertemplate="trial %{x}, dev %{y:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=number,
            y=best,
            mode="lines",
            line={"color": theme.a, "width": 2.5, "shape": "hv"},
            hovertemplate="best of %{x} trials, dev %{y:.2f}<extra></extra>",
            showlegend=False,
        )
    )
    end = len(scores) + max(1.0, len(scores) / 25)
    figure.add_trace(
        scatter(
            x=[end],
            y=[test.spearman],
            error_y=whiskers([test.spearman], [test.low], [test.high]),
            mode="markers",
            marker={"size": 12, "color": theme.b, "symbol": "diamond"},
            hovertemplate="the choice on test %{y:.2f}<extra></extra>",
            showlegend=False,
        )
    )
    for at, value, text, color in (
        (len(scores), best[-1], "best on dev", theme.a),
        (end, test.spearman, "the choice on test", theme.b),
    ):
        figure.add_annotation(
            row=1,
            x=at,
            y=value,
            text=text,
            xanchor="right",
            yanchor="bottom" if color == theme.a else "top",
            xshift=-8,
            showarrow=False,
            font={"color": theme.readable(color)},
        )
    figure.update_xaxes(title={"text": "trial"}, rangemode="tozero")
    figure.update_yaxes(title={"text": "Spearman × 100"})
    figure.update_layout(template=theme.template, height=HEIGHT, margin={"t": 12, "b": 8, "l": 8, "r": 12})
    return figure.made()
