"""Figures of the page Layers: curves over layers, words by variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from components.figures.drawing import Drawing, Part, scatter
from components.figures.label_places import below_each_other
from components.figures.labels import plain, short
from components.theme import Theme, tint
from core.analysis.layers.word_groups import GROUPS

GROUP_COLORS = dict(zip(GROUPS, ("#009E73", "#9aa3af", "#D55E00"), strict=True))


@dataclass(frozen=True, eq=False)
class Curve:
    """One line over positions: its label, colour, values, and a band of ``spread`` on either side.

    ``ground`` are the lower and the upper end of a band of its own.
    """

    label: str
    color: str
    values: np.ndarray
    spread: np.ndarray | None = None
    width: float = 2.5
    ground: tuple[np.ndarray, np.ndarray] | None = None


def layer_name(layer: int) -> str:
    """``static`` for the rows of the word-embedding matrix, else the layer's number."""
    return "static" if layer < 0 else str(layer)


def curves(
    lines: Sequence[Curve],
    ticks: Sequence[str],
    theme: Theme,
    *,
    x_title: str,
    y_title: str,
    bounds: tuple[float, float],
    height: int = 330,
) -> go.Figure:
    """Lines over the positions of ``ticks``, each labelled at its end; a line may be shorter than others.

    ``bounds`` are of the vertical axis; bands do not leave them.
    """
    figure = Drawing()
    for line in lines:
        x = np.arange(len(line.values))
        if line.spread is not None:
            low, high = (np.clip(line.values + sign * line.spread, *bounds) for sign in (-1, 1))
            figure.add_trace(band(x, low, high, line.color))
        if line.ground is not None:
            figure.add_trace(band(x, *line.ground, line.color))
        figure.add_trace(
            scatter(
                x=x,
                y=line.values.astype(np.float32),
                customdata=np.zeros(len(x)) if line.spread is None else line.spread,
                mode="lines+markers",
                line={"color": line.color, "width": line.width},
                marker={"size": 8, "color": line.color},
                hovertemplate=f"{plain(line.label)}: %{{y:.3f}}"
                + ("" if line.spread is None else ", ± %{customdata:.3f} over tokens")
                + "<extra></extra>",
                showlegend=False,
            )
        )
    labelled = [line for line in lines if line.label and len(line.values)]
    for line, y in zip(
        labelled, below_each_other([float(line.values[-1]) for line in labelled], bounds), strict=True
    ):
        figure.add_annotation(
            text=short(line.label, 22),
            x=len(line.values) - 1,
            y=y,
            xanchor="left",
            xshift=8,
            showarrow=False,
            font={"color": theme.readable(line.color)},
        )
    longest = max((len(line.label) for line in labelled), default=0)
    figure.update_xaxes(
        tickvals=np.arange(len(ticks)),
        ticktext=list(map(plain, ticks)),
        range=[-0.35, len(ticks) - 0.65],
        title={"text": x_title},
        zeroline=False,
    )
    figure.update_yaxes(title={"text": y_title}, range=_roomy(bounds), zeroline=False)
    figure.update_layout(
        template=theme.template,
        height=height,
        margin={"t": 16, "b": 8, "l": 8, "r": 16 + 8 * min(longest, 22)},
    )
    return figure.made()


def words_by_variance(table: pd.DataFrame, theme: Theme) -> go.Figure:
    """Each word at its idf and its variance; its group by colour, function words hollow."""
    figure = Drawing()
    for name, color in GROUP_COLORS.items():
        for function, symbol in ((False, "circle"), (True, "circle-open")):
            part = table[(table["group"] == name) & (table["function word"] == function)]
            if part.empty:
                continue
            figure.add_trace(
                scatter(
                    x=part["idf"].astype(np.float32),
                    y=part["variance"].astype(np.float32),
                    mode="markers",
                    marker={"size": 10, "color": color, "symbol": symbol, "line": {"width": 2}},
                    text=[plain(word) for word in part["word"]],
                    customdata=part["times"],
                    hovertemplate="<b>%{text}</b>, seen %{customdata:,} ×<br>"
                    "idf %{x:.2f}, variance %{y:.5f}<extra></extra>",
                    showlegend=False,
                )
            )
    words = [
        f'<span style="color:{theme.readable(color)}">● {name}</span>'
        for name, color in GROUP_COLORS.items()
    ]
    figure.add_key("   ".join([*words, "variance;  ○ function word"]), yshift=6)
    figure.update_xaxes(title={"text": "idf"}, zeroline=False)
    figure.update_yaxes(title={"text": "variance of adjacent cosines"}, zeroline=False, rangemode="tozero")
    figure.update_layout(template=theme.template, height=400, margin={"t": 36, "b": 8, "l": 8, "r": 16})
    return figure.made()


def _roomy(bounds: tuple[float, float]) -> list[float]:
    room = 0.04 * (bounds[1] - bounds[0])
    return [bounds[0] - room, bounds[1] + room]


def band(x: np.ndarray, low: np.ndarray, high: np.ndarray, color: str) -> Part:
    """The tinted ground between two curves."""
    return scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]).astype(np.float32),
        mode="lines",
        fill="toself",
        fillcolor=tint(color, 0.16),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )
