"""Square matrices side by side on one colour scale: layer against layer, token against token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from components.figures.cell_values import longest, written
from components.figures.drawing import Drawing, Part, heatmap
from components.figures.labels import plain
from components.figures.token_names import fitting
from components.theme import BEST, MAGNITUDE, SIGNED, Theme

CROWDED = 40
"""Rows from which on not each has its label."""

BESIDE = 5
"""Pixels between a row and its label."""

OFF = 10
"""Pixels between the labels of an axis and its title, however long the labels are."""

GAP = 0.1
"""Space between panels, as a share of the figure's width."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """One panel: values ``[row, column]`` (NaN is left blank), labels, title, and what a cell says.

    ``hover`` is Plotly's template; ``%{y}`` and ``%{x}`` in it are positions, so name rows and columns
    by ``%{customdata[0]}`` and ``%{customdata[1]}``, and the value ``%{z}``. ``texts`` are written into the
    cells.
    """

    values: np.ndarray
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    hover: str
    texts: np.ndarray | None = None


def side_by_side(matrices: Sequence[Matrix], theme: Theme, **settings: Any) -> go.Figure:
    """The figure of :func:`drawing`, whose settings it takes."""
    return drawing(matrices, theme, **settings).made()


def drawing(
    matrices: Sequence[Matrix],
    theme: Theme,
    *,
    bar: str,
    signed: bool = False,
    bounds: tuple[float, float] | None = None,
    row_title: str = "",
    column_title: str = "",
    height: int = 420,
    labels: int = CROWDED,
) -> Drawing:
    """Panels with square cells; all share ``bounds``, by default the range of all their values.

    ``bar`` says what the colours mean. ``signed`` centres them on 0. Of more than ``labels`` rows or
    columns not each has its label.
    """
    figure = Drawing(columns=len(matrices), between=GAP)
    low, high = bounds or _range([matrix.values for matrix in matrices])
    scale = {"colorscale": MAGNITUDE, "cmin": low, "cmax": high}
    if signed:
        reach = max(abs(low), abs(high)) or 1.0
        scale = {"colorscale": SIGNED, "cmin": -reach, "cmax": reach}
    most = longest(matrix.texts for matrix in matrices)
    layers = [_layers(matrix, scale, most) for matrix in matrices]
    for column, matrix in enumerate(matrices, 1):
        figure.add_trace(layers[column - 1][0], col=column)
        titles = (column_title, row_title if column == 1 else "")
        _axes(figure, matrix, column, titles, labels, len(matrices), theme)
    for column, (_, *over) in enumerate(layers, 1):
        for part in over:  # after all cells, so that those of a panel are the trace of its number
            figure.add_trace(part, col=column)
    _titles(figure, matrices)
    figure.update_layout(
        template=theme.template,
        height=height,
        margin={
            "t": 60 if column_title else 30,
            "b": 34 if any(matrix.title for matrix in matrices) else 8,
            "l": 4,
            "r": 4,
        },
        coloraxis=scale | {"colorbar": {"title": {"text": bar, "side": "right"}, "thickness": 14}},
    )
    return figure


def _layers(matrix: Matrix, scale: Part, most: int) -> list[Part]:
    """The cells of a panel, and what lies over them: their texts, where they have any."""
    cells = heatmap(
        z=matrix.values.astype(np.float32),
        x=np.arange(len(matrix.columns)),
        y=np.arange(len(matrix.rows)),
        customdata=_names(matrix),
        hovertemplate=f"{matrix.hover}<extra></extra>",
        hoverongaps=False,
        xgap=1,
        ygap=1,
    )
    shared = {"coloraxis": "coloraxis"}
    if matrix.texts is None:
        return [cells | shared]
    own = {"colorscale": scale["colorscale"], "zmin": scale["cmin"], "zmax": scale["cmax"]}
    below, over = written(cells | own, matrix.texts, most)
    return [{name: part for name, part in below.items() if name not in own} | shared, over]


def _axes(
    figure: Drawing,
    matrix: Matrix,
    column: int,
    titles: tuple[str, str],
    labels: int,
    panels: int,
    theme: Theme,
) -> None:
    """Names of a panel's columns above it and of its rows, and what both are: ``titles``."""
    look = {"showgrid": False, "zeroline": False, "col": column}
    across, down = ({"text": title, "font": {"color": theme.faint}, "standoff": OFF} for title in titles)
    at = _ticks(len(matrix.columns), labels)
    figure.update_xaxes(
        tickvals=at,
        ticktext=_above([plain(matrix.columns[i]) for i in at], panels),
        side="top",
        constrain="domain",
        title=across,
        **look,
    )
    at = _ticks(len(matrix.rows), labels)
    figure.update_yaxes(
        tickvals=at,
        ticktext=[plain(matrix.rows[i]) for i in at],
        autorange="reversed",
        scaleanchor="x" if column == 1 else f"x{column}",
        constrain="domain",
        constraintoward="top",
        ticklabelstandoff=BESIDE,
        title=down,
        **look,
    )


