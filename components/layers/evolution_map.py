"""The evolution map, layer against layer, on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.layers import layer_name
from components.figures.matrices import Matrix, side_by_side
from components.layers.evolutions import HEIGHT, ModelEvolution, adjacent, of_each
from components.provenance import Summary
from core.analysis.layers.trajectories import Evolution
from core.evaluation.wording import fixed


def show(shown: Sequence[ModelEvolution], of: str, caption: tuple[str, ...], summary: Summary) -> None:
    """Layer against layer, all models on one colour scale."""
    panels = [
        Matrix(
            one.evolution.cosines,
            one.model.name,
            names := [layer_name(i) for i in one.evolution.layers],
            names,
            "layers %{customdata[0]} and %{customdata[1]}: cosine %{z:.3f}",
        )
        for one in shown
    ]
    low = min(0.0, *(float(one.evolution.cosines.min()) for one in shown))
    title = of_each(shown, lambda evolution: finding(evolution, of))
    figure_frame.show(
        Framed(
            key="evolution",
            title=title,
            figure=side_by_side(
                panels, theme.of(state.theme_name()), bar="cosine", bounds=(low, 1.0), height=HEIGHT
            ),
            caption=caption,
            summary=summary,
            alt=f"Layer against layer, {' and '.join(one.model.name for one in shown)}. {title}",
            numbers=lambda: pd.concat([numbers(one) for one in shown]),
        )
    )


def finding(evolution: Evolution, of: str) -> str:
    """Where states change most, in one short sentence."""
    values, _ = adjacent(evolution)
    if not len(values):
        return "One layer alone: nothing to compare"
    layer = int(values.argmin())
    most = " most" if len(values) > 1 else ""
    return f"{of}{most} from layer {layer} to {layer + 1}: cosine {fixed(values[layer], 2)}"


def numbers(one: ModelEvolution) -> pd.DataFrame:
    """One row for each pair of layers."""
    evolution = one.evolution
    i, j = np.triu_indices(len(evolution.layers))
    names = [layer_name(layer) for layer in evolution.layers]
    return pd.DataFrame(
        {
            "model": one.model.name,
            "layer": [names[k] for k in i],
            "other layer": [names[k] for k in j],
            "cosine": evolution.cosines[i, j],
            "deviation": evolution.spread[i, j],
            "tokens": evolution.tokens,
        }
    )
