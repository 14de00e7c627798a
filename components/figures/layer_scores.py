"""Figures of the page Layers: scores by layer, under one recipe or two, and by pair of layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Bool, Float

from components.figures.drawing import Drawing, Part, scatter, targets, whiskers
from components.figures.key_above import LINE, key_above, marked
from components.figures.labels import plain
from components.figures.layers import layer_name
from components.figures.matrices import Matrix, drawing
from components.theme import BEST, MARK, Theme
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.evaluation.wording import between, fixed

PRINTED = 9
"""Layers up to which the scores of pairs stand in the cells: more make them too small."""

NUMBER = 0.09
"""What a number above an interval takes of the axis."""

NUMBERED = 15
"""Places up to which each has its number, those of a model of 12 layers; of more the highest has it."""

BESIDE = 0.11
"""How far two curves stand from the middle of a layer, as a share of the distance of two layers."""

TOGETHER = "first+last"

POINT = 0.03
"""Half of a point, as a share of what the scores span."""

Places = Float[np.ndarray, " place"]


@dataclass(frozen=True, eq=False)
class LayerCurve:
    """Scores by layer under one recipe, with the recipe's name in the key and its colour."""

    name: str
    color: str
    found: ByLayer


def place_names(layers: Sequence[int]) -> list[str]:
    """What each score by layer is of: ``layer 4`` for each layer, and first + last behind them."""
    return [*(f"layer {layer_name(layer)}" for layer in layers), TOGETHER]


def ticks(found: Sequence[ByLayer]) -> list[int]:
    """The layers that any of them has, ascending; first + last stands behind them."""
    return sorted({layer for one in found for layer in one.layers})


