"""The mean cosine by number of layers apart, on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence

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
_APART, _ALONG = "by layers apart", "layer by layer"


def show(shown: Sequence[ModelEvolution], caption: tuple[str, ...], summary: Summary) -> None:
    """The mean cosine so many layers apart, or of adjacent layers one after another."""
    which = segments(
        "Hop curves",
        (_APART, _ALONG),
        "hops.view",
        label_visibility="collapsed",
        help=f"{_APART}: averaged over layers. {_ALONG}: adjacent layers alone, from first to last.",
    )
    along = which == _ALONG
    depth = max(one.evolution.layers[-1] for one in shown)
    lines = [_curve(one, along, alone=len(shown) == 1) for one in shown]
    low = min(0.0, *(float((line.values - _or_zero(line.spread)).min()) for line in lines))
    title = of_each(shown, lambda evolution: finding(evolution, along=along))
    figure_frame.show(
        Framed(
            key="hops",
            title=title,
            figure=curves(
                lines,
                [f"{i}–{i + 1}" if along else str(i + 1) for i in range(depth)],
                theme.of(state.theme_name()),
                x_title="adjacent layers" if along else "layers apart",
                y_title="cosine",
                bounds=(low, 1.0),
                height=HEIGHT,
            ),
            caption=(*caption, *_BAND * any(line.spread is not None for line in lines)),
            summary=summary,
            alt=title,
            numbers=lambda: pd.concat([numbers(one) for one in shown]),
        )
    )


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


def _curve(one: ModelEvolution, along: bool, *, alone: bool) -> Curve:
    evolution, values, spread = one.evolution, one.evolution.hops, one.evolution.hop_spread
    if along:
        values, spread = adjacent(evolution)
    label = "" if alone else one.model.name
    return Curve(label, one.model.color, values, spread if evolution.tokens > 1 else None)


def _or_zero(values: np.ndarray | None) -> np.ndarray | float:
    return 0.0 if values is None else values
