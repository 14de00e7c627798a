"""Figures of all attention heads: as tiles, their diagonals, their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from components.figures.drawing import Drawing, Part, heatmap, targets
from components.figures.labels import plain
from components.figures.matrices import Matrix, drawing
from components.figures.token_names import fitting
from components.theme import MAGNITUDE, MARK, Theme
from core.evaluation.wording import fixed

STEPS = 250
"""Shades of a tile: few enough for one byte a cell, equally spaced in the root of the attention."""

_TICKS = (0.0, 0.01, 0.1, 0.3, 1.0)
FLAT = 8
"""Layers up to which all tiles can be read in a low window, and are larger in a high one."""

ACROSS = 900
"""Pixels that a row of slanted names has on a page 1280 wide."""

BAR = {"orientation": "h", "y": 0, "yanchor": "top", "thickness": 10, "len": 0.8, "outlinewidth": 0}
"""A colour bar under the picture, so that the picture has the whole width."""

ROOT = [(share**2, color) for share, color in get_colorscale(MAGNITUDE)]
"""Viridis over the square root of a value from 0 to 1."""


@dataclass(frozen=True, eq=False)
class HeadGrid:
    """One panel: a value for each layer and head, with how many decimals it is said, and heads with a sign.

    ``signs`` are short texts drawn into cells, by (layer, head) counted from 1.
    """

    values: np.ndarray
    title: str
    digits: int
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
            colorbar=BAR
            | {
                "title": {"text": "attention"},
                "tickvals": [1 + STEPS * tick**0.5 for tick in _TICKS],
                "ticktext": [f"{tick:g}" for tick in _TICKS],
            },
        )
    )
    down, right = (grid.ravel() * step + middle for grid in np.mgrid[:layers, :heads])
    figure.add_trace(_targets(right, down, names, hover))
    framed(figure, (chosen[1] - 1) * step - 0.5, (chosen[0] - 1) * step - 0.5, side, gap / 2)
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
        height=116
        + (min(350, 432 * layers // heads) if layers > FLAT else min(470, 672 * layers // heads)),
        margin={"t": 56, "b": 4, "l": 4, "r": 4},
        hoverdistance=-1,
    )
    return figure.made()


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
            colorscale=ROOT,
            zmin=0,
            zmax=1,
            colorbar={"title": {"text": "attention to itself", "side": "right"}, "thickness": 14},
        )
    )
    framed(figure, -0.5, (chosen[0] - 1) * step + chosen[1] - 1.5, 1, 0.1, width=tokens)
    names = fitting(tokens, ACROSS)
    figure.update_xaxes(
        tickvals=names.places,
        ticktext=[plain(labels[i]) for i in names.places],
        tickfont={"size": names.size},
        side="top",
        tickangle=-60,
        showgrid=False,
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
            f"L%{{customdata[0]}}-H%{{customdata[1]}}: %{{z:.{panel.digits}f}}",
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
            "no score" if np.isnan(value) else fixed(value, panel.digits) for value in panel.values.ravel()
        ]
        said = [f"L{name.replace('-', '-H')}: {value}" for name, value in zip(names, values, strict=True)]
        figure.add_trace(_targets(right, down, names, said), col=column)
        framed(figure, chosen[1] - 1.5, chosen[0] - 1.5, 1, 0, col=column)
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


def framed(
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