def scores_by_layer(curves: Sequence[LayerCurve], theme: Theme, chosen: tuple[int, ...] = ()) -> go.Figure:
    """Spearman × 100 by layer with 95 % intervals, under one recipe or two; first + last at the end.

    First + last of a curve that stands alone is a line across too. Where there are two, the number of the
    higher score stands above it, that of the lower one below.
    """
    layers = ticks([curve.found for curve in curves])
    rows = [_Row.of(curve, layers) for curve in curves]
    figure = Drawing()
    key = []
    if len(rows) == 1:
        _one(figure, rows[0], theme, chosen)
    else:
        _two(figure, rows, theme, chosen)
        key = [marked("●", row.name, theme.readable(row.color)) for row in rows]
    names, named = [*map(layer_name, layers), "first<br>+last"], _named(len(layers))
    figure.update_xaxes(
        tickvals=named,
        ticktext=[names[place] for place in named],
        tickangle=0,
        range=[-0.5, len(layers) + 0.5],
        title={"text": "layer"},
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(title={"text": "Spearman × 100"}, zeroline=False, **_with_room(rows))
    above = LINE * max(0, len(key) - 1)
    figure.update_layout(
        template=theme.template,
        height=400 + above,
        margin={"t": 36 + above, "b": 8, "l": 8, "r": 16},
        **key_above(key),
    )
    return figure.made()


def _named(last: int) -> list[int]:
    """The places that have their name: each up to :data:`NUMBERED`, of more some; the last."""
    step = math.ceil((last + 1) / NUMBERED)
    return [*(place for place in range(0, last, step) if last - place >= step), last]


def _one(figure: Drawing, row: _Row, theme: Theme, chosen: tuple[int, ...]) -> None:
    """One curve: first + last is a faint line across, which no number crosses."""
    across = row.values[-1]
    if np.isfinite(across):
        figure.add_hline(y=across, line={"color": theme.faint, "dash": "dash", "width": 1.5})
    for part, color in ((slice(0, -1), row.color), (slice(-1, None), theme.faint)):
        figure.add_trace(row.points(part, color, chosen))
    colors = [theme.readable(row.color)] * (len(row.values) - 1) + [theme.faint]
    figure.add_trace(row.numbers(row.number_crosses(across), colors))


def _two(figure: Drawing, rows: Sequence[_Row], theme: Theme, chosen: tuple[int, ...]) -> None:
    """Two curves beside each other: the number of the higher score above it, the other below."""
    a, b = (row.values for row in rows)
    colors = [theme.readable(row.color) for row in rows]
    below = (b > a, ~(b > a) & np.isfinite(a))
    for row, shift in zip(rows, (-BESIDE, BESIDE), strict=True):
        for part in (slice(0, -1), slice(-1, None)):
            figure.add_trace(row.points(part, row.color, chosen, shift, f"{plain(row.name)}: "))
    for row, shift, under, color in zip(rows, (-BESIDE, BESIDE), below, colors, strict=True):
        figure.add_trace(row.numbers(under, [color] * len(row.values), shift))


def _with_room(rows: Sequence[_Row]) -> Part:
    """The range of the vertical axis: all intervals, with a number above and below; the default of none."""
    ends = np.concatenate([end for row in rows for end in (row.low, row.high, row.values)])
    known = ends[np.isfinite(ends)]
    if not len(known):
        return {}
    room = NUMBER * np.ptp(known) or 1.0
    return {"range": [float(known.min() - room), float(known.max() + room)]}


@dataclass(frozen=True, eq=False)
class _Row:
    """One curve at the places of the figure; NaN for a layer that its model has not, and for no score."""

    name: str
    color: str
    places: Sequence[str]
    cells: Sequence[tuple[int, ...]]
    values: Places
    low: Places
    high: Places

    @classmethod
    def of(cls, curve: LayerCurve, layers: Sequence[int]) -> _Row:
        found, number = curve.found, len(layers) + 1
        at = [*map(layers.index, found.layers), number - 1]
        columns = [np.full(number, np.nan) for _ in range(3)]
        for column, own, last in zip(
            columns, (found.spearman, found.low, found.high), found.first_last, strict=True
        ):
            column[at] = np.append(own, last)
        cells = [*((layer,) for layer in layers), found.places[-1]]
        return cls(curve.name, curve.color, place_names(layers), cells, *columns)

    def points(
        self, part: slice, color: str, chosen: tuple[int, ...], shift: float = 0.0, named: str = ""
    ) -> Part:
        """The scores of some places with their intervals, those of the ``chosen`` layers ringed."""
        values, low, high = self.values[part], self.low[part], self.high[part]
        opaque = {"marker": {"opacity": 1}}
        return scatter(
            x=np.arange(len(self.values))[part] + shift,
            y=values,
            error_y=whiskers(values, low, high),
            mode="lines+markers",
            line={"color": color, "width": 1.5, "dash": "dot"},
            marker={
                "size": 13,
                "color": color,
                "line": {"width": [3 * (cell == chosen) for cell in self.cells[part]], "color": MARK},
            },
            selected=opaque,
            unselected=opaque,
            customdata=[
                [place, between(*ends)] for place, *ends in zip(self.places[part], low, high, strict=True)
            ],
            hovertemplate=f"{named}%{{customdata[0]}}, %{{y:.1f}}, %{{customdata[1]}}<extra></extra>",
            showlegend=False,
        )

    def numbers(self, below: Bool[np.ndarray, " place"], colors: Sequence[str], shift: float = 0.0) -> Part:
        """The scores in digits, above their intervals or ``below`` them."""
        values = self.values
        shown = np.isfinite(values)
        if len(values) > NUMBERED and shown.any():
            shown &= values == np.nanmax(values)
        return scatter(
            x=np.arange(len(values)) + shift,
            y=np.where(below, self._bottoms, self._tops),
            mode="text",
            text=[fixed(value) if one else "" for value, one in zip(values, shown, strict=True)],
            textposition=np.where(below, "bottom center", "top center").tolist(),
            textfont={"color": colors},
            selected={"textfont": {"color": colors[0]}},  # else a second click on a point fades the rest
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )

    def number_crosses(self, level: float) -> Bool[np.ndarray, " place"]:
        """Where a number above the interval would stand on a line across."""
        ends = np.concatenate([self._tops, self._bottoms])
        known = ends[np.isfinite(ends)]
        high = NUMBER * np.ptp(known) if len(known) else 0.0
        return (self._tops <= level) & (level <= self._tops + high)

    @property
    def _tops(self) -> Places:
        return np.where(np.isfinite(self.high), self.high, self.values + self._apart)

    @property
    def _bottoms(self) -> Places:
        return np.where(np.isfinite(self.low), self.low, self.values - self._apart)

    @property
    def _apart(self) -> float:
        """How far a number is from the middle of a point without an interval."""
        known = self.values[np.isfinite(self.values)]
        return POINT * (float(np.ptp(known)) or 1.0) if len(known) else 0.0


def scores_by_pair(found: ByPair, theme: Theme, chosen: tuple[int, ...] = ()) -> go.Figure:
    """Spearman × 100 of every pair of layers, every cell of which can be clicked.

    An orange box is round the best, a white one round first + last, a pink one round the chosen. Of few
    layers the scores stand in the cells.
    """
    names = [layer_name(i) for i in found.layers]
    written = [["" if np.isnan(score) else fixed(score) for score in row] for row in found.spearman]
    texts = np.array(written) if len(names) <= PRINTED else None
    figure = drawing(
        [Matrix(found.spearman, "", names, names, "", texts)],
        theme,
        bar="Spearman × 100",
        row_title="layer",
        column_title="averaged with layer",
        height=400,
    )
    del figure.traces[0]["hovertemplate"]
    figure.traces[0]["hoverinfo"] = "skip"
    rows, columns = np.nonzero(np.isfinite(found.spearman))
    figure.add_trace(
        targets(
            max(8, 250 // len(names)),
            x=columns,
            y=rows,
            customdata=[
                [names[i] if i == j else f"{names[i]}+{names[j]}", float(found.spearman[i, j])]
                for i, j in zip(rows, columns, strict=True)
            ],
            hovertemplate="layers %{customdata[0]}: %{customdata[1]:.1f}<extra></extra>",
        )
    )
    for cell, box in (((1, found.layers[-1]), "white"), (found.best, BEST), (chosen, MARK)):
        if cell and set(cell) <= set(found.layers):
            _box(figure, found.layers.index(cell[0]), found.layers.index(cell[-1]), box)
    return figure.made()


def _box(figure: Drawing, i: int, j: int, color: str) -> None:
    for row, column in {(i, j), (j, i)}:
        figure.frame(column, row, color, half=0.46)
