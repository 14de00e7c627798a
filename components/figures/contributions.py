"""What each pair of tokens contributes to the similarity of two sentences, as matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale
from plotly.subplots import make_subplots

from components.figures.labels import plain
from components.figures.matrices import keep_names
from components.figures.token_names import fitting
from components.theme import SIGNED, Theme
from core.analysis.why.contributions import Contributions

ROOT = [((1 + (2 * share - 1) * abs(2 * share - 1)) / 2, color) for share, color in get_colorscale(SIGNED)]
"""Colours on either side of 0 over the square root: one large cell does not leave the others without."""

CELLS = 6400
"""Cells of a matrix up to which each says its tokens; beyond, their numbers."""

LONGEST = 14
"""Characters of a token in a label."""

ROW, LOWEST = 24, 11
"""Pixels of a row where there is room, and at least."""

SIDES = (170, 770, 1408)
"""Pixels of all rows: at least, as far as they are no lower than :data:`LOWEST`, and at most."""

ABOVE, ACROSS = 130, 1060
"""Pixels above the rows, and of all columns of one panel on a page 1280 wide."""

BETWEEN = 0.09
"""Space between panels, as a share of the figure's width."""

SLANTED, TYPE = 19, 13
"""Pixels of a column from which on its name is slanted, and of the type of names."""


@dataclass(frozen=True, eq=False)
class ContributionPanel:
    """One matrix: its contributions, title, color, and the name of the similarity that they sum to."""

    contributions: Contributions
    title: str
    color: str
    similarity: str


def rows_are_second(found: Sequence[Contributions]) -> bool:
    """Whether rows are the tokens of the second sentence: of the longer one, which has room below."""
    return sum(len(each.second) - len(each.first) for each in found) > 0


def contribution_panels(panels: Sequence[ContributionPanel], theme: Theme) -> go.Figure:
    """Matrices side by side, a row for each token of the longer sentence.

    Colours are centred on 0 and go with the root; panels of one similarity share a scale.
    A cell that is NaN is left empty. The tokens of a panel's largest cell keep their names where not every
    token has one.
    """
    figure = make_subplots(rows=1, cols=len(panels), horizontal_spacing=BETWEEN)
    turned = rows_are_second([panel.contributions for panel in panels])
    sides = [_sides(panel.contributions, turned) for panel in panels]
    rows = max(len(down) for down, _ in sides)
    least, usual, most = SIDES
    high = min(max(least, min(ROW * rows, max(usual, LOWEST * rows))), most)
    for column, panel in enumerate(panels, 1):
        where = {"row": 1, "col": column}
        found = panel.contributions
        alike = [other for other in panels if other.similarity == panel.similarity]
        reach = max(float(np.nanmax(np.abs(other.contributions.values))) for other in alike) or 1.0
        end = figure.get_subplot(1, column).xaxis.domain[1]
        beside = end if panel is alike[-1] else None
        figure.add_trace(_heatmap(panel, turned, reach, beside), **where)
        (down, across), (down_at, across_at) = sides[column - 1], _largest(found, turned)
        width = ACROSS * (1 - BETWEEN * (len(panels) - 1)) / len(panels)
        figure.update_xaxes(
            **_named(across, width, across_at),
            tickangle=-45 if width >= SLANTED * len(across) else -90,
            side="top",
            showgrid=False,
            zeroline=False,
            title={"text": panel.title, "font": {"color": theme.readable(panel.color), "size": 17}},
            **where,
        )
        number = column if column > 1 else ""
        keep_names(figure, {f"xaxis{number}": across_at + 1, f"yaxis{number}": down_at + 1})
        figure.update_yaxes(
            **_named(down, high, down_at),
            range=[len(down) + 0.5, 0.5],
            showgrid=False,
            zeroline=False,
            **where,
        )
    figure.update_layout(
        template=theme.template, height=high + ABOVE, margin={"t": 96, "b": 8, "l": 4, "r": 4}
    )
    return figure


def _sides(found: Contributions, turned: bool) -> tuple[Sequence[str], Sequence[str]]:
    """The tokens of the rows and of the columns."""
    return (found.second, found.first) if turned else (found.first, found.second)


def _largest(found: Contributions, turned: bool) -> tuple[int, int]:
    """Row and column of the largest cell, that a headline names."""
    first, second = np.unravel_index(np.nanargmax(np.abs(found.values)), found.values.shape)
    return (int(second), int(first)) if turned else (int(first), int(second))


def _named(tokens: Sequence[str], room: float, kept: int) -> dict[str, Any]:
    """The names along an axis that has so many pixels."""
    names = fitting(len(tokens), room, largest=TYPE, kept=(kept,))
    return {
        "tickvals": [place + 1 for place in names.places],
        "ticktext": [_label(tokens[place]) for place in names.places],
        "tickfont": {"size": names.size},
    }


def _heatmap(panel: ContributionPanel, turned: bool, reach: float, beside: float | None) -> go.Heatmap:
    """One matrix, with its scale beside it at a place across the figure, or without one."""
    found = panel.contributions
    values, names = found.values.astype(np.float32), _names(found)
    if turned:
        values, names = values.T, names.transpose(1, 0, 2)
    few = values.size <= CELLS
    numbers = ("%{x}", "%{y}") if turned else ("%{y}", "%{x}")
    pair = "%{customdata[0]} ↔ %{customdata[1]}" if few else "token {} ↔ token {}".format(*numbers)
    return go.Heatmap(
        z=values,
        x=np.arange(values.shape[1]) + 1,
        y=np.arange(values.shape[0]) + 1,
        customdata=names if few else None,
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


def _label(token: str) -> str:
    return plain(token if len(token) <= LONGEST else token[: LONGEST - 1] + "…")
