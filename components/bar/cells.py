"""The cells of a recipe's row: what it does at each stage; a click opens the editor of a stage.

They are one element of the page. As buttons of Streamlit they were most of what the browser put together
anew after a click: a button with an explanation is drawn twice, each time from Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial

import streamlit as st

from components.bar import editor
from components.bar.heads import head
from components.scripts import brought
from core.errors import StrataError
from core.literature.presets.naming import value_name
from core.pipeline.engine import Engine
from core.recipe import LAYERS, POST, REFERENCE, SOURCE, STAGES, WEIGHT, Recipe
from core.recipe.plan import Plan

SHOWN = tuple(name for name in STAGES if name != REFERENCE.name)
"""Stages that have a cell; the reference is edited with what learns from it."""

WIDE = {SOURCE.name: 1.3, LAYERS.name: 1.05, WEIGHT.name: 1.2, POST.name: 1.5}
"""Stages with wider cells; the others have the width 0.85."""

WIDTHS = tuple(WIDE.get(name, 0.85) for name in SHOWN)
"""Widths of the cells."""

LONGEST = 34
"""Characters of a cell; the rest is in its tooltip."""

COMPONENT = "cells"

_cells = brought.component(COMPONENT, isolate_styles=False)


@dataclass(frozen=True)
class Marks:
    """How the cells of a row look.

    Attributes
    ----------
    plain, differing
        Stages at their default, and stages at which B differs from A.
    unused
        Stages that the page does not use, with the reason.
    opened
        The stage that is being edited; empty when it is none of these.
    """

    plain: frozenset[str]
    differing: frozenset[str]
    unused: Mapping[str, str]
    opened: str


@dataclass(frozen=True)
class Cell:
    """One cell as it is sent to the browser."""

    stage: str
    head: str
    text: str
    help: str
    look: str
    """Words of its class: ``plain``, ``differing``, ``unused``, ``opened``."""


def show(side: str, recipe: Recipe, engine: Engine, marks: Marks) -> None:
    """The cells of recipe A or B."""
    cells = [asdict(cell(stage, recipe, engine, marks)) for stage in SHOWN]
    key = f"cells-{side}"
    _cells(key=key, data={"side": side, "cells": cells}, on_chosen_change=partial(_open, side, key))


def cell(stage: str, recipe: Recipe, engine: Engine, marks: Marks) -> Cell:
    """One stage's value, shortened, and as text with the reason why the page does not use it."""
    value = getattr(recipe, stage)
    text = value_name(STAGES[stage], value)
    if stage == SOURCE.name:
        text = _model(recipe, engine) or text
    reason = marks.unused.get(stage, "")
    looks = {
        "plain": stage in marks.plain,
        "differing": stage in marks.differing,
        "unused": bool(reason),
        "opened": stage == marks.opened,
    }
    return Cell(
        stage,
        head(stage),
        text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…",
        f"{stage}={STAGES[stage].text(value)}" + (f" · {reason}" if reason else ""),
        " ".join(word for word, holds in looks.items() if holds),
    )


def _open(side: str, key: str) -> None:
    """Open the editor of the stage that was clicked, or close it (a callback); no other word opens one."""
    stage = st.session_state[key]["chosen"]
    if stage in SHOWN:
        editor.open_or_close(f"{side}.{stage}")


def _model(recipe: Recipe, engine: Engine) -> str:
    """The name of the recipe's model; empty when it is not here or is no model, as a table that learns."""
    try:
        if Plan.of(recipe).source_fit:
            return ""
        source = engine.source(recipe)
    except StrataError:
        return ""
    return source.name if source.is_model else ""
