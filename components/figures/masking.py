"""Figures of the page Masking: impact matrices, words by impact and idf, and their correlation by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.figures.drawing import Drawing, bars, scatter, whiskers
from components.figures.labels import plain, short
from components.figures.matrices import GAP, Matrix, frame, name_tokens, side_by_side
from components.theme import Theme

CROWDED = 60
"""Words in a row of the text from which on not each has its label."""

ROW, SIDES = 16, (290, 695)
"""Pixels of a row where there is room, and of the rows of a matrix at least and at most."""

WIDTH = 1056
"""Pixels that a figure has on a page 1100 wide."""

TALL, LOW = 520, 342
"""Pixels of one matrix in half of the page's width: where the window is high enough, and at least."""

FITS = 19
"""Words up to which such a matrix can be made so low; one of more is :data:`TALL`."""

_ABOVE, _LEAST_ABOVE, _BESIDE = 130, 104, 185
"""Pixels above and below the cells, of a low matrix too, and beside them."""

_HALF = 380
"""Pixels that the cells have in half of a page 1200 wide."""


@dataclass(frozen=True, eq=False)
class ImpactPanel:
    """The impact matrix ``[row, unit]`` of one model.

    ``own`` is the row of each unit itself; row and column of the ``chosen`` unit are framed.
    """

    values: np.ndarray
    title: str
    rows: Sequence[str]
    units: Sequence[str]
    own: np.ndarray
    chosen: int | None = None


def impact_matrices(
    panels: Sequence[ImpactPanel],
    theme: Theme,
    *,
    unit: str,
    metric: str,
    digits: int = 2,
    narrow: bool = False,
) -> go.Figure:
    """Matrices side by side on one scale from 0; what meets itself is left blank.

    The figure grows with the rows, as far as :data:`WIDTH` pixels leave cells square. One matrix that is
    ``narrow`` stands in half of the page's width and has no title; up to :data:`FITS` words it may be made
    as low as :data:`LOW`. The chosen words keep their names.
    """
    hover = f"masking <b>%{{customdata[1]}}</b> moves <b>%{{customdata[0]}}</b> by %{{z:.{digits}f}}"
    high = max((float(panel.values.max(initial=0)) for panel in panels), default=0.0)
    room = (WIDTH - _BESIDE) * (1 - GAP * (len(panels) - 1)) / len(panels)
    rows = max(len(panel.rows) for panel in panels)
    least, most = SIDES
    side = TALL - _ABOVE if narrow else min(room, most, max(least, ROW * rows))
    seen = (LOW - _LEAST_ABOVE if rows <= FITS else _HALF) if narrow else side
    figure = side_by_side(
        [Matrix(_blank(p), "" if narrow else p.title, p.rows, p.units, hover) for p in panels],
        theme,
        bar=metric,
        bounds=(0.0, high or 1.0),
        row_title=f"{unit} that moves",
        column_title=f"{unit} that is masked",
        height=int(side) + _ABOVE,
    )
    for number, panel in enumerate(panels):
        row = None if panel.chosen is None else int(panel.own[panel.chosen])
        name_tokens(figure, number, panel.rows, panel.units, seen, row=row, column=panel.chosen)
        if row is not None:
            frame(figure, number, row=row)
            frame(figure, number, column=panel.chosen)
    return figure


def _blank(panel: ImpactPanel) -> np.ndarray:
    """The matrix with NaN where a unit meets itself."""
    values = panel.values.astype(np.float32)
    values[panel.own, np.arange(len(panel.units))] = np.nan
    return values


@dataclass(frozen=True, eq=False)
class Importance:
    """What share of a sentence's impact, and of its idf, each unit has; both sum to 1."""

    title: str
    color: str
    units: Sequence[str]
    impact: np.ndarray
    idf: np.ndarray


