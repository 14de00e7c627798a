"""Similarity heatmaps of some sentences: under A, under B, and their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.figures.labels import short, wrapped
from components.theme import MAGNITUDE, SIGNED, Theme

LABELLED = 30
"""Sentences up to which every row has its label."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One heatmap: its values, title, and whether it shows signed differences around 0."""

    values: np.ndarray
    title: str
    color: str
    signed: bool = False


def similarity_panels(
    sentences: Sequence[str],
    panels: Sequence[Panel],
    theme: Theme,
    *,
    shared: bool,
    mark: tuple[int, int] | None = None,
    unit: str = "cosine",
) -> go.Figure:
    """Square heatmaps side by side, sentences numbered from 1, written out beside the first.

    ``shared`` puts all unsigned panels on one colour scale (the range of all their off-diagonal
    values). ``mark`` draws a box around one pair in every panel.
    """
    count = len(sentences)
    figure = make_subplots(rows=1, cols=len(panels), horizontal_spacing=0.05)
    low, high = _range([p.values for p in panels if not p.signed])
    numbers = np.arange(count)
    ticks = numbers if count <= LABELLED else numbers[:: max(1, count // 10)]
    hover = [wrapped(text) for text in sentences]
    for column, panel in enumerate(panels, 1):
        if panel.signed:
            reach = float(np.abs(panel.values).max()) or 1.0
            scale = {"colorscale": SIGNED, "zmid": 0, "zmin": -reach, "zmax": reach}
        else:
            bounds = (low, high) if shared else _range([panel.values])
            scale = {"colorscale": MAGNITUDE, "zmin": bounds[0], "zmax": bounds[1]}
        figure.add_trace(
            go.Heatmap(
                z=panel.values.astype(np.float32),
                x=numbers,
                y=numbers,
                customdata=_hover(hover) if count <= 60 else None,
                hovertemplate=_template(unit, panel.signed, count <= 60),
                colorbar=_bar(column, len(panels)),
                xgap=1 if count <= 60 else 0,
                ygap=1 if count <= 60 else 0,
                **scale,
            ),
            row=1,
            col=column,
        )
        figure.update_xaxes(
            tickvals=ticks,
            ticktext=[str(i + 1) for i in ticks],
            tickangle=0,
            tickfont={"size": 13},
            constrain="domain",
            showgrid=False,
            title={"text": panel.title, "font": {"color": panel.color, "size": 17}},
            side="top",
            row=1,
            col=column,
        )
        figure.update_yaxes(
            tickvals=ticks,
            ticktext=_rows(sentences, ticks) if column == 1 else [str(i + 1) for i in ticks],
            autorange="reversed",
            scaleanchor="x" if column == 1 else f"x{column}",
            constrain="domain",
            constraintoward="top",
            showgrid=False,
            row=1,
            col=column,
        )
        if mark is not None:
            _box(figure, mark, column)
    figure.update_layout(template=theme.template, height=350, margin={"t": 56, "b": 40, "l": 4, "r": 4})
    return figure


def _range(matrices: Sequence[np.ndarray]) -> tuple[float, float]:
    """The range off the diagonal, where a sentence meets itself."""
    values = np.concatenate([m[~np.eye(len(m), dtype=bool)] for m in matrices] or [np.zeros(1)])
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _rows(sentences: Sequence[str], ticks: np.ndarray) -> list[str]:
    if len(sentences) > LABELLED:
        return [str(i + 1) for i in ticks]
    # isolated, so that text written from right to left leaves the number where it is
    return [f"\u2068{short(sentences[i], 22)}\u2069  {i + 1}" for i in ticks]


def _hover(texts: Sequence[str]) -> np.ndarray:
    rows = np.empty((len(texts), len(texts), 2), object)
    rows[..., 0] = np.array(texts, object)[:, None]
    rows[..., 1] = np.array(texts, object)[None, :]
    return rows


def _template(unit: str, signed: bool, sentences: bool) -> str:
    value = f"B − A %{{z:+.3f}} {unit}" if signed else f"%{{z:.3f}} {unit}"
    pair = "%{customdata[0]}<br>— and —<br>%{customdata[1]}" if sentences else "sentences at %{y}, %{x}"
    return f"<b>{value}</b><br>{pair}<extra></extra>"


def _bar(column: int, columns: int) -> dict[str, object]:
    """A thin colour bar right under its panel."""
    width = (1 - 0.05 * (columns - 1)) / columns
    middle = (column - 1) * (width + 0.05) + width / 2
    return {
        "orientation": "h",
        "x": middle,
        "xanchor": "center",
        "y": -0.02,
        "yanchor": "top",
        "len": width * 0.7,
        "thickness": 10,
        "nticks": 4,
        "tickangle": 0,
        "outlinewidth": 0,
    }


def _box(figure: go.Figure, mark: tuple[int, int], column: int) -> None:
    for x, y in (mark, mark[::-1]):
        figure.add_shape(
            type="rect",
            x0=x - 0.5,
            x1=x + 0.5,
            y0=y - 0.5,
            y1=y + 0.5,
            line={"color": "#ff2fa0", "width": 3},
            row=1,
            col=column,
        )
