"""Figures of the page Scores: gold against similarity, and the subsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.drawn import DrawnFigure
from components.figures.key_above import LINE, key_above, side_lines
from components.figures.labels import distinct, short, wrapped
from components.theme import Theme
from components.wording import unit_of
from core.evaluation.sts import Score
from core.evaluation.wording import fixed

DENSE = 1000
"""Pairs above which points are drawn with WebGL; of an SVG, the browser makes and styles each point."""

FEWEST = 5
"""Pairs of a level of gold from which on its median and quartiles are drawn."""

HEIGHTS = (400, 560)
"""Pixels that the panels of pairs are high: at least, and at most in a window of 720."""

MARGIN = {"t": 16, "b": 52, "l": 60, "r": 8}
"""Room for the axes' numbers: where other numbers need other room, Plotly draws all points twice."""

LINES = 2
"""Lines of a vertical axis' name."""

BETWEEN, BETWEEN_SCALES = 0.09, 0.16
"""Room between two panels, as a share of the figure: for a name of so many lines, and for numbers too."""


@dataclass(frozen=True, eq=False)
class RecipeSimilarities:
    """The similarities under one recipe, and how it is drawn."""

    label: str
    color: str
    similarities: np.ndarray
    unit: str


def gold_against_similarity(
    gold: np.ndarray,
    sides: Sequence[RecipeSimilarities],
    pairs: Sequence[tuple[str, str]],
    theme: Theme,
    step: float = 1.0,
    low: float = 0.0,
    beside: int = 0,
) -> go.Figure:
    """One panel per recipe: every pair as a point, with median and quartiles per level of gold.

    Scores between two levels count to the nearer one; its median stands at their mean. Levels of fewer than
    :data:`FEWEST` pairs have none, and a line takes three levels: two are no trend.
    ``step`` is the distance between levels, ``low`` the lowest one. The panels share their vertical axis
    when both show the same kind of similarity. ``beside`` says how many subsets :func:`subset_bars` draws
    beside it: it is about as high, within :data:`HEIGHTS`.
    """
    shared = len({side.unit for side in sides}) == 1
    kind = "scattergl" if len(gold) > DENSE else "scatter"
    hover = np.array([f"{wrapped(a, 56, 2)}<br>— and —<br>{wrapped(b, 56, 2)}" for a, b in pairs], object)
    jitter = step * np.random.default_rng(0).uniform(-0.06, 0.06, len(gold))
    levels = low + step * np.round((gold - low) / step)
    shown = [level for level in np.unique(levels) if (levels == level).sum() >= FEWEST]
    figure = Drawing(columns=len(sides), between=BETWEEN if shared else BETWEEN_SCALES)
    for column, side in enumerate(sides, 1):
        points = scatter(
            x=(gold + jitter).astype(np.float32),
            y=side.similarities.astype(np.float32),
            mode="markers",
            marker={"size": 5, "color": side.color, "opacity": 0.35 if len(gold) > 400 else 0.65},
            text=hover,
            customdata=gold,
            hovertemplate=f"gold %{{customdata:.4~g}}, {side.unit} %{{y:.3f}}<br>%{{text}}<extra></extra>",
            showlegend=False,
        )
        figure.add_trace(points | {"type": kind}, col=column)
        quartiles = np.array(
            [np.percentile(side.similarities[levels == level], [25, 50, 75]) for level in shown]
        ).reshape(-1, 3)
        figure.add_trace(
            scatter(
                x=[float(gold[levels == level].mean()) for level in shown],
                y=quartiles[:, 1],
                error_y=whiskers(quartiles[:, 1], quartiles[:, 0], quartiles[:, 2]),
                mode="lines+markers" if len(shown) > 2 else "markers",
                line={"color": theme.text, "width": 2.5},
                marker={"size": 9, "color": theme.paper, "line": {"color": theme.text, "width": 2.5}},
                hovertemplate="gold about %{x:.6~g}: median %{y:.3f}<extra></extra>",
                showlegend=False,
            ),
            col=column,
        )
        title = {
            "text": wrapped(f"{side.unit} under {side.label}", 32, LINES),
            "font": {"color": theme.readable(side.color)},
        }
        same = {"matches": "y", "showticklabels": False} if shared and column > 1 else {}
        figure.update_xaxes(title={"text": "gold score"}, tick0=low, dtick=step, col=column)
        figure.update_yaxes(title=title, col=column, **same)
    least, most = HEIGHTS
    height = min(max(least, _high(beside)), most)
    figure.update_layout(template=theme.template, height=height, margin=MARGIN)
    return figure.made()


