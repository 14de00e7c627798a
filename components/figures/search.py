"""What a search found: its trials, the best, what they cost, and how well proxies would have chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, doublings, scatter, whiskers
from components.figures.labels import cut_distinct, plain, wrapped
from components.theme import Theme
from core.evaluation.wording import between, fixed
from core.search.found import Outcome, Ranked
from core.search.measured import Trial
from core.search.proxies import Regret

HEIGHT = 340

TALL = 520
"""Pixels of the trials where the window is high enough."""

NAME_WIDTH = 90
"""Pixels right of the trials, for the name of the choice."""

ROW = 30
"""Pixels of a row with a label."""

MORE = 20
"""Pixels of a further line of it, as high as its type with the room between lines."""

LINE, LINES = 38, 3
"""Characters of a line of a recipe's name, and how many lines it may have."""


def trials(
    tried: Sequence[Trial], published: Mapping[str, Trial], test: Outcome, unit: str, theme: Theme
) -> go.Figure:
    """Points for the trials in order, a line for the best so far on dev, and the choice on test at the end.

    Published methods stand at 0. Trials that were given up on a part of dev are marks below all scores: a
    score on other rows has no place among them. Recipes that could not be scored are not drawn. A point's
    custom data is its recipe.
    """
    published = {name: trial for name, trial in published.items() if math.isfinite(trial.dev)}
    known = [trial.dev for trial in published.values()]
    values = [trial.dev for trial in tried]
    best = np.fmax.accumulate([max(known, default=math.nan), *values])
    figure = Drawing()
    _published(figure, published, theme)
    _tried(figure, tried, best, theme)
    _given_up(figure, tried, [*known, *values], theme)
    figure.add_annotation(
        row=1,
        x=len(tried),
        y=best[-1],
        text="best on dev",
        xanchor="right",
        yanchor="bottom",
        xshift=-8,
        showarrow=False,
        font={"color": theme.readable(theme.a)},
    )
    _choice(figure, len(tried), test, theme)
    figure.update_xaxes(
        title={"text": "trial; published methods at 0" if known else "trial"}, zeroline=False
    )
    figure.update_yaxes(title={"text": unit})
    figure.update_layout(
        template=theme.template, height=TALL, margin={"t": 12, "b": 8, "l": 8, "r": NAME_WIDTH}
    )
    return figure.made()


