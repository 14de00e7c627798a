"""The strip under the rows that edits one stage, or a recipe as a whole; which one is in the URL."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import held, present, state
from components.bar import arguments, menu, option_scores, options
from components.bar.control import BOTH, Control, draws
from components.bar.heads import head
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import REFERENCE, SOURCE, STAGES, Recipe
from core.recipe.options import Choice
from core.tokens.weight_inputs import Needs

EDIT = "edit"
"""Query parameter: ``a.layers`` for a stage, ``b`` for recipe B as a whole."""

_OPENED = held.parameter(EDIT)


def opened() -> tuple[str, str]:
    """The side and the stage that are being edited; two empty words when nothing is."""
    side, _, stage = st.query_params.get(EDIT, "").partition(".")
    if side not in state.SIDES or stage not in ("", *STAGES):
        return "", ""
    return side, stage


def unread() -> str:
    """What the link wants to edit and is not there; empty when all is well."""
    text = st.query_params.get(EDIT, "")
    return text if text and not opened()[0] else ""


def open_or_close(place: str) -> None:
    """Open the editor for ``a.layers``, or close it where it is open there (a callback)."""
    held.hold(_OPENED, "" if held.now(_OPENED) == place else place)


def close() -> None:
    """Close the editor (a callback)."""
    held.hold(_OPENED, "")


def show(
    recipes: dict[str, Recipe | None],
    engine: Engine,
    corpus: Corpus | None,
    unused: Mapping[str, Mapping[str, str]],
    averaged: str = "",
) -> None:
    """The editor of the cell that is open, if one is; presets and options say their score on ``corpus``.

    ``unused`` gives by side the stages that the page does not use, with the reason, which it tells. With
    ``averaged``, a stage, the reference is chosen beside its options whichever is: the page averages it.
    """
    side, stage = opened()
    recipe = recipes.get(side)
    is_here = bool(side) and (not stage or recipe is not None)
    draws(f"{side}.{stage}" if is_here else "")
    if not is_here:
        return
    letter = f":{'blue' if side == 'a' else 'orange'}-badge[{side.upper()}]"
    with st.container(key="editor", horizontal=True, vertical_alignment="top", gap="small", wrap=False):
        with st.container(width=200, gap=None):
            st.markdown(f"{letter} **{head(stage) or 'recipe'}**")
            st.caption(_asked(stage) if stage else "Presets, text form, and more.")
        with st.container(gap="xsmall"):
            if reason := unused[side].get(stage):
                st.caption(f":material/visibility_off: **No effect on this page.** {escape(reason)}")
            if recipe is not None and stage:
                other = recipes[state.other(side)]
                _stages(side, stage, recipe, other, engine, corpus, always=stage == averaged)
            else:
                menu.show(side, recipes, engine, corpus)
                menu.sheet(side, open_or_close)
        presenting = st.session_state.get(present.KEY)
        st.button(
            "Close",
            icon=":material/close:",
            type="tertiary",
            key="edit.close",
            shortcut=None if presenting else "Escape",
            on_click=close,
        )


def _asked(stage: str) -> str:
    """What a stage decides, and what a click on one of its options does."""
    return f"{STAGES[stage].question} {options.click(STAGES[stage])}".rstrip()


def control(recipes: Mapping[str, Recipe | None]) -> Control | None:
    """The stage that is being edited, of one of these recipes by side; None where it is none of theirs."""
    side, stage = opened()
    recipe = recipes.get(side)
    return Control(side, STAGES[stage], recipe) if recipe is not None and stage else None


def _stages(
    side: str,
    stage: str,
    recipe: Recipe,
    other: Recipe | None,
    engine: Engine,
    corpus: Corpus | None,
    *,
    always: bool,
) -> None:
    """The controls of a stage, and those of the reference ``always`` or where it may learn from it."""
    control = Control(side, STAGES[stage], recipe, other, f"{side}.{stage}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        options.show(control, engine)
        for choice in control.chosen:
            arguments.show(control, choice, _heads(engine, control, choice))
        if control.stage is SOURCE and other is not None:
            st.session_state.setdefault(BOTH, recipe.source == other.source)
            st.checkbox("for A and B", key=BOTH)
        if always or _reads_reference(control):
            options.show(Control(side, REFERENCE, recipe, editor=control.editor), engine)
    st.caption(" · ".join(_explained(control)) or "Nothing is done.")
    option_scores.show(control, engine, corpus)


def _heads(engine: Engine, control: Control, choice: Choice) -> dict[str, int]:
    """How many blocks, and heads in each, the recipe's model has, for an option that takes one head."""
    if getattr(control.option(choice), "needs", None) is not Needs.DIAGONALS:
        return {}
    try:
        source = engine.source(control.recipe)
    except StrataError:  # the page says why
        return {}
    return {"layer": source.location.depth, "head": source.location.heads} if source.is_model else {}


def _explained(control: Control) -> list[str]:
    """What the chosen options do; what is said of several is said once."""
    titles: dict[str, list[str]] = {}
    for choice in control.chosen:
        option = control.option(choice)
        title = control.stage.text((choice,) if control.stage.many else choice)
        titles.setdefault(option.explanation, []).append(title if control.is_free(choice) else option.title)
    return [
        f"**{escape(', '.join(dict.fromkeys(of)))}:** {escape(_without(of[0], explanation))}"
        for explanation, of in titles.items()
    ]


def _without(title: str, explanation: str) -> str:
    """An explanation that does not begin with the title of its option."""
    begins = explanation.casefold().startswith(f"{title.casefold()}: ")
    return explanation[len(title) + 2 :] if begins else explanation


def _reads_reference(control: Control) -> bool:
    return any(
        control.stage.fit(choice) == "reference" or getattr(control.option(choice), "reference", False)
        for choice in control.chosen
        if not control.lacks_argument(choice)
    )
