"""The presets that a paper describes or scores, with what it prints of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.literature.presets import PRESETS, Preset
from core.literature.published import PublishedScore
from core.literature.tables import Paper
from core.literature.tables.table import Cell


@dataclass(frozen=True)
class Described:
    """A preset, with the scores of one paper.

    Attributes
    ----------
    preset
        The preset.
    scores
        Its scores there by place: paper, table, whatever else identifies the row, and the model.
    """

    preset: Preset
    scores: dict[tuple[str, str], tuple[PublishedScore, ...]]


def presets_of(paper: Paper) -> tuple[Described, ...]:
    """The presets that cite the paper or hold scores of it, in the order of the presets."""
    described = []
    for preset in PRESETS:
        places: dict[tuple[str, str], tuple[PublishedScore, ...]] = {}
        for score in preset.scores:
            if score.where.startswith(paper.citation):
                place = (_row(score.where), score.model)
                places[place] = (*places.get(place, ()), score)
        if places or paper.citation in preset.published:
            described.append(Described(preset, places))
    return tuple(described)


def presets_with(cell: Cell) -> tuple[Preset, ...]:
    """The presets that hold the figure of a cell among their scores, in the order of the presets."""
    return _with_cells().get(cell, ())


def figures(scores: tuple[PublishedScore, ...]) -> str:
    """Tasks and scores of one row, joined by commas; all with the decimals that one needs."""
    decimals = 1 if all(round(one.value, 1) == one.value for one in scores) else 2
    return ", ".join(f"{one.corpus} {one.value:.{decimals}f}" for one in scores)


@cache
def _with_cells() -> dict[Cell, tuple[Preset, ...]]:
    found: dict[Cell, tuple[Preset, ...]] = {}
    for preset in PRESETS:
        for cell in dict.fromkeys(score.cell for score in preset.scores):
            found[cell] = (*found.get(cell, ()), preset)
    return found


def _row(where: str) -> str:
    """A place under one name for a row that goes over tables of one task each."""
    return re.sub(r"Table ([6-9]|1[0-3]) (?=\()", "Tables 6 to 13 ", where)
