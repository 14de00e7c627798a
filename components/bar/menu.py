"""A recipe as a whole: its name, presets, the text form, and what is done with both recipes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from components import names, state
from components.bar import preset_scores
from components.bar.heads import head
from core.corpora.corpus import Corpus
from core.literature.presets import PRESETS, Preset
from core.pipeline.engine import Engine
from core.recipe import SOURCE, STAGES, Recipe

TEXT = "Recipe {} as text"
"""Label of the text form of a recipe."""


def text_form(side: str) -> str:
    """The text form of a recipe, the one source of truth that all controls write into; and its name.

    They stand on every page, hidden unless the recipe's menu is open.
    """
    with st.container(key=f"text-{side}", horizontal=True, gap="small"):
        text = st.text_input(
            TEXT.format(side.upper()),
            value=state.DEFAULTS[side],
            key=side,
            bind="query-params",
            persist_state="session",
            placeholder="none" if side == "b" else "layers=first+last",
            help="stage=value joined by ';'. What is left out is at its default, the model too: "
            f"without source= it is source={SOURCE.text(Recipe().source)}."
            + (" Write none to see A alone." if side == "b" else ""),
        )
        names.rename(side)
    return text or ""


def show(side: str, recipes: dict[str, Recipe | None], engine: Engine, corpus: Corpus | None) -> None:
    """Presets with their scores on ``corpus`` where they are known, and copy, swap, reset and undo."""
    target = state.other(side)
    beside = recipes[target]
    recipe = recipes[side] or (beside.as_read() if beside else Recipe())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _presets(side, recipe, preset_scores.show(engine, recipe, corpus))
        st.button(
            f"Copy to {target.upper()}",
            key=f"{side}.copy",
            icon=":material/content_copy:",
            on_click=_copy,
            args=(side, target),
            disabled=recipes[side] is None,
        )
        st.button(
            "Swap",
            key=f"{side}.swap",
            icon=":material/swap_vert:",
            on_click=state.swap,
            disabled=None in recipes.values(),
            help="Exchange A and B",
        )
        st.button(
            "Reset",
            key=f"{side}.reset",
            icon=":material/restart_alt:",
            on_click=state.put,
            args=(side, Recipe.parse(state.DEFAULTS[side])),
            help="The recipe one arrives with",
        )
        st.button(
            "Undo",
            key=f"{side}.undo",
            icon=":material/undo:",
            on_click=state.undo,
            disabled=not state.can_undo(),
            help="Take the latest change of A or B back",
        )


def _copy(side: str, target: str) -> None:
    """Copy a recipe as it is now (a callback): since it was drawn, another one may have been chosen."""
    if (recipe := state.now(side)) is not None:
        state.put(target, recipe)


def sheet(side: str, open_editor: Callable[[str], None]) -> None:
    """A button for each stage: small windows have no cells."""
    with st.container(key="sheet", horizontal=True, gap="xsmall"):
        for stage in STAGES:
            st.button(
                head(stage), key=f"sheet.{side}.{stage}", on_click=open_editor, args=(f"{side}.{stage}",)
            )


def _presets(side: str, recipe: Recipe, scores: Mapping[str, str]) -> None:
    """A menu of published recipes; taking one keeps the model of ``recipe``."""
    by_name = {preset.name: preset for preset in PRESETS}
    key = f"{side}.preset.{recipe}"

    def apply() -> None:
        if chosen := st.session_state[key]:  # None where the menu was cleared
            state.put(side, by_name[chosen].apply(state.now(side) or recipe))

    st.selectbox(
        "Preset",
        by_name,
        index=None,
        placeholder="Take a published recipe …",
        key=key,
        format_func=lambda name: describe(by_name[name], scores.get(name, "")),
        on_change=apply,
        width=460,
        filter_mode="contains",
        help="Published recipes, taken with the model of this one, or of the other where this one is off. "
        "Beside them stands Spearman × 100 on "
        "the corpus of the page, over all pairs; without ± no interval was computed.",
    )


def describe(preset: Preset, score: str = "") -> str:
    """A preset in a menu: name, score here where it is known, year, family, needs, and its other names."""
    needs = f" · needs {preset.needs.partition(':')[0]}" if preset.needs else ""
    here = f" · {score} here" if score else ""
    also = f" · {', '.join(preset.aliases)}" if preset.aliases else ""
    return f"{preset.name}{here} · {preset.year} · {preset.family}{needs}{also}"
