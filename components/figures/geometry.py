"""Figures of recipes as points: alignment against uniformity with arrows, IsoScore against score."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter
from components.figures.labels import plain
from components.figures.named_points import Arrow, Point, are_near, label_places, with_room
from components.figures.pointers import add_name, arrows_between
from components.theme import MAGNITUDE, Theme

SYMBOLS = {"pinned": ("diamond", "◆"), "suggested": ("circle", "●")}
"""How a point is marked by its kind, for Plotly and in a key."""


def alignment_uniformity(
    points: Sequence[Point], theme: Theme, base: str | None = None, variants: Collection[str] = ()
) -> go.Figure:
    """Recipes by uniformity (x) and alignment (y), coloured by score, arrows from ``base`` to ``variants``.

    Points without a place are left out; those without a score are grey.
    """
    drawn = [point for point in points if point.known]
    figure = Drawing()
    arrows = _arrows(drawn, base, variants)
    if arrows:
        spots = [((drawn[i].x, drawn[i].y), (drawn[j].x, drawn[j].y)) for i, j in arrows]
        figure.add_trace(arrows_between(spots, theme.faint))
    _markers(figure, drawn, theme, "Spearman × 100", arrows, colored=True)
    figure.update_xaxes(title={"text": "uniformity (lower: spread more evenly)"}, **with_room(drawn, "x"))
    figure.update_yaxes(title={"text": "alignment (lower: paraphrases closer)"}, **with_room(drawn, "y"))
    figure.update_layout(
        template=theme.template,
        height=380,
        margin={"t": 26 if len(_kinds(drawn)) > 1 else 16, "b": 8, "l": 8, "r": 8},
        showlegend=False,
    )
    return figure.made()


def iso_score_against_score(
    points: Sequence[Point], theme: Theme, *, across: str = "IsoScore", upwards: str = "Spearman × 100"
) -> go.Figure:
    """Recipes by IsoScore (x) and score (y)."""
    drawn = [point for point in points if point.known]
    figure = Drawing()
    _markers(figure, drawn, theme, "", colored=False)
    figure.update_xaxes(title={"text": across}, **with_room(drawn, "x"))
    figure.update_yaxes(title={"text": upwards}, **with_room(drawn, "y"))
    figure.update_layout(
        template=theme.template,
        height=380,
        margin={"t": 26 if len(_kinds(drawn)) > 1 else 16, "b": 8, "l": 8, "r": 8},
        showlegend=False,
    )
    return figure.made()


def _arrows(points: Sequence[Point], base: str | None, variants: Collection[str]) -> list[Arrow]:
    """From the point of ``base`` to each of ``variants`` that is not too close for one."""
    start = next((i for i, point in enumerate(points) if point.label == base), None)
    if start is None:
        return []
    ends = (i for i, point in enumerate(points) if point.label in variants)
    return [(start, end) for end in ends if not are_near(points[end], points[start], points)]


def _markers(
    figure: Drawing,
    points: Sequence[Point],
    theme: Theme,
    bar: str,
    arrows: Sequence[Arrow] = (),
    *,
    colored: bool,
) -> None:
    """Markers with their labels, which keep off arrows; recipes A and B are ringed in their colours."""
    kinds = _kinds(points)
    scores = np.array([point.score for point in points], np.float64)
    known = np.isfinite(scores)
    low, high = (float(scores[known].min()), float(scores[known].max())) if known.any() else (0.0, 1.0)
    in_colors = known & colored
    for some, shade in (
        (np.flatnonzero(in_colors), {"color": scores[in_colors], "coloraxis": "coloraxis"}),
        (np.flatnonzero(~in_colors), {"color": theme.faint}),
    ):
        if not len(some):
            continue
        ringed = [points[i] for i in some]
        ring = {
            "color": [theme.side(point.side) if point.side else theme.text for point in ringed],
            "width": [3.5 if point.side else 1.2 for point in ringed],
        }
        figure.add_trace(  # one trace for all: each takes the browser as long as all of its points
            scatter(
                x=[point.x for point in ringed],
                y=[point.y for point in ringed],
                mode="markers",
                marker={"size": 15, "line": ring} | shade | _symbols(ringed, kinds),
                hovertemplate=[f"{point.hover}<extra></extra>" for point in ringed],
                cliponaxis=False,
            )
        )
    if len(kinds) > 1:
        _key(figure, kinds, theme)
    for label in label_places(points, arrows):
        point = points[label.number]
        color = theme.readable(theme.side(point.side)) if point.side else theme.text
        add_name(figure, point.x, point.y, label, color, theme.faint)
    if colored and known.any():
        room = 0.5 if low == high else 0.0
        figure.update_layout(
            coloraxis={
                "colorscale": MAGNITUDE,
                "cmin": low - room,
                "cmax": high + room,
                "colorbar": {
                    "title": {"text": bar, "side": "right"},
                    "thickness": 12,
                    "outlinewidth": 0,
                    "xpad": 4,
                },
            }
        )


def _kinds(points: Sequence[Point]) -> list[str]:
    """The kinds of points there are, of those that have a symbol."""
    return [kind for kind in SYMBOLS if any(point.kind == kind for point in points)]


def _symbols(points: Sequence[Point], kinds: Sequence[str]) -> dict[str, list[str]]:
    """The symbol of each point, where there are several kinds."""
    if len(kinds) < 2:
        return {}
    return {"symbol": [SYMBOLS.get(point.kind, ("circle",))[0] for point in points]}


def _key(figure: Drawing, kinds: Sequence[str], theme: Theme) -> None:
    """What the symbols mean, over the axes."""
    marks = "     ".join(f"{SYMBOLS[kind][1]} {kind}" for kind in kinds)
    figure.add_key(marks, font={"color": theme.faint})


def hover_of(name: str, lines: Sequence[str]) -> str:
    """A recipe's text over what is known of it, as a hover label."""
    return "<br>".join([f"<b>{plain(name)}</b>", *lines])