def _published(figure: Drawing, published: Mapping[str, Trial], theme: Theme) -> None:
    """Published methods at 0."""
    figure.add_trace(
        scatter(
            x=[0] * len(published),
            y=[trial.dev for trial in published.values()],
            mode="markers",
            marker={"size": 8, "color": theme.faint, "symbol": "line-ew-open", "line": {"width": 2}},
            text=[f"{plain(name)}<br>{_hover(trial.recipe)}" for name, trial in published.items()],
            customdata=[[trial.recipe] for trial in published.values()],
            hovertemplate="published, dev %{y:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )


def _tried(figure: Drawing, tried: Sequence[Trial], best: np.ndarray, theme: Theme) -> None:
    """A point for each trial, and the line of the best so far."""
    number = np.arange(1, len(tried) + 1)
    figure.add_trace(
        scatter(
            x=number,
            y=np.array([trial.dev for trial in tried], float),
            mode="markers",
            marker={"size": 7, "color": theme.a, "opacity": 0.8},
            text=[_hover(trial.recipe) for trial in tried],
            customdata=[[trial.recipe] for trial in tried],
            hovertemplate="trial %{x}, dev %{y:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_trace(
        scatter(
            x=[0, *number],
            y=best,
            mode="lines",
            line={"color": theme.a, "width": 2.5, "shape": "hv"},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def _choice(figure: Drawing, trials: int, test: Outcome, theme: Theme) -> None:
    """The choice on test behind the last trial, with its interval if it has one; its name in the margin."""
    end = trials + max(1.0, trials / 25)
    figure.add_trace(
        scatter(
            x=[end],
            y=[test.value],
            error_y=whiskers([test.value], [test.low], [test.high]),
            mode="markers",
            marker={"size": 12, "color": theme.b, "symbol": "diamond"},
            hovertemplate="the choice on test %{y:.2f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_annotation(
        row=1,
        x=end,
        y=test.value,
        text="the choice<br>on test",
        xanchor="left",
        yanchor="middle",
        align="left",
        xshift=12,
        showarrow=False,
        font={"color": theme.readable(theme.b)},
    )


def _given_up(figure: Drawing, tried: Sequence[Trial], scores: Sequence[float], theme: Theme) -> None:
    """A row of marks below all scores: the trials that were given up."""
    ended = [(number, trial) for number, trial in enumerate(tried, 1) if trial.given_up]
    if not ended:
        return
    below = float(np.nanmin(scores)) - 0.06 * max(float(np.nanmax(scores) - np.nanmin(scores)), 1.0)
    figure.add_trace(
        scatter(
            x=[number for number, _ in ended],
            y=[below] * len(ended),
            mode="markers",
            marker={"size": 7, "color": theme.faint, "symbol": "line-ns-open"},
            text=[
                f"given up after {trial.given_up:,} rows, {fixed(trial.rungs[-1], 2)} there"
                f"<br>{_hover(trial.recipe)}"
                for _, trial in ended
            ],
            customdata=[[trial.recipe] for _, trial in ended],
            hovertemplate="trial %{x}, %{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.add_annotation(
        row=1,
        x=len(tried),
        y=below,
        text="given up on a part of dev",
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
        font={"color": theme.readable(theme.faint)},
    )


def best(ranked: Sequence[Ranked], names: Sequence[str], unit: str, theme: Theme) -> go.Figure:
    """A row for each recipe with its score on dev and interval; hollow where it is not told apart."""
    rows = np.arange(len(ranked))
    values = [each.dev for each in ranked]
    labels = [wrapped(name, LINE, LINES) for name in cut_distinct(names, LINES * (LINE - 6))]
    more = max(label.count("<br>") for label in labels)
    hollow = [i > 0 and not each.apart for i, each in enumerate(ranked)]
    figure = Drawing()
    figure.add_trace(
        scatter(
            x=values,
            y=rows,
            mode="markers",
            error_x=whiskers(
                values, [each.low for each in ranked], [each.high for each in ranked], color=theme.faint
            ),
            marker={
                "size": 11,
                "color": [theme.paper if open_ else theme.a for open_ in hollow],
                "line": {"width": 2, "color": theme.a},
            },
            text=[_hover(each.recipe) + f"<br>{plain(_behind(each))}" for each in ranked],
            customdata=[[each.recipe] for each in ranked],
            hovertemplate="dev %{x:.2f}<br>%{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=labels,
        range=[len(ranked) - 0.4, -0.6],
        zeroline=False,
    )
    figure.update_xaxes(title={"text": f"{unit} on dev"})
    figure.update_layout(
        template=theme.template,
        height=(ROW + MORE * more) * len(ranked) + 70,
        margin={"t": 8, "b": 8, "l": 8, "r": 12},
    )
    return figure.made()


def costs(
    every: Sequence[tuple[str, float, float]],
    best_of: Sequence[tuple[str, float, float]],
    axis: str,
    unit: str,
    theme: Theme,
) -> go.Figure:
    """Score against what it costs: a point for each recipe, and the front that no other one betters.

    ``every`` and ``best_of`` hold recipe, cost and score.
    """
    figure = Drawing()
    for points, look in (
        (every, {"mode": "markers", "marker": {"size": 7, "color": theme.faint, "opacity": 0.8}}),
        (
            best_of,
            {
                "mode": "lines+markers",
                "marker": {"size": 11, "color": theme.a},
                "line": {"color": theme.a, "width": 2, "shape": "hv"},
            },
        ),
    ):
        figure.add_trace(
            scatter(
                x=[cost for _, cost, _ in points],
                y=[score for _, _, score in points],
                text=[_hover(recipe) for recipe, _, _ in points],
                customdata=[[recipe] for recipe, _, _ in points],
                hovertemplate=f"{axis} %{{x:,}}, dev %{{y:.2f}}<br>%{{text}}<extra></extra>",
                showlegend=False,
                **look,
            )
        )
    costs_of = [cost for _, cost, _ in every]
    ticks = doublings(costs_of) if axis == "dimensions" else {"type": "log", "dtick": "D2"}
    figure.update_xaxes(title={"text": axis}, **ticks)
    figure.update_yaxes(title={"text": f"{unit} on dev"})
    figure.update_layout(template=theme.template, height=HEIGHT, margin={"t": 12, "b": 8, "l": 8, "r": 12})
    return figure.made()


def proxies(found: Sequence[Regret], theme: Theme) -> go.Figure:
    """A row for each proxy: how far its choice is below the best recipe; a line where a blind choice is."""
    figure = Drawing()
    rows = np.arange(len(found))
    figure.add_trace(
        scatter(
            x=[each.regret for each in found],
            y=rows,
            mode="markers+text",
            marker={"size": 13, "color": theme.a},
            text=[f"{each.regret:.1f}" for each in found],
            textposition="top center",
            customdata=[[each.recipe] for each in found],
            hovertext=[_hover(each.recipe) for each in found],
            hovertemplate="%{x:.2f} below the best<br>%{hovertext}<extra></extra>",
            showlegend=False,
        )
    )
    blind = found[0].at_random
    figure.add_vline(blind, line={"color": theme.faint, "width": 2, "dash": "dot"})
    figure.add_annotation(
        row=1,
        x=blind,
        y=-0.6,
        text="a blind choice, on average",
        xanchor="right",
        yanchor="top",
        xshift=-6,
        showarrow=False,
    )
    figure.update_yaxes(
        tickvals=rows,
        ticktext=[plain(each.proxy) for each in found],
        range=[len(found) - 0.4, -0.7],
        zeroline=False,
    )
    figure.update_xaxes(title={"text": "points below the best recipe"}, rangemode="tozero")
    figure.update_layout(
        template=theme.template, height=46 * len(found) + 100, margin={"t": 8, "b": 8, "l": 8, "r": 12}
    )
    return figure.made()


def _behind(each: Ranked) -> str:
    """What a recipe is behind the choice, paired."""
    behind = each.behind
    if not behind.known:
        return "the choice"
    told = "" if behind.shown else "no difference shown: "
    return f"{told}{fixed(behind.value, 2)} behind, {between(behind.low, behind.high, 2)}"


def _hover(recipe: str) -> str:
    return wrapped(recipe or "(defaults)", 60, 4)