def _high(subsets: int) -> int:
    """Pixels that so many subsets take."""
    return max(240, 72 * subsets + 70)


def subset_bars(
    subsets: Mapping[str, Mapping[str, Score]],
    colors: Mapping[str, str],
    theme: Theme,
    called: Mapping[str, str] | None = None,
) -> go.Figure:
    """Spearman × 100 per subset with 95 % intervals, one dot per recipe.

    ``called`` are the recipes' names by their labels, for the lines above the axes that tell the colours.
    """
    names = list(next(iter(subsets.values())))
    traces: list[dict[str, object]] = []
    shift = dict(zip(subsets, (-0.13, 0.13), strict=False))
    for label, scores in subsets.items():
        values = np.array([scores[name].spearman for name in names])
        bounds = np.array([[scores[name].low, scores[name].high] for name in names])
        at = np.arange(len(names)) + (shift[label] if len(subsets) > 1 else 0)
        traces.append(
            {
                "type": "scatter",
                "x": values,
                "y": at,
                "error_x": whiskers(values, *bounds.T),
                "mode": "markers+text",
                "marker": {"size": 11, "color": colors[label]},
                "text": ["" if np.isnan(v) else fixed(v) for v in values],
                "textposition": "bottom center" if shift[label] > 0 else "top center",
                "textfont": {"size": 13, "color": theme.readable(colors[label])},
                "name": label,
                "customdata": [scores[name].pairs for name in names],
                "hovertemplate": f"{label}: %{{x:.1f}} on %{{customdata:,}} pairs<extra></extra>",
                "showlegend": False,
            }
        )
    first = next(iter(subsets.values()))
    layout = {
        "yaxis": {
            "tickvals": np.arange(len(names)),
            "ticktext": [
                f"{label} ({first[name].pairs:,})"
                for label, name in zip(distinct(names, 22), names, strict=True)
            ],
            "range": [len(names) - 0.4, -0.6],
        },
        "xaxis": {"title": {"text": "Spearman × 100"}},
        "template": theme.template,
        "height": _high(len(names)),
        "margin": {"t": 20 + LINE * len(called or {}), "b": 8, "l": 8, "r": 16},
        **key_above(side_lines(called or {}, theme)),
    }
    return DrawnFigure(traces, layout)


def stepwise(steps: Sequence[tuple[str, Score]], color: str, theme: Theme) -> go.Figure:
    """Spearman × 100 after each step that makes up a recipe, top to bottom, with 95 % intervals."""
    values = np.array([score.spearman for _, score in steps])
    bounds = np.array([[score.low, score.high] for _, score in steps])
    at = np.arange(len(steps))
    figure = Drawing()
    figure.add_trace(
        scatter(
            x=values,
            y=at,
            error_x=whiskers(values, *bounds.T),
            mode="lines+markers",
            line={"color": color, "width": 1.5, "dash": "dot"},
            marker={"size": 12, "color": color},
            hovertemplate="%{x:.1f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=values,
            y=at - 0.32,
            mode="text",
            text=["no score" if np.isnan(v) else fixed(v) for v in values],
            textfont={"color": theme.readable(color)},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    labels = [short(name, 40) if i == 0 else f"+ {short(name, 40)}" for i, (name, _) in enumerate(steps)]
    figure.update_yaxes(tickvals=at, ticktext=labels, range=[len(steps) - 0.5, -0.7])
    figure.update_xaxes(title={"text": unit_of(steps[0][1].aggregate)})
    figure.update_layout(
        template=theme.template,
        height=60 * len(steps) + 90,
        margin={"t": 8, "b": 8, "l": 8, "r": 16},
    )
    return figure.made()
