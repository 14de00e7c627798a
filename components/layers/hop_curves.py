"""The mean cosine by number of layers apart, on the page Layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from components import figure_frame, state, theme
from components.controls import segments
from components.figure_frame import Framed
from components.figures.layers import Curve, curves
from components.layers.evolutions import HEIGHT, ModelEvolution, adjacent, of_each
from components.provenance import Summary
from core.analysis.layers.trajectories import Evolution
from core.evaluation.wording import fixed

_BAND = ("Band: one standard deviation over tokens on either side.",)
_APART, _ALONG, _OFFSETS = "by layers apart", "layer by layer", "each distance"

MOST_OFFSETS = 6
"""Distances that are drawn apart; half as many for each of several models."""


def show(shown: Sequence[ModelEvolution], caption: tuple[str, ...], summary: Summary) -> None:
    """The mean cosine so many layers apart, of adjacent layers, or of each distance along the layers."""
    which = segments(
        "Hop curves",
        (_APART, _ALONG, _OFFSETS),
        "hops.view",
        label_visibility="collapsed",
        help=f"{_APART}: averaged over layers. {_ALONG}: adjacent layers alone, from first to last. "
        f"{_OFFSETS}: a line for layers 1, 2, 3 … apart (Wang & Kuo 2020, Figure 1 e–h).",
    )
    along = which != _APART
    depth = max(one.evolution.layers[-1] for one in shown)
    if which == _OFFSETS:
        lines = [line for one in shown for line in offset_curves(one, several=len(shown) > 1)]
    else:
        lines = [_curve(one, along, alone=len(shown) == 1) for one in shown]
    low = min(0.0, *(float((line.values - _or_zero(line.spread)).min()) for line in lines))
    told: Callable[[Evolution], str] = (
        offset_finding if which == _OFFSETS else partial(finding, along=along)
    )
    title = of_each(shown, told)
    tables = {_APART: numbers, _ALONG: adjacent_numbers, _OFFSETS: offset_numbers}
    ticks = {_APART: "{}", _ALONG: "{}–{}", _OFFSETS: "{}"}[which or _APART]
    figure_frame.show(
        Framed(
            key="hops",
            title=title,
            figure=curves(
                lines,
                [ticks.format(i if along else i + 1, i + 1) for i in range(depth)],
                theme.of(state.theme_name()),
                x_title={_ALONG: "adjacent layers", _OFFSETS: "from layer"}.get(
                    which or "", "layers apart"
                ),
                y_title="cosine",
                bounds=(low, 1.0),
                height=HEIGHT,
            ),
            caption=(*caption, *_BAND * any(line.spread is not None for line in lines)),
            summary=summary,
            alt=title,
            numbers=lambda: pd.concat([tables[which or _APART](one) for one in shown]),
        )
    )


def at_offset(evolution: Evolution, apart: int) -> np.ndarray:
    """Mean cosines of layers 0 and ``apart``, 1 and ``apart`` + 1, …: a diagonal of the map."""
    first = evolution.layers.index(0)
    return np.diagonal(evolution.cosines[first:, first:], apart)


def offset_curves(one: ModelEvolution, *, several: bool) -> list[Curve]:
    """A line for each distance, thinner the farther; in a colour of its own where there is one model."""
    look, depth = theme.of(state.theme_name()), one.evolution.layers[-1]
    colors = (look.a, look.b, *theme.OTHERS)
    most = min(depth, MOST_OFFSETS // (2 if several else 1))
    return [
        Curve(
            f"{one.model.name}, {apart} apart" if several else f"{apart} apart",
            one.model.color if several else colors[(apart - 1) % len(colors)],
            at_offset(one.evolution, apart),
            width=max(1.0, 3.2 - 0.4 * apart),
        )
        for apart in range(1, most + 1)
    ]


def offset_finding(evolution: Evolution) -> str:
    """How far the cosine of layers falls with their distance, along the layers."""
    parts = []
    for apart in (1, min(3, evolution.layers[-1])):
        values = at_offset(evolution, apart)
        if len(values) and all(f" {apart} " not in part for part in parts):
            low, high = fixed(values.min(), 2), fixed(values.max(), 2)
            parts.append(f"{low} to {high} at {apart} apart")
    return f"Mean cosine along the layers: {', '.join(parts)}" if parts else "One layer alone"


def offset_numbers(one: ModelEvolution) -> pd.DataFrame:
    """One row for each pair of layers: the first, how far the second is, and their mean cosine."""
    evolution = one.evolution
    rows = [
        {"model": one.model.name, "from layer": start, "layers apart": apart, "cosine": cosine}
        for apart in range(1, evolution.layers[-1] + 1)
        for start, cosine in enumerate(at_offset(evolution, apart))
    ]
    return pd.DataFrame(rows, columns=["model", "from layer", "layers apart", "cosine"])


def finding(evolution: Evolution, *, along: bool) -> str:
    """What the curve says, in one short sentence."""
    values, _ = adjacent(evolution)
    if not len(values):
        return "One layer alone: nothing to compare"
    if along:
        low, high = int(values.argmin()), int(values.argmax())
        lowest = f"{fixed(values[low], 2)} (layers {low} and {low + 1})"
        if low == high:
            return f"Mean cosine of adjacent layers: {lowest}"
        return (
            f"Mean cosine of adjacent layers: {lowest} to {fixed(values[high], 2)} ({high} and {high + 1})"
        )
    far = len(evolution.hops)
    rest = f", {fixed(evolution.hops[-1], 2)} at {far} layers apart" if far > 1 else ""
    return f"Mean cosine of a token's states: {fixed(evolution.hops[0], 2)} at one layer apart{rest}"


def numbers(one: ModelEvolution) -> pd.DataFrame:
    """One row for each number of layers apart."""
    evolution = one.evolution
    apart = range(1, len(evolution.hops) + 1)
    columns = {"cosine": evolution.hops, "deviation": evolution.hop_spread, "tokens": evolution.tokens}
    return pd.DataFrame({"model": one.model.name, "layers apart": apart} | columns)


def adjacent_numbers(one: ModelEvolution) -> pd.DataFrame:
    """One row for each pair of adjacent layers."""
    values, spread = adjacent(one.evolution)
    columns = {"cosine": values, "deviation": spread, "tokens": one.evolution.tokens}
    layers = range(len(values))
    return pd.DataFrame(
        {"model": one.model.name, "layer": layers, "next layer": range(1, len(values) + 1)} | columns
    )


def _curve(one: ModelEvolution, along: bool, *, alone: bool) -> Curve:
    evolution, values, spread = one.evolution, one.evolution.hops, one.evolution.hop_spread
    if along:
        values, spread = adjacent(evolution)
    label = "" if alone else one.model.name
    return Curve(label, one.model.color, values, spread if evolution.tokens > 1 else None)


def _or_zero(values: np.ndarray | None) -> np.ndarray | float:
    return 0.0 if values is None else values
