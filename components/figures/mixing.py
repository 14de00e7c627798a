"""Figures of the page Mixing: score by share of Avg. and by layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures import drawing
from components.theme import MAGNITUDE, MARK, Theme
from components.wording import layers_named, metrics_unit
from core.analysis.mixing import Mixture
from core.evaluation.difference import Difference
from core.evaluation.wording import between, shortest, signed

ACROSS = "layer, and sets of layers"
"""What stands along the axis of both figures."""


def heatmap(
    found: Mixture,
    theme: Theme,
    chosen: tuple[float, str] | None = None,
) -> go.Figure:
    """Rows w upwards, a column for each choice of layers, sets right of a line, a black × on the best.

    Every cell can be clicked; its place is in the selected point's ``x`` and ``y``.
    """
    figure = drawing.Drawing()
    _cells(figure, found)
    if found.best is not None:
        row, column = _place(found, found.best)
        figure.add_trace(
            drawing.scatter(
                x=[column],
                y=[row],
                mode="markers",
                marker={"symbol": "x-thin", "size": 15, "line": {"color": "#000000", "width": 4}},
                unselected={"marker": {"opacity": 1}},
                hoverinfo="skip",
                showlegend=False,
                cliponaxis=False,
            )
        )
    if chosen is not None:
        row, column = _place(found, chosen)
        figure.frame(column, row, MARK)
    _lines(figure, found, theme)
    _axes(figure, found)
    figure.update_layout(
        template=theme.template,
        height=560,
        margin={"t": 12, "b": 8, "l": 8, "r": 8},
        clickmode="event+select",
        dragmode=False,
        hoverdistance=40,
    )
    return figure.made()


def _cells(figure: drawing.Drawing, found: Mixture) -> None:
    """The scores as colours, and what takes the clicks."""
    rows, columns = found.scores.shape
    scores = found.scores.astype(np.float32)
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    named = np.array(
        [[f"w = {shortest(w)}, {layers_named(name)}" for name in found.layers] for w in found.shares]
    )
    figure.add_trace(
        drawing.heatmap(
            z=scores,
            x=np.arange(columns),
            y=np.arange(rows),
            colorscale=MAGNITUDE,
            colorbar={"title": {"text": metrics_unit(found.metrics), "side": "right"}, "thickness": 14},
            hoverinfo="skip",
            xgap=1,
            ygap=1 if rows <= 30 else 0,
        )
    )
    figure.add_trace(
        drawing.targets(
            min(20, max(8, 420 // rows)),
            x=x.ravel(),
            y=y.ravel(),
            text=named.ravel(),
            customdata=scores.ravel(),
            hovertemplate="%{text}: %{customdata:.1f}<extra></extra>",
        )
    )


def _lines(figure: drawing.Drawing, found: Mixture, theme: Theme) -> None:
    """One between layers and sets of layers, and one at the model and at Avg. alone."""
    figure.add_vline(x=found.singles - 0.5, line={"color": theme.text, "width": 4})
    for w in (0, 1):
        if w in found.shares:
            figure.add_hline(y=found.shares.index(w), line={"color": "white", "width": 1.5, "dash": "dot"})


def _axes(figure: drawing.Drawing, found: Mixture) -> None:
    labelled = [i for i, w in enumerate(found.shares) if round(100 * w) % 50 == 0]
    figure.update_yaxes(
        tickvals=labelled,
        ticktext=[_share(found.shares[i]) for i in labelled],
        title={"text": "w, the share of Avg."},
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(
        tickvals=np.arange(len(found.layers)),
        ticktext=_names(found),
        tickangle=0,
        range=[-0.5, len(found.layers) - 0.5],
        title={"text": ACROSS},
        showgrid=False,
        zeroline=False,
    )


def best_shares(found: Mixture, differences: Sequence[Difference], theme: Theme) -> go.Figure:
    """For each choice of layers its best w, and what it gains over w = 0; hollow: no difference shown."""
    shares = np.array([np.nan if share is None else share for share in found.best_shares])
    gains = [difference.value for difference in differences]
    x = np.arange(len(shares))
    figure = drawing.Drawing()
    figure.add_trace(
        drawing.scatter(
            x=x,
            y=shares.astype(np.float32),
            customdata=[
                "" if share is None else _hover(share, each)
                for share, each in zip(found.best_shares, differences, strict=True)
            ],
            mode="markers+text",
            marker={
                "size": 13,
                "color": theme.a,
                "symbol": ["circle" if each.shown else "circle-open" for each in differences],
                "line": {"width": 2.5, "color": theme.a},
            },
            text=[signed(gain) if np.isfinite(gain) else "" for gain in gains],
            textposition="top center",
            textfont={"color": theme.a},
            cliponaxis=False,
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_hline(y=0, line={"color": theme.faint, "width": 1.5, "dash": "dot"})
    figure.add_vline(x=found.singles - 0.5, line={"color": theme.faint, "width": 2})
    figure.update_xaxes(
        tickvals=x,
        ticktext=_names(found),
        tickangle=0,
        range=[-0.5, len(x) - 0.5],
        showgrid=False,
        title={"text": ACROSS},
    )
    figure.update_yaxes(
        title={"text": "best w"}, range=[min(found.shares) - 0.15, max(found.shares) + 0.6], zeroline=False
    )
    figure.update_layout(template=theme.template, height=300, margin={"t": 12, "b": 8, "l": 8, "r": 8})
    return figure.made()


def _hover(share: float, gain: Difference) -> str:
    """A best share, which may have two decimals, and what it gains where that is known."""
    over = f": {signed(gain.value)} over w = 0, {between(gain.low, gain.high)}" if gain.known else ""
    return f"best w = {shortest(share)}{over}"


def _place(found: Mixture, cell: tuple[float, str]) -> tuple[int, int]:
    return found.shares.index(cell[0]), found.layers.index(cell[1])


def _names(found: Mixture) -> list[str]:
    """The choices of layers, long ones over two lines."""
    return [name.replace("+last", "<br>+last") for name in found.layers]


def _share(w: float) -> str:
    known = {0.0: "0: model", 1.0: "1: Avg."}
    return known.get(w, shortest(w))
