"""Figures of a corpus' pairs: densities of cosine by rating, and whitening's score by dimensions kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, doublings, scatter, whiskers
from components.figures.labels import wrapped
from components.theme import Theme, seen
from core.analysis.geometry.ratings import Group
from core.analysis.geometry.whitening_curve import PUBLISHED, Curve
from core.errors import counted
from core.evaluation.wording import between, fixed

Density = np.ndarray | None

TITLE = 84
"""Characters of a line over the whole width of a narrow window, in the size of an axis title."""


@dataclass(frozen=True, eq=False)
class RecipeDensities:
    """The densities under one recipe on its grid."""

    label: str
    groups: Sequence[Group]
    grid: np.ndarray
    densities: Sequence[Density]


def by_rating(
    sides: Sequence[RecipeDensities], theme: Theme, called: Mapping[str, str] | None = None
) -> go.Figure:
    """One panel per recipe, one curve per rating, coloured from dark (low) to light (high) on both alike.

    The panels share their horizontal axis; each rating has one colour in all panels. ``called`` are the
    recipes' names by their labels.
    """
    figure = Drawing(columns=len(sides), between=0.06)
    for column in range(2, len(sides) + 1):
        figure.update_xaxes(matches="x", col=column)
    labels = sorted({(g.low, g.label) for side in sides for g in side.groups})
    shades = [str(shade) for _, shade in seen(theme)]
    places = np.linspace(0, len(shades) - 1, max(len(labels), 2)).round().astype(int)
    color = {label: shades[place] for (_, label), place in zip(labels, places, strict=False)}
    for column, side in enumerate(sides, 1):
        for group, density in zip(side.groups, side.densities, strict=True):
            if density is None:
                continue
            shade = color[group.label]
            figure.add_trace(
                scatter(
                    x=side.grid.astype(np.float32),
                    y=density.astype(np.float32),
                    mode="lines",
                    line={"color": shade, "width": 3},
                    fill="tozeroy",
                    fillcolor=shade.replace("rgb", "rgba").replace(")", ", 0.14)"),
                    name=group.label,
                    legendgroup=group.label,
                    showlegend=column == 1,
                    hovertemplate=f"rating {group.label}, {counted(len(group.similarities), 'pair')}: "
                    "cosine %{x:.2f}<extra></extra>",
                ),
                row=1,
                col=column,
            )
        font = {"color": theme.readable(theme.side(side.label))}
        figure.update_xaxes(
            title={
                "text": wrapped(
                    f"cosine under {(called or {}).get(side.label, side.label)}", TITLE // len(sides), 3
                ),
                "font": font,
            },
            row=1,
            col=column,
        )
        figure.update_yaxes(showticklabels=False, rangemode="tozero", row=1, col=column)
    figure.update_yaxes(title={"text": "density"}, row=1, col=1)
    figure.update_layout(
        template=theme.template,
        height=380,
        margin={"t": 40, "b": 8, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "title": {"text": "rating "}},
    )
    return figure.made()


DEPTH = 25.0
"""Points below the best score that the curve is drawn to: few dimensions can be far below."""


def whitening_curve(curve: Curve, theme: Theme) -> go.Figure:
    """Score by the number of dimensions kept; dashed: without whitening; dotted: published dimensions."""
    figure = Drawing()
    figure.add_trace(
        scatter(
            x=curve.k,
            y=curve.spearman.astype(np.float32),
            mode="lines+markers",
            line={"color": theme.a, "width": 2.5},
            marker={"size": 7, "color": theme.a},
            hovertemplate="%{x} dimensions: %{y:.1f}<extra></extra>",
        )
    )
    if np.isfinite(curve.plain.spearman):
        figure.add_hline(curve.plain.spearman, line={"color": theme.text, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            text=f"without whitening {fixed(curve.plain.spearman)}",
            x=0,
            y=curve.plain.spearman,
            xref="paper",
            xanchor="left",
            yanchor="bottom",
            showarrow=False,
        )
    for k in PUBLISHED:
        if curve.k and k <= curve.k[-1]:
            figure.add_vline(k, line={"color": theme.faint, "width": 1.5, "dash": "dot"})
            figure.add_annotation(
                text=str(k), x=np.log10(k), y=1, yref="paper", yanchor="bottom", showarrow=False
            )
    if curve.best is not None and curve.best_k is not None:
        best = curve.best
        figure.add_trace(
            scatter(
                x=[curve.best_k],
                y=[best.spearman],
                error_y=whiskers([best.spearman], [best.low], [best.high], color=theme.a),
                mode="markers",
                marker={"size": 15, "symbol": "circle-open", "color": theme.a, "line": {"width": 3}},
                hovertemplate="best: %{x} dimensions, %{y:.1f}, "
                f"{between(best.low, best.high)}<extra></extra>",
            )
        )
    figure.update_xaxes(
        title={"text": "dimensions kept (logarithmic)"},
        **doublings(curve.k),
    )
    figure.update_yaxes(title={"text": "Spearman × 100"}, range=_span(curve))
    figure.update_layout(
        template=theme.template, height=380, margin={"t": 30, "b": 8, "l": 8, "r": 12}, showlegend=False
    )
    return figure.made()


def _span(curve: Curve) -> list[float] | None:
    """From the lowest score, or :data:`DEPTH` below the best, to the top of the best one's interval."""
    known = [*curve.spearman[np.isfinite(curve.spearman)].tolist()]
    if not known:
        return None
    ends = [*known, curve.plain.spearman, *([curve.best.low, curve.best.high] if curve.best else [])]
    ends = [end for end in ends if np.isfinite(end)]
    return [max(min(ends), max(known) - DEPTH) - 1, max(ends) + 1]
