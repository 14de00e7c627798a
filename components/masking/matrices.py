"""The impact matrix of each model, on the page Masking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from components import figure_frame, selection, state, theme
from components.figure_frame import Framed
from components.figures.masking import FITS, ImpactPanel, impact_matrices
from components.masking.page import Choices, ModelImpact, about, summary, unnamed
from core.analysis.masking.plan import SPECIAL
from core.evaluation.wording import fixed, quoted

NARROW = 30
"""Words of a matrix up to which half of the page's width has room for each one's name."""

ABOVE = 378
"""Pixels of the page over the matrix."""

ROUNDING = 1e-5
"""Means up to this are rounding errors of 0."""


def show(impacts: Sequence[ModelImpact], choices: Choices, place: Any) -> None:
    """The impact matrices on one scale; the token that is framed is chosen in ``place``."""
    look = theme.of(state.theme_name())
    first = impacts[0]
    with place:
        token = selection.token_menu(first.plan.surface_forms, (first.plan.unit != SPECIAL).tolist())
    unit = int(first.plan.unit[token])
    panels = [
        ImpactPanel(
            _values(one, choices),
            f"{one.model.name} · layer {one.layer}",
            selection.token_names(one.impact.rows(special=choices.special)),
            one.names,
            one.impact.own_rows(special=choices.special),
            unit if one.plan.units == first.plan.units and unit != SPECIAL else None,
        )
        for one in impacts
    ]
    title = finding(impacts, choices)
    explanation = f"Perturbed masking: {choices.label()}; a {choices.unit} on itself is 0, in averages too"
    narrow = is_narrow(impacts)
    figure = impact_matrices(
        panels,
        look,
        unit=choices.unit,
        metric=choices.distance,
        digits=choices.digits,
        narrow=narrow,
    )
    figure_frame.show(
        Framed(
            key="impact",
            title=title,
            figure=figure,
            caption=(
                explanation + ("; each matrix divided by its mean." if choices.relative else "."),
                *([exchange(first, choices, unit)] if unit != SPECIAL else []),
                *about(impacts),
            ),
            summary=summary(impacts, size=_size(first, panels)),
            alt=title,
            numbers=lambda: numbers(impacts, panels, choices.distance),
            hint=unnamed(figure, len(first.plan.units), choices.unit),
            above=ABOVE if narrow and len(figure.data[0].y) <= FITS else None,
        )
    )


def exchange(one: ModelImpact, choices: Choices, unit: int) -> str:
    """What one word moves most, and what moves it most, in words."""
    values = one.impact.matrix(one.layer, choices.metric, choices.merge) / _unit(one, choices)
    names = one.names
    if values.max() <= ROUNDING:
        return f"Framed: {quoted(names[unit])}; masking a word moves nothing in layer {one.layer}."
    moved, mover = int(values[:, unit].argmax()), int(values[unit].argmax())
    return (
        f"Framed: masking {quoted(names[unit])} moves {quoted(names[moved])} most "
        f"({values[moved, unit]:.{choices.digits}f}); what moves it most is {quoted(names[mover])} "
        f"({values[unit, mover]:.{choices.digits}f})."
    )


def is_narrow(impacts: Sequence[ModelImpact]) -> bool:
    """Whether the matrix can be read in half of the page's width."""
    return len(impacts) == 1 and len(impacts[0].plan.units) <= NARROW


def _size(first: ModelImpact, panels: Sequence[ImpactPanel]) -> str:
    """How much is masked, and what the frames are round."""
    what, framed = f"{len(first.plan.units)} {first.plan.level}", panels[0].chosen
    return what if framed is None else f"{what} · framed: {quoted(first.names[framed])}"


def finding(impacts: Sequence[ModelImpact], choices: Choices) -> str:
    """What the column means say, in one sentence."""
    if all(one.layer == 0 for one in impacts):
        return f"In layer 0 no {choices.unit} has seen another: masking one moves nothing"
    parts = []
    for one in impacts:
        means = _column_means(one, choices)
        most, value = quoted(one.names[int(means.argmax())]), fixed(means.max(), choices.digits)
        moves = means.max() > ROUNDING
        if len(impacts) == 1:
            if not moves:
                return f"In layer {one.layer} masking a {choices.unit} moves nothing"
            return f"Masking {most} moves {choices.level} most: {choices.distance} {value} on average"
        parts.append(f"{one.model.name} {f'{most}, {value}' if moves else f'nothing in layer {one.layer}'}")
    what = f"Masked {choices.unit} that moves the sentence's {choices.level} most"
    return f"{what}, on average ({choices.distance}): {'; '.join(parts)}"


def _column_means(one: ModelImpact, choices: Choices) -> np.ndarray:
    """The column means of the matrix as it is drawn; a unit's own row counts with 0."""
    means = one.means(choices)
    mean = means.sum() / max(len(means) - 1, 1)
    return means / mean if choices.relative and mean > ROUNDING else means


def _values(one: ModelImpact, choices: Choices) -> np.ndarray:
    """The matrix as it is drawn."""
    how = (one.layer, choices.metric, choices.merge)
    return one.impact.matrix(*how, special=choices.special) / _unit(one, choices)


def _unit(one: ModelImpact, choices: Choices) -> float:
    """What cells are drawn as multiples of: the mean of the matrix without its diagonal, or 1."""
    if not choices.relative:
        return 1.0
    count = len(one.plan.units)
    mean = one.impact.matrix(one.layer, choices.metric, choices.merge).sum() / (count * (count - 1))
    return float(mean) if mean > ROUNDING else 1.0


def numbers(impacts: Sequence[ModelImpact], panels: Sequence[ImpactPanel], metric: str) -> pd.DataFrame:
    """One row for each cell."""
    tables = []
    for one, panel in zip(impacts, panels, strict=True):
        row, column = np.indices(panel.values.shape).reshape(2, -1)
        tables.append(
            pd.DataFrame(
                {
                    "model": one.model.name,
                    "layer": one.layer,
                    "row": row + 1,
                    "moves": [panel.rows[i] for i in row],
                    "column": column + 1,
                    "masked": [panel.units[i] for i in column],
                    metric: panel.values.ravel(),
                }
            )
        )
    return pd.concat(tables, ignore_index=True)
