"""What a search tells of the stages of a recipe: their shares, their options, and every trial."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, bars, scatter
from components.figures.labels import distinct
from components.figures.search import ROW
from components.theme import MAGNITUDE, Theme
from core.evaluation.wording import fixed
from core.search.importance import Effect
from core.search.measured import Trial


def matters(shares: Mapping[str, float], where: str, theme: Theme) -> go.Figure:
    """A bar for each stage: the share of variance that it explains, in percent, on the rows ``where``."""
    figure = Drawing()
    stages = list(shares)
    values = [100 * shares[stage] for stage in stages]
    figure.add_trace(
        bars(
            x=values,
            y=stages,
            orientation="h",
            marker={"color": theme.a},
            text=[f"{value:.0f} %" for value in values],
            textposition="auto",
            textangle=0,
            hovertemplate="%{y}: %{x:.1f} %<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_xaxes(title={"text": f"% of the variance on {where}"}, rangemode="tozero")
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(
        template=theme.template, height=ROW * len(stages) + 80, margin={"t": 8, "b": 8, "l": 8, "r": 12}
    )
    return figure.made()


def effects(found: Sequence[Effect], unit: str, theme: Theme) -> go.Figure:
    """A row for each option of a stage: a ring for the median of its trials, a point for the best."""
    rows = np.arange(len(found))
    labels = [
        f"{option} ({each.trials:,})"
        for option, each in zip(distinct([each.option for each in found], 34), found, strict=True)
    ]
    figure = Drawing()
    for values, what, color, symbol in (
        ([each.median for each in found], "median", theme.faint, "circle-open"),
        ([each.best for each in found], "best", theme.a, "circle"),
    ):
        figure.add_trace(
            scatter(
                x=values,
                y=rows,
                mode="markers",
                name=f"{what} of its trials",
                marker={"size": 10, "color": color, "symbol": symbol, "line": {"width": 2}},
                hovertemplate=f"{what} %{{x:.2f}}<extra></extra>",
            )
        )
    figure.update_yaxes(tickvals=rows, ticktext=labels, range=[len(found) - 0.4, -0.6], zeroline=False)
    figure.update_xaxes(title={"text": unit})
    figure.update_layout(
        template=theme.template,
        height=24 * len(found) + 110,
        margin={"t": 40, "b": 8, "l": 8, "r": 12},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )
    return figure.made()


def coordinates(
    tried: Sequence[Trial], done: Mapping[str, Sequence[str]], unit: str, theme: Theme
) -> go.Figure:
    """An axis for each stage and one for the score on dev, and a line for each trial.

    ``done`` says for each stage what every trial does there. The options of a stage stand in the order of
    their best scores, the best on top. Trials that were given up end below all scores, each at its rows.
    """
    scores, ticks = _ends(tried)
    axes = []
    for stage, kinds in done.items():
        best_of: dict[str, float] = {}
        for kind, score in zip(kinds, scores.tolist(), strict=True):
            best_of[kind] = max(score, best_of.get(kind, -math.inf))
        order = sorted(best_of, key=lambda kind: best_of[kind])
        axes.append(
            {
                "label": stage,
                "values": [order.index(kind) for kind in kinds],
                "tickvals": list(range(len(order))),
                "ticktext": [_cut(kind) for kind in order],
                "range": [-0.5, len(order) - 0.5],
            }
        )
    axes.append({"label": "dev", "values": scores} | ticks)
    known = [trial.dev for trial in tried if math.isfinite(trial.dev)]
    middle, top = (float(np.quantile(known, share)) for share in (0.25, 1.0))
    figure = go.Figure(
        go.Parcoords(
            dimensions=axes,
            line={
                "color": scores,
                "colorscale": MAGNITUDE,
                "cmin": middle,
                "cmax": top,
                "showscale": True,
                "colorbar": {"title": {"text": f"{unit} on dev", "side": "right"}, "thickness": 14},
            },
            labelfont={"color": theme.text, "size": 14},
            tickfont={"color": theme.text, "size": 11},
            rangefont={"color": theme.faint, "size": 11},
        )
    )
    figure.update_layout(template=theme.template, height=560, margin={"t": 50, "b": 20, "l": 90, "r": 20})
    return figure


def _ends(tried: Sequence[Trial]) -> tuple[np.ndarray, dict[str, list[float] | list[str]]]:
    """Where lines end on the axis of dev, and its ticks: scores, and below them the rows given up at."""
    scores = np.array([trial.dev for trial in tried])
    rows = sorted({trial.given_up for trial in tried if trial.given_up})
    if not rows:
        return scores, {}
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    step = 0.08 * max(high - low, 1.0)
    places = {each: low - step * (len(rows) - i) for i, each in enumerate(rows)}
    ends = [places.get(trial.given_up, trial.dev) for trial in tried]
    marks = np.linspace(low, high, 5).tolist()
    texts = [*(f"given up at {each:,}" for each in rows), *map(fixed, marks)]
    return np.array(ends), {
        "tickvals": [*places.values(), *marks],
        "ticktext": texts,
        "range": [low - step * (len(rows) + 0.5), high],
    }


def _cut(text: str) -> str:
    """A label of an axis of parallel coordinates, which takes no HTML."""
    return text if len(text) <= 16 else f"{text[:15]}…"
