"""A printed table with the figures that are measured here, as one heatmap of differences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import plotly.graph_objects as go

from components.figures.cell_values import light_cells
from components.figures.drawing import Drawing, heatmap, scatter, targets
from components.figures.labels import distinct, plain
from components.theme import MARK, SIGNED, Theme

ROW, TALL = 24, 40
"""Pixels of a row with one line of text, and with two."""

ROOM, BESIDE = 780, 10
"""Pixels of labels and columns in a window of 1,280, and those of a column beside its text."""

_MARKUP = re.compile("<[^>]+>")

LABEL, LETTER = 6.6, 5.6
"""Pixels of a character of a row's label, and of a figure."""

LONGEST = 36
"""Characters of a row's label."""

SURE = 0.8
"""The share of the labels' width over which a heading may begin: type may be narrower elsewhere."""

LEAST, MOST = 2.0, 15.0
"""The points of difference that the colours go to at least and at most."""

SLIP = "#D98200"
"""What marks a figure that does not add up in print."""


@dataclass(frozen=True, eq=False)
class TableCell:
    """One cell: the figure as printed, the one here in words, and what stands behind it on hover.

    ``here`` is empty without one. ``open`` says that it can be computed.
    """

    printed: str
    hover: str
    here: str = ""
    difference: float = float("nan")
    open: bool = False
    slip: bool = False


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """A table: labels of rows with their heading, columns, and cells by place ``(row, column)``.

    ``scale`` is what its figures are multiplied by to be × 100.
    """

    rows: Sequence[tuple[str, str]]
    columns: Sequence[str]
    cells: dict[tuple[int, int], TableCell] = field(default_factory=dict)
    chosen: tuple[int, int] | None = None
    scale: float = 1.0

    @property
    def differences(self) -> np.ndarray:
        """``[row, column]``, NaN where there is none."""
        values = np.full((len(self.rows), len(self.columns)), np.nan)
        for place, cell in self.cells.items():
            values[place] = cell.difference
        return values


