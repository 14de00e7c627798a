"""Figures of the page Tokens: maps of points side by side, and components against frequency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from components.figures.cell_values import light_cells
from components.figures.label_places import named
from components.figures.labels import plain, short, wrapped_ends
from components.figures.matrices import Matrix, side_by_side
from components.theme import GREYS, MAGNITUDE, MARK, Theme, seen
from core.analysis.token_maps.frequency_components import COMPONENTS, FrequencyCorrelations

DENSE = 3000
"""Points of a map above which they are drawn with WebGL."""

FEW = 5
"""The range of counts up to which Plotly would have ticks between them."""

GROUPS = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#D55E00", "#0072B2", "#F0E442", "#8C6BB1")
"""Okabe-Ito, and a violet."""

WHOLE, TITLE_LINES, TITLE_LINE = 84, 3, 20
"""Characters of titles over all maps side by side, lines of each, and pixels of a further one."""

ONE = "#D55E00"
"""The colour of what is looked for where the rest is grey."""


@dataclass(frozen=True, eq=False)
class Mark:
    """A point with a ring; the chief one, which was searched for, has its name beside it."""

    x: float
    y: float
    name: str
    chief: bool = False


@dataclass(frozen=True, eq=False)
class MapPanel:
    """One map: its title, points ``[point, 2]``, hover texts (escaped), values, axes and marked points.

    Values are numbers, or places in the colour's groups; NaN has none. ``names`` stand beside the points
    where there are any, cut as there is room.
    """

    title: str
    points: np.ndarray
    texts: Sequence[str]
    values: np.ndarray
    axes: tuple[str, str] = ("", "")
    color: str | None = None
    marks: Sequence[Mark] = field(default_factory=tuple)
    frame: np.ndarray | None = None
    names: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Colour:
    """What points are coloured by: its name, and the names of its groups if it is not a number."""

    name: str
    groups: tuple[str, ...] = ()
    missing: str = "not known"


@dataclass(frozen=True, eq=False)
class Maps:
    """The figure, and for each of its traces the panel and the points it holds."""

    figure: go.Figure
    traces: tuple[tuple[int, np.ndarray], ...]


def maps(
    panels: Sequence[MapPanel], colour: Colour, theme: Theme, *, height: int = 560, key: str = ""
) -> Maps:
    """Points in panels, on one colour scale; what is chosen last is on top.

    ``key`` names what is shown: while it stays the same, zoom stays as the reader left it.
    """
    figure = make_subplots(rows=1, cols=len(panels), horizontal_spacing=0.05)
    traces: list[tuple[int, np.ndarray]] = []
    shown: set[str] = set()
    titles = [wrapped_ends(panel.title, WHOLE // len(panels), TITLE_LINES) for panel in panels]
    more = TITLE_LINE * max(title.count("<br>") for title in titles)
    for number, panel in enumerate(panels):
        where = {"row": 1, "col": number + 1}
        names, ways = named(panel.points, panel.names) if panel.names else ([], [])
        for name, color, at in _parts(panel, colour, theme):
            if not len(at):
                continue
            figure.add_trace(
                _points(panel, colour, name, color, at, (names, ways), name not in shown), **where
            )
            shown.add(name)
            traces.append((number, at))
        if panel.marks:
            figure.add_trace(_rings(panel), **where)
            _names(figure, panel, number, theme)
            traces.append((number, np.zeros(0, int)))
        _axes(figure, panel, titles[number], number, theme)
    bar = {"title": {"text": plain(colour.name), "side": "right"}, "thickness": 14, "len": 0.85}
    if not colour.groups and _are_whole(panels) and np.ptp(_known(panels)) <= FEW:
        bar |= {"dtick": 1}
    figure.update_layout(
        template=theme.template,
        height=height,
        margin={"t": (64 if colour.groups else 40) + more, "b": 8, "l": 8, "r": 8},
        coloraxis={"colorscale": seen(theme), "colorbar": bar},
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.07 + more / height,
            "yanchor": "bottom",
            "itemsizing": "constant",
        },
        dragmode="lasso",
        hovermode="closest",
        uirevision=key,
        selectionrevision=key,
    )
    return Maps(figure, tuple(traces))


def component_matrix(
    found: Sequence[tuple[str, FrequencyCorrelations]], measure: str, theme: Theme
) -> go.Figure:
    """A row for each model and step, a column for each component, the number in each cell."""
    rows, names = [], []
    for model, one in found:
        for step in one.steps:
            numbers = step.spearman if measure == "Spearman" else step.pearson
            rows.append(np.pad(numbers, (0, COMPONENTS - len(numbers)), constant_values=np.nan))
            of = f"{model}: " if len(found) > 1 else ""
            names.append(f"{of}{step.step}  {100 * step.total:.1f} %")
    matrix = Matrix(
        np.array(rows),
        found[0][0] if len(found) == 1 else "",
        names,
        [str(i + 1) for i in range(COMPONENTS)],
        "%{customdata[0]}, component %{customdata[1]}: %{z:.2f}",
    )
    figure = side_by_side(
        [matrix],
        theme,
        bar=f"|{measure}|",
        bounds=(0.0, 1.0),
        column_title="component",
        height=110 + (56 if len(found) == 1 else 46) * len(rows),
    )
    light = light_cells(matrix.values, MAGNITUDE, 0.0, 1.0)
    for (row, column), value in np.ndenumerate(matrix.values):
        if np.isfinite(value):
            color = "#000000" if light[row, column] else "#ffffff"
            font = {"color": color, "size": 14}
            figure.add_annotation(x=column, y=row, text=f"{value:.2f}", showarrow=False, font=font)
    return figure


def _parts(panel: MapPanel, colour: Colour, theme: Theme) -> list[tuple[str, str | None, np.ndarray]]:
    """Name, colour (None for the colour axis) and points of each trace, lowest first."""
    known = np.isfinite(panel.values)
    parts: list[tuple[str, str | None, np.ndarray]] = [
        (colour.missing, grey(theme, bool(colour.groups)), np.flatnonzero(~known))
    ]
    if not colour.groups:
        return [*parts, (colour.name, None, np.flatnonzero(known))]
    colors = (grey(theme), ONE) if len(colour.groups) == 2 else GROUPS
    return parts + [
        (group, colors[i % len(colors)], np.flatnonzero(known & (panel.values == i)))
        for i, group in enumerate(colour.groups)
    ]


def _known(panels: Sequence[MapPanel]) -> np.ndarray:
    """The values of all panels that are known."""
    values = np.concatenate([panel.values for panel in panels])
    return values[np.isfinite(values)]


def _are_whole(panels: Sequence[MapPanel]) -> bool:
    """Whether values are counts: there are some, and all are whole numbers."""
    known = _known(panels)
    return bool(len(known)) and bool((known == np.round(known)).all())


def grey(theme: Theme, faint: bool = False) -> str:
    """For what has no colour, and fainter where another grey stands for a group."""
    return GREYS[theme.name][faint]


def _points(
    panel: MapPanel,
    colour: Colour,
    name: str,
    color: str | None,
    at: np.ndarray,
    named: tuple[Sequence[str], Sequence[str]],
    first: bool,
) -> go.Scatter | go.Scattergl:
    """Some points of a panel; the names of all its points, and where they stand, are ``named``."""
    kind = go.Scattergl if len(panel.points) > DENSE else go.Scatter
    number = not colour.groups and color is None
    names, ways = named
    marker = {"size": _size(len(panel.points)), "opacity": 0.5 if len(panel.points) > 12_000 else 0.8}
    if number:
        marker |= {"color": panel.values[at].astype(np.float32), "coloraxis": "coloraxis"}
        said = f"{plain(colour.name)} %{{marker.color:{'.0f' if _are_whole([panel]) else '.2f'}}}"
    else:
        marker["color"] = color
        said = plain(name)
    return kind(
        **({"cliponaxis": False} if panel.names else {}),  # a name at an edge is not cut there
        x=panel.points[at, 0].astype(np.float32),
        y=panel.points[at, 1].astype(np.float32),
        mode="markers+text" if panel.names else "markers",
        marker=marker,
        text=[plain(names[i]) for i in at] if panel.names else None,
        textposition=[ways[i] for i in at] if panel.names else None,
        textfont={"size": 12} if panel.names else None,
        hovertext=[panel.texts[i] for i in at],
        hovertemplate=f"%{{hovertext}}<br>{said}<extra></extra>",
        name=plain(name),
        legendgroup=name,
        showlegend=first and not number,
    )


def _rings(panel: MapPanel) -> go.Scatter | go.Scattergl:
    """Rings, drawn as the points are: what WebGL draws would lie over them."""
    kind = go.Scattergl if len(panel.points) > DENSE else go.Scatter
    chief = [mark.chief for mark in panel.marks]
    told = {"hovertemplate": "%{text}<extra></extra>"}
    if not any(mark.name for mark in panel.marks):
        told = {"hoverinfo": "skip"}  # a click is on the point inside
    return kind(
        x=[mark.x for mark in panel.marks],
        y=[mark.y for mark in panel.marks],
        mode="markers",
        text=[plain(mark.name) for mark in panel.marks],
        marker={
            "symbol": "circle-open",
            "size": [18 if one else 11 for one in chief],
            "color": MARK,
            "line": {"width": [3.5 if one else 2 for one in chief], "color": MARK},
        },
        showlegend=False,
        **told,
    )


def _names(figure: go.Figure, panel: MapPanel, number: int, theme: Theme) -> None:
    """The name of the point that was searched for, over everything."""
    for mark in panel.marks:
        if mark.chief and mark.name:
            figure.add_annotation(
                text=f"<b>{short(mark.name, 30)}</b>",
                x=mark.x,
                y=mark.y,
                yshift=22,
                showarrow=False,
                bgcolor=theme.paper,
                opacity=0.9,
                row=1,
                col=number + 1,
            )


def _axes(figure: go.Figure, panel: MapPanel, title: str, number: int, theme: Theme) -> None:
    where = {"row": 1, "col": number + 1}
    frame = panel.points if panel.frame is None else panel.frame
    low, high = frame.min(axis=0), frame.max(axis=0)
    room = 0.04 * np.maximum(high - low, 1e-9)
    for axis, update in enumerate((figure.update_xaxes, figure.update_yaxes)):
        update(
            range=[float(low[axis] - room[axis]), float(high[axis] + room[axis])],
            showticklabels=False,
            zeroline=False,
            title={"text": panel.axes[axis], "font": {"color": theme.faint, "size": 14}},
            **where,
        )
    anchor = "x" if number == 0 else f"x{number + 1}"
    figure.update_yaxes(scaleanchor=anchor, **where)
    figure.add_annotation(
        text=f"<b>{title}</b>",
        x=0.5,
        y=1,
        xref=f"{anchor} domain",
        yref=f"{anchor.replace('x', 'y')} domain",
        yanchor="bottom",
        showarrow=False,
        font={"color": theme.readable(panel.color) if panel.color else theme.text},
    )


def _size(points: int) -> float:
    return 3 if points > 12_000 else 4 if points > DENSE else 6 if points > 800 else 8