def _titles(figure: Drawing, matrices: Sequence[Matrix]) -> None:
    """The title of each panel that has one, under its cells, which leave room where a window is wider."""
    for number, matrix in enumerate(matrices, 1):
        if not matrix.title:
            continue
        axis = number if number > 1 else ""
        figure.add_annotation(
            text=f"<b>{plain(matrix.title)}</b>",
            x=0.5,
            y=-0.01,
            xref=f"x{axis} domain",
            yref=f"y{axis} domain",
            xanchor="center",
            yanchor="top",
            showarrow=False,
        )


def name_tokens(
    figure: go.Figure,
    panel: int,
    rows: Sequence[str],
    columns: Sequence[str],
    side: float,
    *,
    row: int | None = None,
    column: int | None = None,
) -> None:
    """Names of tokens along a panel whose longer side has so many pixels.

    ``row`` and ``column`` keep theirs where not all have one. Those of columns stand upright: slanted,
    Plotly draws them into each other. The browser makes them smaller, then fewer, where there is less room.
    """
    cell, number = side / max(len(rows), len(columns)), panel + 1 if panel else ""
    for axis, labels, own in ((f"xaxis{number}", columns, column), (f"yaxis{number}", rows, row)):
        names = fitting(len(labels), cell * len(labels), kept=() if own is None else (own,))
        figure.layout[axis].update(
            tickvals=list(names.places),
            ticktext=[plain(labels[i]) for i in names.places],
            tickfont={"size": names.size},
        )
    figure.layout[f"xaxis{number}"].tickangle = -90
    keep_names(figure, {f"xaxis{number}": column, f"yaxis{number}": row})


def keep_names(figure: go.Figure, kept: Mapping[str, int | None]) -> None:
    """Have the browser fit names along axes into the room that there is; each keeps that at a place."""
    before = (figure.layout.meta or {}).get("tokens", {})
    figure.update_layout(meta={"tokens": before | kept})


def frame(figure: go.Figure, panel: int, *, row: int | None = None, column: int | None = None) -> None:
    """A frame around one row, or one column, of a panel; panels, rows and columns counted from 0."""
    rows, columns = figure.data[panel].z.shape
    number = panel + 1 if panel else ""
    figure.add_shape(
        type="rect",
        x0=-0.5 if column is None else column - 0.5,
        x1=columns - 0.5 if column is None else column + 0.5,
        y0=-0.5 if row is None else row - 0.5,
        y1=rows - 0.5 if row is None else row + 0.5,
        line={"color": BEST, "width": 2},
        xref=f"x{number}",
        yref=f"y{number}",
    )


def _range(values: Sequence[np.ndarray]) -> tuple[float, float]:
    low = min((float(v[np.isfinite(v)].min(initial=np.inf)) for v in values), default=np.inf)
    high = max((float(v[np.isfinite(v)].max(initial=-np.inf)) for v in values), default=-np.inf)
    return (low, high) if low < high else (low - 0.5, high + 0.5) if np.isfinite(low) else (0.0, 1.0)


def _above(labels: list[str], panels: int) -> list[str]:
    """Labels of columns; a word before numbers (``static``) stands a line higher where panels are small."""
    word = panels > 1 and len(labels) > 1 and len(labels[0]) > 2 and all(len(one) < 3 for one in labels[1:])
    return [f"{labels[0]}<br> ", *labels[1:]] if word else labels


def _names(matrix: Matrix) -> np.ndarray:
    names = np.empty((len(matrix.rows), len(matrix.columns), 2), object)
    names[..., 0] = np.array([plain(name) for name in matrix.rows], object)[:, None]
    names[..., 1] = np.array([plain(name) for name in matrix.columns], object)[None, :]
    return names


def _ticks(count: int, labels: int) -> list[int]:
    return list(range(0, count, max(1, -(-count // labels))))