def importance(rows: Sequence[Importance], theme: Theme) -> go.Figure:
    """For each model a row in the order of the sentence: idf as bars, impact as dots, both in percent."""
    figure = make_subplots(
        rows=len(rows), cols=1, vertical_spacing=0.36 / max(len(rows), 1) if len(rows) > 1 else 0
    )
    for number, one in enumerate(rows, 1):
        at = np.arange(len(one.units))
        names = [plain(unit) for unit in one.units]
        figure.add_trace(
            bars(
                x=at,
                y=(100 * one.idf).astype(np.float32),
                marker={"color": theme.grid, "line": {"color": theme.faint, "width": 1}},
                customdata=names,
                hovertemplate="<b>%{customdata}</b>: %{y:.1f} % of the idf<extra></extra>",
                showlegend=False,
            ),
            row=number,
            col=1,
        )
        figure.add_trace(
            scatter(
                x=at,
                y=(100 * one.impact).astype(np.float32),
                mode="markers",
                marker={"size": 11, "color": one.color},
                customdata=names,
                hovertemplate="<b>%{customdata}</b>: %{y:.1f} % of the impact<extra></extra>",
                showlegend=False,
            ),
            row=number,
            col=1,
        )
        shown = at[:: max(1, -(-len(at) // CROWDED))]
        figure.update_xaxes(
            tickvals=shown,
            ticktext=[short(one.units[i], 16) for i in shown],
            showgrid=False,
            range=[-0.7, len(at) - 0.3],
            row=number,
            col=1,
        )
        figure.update_yaxes(rangemode="tozero", title={"text": "% of sentence"}, row=number, col=1)
        domain = figure.layout[f"yaxis{number if number > 1 else ''}"].domain
        figure.add_annotation(
            text=f'<span style="color:{theme.readable(one.color)}">● impact, {plain(one.title)}</span>'
            f'     <span style="color:{theme.faint}">▮ idf</span>',
            x=0,
            y=domain[1],
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            yshift=6,
            showarrow=False,
        )
    figure.update_layout(
        template=theme.template,
        height=250 * len(rows) + 30,
        margin={"t": 34, "b": 8, "l": 8, "r": 8},
        bargap=0.35,
    )
    return figure


@dataclass(frozen=True, eq=False)
class CorrelationLine:
    """Spearman × 100 by layer for one model, and its 95 % interval at the layer that is shown."""

    name: str
    color: str
    values: np.ndarray
    layer: int
    low: float
    high: float


def by_layer(lines: Sequence[CorrelationLine], theme: Theme) -> go.Figure:
    """Correlation of impact with tf-idf, layer by layer, each model named at the end of its line."""
    figure = Drawing()
    for number, line in enumerate(lines):
        at, chosen = np.arange(len(line.values)), line.values[line.layer]
        beside = 0.05 * (number - (len(lines) - 1) / 2)  # so that intervals do not hide each other
        figure.add_trace(
            scatter(
                x=at,
                y=line.values,
                mode="lines+markers",
                line={"color": line.color, "width": 2},
                marker={"color": line.color, "size": np.where(at == line.layer, 13, 7)},
                hovertemplate=f"{plain(line.name)}, layer %{{x}}: %{{y:.1f}}<extra></extra>",
                showlegend=False,
            )
        )
        if np.isfinite([chosen, line.low, line.high]).all():
            figure.add_trace(
                scatter(
                    x=[line.layer + beside],
                    y=[chosen],
                    error_y=whiskers([chosen], [line.low], [line.high]),
                    mode="markers",
                    marker={"color": line.color, "size": 13},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
        known = np.flatnonzero(np.isfinite(line.values))
        if len(known):
            figure.add_annotation(
                text=f" {short(line.name, 26)}",
                x=known[-1],
                y=line.values[known[-1]],
                xanchor="left",
                xshift=10,
                showarrow=False,
                font={"color": theme.readable(line.color)},
            )
    deepest = max((len(line.values) for line in lines), default=1) - 1
    figure.update_xaxes(title={"text": "layer"}, dtick=1, range=[-0.3, deepest + 0.3])
    figure.update_yaxes(title={"text": "Spearman × 100 with tf-idf"})
    figure.update_layout(template=theme.template, height=340, margin={"t": 16, "b": 8, "l": 8, "r": 200})
    return figure.made()
