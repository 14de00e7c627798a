"""Scores of every pair of layers on the page Layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.layer_scores import scores_by_pair
from components.figures.layers import layer_name
from components.layers import chosen_layers
from components.layers.score_captions import caption, summary
from components.wording import UNIT, with_interval
from core.analysis.layers.layer_scores import ByPair
from core.analysis.layers.layer_similarities import Cell
from core.corpora.corpus import Corpus
from core.errors import counted
from core.evaluation.sts import FEW_PAIRS
from core.evaluation.wording import fixed
from core.pipeline.engine import Engine
from core.recipe import Recipe


def show(
    engine: Engine, recipe: Recipe, corpus: Corpus, found: ByPair, cell: Cell, *, alone: bool = True
) -> None:
    """Every pair of layers of recipe A, which stands ``alone`` or beside B; a click chooses it."""
    title = finding(found, len(corpus), of="" if alone else "A")

    def take(points: Sequence[dict[str, Any]]) -> None:
        if points:
            chosen_layers.choose({found.layers[int(points[0][axis])] for axis in ("x", "y")})

    what = "On the diagonal, layers alone. Orange frames: the best; white: first+last; pink: chosen."
    figure_frame.show(
        Framed(
            key="layer.grid",
            title=title,
            figure=scores_by_pair(found, theme.of(state.theme_name()), cell),
            caption=caption(engine, {"A": recipe}, corpus, what),
            summary=summary(engine, {"A": recipe}, corpus),
            alt=title,
            numbers=lambda: numbers(found),
            hint="A click on a cell chooses its layers. Orange: best; white: first+last; pink: chosen.",
            on_select=take,
        )
    )


def finding(found: ByPair, pairs: int | None = None, *, of: str = "") -> str:
    """Which set of one or two layers scores highest, in one sentence; few ``pairs`` are told.

    ``of`` is the side that this is of where there is another one.
    """
    under = f" under {of}" if of else ""
    if found.best is None:
        return f"No pair of layers has a score{under}"
    pair, alone = found.best_pair, found.best_alone
    few = f" ({counted(pairs, 'pair')})" if pairs is not None and pairs < FEW_PAIRS else ""
    if pair is None or alone is None:
        only = f"layer {layer_name(found.best[0])} alone" if pair is None else _together(pair)
        return f"Only score{under}: {UNIT} = {fixed(found.at(found.best))}{few} of {only}"
    together, single = fixed(found.at(pair)), fixed(found.at((alone,)))
    by_itself = f"layer {layer_name(alone)} alone"
    if len(found.best) == 1:
        words = f"No pair scores above {by_itself}{under}: {UNIT} = {single}{few}; "
        words += f"best pair {_together(pair)}, {together}"
    else:
        words = f"Best pair{under}: {_together(pair)}, {UNIT} = {together}{few}; {by_itself} {single}"
    if found.gain.shown:
        return f"{words} ({with_interval(found.gain)})"
    return f"{words}; no difference shown ({with_interval(found.gain)})"


def _together(pair: Cell) -> str:
    return f"layers {layer_name(pair[0])} and {layer_name(pair[1])}"


def numbers(found: ByPair) -> pd.DataFrame:
    """One row for each pair of layers, and for each alone."""
    i, j = np.triu_indices(len(found.layers))
    names = [layer_name(layer) for layer in found.layers]
    columns = {"layer": [names[k] for k in i], "other layer": [names[k] for k in j]}
    return pd.DataFrame(columns | {"spearman": found.spearman[i, j]})
