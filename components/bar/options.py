"""The options of a stage as pills: one of them, several in an order, or a set of layers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import held
from components.bar import bring_reference
from components.bar.control import Control
from components.text import escape
from core.corpora.built_in import BUILT_IN_ORIGIN
from core.encoders.models import available
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import LAYERS, REFERENCE, SOURCE, TEMPLATE
from core.recipe.options import Choice, LayerOption, Option
from core.recipe.recipe import AnyStage

LAYER_SETS = ("last", "first+last", "all", "wk")
"""Sets of layers that are one click away; others of the registry follow."""


LONGEST = 40
"""Characters of an option's title."""

REFERENCE_WIDTH = 200
"""Pixels of the menu of references."""

TEXTS = 8
"""Files of texts in the data folder that are offered as a reference, at most; any can be written."""


def show(control: Control, engine: Engine) -> None:
    """The pills of a stage, and a field for free text where it takes any."""
    if control.stage is LAYERS:
        _layers(control, engine)
    elif control.stage.many:
        _several(control)
    elif control.stage is REFERENCE:
        _reference(control, engine)
    else:
        _one(control, engine)
    if control.stage.bare is not None and control.stage not in (LAYERS, REFERENCE):
        _free_text(control, control.stage.bare)
    missing = [option for option in control.stage if not option.installed]
    if missing:
        names = [f"{option.title} (pip install {option.package})" for option in missing]
        st.pills("Not installed", names, disabled=True, key=control.key("missing"), wrap=True)


def click(stage: AnyStage) -> str:
    """What a click on an option of a stage does, in a sentence; empty where there are none to click."""
    if stage is LAYERS:
        return "A box adds a layer or takes it away; a set replaces them."
    if stage.many:
        return "A box adds a step or takes it away."
    return "" if stage is REFERENCE else "A click replaces the option."


def layer_names(control: Control, engine: Engine) -> list[str]:
    """Single layers by name: static, 0 to L, and those that have a word."""
    depth = _depth(control, engine)
    words = [option.name for option in control.stage if not is_set(option, depth)]
    words.sort(key=lambda name: control.stage.options[name].rank)
    before = [name for name in words if control.stage.options[name].rank < 0]
    given = [control.stage.text((choice,)) for choice in control.chosen if control.is_free(choice)]
    numbers = sorted({*range(depth + 1), *map(int, given)})
    return [*before, *map(str, numbers), *(name for name in words if name not in before)]


def set_names(control: Control, engine: Engine) -> list[str]:
    """Sets of layers by name: those that are one click away, then those that are no single layer here."""
    depth = _depth(control, engine)
    others = [option.name for option in control.stage if is_set(option, depth)]
    return list(dict.fromkeys([*LAYER_SETS, *others]))


def is_set(option: LayerOption, depth: int) -> bool:
    """Whether an option of the layers stands for several of them."""
    return option.fuse is not None or len(tuple(option.function(max(depth, 1)))) > 1


def _layers(control: Control, engine: Engine) -> None:
    """Single layers to switch on and off, and sets of them that replace what is chosen."""
    names, depth = layer_names(control, engine), _depth(control, engine)
    chosen = [control.stage.text((choice,)) for choice in control.chosen]
    key = control.follows([name for name in chosen if name in names], "options")

    def put() -> None:
        if not held.is_echo(key):
            control.put(choice for name in st.session_state[key] for choice in control.stage.parse(name))

    st.pills(
        "Layers",
        names,
        selection_mode="multi",
        key=key,
        on_change=put,
        label_visibility="collapsed",
        wrap=True,
    )
    sets = {text: control.stage.parse(text) for text in set_names(control, engine)}
    titles = {_titles(control, choices, depth): choices for choices in sets.values()}
    now = next((title for title, choices in titles.items() if _alike(control, choices)), None)
    picked = control.key("sets", now or "")

    def put_set() -> None:
        if st.session_state[picked] != now:  # else the browser has sent an element that had gone away
            control.put(titles[st.session_state[picked]])

    st.segmented_control(
        "Sets of layers",
        list(titles),
        default=now,
        required=now is not None,
        key=picked,
        on_change=put_set,
        label_visibility="collapsed",
        wrap=True,
    )


_FREE = {SOURCE.name: "Hub id or folder", TEMPLATE.name: "Own template"}
"""Labels of the fields for free text."""


def _titles(control: Control, choices: Sequence[Choice], depth: int) -> str:
    """What a set is called; one of a single layer otherwise than the layer, which stands beside it."""
    chosen = [control.option(choice) for choice in choices]
    titles = "+".join(option.title for option in chosen)
    return titles if len(chosen) > 1 or is_set(chosen[0], depth) else f"{titles} alone"


def _alike(control: Control, choices: Sequence[Choice]) -> bool:
    """Whether choices are what is chosen, whatever its arguments."""
    return control.names(choices) == control.names(control.chosen)


