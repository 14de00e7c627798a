"""The trials of a search in order, the best so far, and the choice on test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.labels import plain
from components.figures.search import hover
from components.theme import Theme
from core.errors import counted
from core.evaluation.wording import fixed
from core.search.found import Outcome
from core.search.measured import Trial

TALL = 520
"""Pixels of the trials where the window is high enough."""

NAME_WIDTH = 90
"""Pixels right of the trials, for the name of the choice."""


def trials(
    tried: Sequence[Trial], published: Mapping[str, Trial], test: Outcome, unit: str, theme: Theme
) -> go.Figure:
    """Points for the trials in order, a line for the best so far on dev, and the choice on test at the end.

    Published methods stand at 0. Trials that were given up on a part of dev are marks below all scores: a
    score on other rows has no place among them. Recipes that could not be scored are not drawn. A point's
    custom data is its recipe.
    """
    published = {name: trial for name, trial in published.items() if math.isfinite(trial.dev)}
    known = [trial.dev for trial in published.values()]
    values = [trial.dev for trial in tried]
    best = np.fmax.accumulate([max(known, default=math.nan), *values])
    figure = Drawing()
    _published(figure, published, theme)
    _tried(figure, tried, best, theme)
    _given_up(figure, tried, [*known, *values], theme)
    figure.add_annotation(
        row=1,
        x=len(tried),
        y=best[-1],
        text="best on dev",
        xanchor="right",
        yanchor="bottom",
        xshift=-8,
        showarrow=False,
        font={"color": theme.readable(theme.a)},
    )
    _choice(figure, len(tried), test, theme)
    figure.update_xaxes(
        title={"text": "trial; published methods at 0" if known else "trial"}, zeroline=False
    )
    figure.update_yaxes(title={"text": unit})
    figure.update_layout(
        template=theme.template, height=TALL, margin={"t": 12, "b": 8, "l": 8, "r": NAME_WIDTH}
    )
    return figure.made()


def _published(figure: Drawing, published: Mapping[str, Trial], theme: Theme) -> None:
    """Published methods at 0."""
    figure.add_trace(
        scatter(
            x=[0] * len(published),
            y=[trial.dev for trial in published.values()],
            mode="markers",
            marker={"size": 8, "color": theme.faint, "symbol": "line-ew-open", "line": {"width": 2}},
            text=[f"{plain(name)}<br>{hover(trial.recipe)}" for name, trial in published.items()],
            customdata=[[trial.recipe] for trial in published.values()],
            hovertemplate="published, dev %{y:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )


def _tried(figure: Drawing, tried: Sequence[Trial], best: np.ndarray, theme: Theme) -> None:
    """A point for each trial, and the line of the best so far."""
    number = np.arange(1, len(tried) + 1)
    figure.add_trace(
        scatter(
            x=number,
            y=np.array([trial.dev for trial in tried], float),
            mode="markers",
            marker={"size": 7, "color": theme.a, "opacity": 0.8},
            text=[hover(trial.recipe) for trial in tried],
            customdata=[[trial.recipe] for trial in tried],
            hovertemplate="trial %{x}, dev %{y:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=[0, *number],
            y=best,
            mode="lines",
            line={"color": theme.a, "width": 2.5, "shape": "hv"},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def _choice(figure: Drawing, trials: int, test: Outcome, theme: Theme) -> None:
    """The choice on test behind the last trial, with its interval if it has one; its name in the margin."""
    end = trials + max(1.0, trials / 25)
    figure.add_trace(
        scatter(
            x=[end],
            y=[test.value],
            error_y=whiskers([test.value], [test.low], [test.high]),
            mode="markers",
            marker={"size": 12, "color": theme.b, "symbol": "diamond"},
            hovertemplate="the choice on test %{y:.2f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_annotation(
        row=1,
        x=end,
        y=test.value,
        text="the choice<br>on test",
        xanchor="left",
        yanchor="middle",
        align="left",
        xshift=12,
        showarrow=False,
        font={"color": theme.readable(theme.b)},
    )


def _given_up(figure: Drawing, tried: Sequence[Trial], scores: Sequence[float], theme: Theme) -> None:
    """A row of marks below all scores: the trials that were given up."""
    ended = [(number, trial) for number, trial in enumerate(tried, 1) if trial.given_up]
    if not ended:
        return
    below = float(np.nanmin(scores)) - 0.06 * max(float(np.nanmax(scores) - np.nanmin(scores)), 1.0)
    figure.add_trace(
        scatter(
            x=[number for number, _ in ended],
            y=[below] * len(ended),
            mode="markers",
            marker={"size": 7, "color": theme.faint, "symbol": "line-ns-open"},
            text=[
                f"given up after {counted(trial.given_up, 'row')}, {fixed(trial.rungs[-1], 2)} there"
                f"<br>{hover(trial.recipe)}"
                for _, trial in ended
            ],
            customdata=[[trial.recipe] for _, trial in ended],
            hovertemplate="trial %{x}, %{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_annotation(
        row=1,
        x=len(tried),
        y=below,
        text="given up on a part of dev",
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
        font={"color": theme.readable(theme.faint)},
    )
