"""The evolution map as one walks through its layers, for a slide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.animation import Animation
from components.figures.drawing import Part, scatter
from components.figures.labels import plain
from components.figures.layers import band, layer_name
from components.theme import BEST, Theme

SHARE = 0.44
"""Width that one map has beside its curve."""

BESIDE = 0.14
"""Width between map and curve, for the bar of colours and the numbers of the curve's axis."""

ABOVE, BELOW = (0.44, 1.0), (0.0, 0.32)
"""Heights of several maps, and of their curves below them."""

HEIGHT, HEIGHT_OF_SEVERAL = 440, 560
"""Pixels of map and curve."""

TICKS = 14
"""Layers that are named along the curve at most."""


@dataclass(frozen=True, eq=False)
class Walked:
    """A model's part: its name and colour, the layers compared, their mean cosines and their deviations."""

    name: str
    color: str
    layers: tuple[int, ...]
    cosines: np.ndarray
    spread: np.ndarray


def walk(figure: go.Figure, models: Sequence[Walked], at: int, theme: Theme) -> Animation:
    """The maps of ``figure`` with a frame round one layer, and its cosines as a curve, layer after layer.

    A map shows all pairs at once; passing through its layers shows how far the states of each reach, and
    where they break off. A model without a layer is left out at it. ``at`` is where the walk begins.
    """
    layers = tuple(sorted({layer for model in models for layer in model.layers}))
    whole = _arranged(go.Figure(figure), models, layers, theme)
    steps = tuple(_step(whole, models, layers, layer) for layer in layers)
    return Animation("layer", tuple(map(layer_name, layers)), steps, layer_name(at))


def _step(whole: go.Figure, models: Sequence[Walked], layers: tuple[int, ...], layer: int) -> go.Figure:
    step = go.Figure(whole)
    traces: list[Part] = []
    curve = {"xaxis": f"x{len(models) + 1}", "yaxis": f"y{len(models) + 1}", "showlegend": False}
    for place, model in enumerate(models, 1):
        number = place if place > 1 else ""
        known = layer in model.layers
        row = model.layers.index(layer) if known else 0
        own = {"xaxis": f"x{number}", "yaxis": f"y{number}", "showlegend": False}
        traces += [_box(row, len(model.layers), known=known, across=way) | own for way in (True, False)]
        x = np.array([layers.index(other) for other in model.layers])
        cosines = model.cosines[row] if known else np.full(len(x), np.nan)
        low, high = (np.clip(cosines + sign * model.spread[row], -1, 1) for sign in (-1, 1))
        traces.append(band(x, low, high, model.color) | curve)
        traces.append(
            scatter(
                x=x,
                y=cosines.astype(np.float32),
                customdata=[layer_name(other) for other in model.layers],
                mode="lines+markers",
                line={"color": model.color, "width": 3},
                marker={"size": 9, "color": model.color},
                hovertemplate=f"{plain(model.name)}, layer %{{customdata}}: %{{y:.3f}}<extra></extra>",
                **curve,
            )
        )
    at = layers.index(layer)
    line = scatter(
        x=[at, at],
        y=[-1.1, 1.1],
        mode="lines",
        line={"color": BEST, "width": 3},
        hoverinfo="skip",
        **curve,
    )
    return step.add_traces([*traces, line])


def _box(row: int, count: int, *, known: bool, across: bool) -> Part:
    """A frame round a row, or round the column of the same layer."""
    ends, sides = (-0.5, count - 0.5), (row - 0.5, row + 0.5)
    (left, right), (top, bottom) = (ends, sides) if across else (sides, ends)
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom], [left, top]])
    x, y = (corners if known else np.full_like(corners, np.nan)).T
    line = {"color": BEST, "width": 3}
    return scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", cliponaxis=False)


def _arranged(
    figure: go.Figure, models: Sequence[Walked], layers: tuple[int, ...], theme: Theme
) -> go.Figure:
    """One map left of its curve; several above theirs, each with its name in its curve's colour."""
    several, number = len(models) > 1, len(models) + 1
    across, upwards = ((0.0, 1.0), BELOW) if several else ((SHARE + BESIDE, 1.0), (0.0, 1.0))
    if several:
        figure.update_yaxes(domain=ABOVE)
        for model, note in zip(models, figure.layout.annotations, strict=True):
            note.update(font={"color": theme.readable(model.color)})
        bar = {"y": sum(ABOVE) / 2, "len": ABOVE[1] - ABOVE[0]}
    else:
        figure.update_xaxes(domain=(0.0, SHARE))
        bar = {
            "x": SHARE + 0.01,
            "xanchor": "left",
            "title": {"side": "top"},
        }  # apart from the curve's axis
    low = float(min(0.0, *((model.cosines - model.spread).min() for model in models)))
    at = range(0, len(layers), -(-len(layers) // TICKS))
    return figure.update_layout(
        {
            f"xaxis{number}": {
                "domain": across,
                "anchor": f"y{number}",
                "range": [-0.3, len(layers) - 0.7],
                "tickvals": list(at),
                "ticktext": [layer_name(layers[i]) for i in at],
                "title": {"text": "layer, and its cosine with the framed one"},
                "zeroline": False,
            },
            f"yaxis{number}": {
                "domain": upwards,
                "anchor": f"x{number}",
                "range": [max(low, -1.0) - 0.04, 1.04],
                "zeroline": False,
            },
            "height": HEIGHT_OF_SEVERAL if several else HEIGHT,
            "coloraxis": {"colorbar": bar},
        }
    )