def _several(control: Control) -> None:
    """Steps that follow each other: a new one comes last, and each can be moved forward."""
    key = control.follows(list(dict.fromkeys(choice.name for choice in control.chosen)), "options")

    def put() -> None:
        if held.is_echo(key):
            return
        picked, now = st.session_state[key], control.now()
        kept = [now.with_arguments(choice) for choice in now.chosen if choice.name in picked]
        there = {choice.name for choice in kept}
        new = [now.picked(Choice(name)) for name in picked if name not in there]
        control.put([*kept, *new])

    st.pills(
        "Steps, in the order in which they are picked",
        [option.name for option in control.stage if option.installed or _is_chosen(control, option.name)],
        selection_mode="multi",
        format_func=lambda name: control.stage.options[name].title,
        key=key,
        on_change=put,
        label_visibility="collapsed",
        wrap=True,
    )
    if len(control.chosen) > 1:
        st.button(
            "Last step first",
            key=control.key("turn"),
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=lambda: control.put([control.chosen[-1], *control.chosen[:-1]]),
            help="Steps run from left to right: " + control.text,
        )


def _one(control: Control, engine: Engine) -> None:
    """One option; models of this machine are offered by name."""
    name, titles = _titled(control, engine)
    key = control.follows(name, "options")

    st.pills(
        f"{control.stage.name} ({control.stage.question.rstrip('.').lower()})",
        list(titles),
        required=True,
        format_func=lambda name: escape(titles[name]),
        key=key,
        on_change=_put_text,
        args=(control, key),
        label_visibility="collapsed",
        wrap=True,
    )


def _reference(control: Control, engine: Engine) -> None:
    """The corpora at hand in a menu, into which another one can be written, and a button to bring one.

    They stand on the line of the arguments that ask for a reference.
    """
    name, titles = _titled(control, engine)
    key = control.follows(name, "options")
    about = [control.stage.question, *([control.stage.bare.explanation] if control.stage.bare else [])]

    st.selectbox(
        control.stage.name,
        list(titles),
        format_func=lambda name: titles.get(name, name),
        key=key,
        on_change=_put_text,
        args=(control, key),
        accept_new_options=True,
        filter_mode="contains",
        help=f"{' '.join(about)} Any name or path can be written into the menu.",
        width=REFERENCE_WIDTH,
    )
    bring_reference.button(control, engine)


def _titled(control: Control, engine: Engine) -> tuple[str, dict[str, str]]:
    """The option that is chosen, and all that are offered with their titles."""
    (*_, choice) = control.chosen
    name = control.text if control.is_free(choice) else choice.name
    names = [option.name for option in control.stage if option.installed or option.name == name]
    names = list(dict.fromkeys([*names, *_offered(control, engine), name]))
    titles = {one: _title(control, one) for one in names}
    if control.is_free(choice):
        titles[name] = _own_title(control, engine) or titles[name]
    return name, titles


def _free_text(control: Control, bare: Option) -> None:
    """A field for what is no option: a hub id or folder, a template, a corpus."""
    (argument,) = bare.arguments.values()
    (*_, choice) = control.chosen
    key = control.follows(str(choice.arguments[0][1]) if control.is_free(choice) else "", "free")

    st.text_input(
        _FREE.get(control.stage.name, "Another"),
        placeholder=argument.meaning.strip('"') or None,
        key=key,
        on_change=_put_text,
        args=(control, key),
        help=bare.explanation,
        width=260,
    )


def _put_text(control: Control, key: str) -> None:
    """Write what a control of the stage says, by its key (a callback)."""
    if not held.is_echo(key):
        control.put_text(st.session_state[key])


def _title(control: Control, name: str) -> str:
    option = control.stage.options.get(name)
    text = option.title if option else name.strip('"')
    return text if len(text) <= LONGEST else f"{text[:18]}…{text[-20:]}"


def _own_title(control: Control, engine: Engine) -> str:
    """The name of texts that a visitor brought, whose address is longer; empty for any other choice."""
    if control.stage is not REFERENCE:
        return ""
    try:
        texts = engine.references.as_given(control.recipe)
    except StrataError:
        return ""
    return texts.name if texts.address and len(texts.name) <= LONGEST else ""


def _is_chosen(control: Control, name: str) -> bool:
    return any(choice.name == name for choice in control.chosen)


def _depth(control: Control, engine: Engine) -> int:
    """The number of blocks of the recipe's model; 0 when it is not known, as what it learns from is not."""
    try:
        if not engine.references.at_hand(control.recipe):
            return 0
        return max(engine.source(control.recipe).layers)
    except StrataError:
        return 0


def _offered(control: Control, engine: Engine) -> list[str]:
    """Free text worth offering."""
    if control.stage is SOURCE:
        return [control.stage.text(control.stage.parse_free(name)) for name, _ in _folders(control, engine)]
    if control.stage is REFERENCE:
        listed = engine.catalogue.listed()
        texts = [entry.name for entry in listed if entry.kind == "texts"]
        built_in = [entry.name for entry in listed if entry.origin == BUILT_IN_ORIGIN]
        return list(dict.fromkeys([*built_in, *texts[:TEXTS]]))
    return []


def _folders(control: Control, engine: Engine) -> list[tuple[str, str]]:
    """Models of this machine that are no option by themselves."""
    return [
        (name, place)
        for name, place in available(engine.settings.trust)
        if name not in control.stage.options
    ]
