"""A figure put together from plain parts.

Each change of a :class:`plotly.graph_objects.Figure` costs milliseconds, of which a click in the bar has
few: subplots, titles of axes and traces that are added one by one take several times as long as one figure
made of all its parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from components.figures.drawn import DrawnFigure, Part


def scatter(**settings: Any) -> Part:
    """A trace of points or lines."""
    return {"type": "scatter", **settings}


def bars(**settings: Any) -> Part:
    """A trace of bars."""
    return {"type": "bar", **settings}


def targets(size: float, **settings: Any) -> Part:
    """Squares of so many pixels that nobody sees, to point at, click on and choose: cells of a heatmap."""
    unseen = {"marker": {"opacity": 0}}
    marker = {"symbol": "square", "size": size, "opacity": 0}
    look = {
        "mode": "markers",
        "marker": marker,
        "selected": unseen,
        "unselected": unseen,
        "showlegend": False,
    }
    return scatter(**look | settings)


def whiskers(values: Any, low: Any, high: Any, **look: Any) -> Part:
    """Error bars from ``low`` to ``high`` through each value, without caps; none where a bound is NaN.

    ``look`` says how they are drawn, in Plotly's words.
    """
    values, low, high = (np.asarray(each, float) for each in (values, low, high))
    ends = {"array": np.nan_to_num(high - values), "arrayminus": np.nan_to_num(values - low)}
    return {"type": "data", "symmetric": False, **ends, "thickness": 2.5, "width": 0, **look}


def doublings(counts: Sequence[float]) -> Part:
    """A logarithmic axis of counts with ticks at powers of two, of which none of the counts is outside."""
    if not len(counts):
        return {"type": "log"}
    first, last = math.floor(math.log2(min(counts))), math.ceil(math.log2(max(counts)))
    beside = 0.04 * max(last - first, 1)
    ends = [(first - beside) * math.log10(2), (last + beside) * math.log10(2)]
    return {"type": "log", "tickvals": [2**power for power in range(first, last + 1)], "range": ends}


def heatmap(**settings: Any) -> Part:
    """A trace of coloured cells."""
    return {"type": "heatmap", **settings}


class Drawing:
    """The parts of a figure with panels in ``rows`` and ``columns``, both counted from 1.

    ``between`` and ``below`` are the spaces between two columns and two rows, as shares of the whole.
    """

    def __init__(
        self, columns: int = 1, rows: int = 1, *, between: float = 0.0, below: float = 0.0
    ) -> None:
        self._columns, self._rows = columns, rows
        self.traces: list[Part] = []
        self.layout: Part = {}
        self._shapes: list[Part] = []
        self._annotations: list[Part] = []
        width = (1 - between * (columns - 1)) / columns
        height = (1 - below * (rows - 1)) / rows
        for row in range(1, rows + 1):
            for column in range(1, columns + 1):
                left, low = (column - 1) * (width + between), (rows - row) * (height + below)
                number = self._number(row, column)
                domains = ((left, min(1.0, left + width)), (low, min(1.0, low + height)))
                if rows == columns == 1:
                    continue
                for axis, other, domain in zip("xy", "yx", domains, strict=True):
                    self.layout[f"{axis}axis{number}"] = {"domain": domain, "anchor": f"{other}{number}"}

    def _number(self, row: int, column: int) -> str:
        number = (row - 1) * self._columns + column
        return str(number) if number > 1 else ""

    def add_trace(self, trace: Part, *, row: int = 1, col: int = 1) -> None:
        """Draw a trace in a panel."""
        self.traces.append(trace | self.axes(row, col))

    def axes(self, row: int = 1, col: int = 1) -> Part:
        """The names of a panel's axes, as a trace says them; nothing where there is one panel."""
        if self._rows == self._columns == 1:
            return {}
        number = self._number(row, col)
        return {"xaxis": f"x{number}", "yaxis": f"y{number}"}

    def update_xaxes(self, *, row: int | None = None, col: int | None = None, **settings: Any) -> None:
        """Set what horizontal axes show: of one panel, or of all of a row or column that is not given."""
        self._update("xaxis", row, col, settings)

    def update_yaxes(self, *, row: int | None = None, col: int | None = None, **settings: Any) -> None:
        """The same for vertical axes."""
        self._update("yaxis", row, col, settings)

    def _update(self, axis: str, row: int | None, col: int | None, settings: Part) -> None:
        for i in [row] if row else range(1, self._rows + 1):
            for j in [col] if col else range(1, self._columns + 1):
                self.layout.setdefault(f"{axis}{self._number(i, j)}", {}).update(settings)

    def update_layout(self, **settings: Any) -> None:
        """Set what the whole figure shows."""
        self.layout.update(settings)

    def add_annotation(self, *, row: int | None = None, col: int | None = None, **settings: Any) -> None:
        """Write something; at a place in a panel where ``row`` or ``col`` is given."""
        if row or col:
            number = self._number(row or 1, col or 1)
            settings |= {"xref": f"x{number}", "yref": f"y{number}"}
        self._annotations.append(settings)

    def add_key(self, text: str, **settings: Any) -> None:
        """Write what marks mean over the axes, from their left end on."""
        place = {"x": 0, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
        self.add_annotation(text=text, showarrow=False, **place | settings)

    def add_shape(self, *, row: int = 1, col: int = 1, **settings: Any) -> None:
        """Draw a line or a box in a panel."""
        number = self._number(row, col)
        self._shapes.append({"xref": f"x{number}", "yref": f"y{number}", **settings})

    def frame(
        self, x: float, y: float, color: str, *, half: float = 0.5, half_height: float = 0.0, col: int = 1
    ) -> None:
        """Draw a frame around a cell of a heatmap: ``half`` its width, and its height where it is given."""
        up = half_height or half
        ends = {"x0": x - half, "x1": x + half, "y0": y - up, "y1": y + up}
        self.add_shape(type="rect", line={"color": color, "width": 3}, col=col, **ends)

    def add_hline(self, y: float, *, line: Part) -> None:
        """Draw a line across the first panel."""
        across = {"x0": 0, "x1": 1, "xref": f"x{self._number(1, 1)} domain"}
        self.add_shape(type="line", y0=y, y1=y, line=line, **across)

    def add_vline(self, x: float, *, line: Part, row: int = 1, col: int = 1) -> None:
        """Draw a line down a panel."""
        down = {"y0": 0, "y1": 1, "yref": f"y{self._number(row, col)} domain"}
        self.add_shape(type="line", x0=x, x1=x, line=line, row=row, col=col, **down)

    def made(self) -> go.Figure:
        """The figure."""
        marks = {"shapes": self._shapes, "annotations": self._annotations}
        layout = self.layout | {name: found for name, found in marks.items() if found}
        return DrawnFigure(self.traces, layout)
