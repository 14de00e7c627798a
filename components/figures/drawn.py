"""A figure that is sent as it was put together, and that Plotly checks when something looks into it.

Plotly checks every value of a figure and copies all of them twice before it is sent. On the way to the page
nothing looks into a figure: there the check would take half of the script's time (``benchmarks.toggles``).
The tests check each figure of every page.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale
from plotly.graph_objs.layout import Template

Part = dict[str, Any]
"""A trace, an axis, a shape or an annotation in Plotly's own words."""

TYPED = {
    **{"int8": "i1", "int16": "i2", "int32": "i4", "uint8": "u1", "uint16": "u2", "uint32": "u4"},
    **{"float32": "f4", "float64": "f8"},
}
"""Kinds of numbers that plotly.js reads from bytes, by numpy's names."""


SCALE = "colorscale"


class DrawnFigure(go.Figure):  # type: ignore[misc]
    """A :class:`plotly.graph_objects.Figure` of traces and a layout, given in Plotly's own words.

    Titles are given as ``{"text": …}`` and nested names in full: only Plotly's check knows its short forms.
    """

    def __init__(self, traces: Sequence[Part], layout: Part) -> None:
        self._traces, self._outline = traces, layout

    def __getattr__(self, name: str) -> Any:
        """Have Plotly check the parts, and make of them what it keeps."""
        if name.startswith("__") or "_checked" in vars(self):
            raise AttributeError(name)
        self._checked = True
        super().__init__(self._traces, self._outline)
        return getattr(self, name)

    def __reduce__(self) -> tuple[type[go.Figure], tuple[Part]]:
        """A copy is a figure that is checked."""
        return go.Figure, (self.to_dict(),)

    def to_dict(self) -> Part:
        """The figure in Plotly's own words, its arrays as plotly.js reads them; this checks nothing."""
        if "_checked" in vars(self):
            return dict(super().to_dict())
        return {"data": [_sent(trace) for trace in self._traces], "layout": _sent(self._outline)}


def _sent(value: Any) -> Any:
    """A value as it is sent: arrays of numbers as bytes, other arrays as lists."""
    if isinstance(value, Mapping):
        return {name: _scale(each) if name == SCALE else _sent(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(each) if isinstance(each, _CONTAINERS) else each for each in value]
    if isinstance(value, np.ndarray):
        return _sent_array(value)
    if isinstance(value, Template):
        return value.to_plotly_json()
    return value


def _scale(value: Any) -> Any:
    """A scale of colours; by its name it is Python's: plotly.js has others of the same names."""
    return steps(value) if isinstance(value, str) else _sent(value)


@cache
def steps(scale: str) -> list[tuple[float, str]]:
    """The colours of one of Plotly's scales; it looks through all of them at each call."""
    return list(get_colorscale(scale))


_CONTAINERS = (Mapping, list, tuple, np.ndarray)


def _sent_array(values: np.ndarray) -> Any:
    if values.dtype == np.int64 and values.size and np.abs(values).max() < 2**31:
        values = values.astype(np.int32)
    if values.dtype.kind == "U":
        return values.tolist()
    short = TYPED.get(values.dtype.name)
    if not short or not values.size:
        return _sent(values.tolist())
    sent = {"dtype": short, "bdata": base64.b64encode(np.ascontiguousarray(values)).decode("ascii")}
    return sent | ({"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {})
