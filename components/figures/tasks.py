"""Recipes against tasks as one heatmap, each column on its own scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.cell_values import light_cells
from components.figures.drawing import Drawing, heatmap
from components.figures.labels import cut_distinct, plain, wrapped
from components.theme import BEST, MAGNITUDE, Theme
from core.evaluation.wording import fixed

LINE = 34
"""Characters of one of the two lines of a recipe's name on the axis."""

ROW = 46
"""Pixels of a row."""


@dataclass(frozen=True, eq=False)
class TaskTable:
    """Values × 100 ``[recipe, task]`` with their names, NaN where there is none yet.

    ``ranked`` are those of them that tell better from worse, the others NaN; the best of them have a frame.
    ``widths`` are, by task, those of the 95 % intervals: colours span no less. ``hovers`` says of each cell
    what stands behind it. ``marks`` is written under a value: its difference from a chosen recipe.
    """

    recipes: Sequence[str]
    tasks: Sequence[str]
    values: np.ndarray
    ranked: np.ndarray
    widths: np.ndarray
    hovers: Sequence[Sequence[str]]
    marks: Sequence[Sequence[str]]


def shares(values: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Where each value lies from the lowest (0) to the highest (1) of its column; 0.5 where all agree.

    Values that span less than ``least`` of their column lie around the middle, as much apart as they are.
    """
    known = np.isfinite(values)
    some = known.any(axis=0)
    low = np.where(some, np.min(np.where(known, values, np.inf), axis=0, initial=np.inf), 0.0)
    high = np.where(some, np.max(np.where(known, values, -np.inf), axis=0, initial=-np.inf), 0.0)
    spread = np.fmax(high - low, least)
    middle = (low + high) / 2
    return np.where(known, 0.5 + (values - middle) / np.where(spread > 0, spread, 1.0), np.nan)


def task_map(table: TaskTable, theme: Theme) -> go.Figure:
    """A row for each recipe, a column for each task; the best of a column has a frame."""
    rows, columns = table.values.shape
    coloured = shares(table.values, table.widths)
    light = light_cells(coloured, MAGNITUDE, 0, 1)
    several = np.isfinite(table.ranked).sum(axis=0) > 1
    figure = Drawing()
    figure.add_trace(
        heatmap(
            z=coloured.astype(np.float32),
            x=np.arange(columns),
            y=np.arange(rows),
            customdata=np.array(table.hovers, object),
            hovertemplate="%{customdata}<extra></extra>",
            colorscale=MAGNITUDE,
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            colorbar={
                "title": {"text": "in its column", "side": "right"},
                "tickvals": [0, 1],
                "ticktext": ["lower", "higher"],
                "thickness": 12,
            },
        )
    )
    for row, column in zip(*np.nonzero(np.isfinite(table.values)), strict=True):
        mark = table.marks[row][column]
        best = several[column] and table.ranked[row, column] == np.nanmax(table.ranked[:, column])
        number = fixed(table.values[row, column])
        figure.add_annotation(
            x=int(column),
            y=int(row),
            text=(f"<b>{number}</b>" if best else number) + (f"<br>{plain(mark)}" if mark else ""),
            showarrow=False,
            font={"color": "#000000" if light[row, column] else "#ffffff", "size": 14},
        )
        if best:
            figure.frame(column, row, BEST, half=0.495, half_height=0.49)
    figure.update_xaxes(
        tickvals=np.arange(columns),
        ticktext=[plain(name).replace(": ", "<br>") for name in table.tasks],
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, columns - 0.5],
    )
    figure.update_yaxes(
        tickvals=np.arange(rows),
        ticktext=[wrapped(name, LINE, 2) for name in cut_distinct(table.recipes, 2 * LINE - 8)],
        autorange=False,
        range=[rows - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template=theme.template, height=150 + ROW * rows, margin={"t": 84, "b": 8, "l": 8, "r": 8}
    )
    return figure.made()
