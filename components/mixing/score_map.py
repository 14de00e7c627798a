"""Score by share of Avg. and by layers, on the page Mixing: the map, and the chosen cell as a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from components import figure_frame, state, theme
from components.figure_frame import Framed
from components.figures.mixing import heatmap
from components.figures.share_walk import walk
from components.mixing.cells import gained, numbers
from components.mixing.chosen_cell import CellControls, offer
from components.mixing.page import caption, summary
from core.analysis.mixing import Mixture
from core.analysis.mixing_gains import MixtureGains
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.pipeline.engine import Engine
from core.recipe import Recipe

CELL = CellControls("w", "mixed")


def show(
    engine: Engine,
    recipe: Recipe,
    corpora: Sequence[Corpus],
    mixture: Mixture,
    gains: MixtureGains | None,
    place: Any,
) -> None:
    """The map in ``place``; under the controls of the chosen cell its score, and its recipe to take.

    ``gains`` is None while the intervals are computed.
    """
    chosen = CELL.show(mixture)
    title = finding(mixture, gains.best if gains else NO_DIFFERENCE)
    look = theme.of(state.theme_name())
    with place:
        figure_frame.show(
            Framed(
                key="mixing",
                title=title,
                figure=heatmap(mixture, look, chosen),
                caption=caption(engine, recipe, corpora, mixture),
                summary=summary(engine, recipe, corpora),
                hint="A click on a cell chooses its share and layers.",
                alt=title,
                numbers=lambda: numbers(mixture),
                on_select=partial(CELL.take, mixture),
                animation=lambda: walk(mixture, look, chosen),
                above=300,
            )
        )
    if chosen is not None:
        offer(recipe, mixture, chosen, "mixing.take")


def finding(mixture: Mixture, gain: Difference) -> str:
    """Which cell is best, and what it gains over the best one without Avg."""
    if mixture.best is None:
        return "No cell has a score: all similarities are equal"
    return gained(mixture, "the best cell on these pairs", gain)
