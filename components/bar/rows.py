"""The grid of the bar: the stages as column heads, and a recipe as a row of cells."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import state
from components.bar import cells, editor, score
from components.bar.heads import head
from components.figures.labels import NAME, cut_distinct
from components.text import escape
from core.corpora.corpus import Corpus
from core.pipeline.engine import Engine
from core.recipe import LAYERS, SOURCE, Recipe
from core.recipe.in_vain import idle

NARROW = "The window is too narrow for the stages of a recipe: its name opens them."
"""What stands in the place of the column heads in a small window."""

WIDTHS = (2.3, *cells.WIDTHS, 1.1)
"""Widths of the columns: the name, a cell for each stage, and the score."""


def heads() -> None:
    """The stages from sentences to a score, over the columns; a small window has neither, and says so."""
    words = ["sentences →", *(f"{head(name)} →" for name in cells.SHOWN), "score"]
    with st.container(key="heads"):
        st.html("".join(f"<p>{word}</p>" for word in words) + f'<p class="narrow">{NARROW}</p>')


def told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """The names as rows show them, by side.

    Names that begin alike for longer than a row has room are cut before the step at which they part; others
    are whole, and the browser cuts what is too long for a window.
    """
    cut = cut_distinct(list(names.values()), NAME)
    different = {*names.values()}
    alike = len({name[:NAME] for name in different}) < len(different)
    return dict(zip(names, cut, strict=True)) if alike else dict(names)


def show(
    side: str,
    recipe: Recipe | None,
    names: Mapping[str, str],
    engine: Engine,
    corpus: Corpus | None,
    marks: cells.Marks,
    *,
    has_reference: bool,
) -> None:
    """Recipe A or B: its name of ``names``, a cell for each stage, and its score on the corpus.

    ``has_reference`` says whether what it learns from is at hand, without which there is no score.

    The columns are the style's (:data:`WIDTHS`): columns of Streamlit are elements of their own, and a
    browser takes as long for one as for a button.
    """
    with st.container(key=f"row-{side}", horizontal=True, gap=None, wrap=False):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
            _name(side, recipe, names)
        if recipe is None:
            return
        cells.show(side, recipe, engine, marks)
        with st.container(key=f"score-{side}"):
            score.show(recipe, engine, corpus, has_reference=has_reference)


def marks(
    side: str, a: Recipe | None, b: Recipe | None, unused: Mapping[str, str], opened: str
) -> cells.Marks:
    """How the cells of a side look.

    ``unused`` gives the reason for each side (``b``), stage (``weight``) or cell (``b.weight``) that the
    page does not use, ``opened`` is the cell that is being edited.
    """
    recipe = a if side == "a" else b
    reasons = {stage: _reason(unused, side, stage) or _ignored(recipe, stage) for stage in cells.SHOWN}
    return cells.Marks(
        plain=frozenset(at_default(recipe)),
        differing=frozenset(differing(a, b) if side == "b" else ()),
        unused={stage: reason for stage, reason in reasons.items() if reason},
        opened=opened.removeprefix(f"{side}.") if opened.startswith(f"{side}.") else "",
    )


def differing(a: Recipe | None, b: Recipe | None) -> list[str]:
    """The stages at which B differs from A."""
    if a is None or b is None:
        return []
    return [stage for stage in cells.SHOWN if getattr(a, stage) != getattr(b, stage)]


def at_default(recipe: Recipe | None) -> list[str]:
    """The stages at which a recipe is the plain mean pooling that one arrives with."""
    plain = Recipe.parse(state.DEFAULTS["a"])
    if recipe is None:
        return []
    return [stage for stage in cells.SHOWN if getattr(recipe, stage) == getattr(plain, stage)]


def _reason(unused: Mapping[str, str], side: str, stage: str) -> str:
    """Why a page does not use a cell; empty when it does."""
    return next((unused[key] for key in (side, stage, f"{side}.{stage}") if key in unused), "")


def _ignored(recipe: Recipe | None, stage: str) -> str:
    """Why a recipe's own value of a stage changes nothing; empty when it does."""
    if recipe is None:
        return ""
    source = SOURCE.find(recipe.source)
    if stage == LAYERS.name and not source.layered:
        return f"source={source.name} has one layer."
    return idle(recipe).get(stage, "")


def _name(side: str, recipe: Recipe | None, names: Mapping[str, str]) -> None:
    """The letter, B's switch, and the name, which opens the recipe's menu."""
    if side == "b":
        state.follow(state.SWITCH, state.b_is_on())
        st.toggle(
            "Compare with recipe B",
            value=state.b_is_on(),  # for a browser that missed what a broken-off run gave
            key=state.SWITCH,
            on_change=state.switch_b,
            label_visibility="collapsed",
        )
    is_off = side == "b" and recipe is None and not state.b_is_on()
    text = "Compare with a recipe B" if is_off else told_apart(names).get(side, "cannot be read")
    whole = f" ({escape(names[side])})" if side in names else ""
    st.button(
        f"**{side.upper()}** {escape(text)}",
        key=f"cell-{side}",
        type="tertiary",
        on_click=editor.open_or_close,
        args=(side,),
        help=f"Recipe {side.upper()}{whole}: presets, text form, name, copy, swap, reset, undo",
    )
