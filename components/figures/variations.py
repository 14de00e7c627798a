"""A recipe without each of its steps, and with one argument over a range, as differences from itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, bars, scatter, whiskers
from components.figures.labels import distinct, plain
from components.theme import Theme
from core.evaluation.difference import Difference
from core.evaluation.wording import between, signed

ROW = 44
"""Pixels of a bar."""

_LOGARITHMIC = 20
"""The quotient of the largest and smallest value from which on the axis has factors as steps."""


def ablation_bars(
    names: Sequence[str], changes: Sequence[Difference], over: str, theme: Theme
) -> go.Figure:
    """A bar for each step: the recipe without it minus the recipe, with its paired 95 % interval.

    Bars whose interval holds 0 are pale.
    """
    values = np.array([change.value for change in changes])
    figure = Drawing()
    figure.add_trace(
        bars(
            x=values,
            y=np.arange(len(names)),
            orientation="h",
            width=0.6,
            marker={
                "color": theme.a,
                "opacity": [1.0 if change.shown else 0.35 for change in changes],
            },
            error_x=whiskers(
                values,
                [change.low for change in changes],
                [change.high for change in changes],
                thickness=2,
                width=4,
                color=theme.text,
            ),
            customdata=[
                f"without {plain(name)}: {signed(change.value)}, {between(change.low, change.high)}"
                for name, change in zip(names, changes, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_vline(x=0, line={"color": theme.text, "width": 1.5})
    figure.update_yaxes(
        tickvals=np.arange(len(names)),
        ticktext=[f"without {name}" for name in distinct(names, 34)],
        range=[len(names) - 0.4, -0.6],
        zeroline=False,
        showgrid=False,
    )
    figure.update_xaxes(title={"text": f"change, {plain(over)}"})
    figure.update_layout(
        template=theme.template, height=ROW * len(names) + 90, margin={"t": 8, "b": 8, "l": 8, "r": 20}
    )
    return figure.made()


def sensitivity_line(
    values: Sequence[float],
    changes: Sequence[Difference],
    tasks: Mapping[str, Sequence[float]],
    title: str,
    now: float | None,
    over: str,
    theme: Theme,
) -> go.Figure:
    """The difference from the recipe's own value at each value, with its band; a thin line for each task.

    A value between none that have an interval has a whisker: a band of one point has no width.
    ``now`` is the recipe's own value, dotted; None where it has none. The axis of values has factors as
    steps where all are above 0 and far apart.
    """
    x = np.array(values, float)
    y, low, high = (
        np.array([getattr(change, name) for change in changes], float) for name in ("value", "low", "high")
    )
    known = np.pad(np.isfinite(low) & np.isfinite(high), 1)
    alone = known[1:-1] & ~known[:-2] & ~known[2:]
    figure = Drawing()
    if len(tasks) > 1:
        for name, line in tasks.items():
            figure.add_trace(
                scatter(
                    x=x,
                    y=np.array(line, float),
                    mode="lines",
                    line={"color": theme.faint, "width": 1},
                    name=plain(name),
                    hovertemplate=f"{plain(name)}, %{{x}}: %{{y:+.1f}}<extra></extra>",
                    showlegend=False,
                )
            )
    figure.add_trace(
        scatter(
            x=np.concatenate([x, x[::-1]]),
            y=np.concatenate([high, low[::-1]]),
            mode="lines",  # else a few points have markers
            fill="toself",
            fillcolor=theme.a,
            opacity=0.2,
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=x,
            y=y,
            mode="lines+markers",
            line={"color": theme.a, "width": 3},
            marker={"size": 8, "color": theme.a},
            error_y=whiskers(y, np.where(alone, low, np.nan), np.where(alone, high, np.nan), color=theme.a),
            customdata=[between(change.low, change.high) if change.known else "" for change in changes],
            hovertemplate="%{x}: %{y:+.1f}, %{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_hline(y=0, line={"color": theme.text, "width": 1})
    apart = len(x) > 0 and x.min() > 0 and x.max() / x.min() >= _LOGARITHMIC
    if now is not None and not (apart and now <= 0):
        figure.add_vline(x=now, line={"color": theme.text, "width": 1.5, "dash": "dot"})
    figure.update_xaxes(title={"text": plain(title)}, type="log" if apart else "linear", zeroline=False)
    if len(x) <= 14:
        figure.update_xaxes(tickvals=x, ticktext=[f"{value:g}" for value in x])
    figure.update_yaxes(title={"text": f"change, {plain(over)}"}, zeroline=False)
    figure.update_layout(template=theme.template, height=420, margin={"t": 8, "b": 8, "l": 8, "r": 20})
    return figure.made()
