"""Figures of the page Methods: scores here beside those that papers print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.figures.drawing import Drawing, scatter, whiskers
from components.figures.key_above import LINE, key_above
from components.figures.labels import distinct, plain, short
from components.theme import Theme
from core.evaluation.sts import Score
from core.evaluation.wording import between, fixed
from core.literature.published import PublishedScore

LABEL = 0.1
"""The width of a number, as a share of the axis."""

ROW = 27
"""Pixels for one row: room for a label of readable size."""

SYMBOLS = {
    "Spearman": {
        "circle-open": "○",
        "square-open": "□",
        "triangle-up-open": "△",
        "triangle-down-open": "▽",
        "star-open": "☆",
        "hexagon-open": "⬡",
    },
    "Pearson": {"diamond-open": "◇", "x-open": "✕", "cross-open": "✛", "star-diamond-open": "✧"},
}
"""How published figures are marked, by their correlation: a mark an encoder, and its sign in a key."""

KEY, BETWEEN = 56, "     "
"""Characters of one line of the key, and what stands between two marks."""


@dataclass(frozen=True)
class Mark:
    """How the published figures of one encoder, or of the last ones together, are marked."""

    metric: str
    symbol: str
    sign: str
    models: tuple[str, ...]

    @property
    def words(self) -> str:
        """Its line of the key, not escaped."""
        which = self.models[0] if len(self.models) == 1 else f"{len(self.models)} other encoders"
        return f"{self.sign} {self.metric}, published: {which}"


@dataclass(frozen=True, eq=False)
class Row:
    """One line of the figure: the score computed here, if any, and what papers print."""

    label: str
    here: Score | None
    published: tuple[PublishedScore, ...] = ()


def scores_and_published(rows: Sequence[Row], theme: Theme) -> go.Figure:
    """Spearman × 100 here in blue with its 95 % interval, published figures as hollow markers.

    Rows from top to bottom as given; rows without any score are drawn empty. Each encoder that figures are
    published of has a marker of its own, another one for Pearson's correlations, and the key names it.
    """
    figure, span = Drawing(), _span(rows)
    printed = [(at, one) for at, row in enumerate(rows) for one in row.published]
    marks = marks_of([one for _, one in printed])
    _published(figure, printed, marks, theme)
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
    title = "Correlation × 100" if any(mark.metric == "Pearson" for mark in marks) else "Spearman × 100"
    figure.update_xaxes(title={"text": title}, range=span)
    lines = _key(theme, [one for _, one in scored], marks)
    more = LINE * max(0, len(lines) - 1)
    figure.update_layout(
        template=theme.template,
        height=ROW * len(rows) + 104 + more,
        margin={"t": 34 + more, "b": 8, "l": 8, "r": 44},
        **key_above(lines),
    )
    return figure.made()


def marks_of(published: Sequence[PublishedScore]) -> list[Mark]:
    """A mark for each encoder that figures are published of, by correlation, the most frequent first.

    Where there are more encoders than marks, the last mark is that of all others.
    """
    found = []
    for metric, signs in SYMBOLS.items():
        counts = Counter(one.model for one in published if one.metric == metric)
        models = [model for model, _ in counts.most_common()]
        own = len(signs) if len(models) <= len(signs) else len(signs) - 1
        groups = [(model,) for model in models[:own]] + ([tuple(models[own:])] if models[own:] else [])
        found += [
            Mark(metric, symbol, sign, group)
            for (symbol, sign), group in zip(signs.items(), groups, strict=False)
        ]
    return found


def _published(
    figure: Drawing, printed: Sequence[tuple[int, PublishedScore]], marks: Sequence[Mark], theme: Theme
) -> None:
    """Published figures in their rows, each encoder's by its own mark."""
    for mark in marks:
        theirs = [
            (at, one) for at, one in printed if one.metric == mark.metric and one.model in mark.models
        ]
        figure.add_trace(
            scatter(
                x=[one.value for _, one in theirs],
                y=[at for at, _ in theirs],
                mode="markers",
                marker={"size": 12, "symbol": mark.symbol, "color": theme.faint, "line": {"width": 2}},
                text=[f"{plain(one.model)}<br>{plain(one.where)}" for _, one in theirs],
                hovertemplate=f"published {mark.metric} %{{x:.2f}}<br>%{{text}}<extra></extra>",
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
            customdata=[between(*ends) for ends in zip(low, high, strict=True)],
            hovertemplate="here %{x:.1f}, %{customdata}<extra></extra>",
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


def _key(theme: Theme, scored: Sequence[Score], marks: Sequence[Mark]) -> list[str]:
    """What the kinds of markers mean, in their colours: lines."""
    bounded = any(np.isfinite([one.low, one.high]).all() for one in scored)
    parts = [(f"● Spearman here{', with 95 % interval' * bounded}", theme.a)] * bool(scored)
    parts += [(mark.words, theme.faint) for mark in marks]
    lines: list[list[str]] = []
    room = 0
    for words, color in parts:
        room -= len(words) + len(BETWEEN)
        if room < 0:
            lines.append([])
            room = KEY - len(words)
        lines[-1].append(f'<span style="color:{color}">{short(words, KEY)}</span>')
    return [BETWEEN.join(words) for words in lines]


def _beside(here: Score, published: Sequence[PublishedScore], room: float) -> tuple[float, str]:
    """Where the score here is written: beside its interval where no published marker is, else above it.

    ``room`` is the width of a number in units of the axis.
    """
    low, high = (end if np.isfinite(end) else here.spearman for end in (here.low, here.high))
    if not any(high <= one.value <= high + room for one in published):
        return high, "middle right"
    if not any(low - room <= one.value <= low for one in published):
        return low, "middle left"
    return here.spearman, "top center"


def _span(rows: Sequence[Row]) -> list[float] | None:
    """All scores with a little room on either side; None when there is none."""
    ends = [one.value for row in rows for one in row.published]
    ends += [end for row in rows if row.here for end in (row.here.low, row.here.spearman, row.here.high)]
    known = [end for end in ends if np.isfinite(end)]
    if not known:
        return None
    room = 0.06 * max(max(known) - min(known), 5.0)
    return [min(known) - room, max(known) + 1.5 * room]
