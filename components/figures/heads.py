"""Figures of attention heads: all of them as tiles, one of them large, their diagonals, their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from components.figures.drawing import Drawing, Part, heatmap, scatter, targets
from components.figures.labels import plain
from components.figures.matrices import Matrix, drawing, frame, side_by_side
from components.theme import MAGNITUDE, MARK, Theme

STEPS = 250
"""Shades of a tile: few enough for one byte a cell, equally spaced in the root of the attention."""

SHADES = 20
"""Shades of the lines of one head."""

_TICKS = (0.0, 0.01, 0.1, 0.3, 1.0)
_CROWDED = 40
_LABELLED = 24
_BAR = {"orientation": "h", "y": 0, "yanchor": "top", "thickness": 10, "len": 0.8, "outlinewidth": 0}
"""A colour bar under the picture, so that the picture has the whole width."""

_ROOT = [(share**2, color) for share, color in get_colorscale(MAGNITUDE)]
"""Viridis over the square root of a value from 0 to 1."""


@dataclass(frozen=True, eq=False)
class HeadGrid:
    """One panel: a value for each layer and head, how a value is written, and heads with a sign.

    ``signs`` are short texts drawn into cells, by (layer, head) counted from 1.
    """

    values: np.ndarray
    title: str
    surface_forms: str
    signs: Mapping[tuple[int, int], str]


def tiles(
    weights: np.ndarray, names: Sequence[str], hover: Sequence[str], chosen: tuple[int, int], theme: Theme
) -> go.Figure:
    """Every head as a tile of token × token attention, in one heatmap: a row per layer, a column per head.

    Parameters
    ----------
    weights
        ``[layer, head, token, token]``, 0 to 1; colours go with the square root.
    names, hover
        What a click on each head gives (as customdata), and what hovering says (safe for Plotly).
    chosen
        The head, counted from 1, that gets a frame.
    """
    layers, heads, side, _ = weights.shape
    gap = max(1, side // 16)
    step = side + gap
    shades = np.zeros((layers * step - gap, heads * step - gap), np.uint8)  # 0 is a gap
    roots = 1 + np.rint(STEPS * np.sqrt(np.clip(weights, 0, 1))).astype(np.uint8)
    for layer in range(layers):
        for head in range(heads):
            down, right = layer * step, head * step
            shades[down : down + side, right : right + side] = roots[layer, head]
    middle = (side - 1) / 2
    figure = Drawing()
    figure.add_trace(
        heatmap(
            z=shades,
            zmin=0,
            zmax=STEPS + 1,
            colorscale=_with_gaps(),
            hoverinfo="skip",
            colorbar=_BAR
            | {
                "title": {"text": "attention"},
                "tickvals": [1 + STEPS * tick**0.5 for tick in _TICKS],
                "ticktext": [f"{tick:g}" for tick in _TICKS],
            },
        )
    )
    down, right = (grid.ravel() * step + middle for grid in np.mgrid[:layers, :heads])
    figure.add_trace(_targets(right, down, names, hover))
    _frame(figure, (chosen[1] - 1) * step - 0.5, (chosen[0] - 1) * step - 0.5, side, gap / 2)
    figure.update_xaxes(
        tickvals=np.arange(heads) * step + middle,
        ticktext=[str(head + 1) for head in range(heads)],
        side="top",
        title={"text": "head", "font": {"color": theme.faint}},
        constrain="domain",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=np.arange(layers) * step + middle,
        ticktext=[str(layer + 1) for layer in range(layers)],
        title={"text": "layer", "font": {"color": theme.faint}},
        autorange="reversed",
        scaleanchor="x",
        constrain="domain",
        constraintoward="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template=theme.template,
        height=116 + int(min(350, 36 * layers * 12 / heads)),
        margin={"t": 56, "b": 4, "l": 4, "r": 4},
        hoverdistance=-1,
    )
    return figure.made()


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
        _frame(figure, place - 0.5, place - 0.5, 1, 0)
    at = _named(len(labels), row)
    ticks = {"tickvals": at, "ticktext": [plain(labels[i]) for i in at]}
    if len(labels) > _CROWDED:  # the lines between cells would be most of what is seen
        figure.update_traces(xgap=0, ygap=0, selector={"type": "heatmap"})
    figure.update_xaxes(tickangle=-90, **ticks)
    figure.update_yaxes(**ticks)
    figure.update_layout(
        height=470,
        margin={"t": 4, "b": 4},
        annotations=[],
        coloraxis={"colorscale": _ROOT, "colorbar": _BAR | {"title": {"text": "attention"}}},
    )
    figure.update_layout(coloraxis_colorbar_title_side=None)
    return figure


def _named(tokens: int, row: int | None) -> list[int]:
    """The tokens that have room for a name, that of a framed row among them."""
    step = -(-tokens // _LABELLED)
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
    named = range(0, tokens, -(-tokens // _CROWDED))
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


def diagonals(
    values: np.ndarray, labels: Sequence[str], chosen: tuple[int, int], theme: Theme
) -> go.Figure:
    """How much each token looks at itself in every head: ``[layer, head, token]``, layers set apart."""
    layers, heads, tokens = values.shape
    step = heads + 1
    rows = np.full((layers * step - 1, tokens), np.nan, np.float32)
    said = np.full(rows.shape, "", object)
    for layer in range(layers):
        for head in range(heads):
            rows[layer * step + head] = values[layer, head]
            said[layer * step + head] = [f"L{layer + 1}-H{head + 1}, {plain(label)}" for label in labels]
    figure = Drawing()
    figure.add_trace(
        heatmap(
            z=rows,
            customdata=said,
            hovertemplate="<b>%{z:.3f}</b><br>%{customdata}<extra></extra>",
            hoverongaps=False,
            colorscale=_ROOT,
            zmin=0,
            zmax=1,
            colorbar={"title": {"text": "attention to itself", "side": "right"}, "thickness": 14},
        )
    )
    _frame(figure, -0.5, (chosen[0] - 1) * step + chosen[1] - 1.5, 1, 0.1, width=tokens)
    at = np.arange(0, tokens, -(-tokens // _CROWDED))
    figure.update_xaxes(
        tickvals=at, ticktext=[plain(labels[i]) for i in at], side="top", tickangle=-60, showgrid=False
    )
    figure.update_yaxes(
        tickvals=np.arange(layers) * step + (heads - 1) / 2,
        ticktext=[str(layer + 1) for layer in range(layers)],
        title={"text": f"layer, {heads} heads each", "font": {"color": theme.faint}},
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template=theme.template,
        height=min(760, 140 + 5 * len(rows)),
        margin={"t": 8, "b": 8, "l": 8, "r": 8},
    )
    return figure.made()


def grids(
    panels: Sequence[HeadGrid], chosen: tuple[int, int], bar: str, theme: Theme, *, signed: bool = False
) -> go.Figure:
    """Layer × head grids on one colour scale; a click on a cell gives its head (as customdata)."""
    layers, heads = panels[0].values.shape
    matrices = [
        Matrix(
            panel.values,
            panel.title,
            [str(i + 1) for i in range(layers)],
            [str(i + 1) for i in range(heads)],
            f"L%{{customdata[0]}}-H%{{customdata[1]}}: %{{z:{panel.surface_forms}}}",
        )
        for panel in panels
    ]
    figure = drawing(
        matrices,
        theme,
        bar=bar,
        signed=signed,
        row_title="layer",
        column_title="head",
        height=min(480, 150 + 27 * layers),
    )
    down, right = (grid.ravel() for grid in np.mgrid[:layers, :heads])
    names = [f"{i + 1}-{j + 1}" for i, j in zip(down, right, strict=True)]
    for column, panel in enumerate(panels, 1):
        values = [
            "no score" if np.isnan(value) else format(value, panel.surface_forms)
            for value in panel.values.ravel()
        ]
        said = [f"L{name.replace('-', '-H')}: {value}" for name, value in zip(names, values, strict=True)]
        figure.add_trace(_targets(right, down, names, said), col=column)
        _frame(figure, chosen[1] - 1.5, chosen[0] - 1.5, 1, 0, col=column)
        for (layer, head), sign in panel.signs.items():
            figure.add_annotation(
                text=sign,
                x=head - 1,
                y=layer - 1,
                showarrow=False,
                font={"size": 19, "color": "white", "shadow": "0 0 3px black, 0 0 3px black"},
                col=column,
            )
    figure.update_xaxes(tickangle=0)
    figure.update_layout(hoverdistance=-1)
    return figure.made()


def _with_gaps() -> list[tuple[float, str]]:
    """Viridis from 1 on; nothing is drawn at 0."""
    edge = 0.5 / (STEPS + 1)
    first = 1 / (STEPS + 1)
    clear = "rgba(0,0,0,0)"
    shades = get_colorscale(MAGNITUDE)
    return [
        (0.0, clear),
        (edge, clear),
        (edge, shades[0][1]),
        *((first + share * (1 - first), color) for share, color in shades),
    ]


def _targets(x: np.ndarray, y: np.ndarray, names: Sequence[str], hover: Sequence[str]) -> Part:
    """Squares that are not seen, for the mouse: a heatmap's cells cannot be clicked."""
    return targets(
        20, x=x, y=y, customdata=list(names), text=list(hover), hovertemplate="%{text}<extra></extra>"
    )


def _frame(
    figure: go.Figure | Drawing,
    x: float,
    y: float,
    side: float,
    more: float,
    *,
    width: float = 0,
    **where: int,
) -> None:
    """A frame around a square, or a rectangle of a ``width``, whose corner is at (x, y)."""
    across = width or side
    figure.add_shape(
        type="rect",
        x0=x - more,
        y0=y - more,
        x1=x + across + more,
        y1=y + side + more,
        line={"color": MARK, "width": 3},
        **where,
    )
