"""What a search found: the best recipes, what recipes cost, and how well proxies would have chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, doublings, scatter, whiskers
from components.figures.labels import cut_distinct, plain, wrapped
from components.theme import Theme
from core.evaluation.wording import between, fixed
from core.recipe import shown
from core.search.found import Ranked
from core.search.proxies import Regret

HEIGHT = 340

ROW = 30
"""Pixels of a row with a label."""

MORE = 20
"""Pixels of a further line of it, as high as its type with the room between lines."""

LINE, LINES = 38, 3
"""Characters of a line of a recipe's name, and how many lines it may have."""


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
            text=[hover(each.recipe) + f"<br>{plain(_behind(each))}" for each in ranked],
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
                text=[hover(recipe) for recipe, _, _ in points],
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
            hovertext=[hover(each.recipe) for each in found],
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


def hover(recipe: str) -> str:
    """A recipe over some lines, as a hover label says it."""
    return wrapped(shown(recipe), 60, 4)
