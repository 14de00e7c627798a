"""The page Methods: its head, and the method that a visitor chooses."""

from __future__ import annotations

import streamlit as st

from components import chooser, held, link
from components.explain import heading
from components.text import escape
from core.errors import shorten
from core.literature.presets import FAMILIES, PRESETS, SHORTEST_FIRST, Preset, preset_called

WORKED = "SIF"
"""The method one arrives with: it needs nothing, and its weights can be read."""

METHOD = "method"
"""Key of the chosen method, in the session and in the URL."""

MENU = "method.menu"
"""Name of the menu of methods."""

BOUND = "method.bound"
"""Key of the hidden place of the method's name."""

NAMED = {preset.name: preset for preset in PRESETS}
"""The methods by name."""

FAMILY = "family"
"""Key of the chosen family, in the session and in the URL."""


def head() -> None:
    """Title, and how to read the page."""
    heading(
        "Methods",
        "What does each published method do, and what does it score here and in its paper?",
        "Each method is a recipe on the **model and reference of recipe A**; some bring a source of their "
        "own. The score is Spearman × 100 over all pairs, from ten pairs on with a bootstrap interval. "
        "**Published figures are of other models, other texts and often another aggregate or "
        "correlation**: they say where a method stands in its paper, not what it should reach here. The "
        "bundled model is tuned for sentences already: removing directions, whitening or weighting can "
        "hardly help it, while plain BERT, which most papers treat, gains much. Token weights show what "
        "enters the sum, not what the model attends to. Sources stand beside each method.",
    )


def choose() -> Preset:
    """The chosen method. A hidden field holds its name, which is in the URL; the menu writes into it."""
    with st.container(key=BOUND):
        wanted = str(
            st.text_input(
                "Name of the method",
                value=WORKED,
                key=METHOD,
                bind="query-params",
                persist_state="session",
            )
        )
    preset = preset_called(wanted) or NAMED[WORKED]
    if preset_called(wanted) is None:
        link.explain(
            METHOD, f"The link names a method {shorten(wanted)} that is not here; showing {preset.name}."
        )
    names = [one.name for one in SHORTEST_FIRST]
    key = chooser.key(MENU, preset.name)

    def choose() -> None:
        name = st.session_state[key]
        if chooser.makes(MENU, key, name):
            held.hold(METHOD, name)
            if st.session_state.get(FAMILY):
                st.session_state[FAMILY] = NAMED[name].family

    st.selectbox(
        "Method",
        names,
        index=names.index(preset.name),
        format_func=lambda name: NAMED[name].called,
        key=key,
        on_change=choose,
        filter_mode="contains",
        help="Type to search all of them, by any of their names in papers. The table below is the chosen "
        "family's; a method of another family chooses that one.",
    )
    family = st.session_state.get(FAMILY)
    if family not in (None, preset.family):  # as a link may say
        own = f"{escape(preset.name)} is of the family {preset.family}"
        st.caption(f"{own}; the table has the chosen one, {family}.")
    return preset


def choose_family() -> tuple[Preset, ...]:
    """The methods of the chosen family; all of them when none is chosen."""
    family = st.pills(
        "Family",
        FAMILIES,
        key=FAMILY,
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
        on_change=_choose_of_family,
    )
    return of_family(family)


def of_family(family: str | None) -> tuple[Preset, ...]:
    """The methods of a family; all of them for None."""
    return tuple(preset for preset in PRESETS if family in (None, preset.family))


def _choose_of_family() -> None:
    """Have a method of the clicked family shown: the chosen one, else the first that needs nothing."""
    presets = of_family(st.session_state.get(FAMILY))
    if preset_called(str(held.now(METHOD, WORKED))) not in presets:
        held.hold(METHOD, min(presets, key=lambda preset: bool(preset.needs)).name)
