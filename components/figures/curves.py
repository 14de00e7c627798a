"""Scores against an argument of a recipe, a line for each task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.label_places import below_each_other
from components.figures.labels import plain
from components.theme import OTHERS, Theme

HEIGHT = 380

DASHES = ("solid", "dot")
"""The second tells lines apart that share a colour."""

Points = Sequence[tuple[float, float, float]]
"""Value and interval of each place; NaN where there is none."""


def curves(
    places: Sequence[float],
    lines: Mapping[str, Points],
    argument: str,
    unit: str,
    published: float | None,
    theme: Theme,
) -> go.Figure:
    """A line with 95 % intervals for each task, named at its right end; dotted where the paper settles.

    ``places`` are the values of the argument, drawn at equal distances; ``unit`` is that of all scores.
    """
    figure, x = Drawing(), np.arange(len(places))
    colors = (theme.a, theme.b, *OTHERS)
    ends: dict[int, list[tuple[float, str, str]]] = defaultdict(list)
    for number, (name, points) in enumerate(lines.items()):
        values, low, high = np.array(points, float).reshape(-1, 3).T
        known = np.flatnonzero(np.isfinite(values))
        if not len(known):
            continue
        color = colors[number % len(colors)]
        figure.add_trace(
            scatter(
                x=x,
                y=values,
                error_y=whiskers(values, low, high, thickness=1.2),
                mode="lines+markers",
                line={"color": color, "width": 2.5, "dash": DASHES[number // len(colors) % 2]},
                marker={"size": 8},
                name=plain(name),
                hovertemplate=f"{plain(name)}: %{{y:.2f}}<extra></extra>",
                showlegend=False,
            )
        )
        ends[int(known[-1])].append((float(values[known[-1]]), plain(name), theme.readable(color)))
    bounds = _bounds(lines)
    for at, named in ends.items():
        values, names, colored = zip(*named, strict=True)
        for y, name, color in zip(below_each_other(values, bounds), names, colored, strict=True):
            figure.add_annotation(
                x=at, y=y, text=name, xanchor="left", xshift=10, showarrow=False, font={"color": color}
            )
    if published in places:
        at = list(places).index(published)
        figure.add_vline(x=at, line={"color": theme.faint, "width": 1.5, "dash": "dot"})
        figure.add_key(
            f"the paper's: {published:g}", x=at, xref="x", xanchor="center", font={"color": theme.faint}
        )
    figure.update_xaxes(
        tickvals=x,
        ticktext=[f"{place:g}" for place in places],
        title={"text": plain(argument)},
        range=[-0.3, len(places) - 0.3],
        showgrid=False,
    )
    figure.update_yaxes(title={"text": plain(unit)})
    figure.update_layout(template=theme.template, height=HEIGHT, margin={"t": 28, "b": 8, "l": 8, "r": 70})
    return figure.made()


def _bounds(lines: Mapping[str, Points]) -> tuple[float, float]:
    """The least and the greatest number that is drawn, ends of intervals too."""
    drawn = np.array([point for points in lines.values() for point in points], float)
    known = drawn[np.isfinite(drawn)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
