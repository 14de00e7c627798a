"""Gains of many recipes over one, for several models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.labels import distinct, plain
from components.theme import OTHERS, Theme
from core.evaluation.gains import Gain
from core.evaluation.wording import between

ROW = 27
"""Pixels for one row: room for a label of readable size."""

APART = 0.14
"""Rows that two models of one row are apart."""

SYMBOLS = ("circle", "diamond", "square")


def gains_by_model(
    names: Sequence[str], gains: Mapping[str, Mapping[str, Gain]], theme: Theme
) -> go.Figure:
    """A row for each name, from top to bottom, and a marker with its 95 % interval for each model.

    Filled markers have an interval that leaves 0 out, hollow ones show no difference. A model without a
    gain for a name has no marker in its row.
    """
    figure = Drawing()
    for number, (model, by_name) in enumerate(gains.items()):
        color, shift = OTHERS[number], (number - (len(gains) - 1) / 2) * 2 * APART
        rows = [(at, by_name[name].difference) for at, name in enumerate(names) if name in by_name]
        known = [(at, difference) for at, difference in rows if np.isfinite(difference.value)]
        values = np.array([difference.value for _, difference in known])
        figure.add_trace(
            scatter(
                x=values,
                y=[at + shift for at, _ in known],
                error_x=whiskers(
                    values,
                    [difference.low for _, difference in known],
                    [difference.high for _, difference in known],
                    thickness=2,
                    color=color,
                ),
                mode="markers",
                name=plain(model),
                marker={
                    "size": 9,
                    "color": [color if difference.shown else theme.paper for _, difference in known],
                    "symbol": SYMBOLS[number],
                    "line": {"width": 2, "color": color},
                },
                text=[plain(names[at]) for at, _ in known],
                customdata=[between(difference.low, difference.high) for _, difference in known],
                hovertemplate=f"{plain(model)}<br>%{{text}}: %{{x:+.1f}}, %{{customdata}}<extra></extra>",
            )
        )
    figure.add_vline(x=0, line={"color": theme.text, "width": 1.5})
    figure.update_yaxes(
        tickvals=np.arange(len(names)),
        ticktext=distinct(names, 44),
        range=[len(names) - 0.4, -0.6],
        zeroline=False,
    )
    figure.update_xaxes(title={"text": "Spearman × 100 over plain mean of the last layer"})
    figure.update_layout(
        template=theme.template,
        height=ROW * len(names) + 130,
        margin={"t": 46, "b": 8, "l": 8, "r": 20},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "title": {"text": ""}},
    )
    return figure.made()
