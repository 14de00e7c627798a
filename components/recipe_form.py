"""Controls for a recipe, made from the recipe's own description of its options.

A recipe is shown as chips, one per stage; a chip opens the stage's options with their arguments. The
text box below holds the same recipe and is the one source of truth: chips write into it. Nothing here
names an option, so a newly registered one appears by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components import state
from components.text import escape
from core.embed import Road
from core.errors import StrataError
from core.models import available
from core.options import Argument, Choice, Option, Stage, Value
from core.presets import PRESETS
from core.recipe import LAYERS, REFERENCE, SOURCE, STAGES, Recipe

LETTER = {"a": ":blue-badge[A]", "b": ":orange-badge[B]"}


def show(side: str, road: Road) -> Recipe | None:
    """The controls of recipe A or B, and the recipe they stand for.

    None when B is switched off, or when the text cannot be read (then the error stands beside it).
    """
    above = st.container(gap="small")
    text = st.text_input(
        f"Recipe {side.upper()} as text",
        value=state.DEFAULTS[side],
        key=side,
        bind="query-params",
        label_visibility="collapsed",
        placeholder="none" if side == "b" else "layers=last",
        help="stage=value joined by ';'. What is left out is at its default."
        + (" Write none to see A alone." if side == "b" else ""),
    )
    problem = st.session_state.pop(f"{side}.problem", "")
    recipe = None
    try:
        recipe = state.read(side, text or "")
    except StrataError as error:
        problem = str(error)
    if problem:
        st.error(escape(problem), icon=":material/error:")
    with above:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"{LETTER[side]} **Recipe {side.upper()}**")
            _presets(side, recipe or Recipe())
        if recipe is not None:
            with st.container(horizontal=True, gap="xsmall"):
                for stage in STAGES.values():
                    if len(stage.options) > 1 or stage.bare is not None:
                        _chip(_Control(side, stage, recipe, road))
    return recipe


def _presets(side: str, recipe: Recipe) -> None:
    """A menu of published recipes; taking one keeps the model of ``recipe``."""
    names = [preset.name for preset in PRESETS]
    families = {preset.name: preset.family for preset in PRESETS}
    key = f"{side}.preset.{recipe}"

    def apply() -> None:
        chosen = PRESETS[names.index(st.session_state[key])]
        state.put(side, chosen.apply(recipe))

    st.selectbox(
        f"Preset for recipe {side.upper()}",
        names,
        index=None,
        placeholder="Presets …",
        key=key,
        format_func=lambda name: f"{families[name]}: {name}",
        on_change=apply,
        label_visibility="collapsed",
    )


@dataclass(frozen=True)
class _Control:
    """The controls of one stage of one recipe."""

    side: str
    stage: Stage
    recipe: Recipe
    road: Road

    @property
    def chosen(self) -> tuple[Choice, ...]:
        value = getattr(self.recipe, self.stage.name)
        return value if self.stage.many else (value,)

    @property
    def text(self) -> str:
        return self.stage.text(getattr(self.recipe, self.stage.name))

    def key(self, *parts: str) -> str:
        """A widget's key; it holds the stage's value, so that the widget follows the text box."""
        return "/".join((self.side, self.stage.name, self.text, *parts))

    def name(self, choice: Choice) -> str:
        """An option's name in the menu; what a free text says stands for itself."""
        bare = self.stage.bare
        is_bare = bare is not None and choice.name == bare.name
        return str(choice.arguments[0][1]) if is_bare else choice.name

    def menu(self) -> list[str]:
        """The options, and what suggests itself as free text."""
        suggested = _suggestions(self.stage, self.recipe, self.road)
        return list(dict.fromkeys([*self.stage.options, *suggested, *map(self.name, self.chosen)]))

    def explain(self, name: str) -> str:
        """An option's name with its explanation."""
        option = self.stage.options.get(name)
        return f"{name} — {option.explanation}" if option else name

    def apply(self) -> None:
        """Write what the widgets say into the recipe; an error is shown beside the text box."""
        picked = st.session_state[self.key("options")]
        names = list(picked) if self.stage.many else [picked]
        try:
            parts = [self._read(str(name)) for name in names if name is not None]
            value = self.stage.check(tuple(parts) if self.stage.many else parts[0])
            state.put(self.side, self.recipe.replace(**{self.stage.name: self.stage.text(value)}))
        except (StrataError, IndexError) as error:
            st.session_state[f"{self.side}.problem"] = str(error) or "Nothing was chosen."

    def _read(self, name: str) -> Choice:
        option = self.stage.options.get(name)
        if option is None:
            return choice(self.stage, name)
        before = dict(next((c.arguments for c in self.chosen if c.name == name), ()))
        found: dict[str, Value] = {}
        for argument in option.arguments.values():
            default = before.get(argument.name, argument.default)
            found[argument.name] = st.session_state.get(self.key(name, argument.name), default)
        return Choice(name, tuple(found.items()))


def choice(stage: Stage, picked: str) -> Choice:
    """What a menu entry or a typed text stands for: an option by name, else free text as it is."""
    return Choice(picked) if picked in stage.options else stage.parse_free(picked)


def _chip(control: _Control) -> None:
    """One stage: its value, and behind it the options."""
    label = control.text if len(control.text) <= 28 else control.text[:26] + "…"
    with st.popover(f"**{control.stage.name}** {escape(label)}", type="tertiary", width="content"):
        st.markdown(control.stage.question)
        widget = st.multiselect if control.stage.many else st.selectbox
        names = [control.name(choice) for choice in control.chosen]
        menu = control.menu()
        chosen: dict[str, Any] = (
            {"default": names} if control.stage.many else {"index": menu.index(names[0])}
        )
        widget(
            control.stage.question,
            menu,
            key=control.key("options"),
            format_func=control.explain,
            on_change=control.apply,
            accept_new_options=control.stage.bare is not None,
            label_visibility="collapsed",
            **chosen,
        )
        for choice in control.chosen:
            option = control.stage.find(choice)
            st.caption(escape(f"{control.name(choice)}: {option.explanation}"))
            if option is not control.stage.bare:
                _arguments(control, option, dict(choice.arguments))


def _arguments(control: _Control, option: Option, given: dict[str, Value]) -> None:
    for argument in option.arguments.values():
        value = given.get(argument.name, argument.default)
        _argument(control, option.name, argument, value)


def _argument(control: _Control, option: str, argument: Argument, value: Value) -> None:
    """The widget for one argument, by its type."""
    common: dict[str, Any] = {
        "key": control.key(option, argument.name),
        "on_change": control.apply,
        "help": argument.describe(),
    }
    label = f"{option}: {argument.name}"
    if argument.allowed:
        st.segmented_control(label, argument.allowed, default=value, required=True, **common)
    elif argument.type is str:
        st.text_input(label, value=value, **common)
    else:
        whole = argument.type is int
        st.number_input(
            label,
            min_value=argument.type(argument.low),
            max_value=argument.type(argument.high),
            value=None if value is None else argument.type(value),
            step=1 if whole else 0.1,
            placeholder="all" if argument.optional else None,
            **common,
        )


def _suggestions(stage: Stage, recipe: Recipe, road: Road) -> Sequence[str]:
    """Free text worth offering: models on this machine, layer numbers, corpora."""
    if stage is SOURCE:
        return [name for name, _ in available()]
    if stage is REFERENCE:
        return [entry.name for entry in road.catalogue.listed()]
    if stage is LAYERS:
        try:
            depth = max(road.passes.layers(road.source(recipe)))
        except StrataError:
            return []
        return [str(i) for i in range(depth + 1)]
    return []
