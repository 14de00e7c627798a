"""The grid of the bar: the stages as column heads, and a recipe as a row of cells."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import state
from components.bar import editor, score
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.literature.presets.naming import value_name
from core.pipeline.engine import Engine
from core.recipe import LAYERS, POST, REFERENCE, SOURCE, STAGES, WEIGHT, Recipe

SHOWN = tuple(name for name in STAGES if name != REFERENCE.name)
"""Stages that have a cell; the reference is edited with what learns from it."""

HEADS = {SOURCE.name: "model"}
"""Column heads that are not the stage's name."""

WIDE = {SOURCE.name: 1.3, LAYERS.name: 1.05, WEIGHT.name: 1.2, POST.name: 1.5}
"""Stages with wider cells; the others have the width 0.85."""

WIDTHS = (2.3, *(WIDE.get(name, 0.85) for name in SHOWN), 1.1)
"""Widths of the columns: the name, a cell for each stage, and the score."""

LONGEST = 34
"""Characters of a cell; the rest is in its tooltip."""


def heads() -> None:
    """The stages from sentences to a score, over the columns."""
    words = ["sentences →", *(f"{HEADS.get(name, name)} →" for name in SHOWN), "score"]
    with st.container(key="heads"):
        st.html("".join(f"<p>{word}</p>" for word in words))


def show(
    side: str,
    recipe: Recipe | None,
    name: str,
    engine: Engine,
    corpus: Corpus | None,
    unused: Mapping[str, str],
) -> None:
    """Recipe A or B: its name, a cell for each stage, and its score on the corpus.

    The columns are the style's (:data:`WIDTHS`): columns of Streamlit are elements of their own, and a
    browser takes as long for one as for a button.
    """
    with st.container(key=f"row-{side}", horizontal=True, gap=None, wrap=False):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
            _name(side, recipe, name)
        if recipe is None:
            return
        for stage in SHOWN:
            _cell(side, stage, recipe, engine, reason(unused, side, stage))
        with st.container(key=f"score-{side}"):
            score.show(side, recipe, engine, corpus)


def reason(unused: Mapping[str, str], side: str, stage: str) -> str:
    """Why a page does not use a cell; empty when it does."""
    return next((unused[key] for key in (side, stage, f"{side}.{stage}") if key in unused), "")


def differing(a: Recipe | None, b: Recipe | None) -> list[str]:
    """The stages at which B differs from A."""
    if a is None or b is None:
        return []
    return [stage for stage in SHOWN if getattr(a, stage) != getattr(b, stage)]


def at_default(recipe: Recipe | None) -> list[str]:
    """The stages at which a recipe is the plain mean pooling that one arrives with."""
    plain = Recipe.parse(state.DEFAULTS["a"])
    return [] if recipe is None else [s for s in SHOWN if getattr(recipe, s) == getattr(plain, s)]


def _name(side: str, recipe: Recipe | None, name: str) -> None:
    """The letter, B's switch, and the name, which opens the recipe's menu."""
    if side == "b":
        st.session_state["b.on"] = st.session_state.get("b", state.DEFAULTS["b"]).strip() not in (
            "",
            "none",
        )
        st.toggle(
            "Compare with recipe B", key="b.on", on_change=state.switch_b, label_visibility="collapsed"
        )
    is_off = side == "b" and recipe is None and not st.session_state["b.on"]
    text = "Compare with a recipe B" if is_off else name or "cannot be read"
    st.button(
        f"**{side.upper()}** {escape(text)}",
        key=f"cell-{side}",
        type="tertiary",
        on_click=editor.toggle,
        args=(side,),
        help=f"Recipe {side.upper()}: presets, text form, name, copy, swap, reset, undo",
    )


def _cell(side: str, stage: str, recipe: Recipe, engine: Engine, reason: str) -> None:
    """One stage's value; a click opens its editor."""
    text = value_name(STAGES[stage], getattr(recipe, stage))
    if stage == SOURCE.name:
        text = _model(recipe, engine) or text
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    st.button(
        escape(short),
        key=f"cell-{side}-{stage}",
        type="tertiary",
        on_click=editor.toggle,
        args=(f"{side}.{stage}",),
        help=f"{stage}={STAGES[stage].text(getattr(recipe, stage))}" + (f" · {reason}" if reason else ""),
    )


def _model(recipe: Recipe, engine: Engine) -> str:
    """The name of the recipe's model; empty when it is not here or is no model."""
    try:
        source = engine.source(recipe)
    except StrataError:
        return ""
    return source.name if source.is_model else ""
