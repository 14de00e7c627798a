"""The evolution map, layer against layer, on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jaxtyping import Shaped

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.animation import Animation
from components.figures.layer_walk import Walked, walk
from components.figures.layers import layer_name
from components.figures.matrices import Matrix, side_by_side
from components.figures.similarities import in_cell
from components.layers.evolutions import HEIGHT, ModelEvolution, adjacent, of_each
from components.provenance import Summary
from core.analysis.layers.trajectories import Evolution
from core.evaluation.wording import fixed

LABELS = 24
"""Labels along all maps together from which on not each layer has one."""

PRINTED = 14
"""Layers of all maps together up to which their cosines stand in the cells."""

_PRINTED_CAPTION = ("Cosine, drawn × 100 in the cells.",)


def show(shown: Sequence[ModelEvolution], of: str, caption: tuple[str, ...], summary: Summary) -> None:
    """Layer against layer, all models on one colour scale."""
    printed = sum(len(one.evolution.layers) for one in shown) <= PRINTED
    panels = [
        Matrix(
            one.evolution.cosines,
            one.model.name,
            names := [layer_name(i) for i in one.evolution.layers],
            names,
            "layers %{customdata[0]} and %{customdata[1]}: cosine %{z:.3f}",
            _texts(one.evolution) if printed else None,
        )
        for one in shown
    ]
    low = min(0.0, *(float(one.evolution.cosines.min()) for one in shown))
    title = of_each(shown, lambda evolution: finding(evolution, of))
    look = theme.of(state.theme_name())
    figure = side_by_side(
        panels, look, bar="cosine", bounds=(low, 1.0), height=HEIGHT, labels=LABELS // len(panels)
    )
    figure_frame.show(
        Framed(
            key="evolution",
            title=title,
            figure=figure,
            caption=(*caption, *_PRINTED_CAPTION * printed),
            summary=summary,
            alt=f"Layer against layer, {' and '.join(one.model.name for one in shown)}. {title}",
            numbers=lambda: pd.concat([numbers(one) for one in shown]),
            animation=lambda: _through_layers(figure, shown, look),
        )
    )


def _through_layers(figure: go.Figure, shown: Sequence[ModelEvolution], look: theme.Theme) -> Animation:
    """The walk through the layers, which begins where the first model's states change most."""
    values, _ = adjacent(shown[0].evolution)
    models = [
        Walked(
            one.model.name,
            one.model.color,
            one.evolution.layers,
            one.evolution.cosines,
            one.evolution.spread,
        )
        for one in shown
    ]
    return walk(figure, models, int(values.argmin()) if len(values) else 0, look)


def _texts(evolution: Evolution) -> Shaped[np.ndarray, "layer layer"]:
    """What stands in the cells of a map: nothing where a layer meets itself."""
    texts = np.array([[in_cell(float(cosine), "cosine") for cosine in row] for row in evolution.cosines])
    np.fill_diagonal(texts, "")
    return texts


def finding(evolution: Evolution, of: str) -> str:
    """Where states change most, in one short sentence."""
    values, _ = adjacent(evolution)
    if not len(values):
        return "One layer alone: nothing to compare"
    layer = int(values.argmin())
    most = " most" if len(values) > 1 else ""
    return f"{of}{most} from layer {layer} to {layer + 1}: cosine {fixed(values[layer], 2)}"


def numbers(one: ModelEvolution) -> pd.DataFrame:
    """One row for each pair of layers; the deviation of a layer's cosine with itself is 0."""
    evolution = one.evolution
    i, j = np.triu_indices(len(evolution.layers))
    names = [layer_name(layer) for layer in evolution.layers]
    return pd.DataFrame(
        {
            "model": one.model.name,
            "layer": [names[k] for k in i],
            "other layer": [names[k] for k in j],
            "cosine": evolution.cosines[i, j],
            "deviation": np.where(i == j, 0.0, evolution.spread[i, j]),
            "tokens": evolution.tokens,
        }
    )
