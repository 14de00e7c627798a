"""Figures of one attention head: large, and as lines from token to token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, Part, scatter
from components.figures.heads import ROOT, framed
from components.figures.labels import plain
from components.figures.matrices import Matrix, frame, name_tokens, side_by_side
from components.theme import Theme

SHADES = 20
"""Shades of the lines of one head."""

CROWDED = 40
"""Tokens above which cells have no lines round them, and not each has its name beside lines."""

FITS = 21
"""Tokens up to which the large picture can be as low as a low window; one of more needs its height."""

HEIGHT, TALL = 470, 540
"""Pixels that the large picture is high: with so few tokens, where the window is high enough, and more."""

_LOW, _HALF = 262, 380
"""Pixels of its cells in a low window, and of more tokens in half of a page 1200 wide."""


def one_head(
    weights: np.ndarray, labels: Sequence[str], marked: Sequence[int], theme: Theme, row: int | None = None
) -> go.Figure:
    """The attention of one head ``[token, token]``; framed: places of the diagonal, and a row.

    The framed row keeps its name where not every token has one.
    """
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
    if len(labels) > CROWDED:  # the lines between cells would be most of what is seen
        figure.update_traces(xgap=0, ygap=0, selector={"type": "heatmap"})
    fits = len(labels) <= FITS
    name_tokens(figure, 0, labels, labels, _LOW if fits else _HALF, row=row, column=row)
    height = HEIGHT if fits else TALL
    figure.update_layout(height=height, margin={"t": 4, "b": 4}, coloraxis_colorscale=ROOT)
    return figure


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
