"""Figures of the page Methods: scores here beside those that papers print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.labels import distinct, plain
from components.theme import Theme
from core.evaluation.sts import Score
from core.evaluation.wording import fixed
from core.literature.published import PublishedScore

LABEL = 0.1
"""Of the axis, the width of a number."""

ROW = 27
"""Pixels for one row: room for a label of readable size."""

SYMBOLS = {"Spearman": "circle-open", "Pearson": "diamond-open"}
"""How a published figure is marked, by its correlation."""


@dataclass(frozen=True, eq=False)
class Row:
    """One line of the figure: the score computed here, if any, and what papers print."""

    label: str
    here: Score | None
    published: tuple[PublishedScore, ...] = ()


def scores_and_published(rows: Sequence[Row], theme: Theme) -> go.Figure:
    """Spearman × 100 here in blue with its 95 % interval, published figures as hollow markers.

    Rows from top to bottom as given; rows without any score are drawn empty. Published Pearson
    correlations have a marker of their own.
    """
    figure, span = Drawing(), _span(rows)
    printed = [(at, one) for at, row in enumerate(rows) for one in row.published]
    _published(figure, printed, theme)
    scored = [(at, row.here) for at, row in enumerate(rows) if row.here and np.isfinite(row.here.spearman)]
    if scored:
        _here(figure, rows, scored, span, theme)
    figure.update_yaxes(
        tickvals=np.arange(len(rows)),
        ticktext=distinct([row.label for row in rows], 44),
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    metrics = [metric for metric in SYMBOLS if any(one.metric == metric for _, one in printed)]
    title = "Correlation × 100" if "Pearson" in metrics else "Spearman × 100"
    figure.update_xaxes(title={"text": title}, range=span)
    _key(figure, theme, bool(scored), metrics)
    figure.update_layout(
        template=theme.template,
        height=ROW * len(rows) + 104,
        margin={"t": 34, "b": 8, "l": 8, "r": 44},
    )
    return figure.made()


def _published(figure: Drawing, printed: Sequence[tuple[int, PublishedScore]], theme: Theme) -> None:
    """Published figures in their rows, each metric by its own mark."""
    for metric, symbol in SYMBOLS.items():
        theirs = [(at, one) for at, one in printed if one.metric == metric]
        if not theirs:
            continue
        figure.add_trace(
            scatter(
                x=[one.value for _, one in theirs],
                y=[at for at, _ in theirs],
                mode="markers",
                marker={"size": 12, "symbol": symbol, "color": theme.faint, "line": {"width": 2}},
                text=[f"{plain(one.model)}<br>{plain(one.where)}" for _, one in theirs],
                hovertemplate=f"published {metric} %{{x:.2f}}<br>%{{text}}<extra></extra>",
                showlegend=False,
            )
        )


def _here(
    figure: Drawing,
    rows: Sequence[Row],
    scored: Sequence[tuple[int, Score]],
    span: tuple[float, float] | None,
    theme: Theme,
) -> None:
    """Scores here in their rows, with intervals, and their numbers where no published mark is."""
    values, low, high = (
        np.array([getattr(score, end) for _, score in scored]) for end in ("spearman", "low", "high")
    )
    at = [number for number, _ in scored]
    figure.add_trace(
        scatter(
            x=values,
            y=at,
            error_x=whiskers(values, low, high),
            mode="markers",
            marker={"size": 11, "color": theme.a},
            customdata=np.stack([low, high], axis=1),
            hovertemplate="here %{x:.1f}, 95 %: %{customdata[0]:.1f} to %{customdata[1]:.1f}"
            "<extra></extra>",
            showlegend=False,
        )
    )
    room = LABEL * (span[1] - span[0]) if span else 0.0
    places = [_beside(score, rows[number].published, room) for number, score in scored]
    figure.add_trace(
        scatter(
            x=[x for x, _ in places],
            y=at,
            mode="text",
            text=[f" {fixed(value)} " for value in values],
            textposition=[position for _, position in places],
            textfont={"color": theme.a},
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )
    )


def _key(figure: Drawing, theme: Theme, scored: bool, metrics: Sequence[str]) -> None:
    """What the kinds of markers mean, in their colours."""
    words = []
    if scored:
        words.append(f'<span style="color:{theme.a}">● Spearman here, with 95 % interval</span>')
    for metric in metrics:
        mark = "◇" if metric == "Pearson" else "○"
        words.append(f'<span style="color:{theme.faint}">{mark} {metric}, published</span>')
    figure.add_annotation(
        text="     ".join(words),
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=6,
        showarrow=False,
    )


def _beside(here: Score, published: Sequence[PublishedScore], room: float) -> tuple[float, str]:
    """Where the score here is written: beside its interval where no published marker is, else above it.

    ``room`` is the width of a number in units of the axis.
    """
    if not any(here.high <= one.value <= here.high + room for one in published):
        return here.high, "middle right"
    if not any(here.low - room <= one.value <= here.low for one in published):
        return here.low, "middle left"
    return here.spearman, "top center"


def _span(rows: Sequence[Row]) -> list[float] | None:
    """All scores with a little room on either side; None when there is none."""
    ends = [one.value for row in rows for one in row.published]
    ends += [end for row in rows if row.here for end in (row.here.low, row.here.high)]
    known = [end for end in ends if np.isfinite(end)]
    if not known:
        return None
    room = 0.06 * max(max(known) - min(known), 5.0)
    return [min(known) - room, max(known) + 1.5 * room]
