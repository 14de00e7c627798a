"""Whitening's score by the dimensions kept, and the cosines that it comes from, as k grows, for a slide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures.animation import Animation
from components.figures.ratings import whitening_curve
from components.theme import BEST, Theme
from core.analysis.geometry.whitening_curve import Curve
from core.errors import counted

MOST = 1500
"""Pairs that are drawn at most."""

LEFT, RIGHT = (0.0, 0.5), (0.58, 1.0)
"""Widths of the curve and of the pairs."""


def drawn_pairs(count: int) -> np.ndarray:
    """Ascending places of the pairs that are drawn: all, or :data:`MOST` drawn with a fixed seed."""
    return np.sort(np.random.default_rng(0).permutation(count)[:MOST])


def walk(found: Curve, k: Sequence[int], cosines: np.ndarray, gold: np.ndarray, theme: Theme) -> Animation:
    """The curve with a line at k, and beside it gold against the cosine of each pair with k dimensions.

    The curve says which k is best, the pairs why: with few dimensions they lie at both ends, with too many
    all cosines become alike. ``cosines`` are ``[k, pair]``; many pairs are drawn as a sample.
    """
    pairs = drawn_pairs(len(gold))
    whole = _drawn(found, gold[pairs], len(gold), theme)
    figures = tuple(_step(whole, n, row[pairs]) for n, row in zip(k, cosines, strict=True))
    return Animation("k =", tuple(map(str, k)), figures, str(found.best_k or k[-1]))


def _step(whole: go.Figure, k: int, cosines: np.ndarray) -> go.Figure:
    """The figure with k dimensions."""
    step = go.Figure(whole)
    line, points = step.data[-2:]
    line.x, points.y = [k, k], cosines.astype(np.float32)
    return step


def _drawn(found: Curve, gold: np.ndarray, of: int, theme: Theme) -> go.Figure:
    """What stands still, and last the line and the pairs without their places."""
    figure = whitening_curve(found, theme)
    figure.add_scatter(
        y=figure.layout.yaxis.range,
        mode="lines",
        line={"color": BEST, "width": 3},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=gold.astype(np.float32),
        mode="markers",
        marker={"size": 7 if len(gold) <= 400 else 5, "color": theme.a, "opacity": 0.45},
        hovertemplate="gold %{x:.2f}, cosine %{y:.3f}<extra></extra>",
        xaxis="x2",
        yaxis="y2",
    )
    some = counted(of, "pair") if len(gold) == of else f"{len(gold):,} of {counted(of, 'pair')}"
    return figure.update_layout(
        xaxis={"domain": LEFT},
        xaxis2={
            "domain": RIGHT,
            "anchor": "y2",
            "title": {"text": f"gold score, {some}"},
            "zeroline": False,
        },
        yaxis2={"anchor": "x2", "range": [-1.05, 1.05], "title": {"text": "cosine with k dimensions"}},
    )
