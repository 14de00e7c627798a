"""Figures of one attention head: large, and as lines from token to token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, Part, scatter
from components.figures.heads import CROWDED, ROOT, framed
from components.figures.labels import plain
from components.figures.matrices import Matrix, frame, side_by_side
from components.theme import Theme

SHADES = 20
"""Shades of the lines of one head."""

FEW, SMALL = 14, 12
"""Names from which on they are smaller, and pixels of their type: rows are low in a low window."""

LABELLED = 24
"""Tokens of the large picture that have room for a name."""


def one_head(
    weights: np.ndarray, labels: Sequence[str], marked: Sequence[int], theme: Theme, row: int | None = None
) -> go.Figure:
    """The attention of one head ``[token, token]``; framed: places of the diagonal, and a row."""
    hover = "<b>%{z:.3f}</b><br>%{customdata[0]} looks at %{customdata[1]}"
    figure = side_by_side(
        [Matrix(weights, "", labels, labels, hover)],
        theme,
        bar="attention",
        bounds=(0.0, 1.0),
        row_title="token …",
        column_title="… looks at",
    )
    if row is not None:
        frame(figure, 0, row=row)
    for place in marked:
        framed(figure, place - 0.5, place - 0.5, 1, 0)
    at = _named(len(labels), row)
    ticks = {"tickvals": at, "ticktext": [plain(labels[i]) for i in at]}
    if len(labels) > CROWDED:  # the lines between cells would be most of what is seen
        figure.update_traces(xgap=0, ygap=0, selector={"type": "heatmap"})
    ticks["tickfont"] = {"size": SMALL if len(at) > FEW else None}
    figure.update_xaxes(tickangle=-90, **ticks)
    figure.update_yaxes(**ticks)
    figure.update_layout(height=470, margin={"t": 4, "b": 4}, coloraxis_colorscale=ROOT)
    return figure


def _named(tokens: int, row: int | None) -> list[int]:
    """The tokens that have room for a name, that of a framed row among them."""
    step = -(-tokens // LABELLED)
    named = range(0, tokens, step)
    if row is None or row in named:
        return list(named)
    return sorted([row, *(place for place in named if abs(place - row) >= step)])


def attention_lines(
    weights: np.ndarray, labels: Sequence[str], marked: Sequence[int], theme: Theme
) -> go.Figure:
    """The attention of one head as lines from each token on the left to each on the right.

    The darkness and the width of a line are its weight; lines from a token to itself at ``marked`` places
    are coloured (Chen et al. 2023, Figure 2). Lines of less than half a shade are left out.
    """
    figure, tokens = Drawing(), len(labels)
    shade = np.rint(np.clip(weights, 0, 1) * SHADES).astype(int)
    own = np.zeros(weights.shape, bool)
    own[marked, marked] = True
    for places, color in ((~own, theme.text), (own, theme.a)):
        for level in np.unique(shade[(shade > 0) & places]):
            weight = float(level / SHADES)
            figure.add_trace(_lines(np.argwhere((shade == level) & places), color, weight, 1 + 3 * weight))
    named = range(0, tokens, -(-tokens // CROWDED))
    for position, x in (("middle left", -0.01), ("middle right", 1.01)):
        figure.add_trace(
            scatter(
                x=[x] * len(named),
                y=list(named),
                mode="text",
                text=[plain(labels[i]) for i in named],
                textposition=position,
                textfont={"color": theme.text},
                hoverinfo="skip",
                cliponaxis=False,
            )
        )
    figure.update_xaxes(visible=False, range=[-0.35, 1.35])
    figure.update_yaxes(visible=False, range=[tokens - 0.4, -0.6])
    figure.update_layout(
        template=theme.template,
        height=min(max(220, 24 * len(named) + 20), 900),
        margin={"t": 4, "b": 4, "l": 8, "r": 8},
        showlegend=False,
    )
    return figure.made()


def _lines(pairs: np.ndarray, color: str, opacity: float, width: float) -> Part:
    """Lines from places on the left to places on the right, as one trace."""
    gap = np.full(len(pairs), np.nan)
    ends = np.column_stack([pairs, gap]).reshape(-1)
    across = np.tile([0.0, 1.0, np.nan], len(pairs))
    return scatter(
        x=across,
        y=ends,
        mode="lines",
        line={"color": color, "width": width},
        opacity=float(opacity),
        hoverinfo="skip",
    )
