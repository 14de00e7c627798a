"""Which figures of a file are drawn: none that loads or runs something, since anybody can write a file."""

from __future__ import annotations

import re

import plotly.graph_objects as go

from components.deck.document import DeckError, PinnedFigure
from components.figures.animation import MOVES
from core.errors import closest, first_line, shorten

TRACES = ("scatter", "scattergl", "heatmap", "bar", "parcoords")
"""Kinds of traces that the figures of this program have; a file may hold no others."""

_OUTSIDE = re.compile(r"images|image|mapbox|map|geo|scene|updatemenus|sliders")
"""Parts of a layout that load files from elsewhere, or that no figure of this program has."""


def refuse_undrawn(figure: PinnedFigure) -> None:
    """Refuse a figure that Plotly cannot draw, or that loads something from elsewhere.

    Raises :class:`DeckError` for it.
    """
    title = shorten(figure.title, 40)
    data, layout = figure.plotly.get("data"), figure.plotly.get("layout")
    if not isinstance(data, list) or not isinstance(layout, dict):
        raise DeckError(f"The figure {title} has no data or no layout.")
    for trace in data:
        kind = trace.get("type", "scatter") if isinstance(trace, dict) else trace
        if kind not in TRACES:
            raise DeckError(
                f"The figure {title} has a trace of kind {shorten(kind)}; allowed is {', '.join(TRACES)}."
                f"{closest(str(kind), TRACES)}"
            )
    template = layout.get("template") or {}
    for part in (layout, template.get("layout") or {}):
        for name in part:
            if re.fullmatch(rf"({_OUTSIDE.pattern})\d*", name):
                raise DeckError(
                    f"The figure {title} has {shorten(name)} in its layout, which is not drawn."
                )
    for frame in figure.plotly.get("frames") or ():
        _check_frame(title, frame)
    try:
        go.Figure({"data": data, "layout": layout})
    except ValueError as error:
        raise DeckError(f"The figure {title} cannot be drawn: {first_line(error)}") from error


def _check_frame(title: str, frame: object) -> None:
    """Refuse a frame that changes more than where things are, and the words over them."""
    if not isinstance(frame, dict):
        raise DeckError(f"The figure {title}: got the frame {shorten(frame)}; allowed is a JSON object.")
    keys = {"name", "group", "data", "traces", "layout"}
    traces = frame.get("data", ())
    others = set(frame) - keys | set(frame.get("layout") or {}) - {"annotations"}
    others |= {key for trace in traces for key in trace} - {"type", *MOVES}
    if others:
        raise DeckError(f"The figure {title} has a frame with {shorten(min(others))}, which does not move.")
