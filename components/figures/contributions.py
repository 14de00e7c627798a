"""What each pair of tokens contributes to the similarity of two sentences, as matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale
from plotly.subplots import make_subplots

from components.figures.labels import plain
from components.theme import SIGNED, Theme
from core.analysis.why.contributions import Contributions

ROOT = [((1 + (2 * share - 1) * abs(2 * share - 1)) / 2, color) for share, color in get_colorscale(SIGNED)]
"""Colours on either side of 0 over the square root: one large cell does not leave the others without."""

LABELLED = 40
"""Tokens of a sentence up to which each has its label."""

NAMED = 80
"""Tokens of a sentence up to which a cell says its tokens; beyond, their numbers."""

LONGEST = 14
"""Characters of a token in a label."""


@dataclass(frozen=True, eq=False)
class ContributionPanel:
    """One matrix: its contributions, title, color, and the name of the similarity that they sum to."""

    contributions: Contributions
    title: str
    color: str
    similarity: str


def contribution_panels(panels: Sequence[ContributionPanel], theme: Theme) -> go.Figure:
    """Matrices side by side, a row for each token of the first sentence.

    Colours are centred on 0 and go with the root; panels of one similarity share a scale.
    A cell that is NaN is left empty.
    """
    figure = make_subplots(rows=1, cols=len(panels), horizontal_spacing=0.09)
    rows = max(len(panel.contributions.first) for panel in panels)
    for column, panel in enumerate(panels, 1):
        where = {"row": 1, "col": column}
        found = panel.contributions
        alike = [other for other in panels if other.similarity == panel.similarity]
        reach = max(float(np.nanmax(np.abs(other.contributions.values))) for other in alike) or 1.0
        end = figure.get_subplot(1, column).xaxis.domain[1]
        beside = end if panel is alike[-1] else None
        figure.add_trace(_heatmap(panel, reach, beside), **where)
        at = np.arange(0, len(found.second), _step(len(found.second)))
        figure.update_xaxes(
            tickvals=at + 1,
            ticktext=[_label(found.second[i]) for i in at],
            tickangle=-45,
            tickfont={"size": 13},
            side="top",
            showgrid=False,
            zeroline=False,
            title={"text": panel.title, "font": {"color": theme.readable(panel.color), "size": 17}},
            **where,
        )
        at = np.arange(0, len(found.first), _step(len(found.first)))
        figure.update_yaxes(
            tickvals=at + 1,
            ticktext=[_label(found.first[i]) for i in at],
            tickfont={"size": 13},
            range=[len(found.first) + 0.5, 0.5],
            showgrid=False,
            zeroline=False,
            **where,
        )
    figure.update_layout(
        template=theme.template,
        height=min(max(300, 24 * rows + 130), 900),
        margin={"t": 96, "b": 8, "l": 4, "r": 4},
    )
    return figure


def _heatmap(panel: ContributionPanel, reach: float, beside: float | None) -> go.Heatmap:
    """One matrix, with its scale beside it at a place across the figure, or without one."""
    found = panel.contributions
    few = max(found.values.shape) <= NAMED
    pair = "%{customdata[0]} ↔ %{customdata[1]}" if few else "token %{y} ↔ token %{x}"
    return go.Heatmap(
        z=found.values.astype(np.float32),
        x=np.arange(len(found.second)) + 1,
        y=np.arange(len(found.first)) + 1,
        customdata=_names(found) if few else None,
        hovertemplate=f"<b>%{{z:+.3f}}</b><br>{pair}<extra></extra>",
        colorscale=ROOT,
        zmin=-reach,
        zmid=0,
        zmax=reach,
        xgap=1 if few else 0,
        ygap=1 if few else 0,
        showscale=beside is not None,
        colorbar={
            "thickness": 12,
            "title": {"text": panel.similarity.lower(), "side": "right"},
            "nticks": 5,
            "x": beside,
            "xpad": 6,
        }
        if beside is not None
        else None,
    )


def _names(found: Contributions) -> np.ndarray:
    """The two tokens of each cell."""
    names = np.empty((*found.values.shape, 2), object)
    names[..., 0] = np.array([plain(token) for token in found.first], object)[:, None]
    names[..., 1] = np.array([plain(token) for token in found.second], object)[None, :]
    return names


def _step(count: int) -> int:
    return max(1, -(-count // LABELLED))


def _label(token: str) -> str:
    return plain(token if len(token) <= LONGEST else token[: LONGEST - 1] + "…")