def printed_table(table: PrintedTable, theme: Theme) -> go.Figure:
    """The table as printed, headings between its rows; every cell can be clicked.

    A clicked cell's row and column are in the selected point's ``customdata``.
    """
    at, headings = _lines(table.rows)
    two_lines = any(cell.here for cell in table.cells.values()) and not _fits(table)
    lines = len(table.rows) + len(headings)
    figure = Drawing()
    _neutral(figure, table, at, lines, theme, two_lines)
    _coloured(figure, table, at, lines, two_lines)
    _marks(figure, table, at)
    over_labels = {"xanchor": "left", "xshift": -round(SURE * LABEL * _longest(table)), "yshift": -1}
    for line, heading in headings.items():
        text = f"<b>{plain(heading)}</b>"
        figure.add_annotation(x=-0.5, y=line, text=text, name="heading", showarrow=False, **over_labels)
    if table.chosen is not None:
        row, column = at[table.chosen[0]], table.chosen[1]
        figure.frame(column, row, MARK, half=0.49)
    figure.update_xaxes(
        tickvals=np.arange(len(table.columns)),
        ticktext=[plain(_broken(name)).replace("\n", "<br>") for name in table.columns],
        tickangle=0,
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, len(table.columns) - 0.5],
    )
    figure.update_yaxes(
        tickvals=at,
        ticktext=distinct([label for label, _ in table.rows], LONGEST),
        autorange=False,
        range=[lines - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template=theme.template,
        height=72 + (TALL if two_lines else ROW) * lines,
        margin={"t": 52, "b": 8, "l": 8, "r": 8},
        clickmode="event+select",
        dragmode=False,
        hoverdistance=60,
    )
    return figure.made()


def _lines(rows: Sequence[tuple[str, str]]) -> tuple[list[int], dict[int, str]]:
    """The line of each row, and the headings by theirs."""
    at: list[int] = []
    headings: dict[int, str] = {}
    last, line = "", 0
    for _, heading in rows:
        if heading != last and heading:
            headings[line] = heading
            line += 1
        last = heading
        at.append(line)
        line += 1
    return at, headings


def _longest(table: PrintedTable) -> int:
    """Characters of the longest label of a row."""
    return max(min(len(row), LONGEST) for row, _ in table.rows)


def _fits(table: PrintedTable) -> bool:
    """Whether every cell has room for both figures in one line."""
    letters = max(len(_MARKUP.sub("", _text(cell, two_lines=False))) for cell in table.cells.values())
    return LABEL * _longest(table) + len(table.columns) * (LETTER * letters + BESIDE) <= ROOM


def _grid(lines: int, columns: int, kind: type | str = float) -> np.ndarray:
    return np.full((lines, columns), "", object) if kind is str else np.full((lines, columns), np.nan)


def _neutral(
    figure: Drawing, table: PrintedTable, at: list[int], lines: int, theme: Theme, two_lines: bool
) -> None:
    """The cells without a difference: those that can be computed on the page's own colour, others grey."""
    open_, texts = _grid(lines, len(table.columns)), _grid(lines, len(table.columns), str)
    for (row, column), cell in table.cells.items():
        if not np.isfinite(cell.difference):
            open_[at[row], column] = cell.open
            texts[at[row], column] = _text(cell, two_lines)
    figure.add_trace(
        heatmap(
            z=open_.astype(np.float32),
            text=texts,
            texttemplate="%{text}",
            textfont={"color": theme.text, "size": 14},
            colorscale=[[0, theme.grid], [1, theme.paper]],
            zmin=0,
            zmax=1,
            showscale=False,
            hoverinfo="skip",
            xgap=1,
            ygap=1,
        )
    )


def _coloured(figure: Drawing, table: PrintedTable, at: list[int], lines: int, two_lines: bool) -> None:
    """The cells with a difference."""
    values, texts = _grid(lines, len(table.columns)), _grid(lines, len(table.columns), str)
    for (row, column), cell in table.cells.items():
        if np.isfinite(cell.difference):
            values[at[row], column] = cell.difference
            texts[at[row], column] = _text(cell, two_lines)
    known = values[np.isfinite(values)]
    if not len(known):
        return
    limit = float(np.clip(np.abs(known).max(), LEAST / table.scale, MOST / table.scale))
    light = light_cells(values, SIGNED, -limit, limit)
    cells = {"z": values.astype(np.float32), "texttemplate": "%{text}", "hoverinfo": "skip"}
    cells |= {"xgap": 1, "ygap": 1}
    figure.add_trace(
        heatmap(
            **cells,
            text=np.where(light, "", texts),
            textfont={"size": 14, "color": "#ffffff"},
            colorscale=SIGNED,
            zmin=-limit,
            zmax=limit,
            colorbar={
                "title": {"text": "here − printed", "side": "right"},
                "thickness": 12,
                "len": min(1.0, 260 / (ROW * lines)),
                "y": 1,
                "yanchor": "top",
            },
        )
    )
    figure.add_trace(  # a heatmap's text has one colour
        heatmap(
            **cells,
            text=np.where(light, texts, ""),
            textfont={"size": 14, "color": "#000000"},
            opacity=0,
            showscale=False,
        )
    )


def _marks(figure: Drawing, table: PrintedTable, at: list[int]) -> None:
    """What takes the clicks, and a triangle on each figure that does not add up."""
    places = list(table.cells)
    figure.add_trace(
        targets(
            24,
            x=[column for _, column in places],
            y=[at[row] for row, _ in places],
            customdata=places,
            text=[cell.hover for cell in table.cells.values()],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    slips = [place for place, cell in table.cells.items() if cell.slip]
    if slips:
        figure.add_trace(
            scatter(
                x=[column + 0.43 for _, column in slips],
                y=[at[row] for row, _ in slips],
                mode="markers",
                marker={"symbol": "triangle-up-open", "size": 9, "color": SLIP, "line": {"width": 2}},
                hoverinfo="skip",
                showlegend=False,
            )
        )


def _text(cell: TableCell, two_lines: bool) -> str:
    printed = plain(cell.printed)
    return f"{printed}{'<br>' if two_lines else ' · '}{cell.here}" if cell.here else printed


def _broken(name: str) -> str:
    """A column's name over two lines where it is long."""
    if len(name) < 12 or " " not in name:
        return name
    middle = min(
        (i for i, letter in enumerate(name) if letter == " "), key=lambda i: abs(i - len(name) / 2)
    )
    return f"{name[:middle]}\n{name[middle + 1 :]}"
