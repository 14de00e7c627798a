"""The corpus menu: which corpus, which split, what is read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from components import bring_pairs, held
from components.cached import shared_engine
from components.corpus import choice, splits, words
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.hub import out_of_reach

MENU = "corpus.menu"
"""Key of the menu: whether it is open."""

TYPED = "corpus.typed"
"""Beginning of the key of the box in which a name is typed."""

GROUPS = "corpus.groups"
"""Key of the part of the menu that holds the corpora."""


def show(
    engine: Engine, corpus: Corpus | None, recipe: Recipe | None = None, *, unused: str = ""
) -> Corpus | None:
    """The menu behind one button that says the chosen ``corpus`` and how many pairs it has.

    ``recipe`` says by which model a corpus is read, ``unused`` why the page does not use it. Gives the
    corpus as the control of its split says; None where it cannot be read.
    """
    name = choice.named()
    shown = choice.shown(engine, name)
    menu = st.popover(
        words.label(corpus, shown, is_used=not unused),
        icon=":material/database:",
        key=MENU,
        on_change="rerun",
        help=escape(unused) or "The scored pairs",
    )
    with menu:
        if unused:
            st.caption(f":material/visibility_off: **No effect on this page.** {escape(unused)}")
        first = st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
        )
        with st.container(key=GROUPS, gap="small"):
            _groups(engine, recipe, shown, described=bool(menu.open))
        st.text_input(
            "By name, as a link says it",
            value=name,
            key=f"{TYPED}/{name}",
            on_change=_take_typed,
            args=(name,),
            help="Built in, of the data folder, of the hub, or brought by a visitor.",
        )
        with first:
            corpus = _split(engine, shown)
            bring_pairs.button(engine, on_click=_close)
    choice.explain_in_link(engine, name)
    return corpus


def _split(engine: Engine, name: str) -> Corpus | None:
    """The control for the split; the corpus as it says, None where it cannot be read."""
    try:
        return engine.corpus(name, splits.control(engine.corpus(name, "all")))
    except StrataError:
        return None


def _groups(engine: Engine, recipe: Recipe | None, name: str, *, described: bool) -> None:
    """The corpora that are here, and those that need the network; ``described`` counts their pairs.

    The groups stand in a closed menu too: without them the name below would lose its place, and its value.
    """
    offered = [entry for entry in engine.catalogue.offered() if entry.kind == "pairs"]
    hub = {entry.name for entry in offered if entry.from_hub and not engine.catalogue.is_here(entry.name)}
    brought = st.session_state.get(bring_pairs.KEPT.brought, [])
    brought = [one for one in brought if choice.is_known(engine, one)]
    titles = {entry.name: entry.name for entry in offered if entry.name not in hub}
    titles |= {one: engine.catalogue.title(one) for one in (*brought, name) if one not in {*titles, *hub}}
    about = {one: words.about(engine, recipe, one) for one in titles} if described else {}
    _group("Here", _distinct(titles), name, about)
    if hub:
        away = out_of_reach()
        label = "From the hub, which is out of reach" if away else "From the hub (needs network)"
        _group(label, {one: one for one in sorted(hub)}, name, disabled=away, horizontal=True)
        if described and (printed := words.printed(sorted(hub))):
            st.caption(escape(printed))


def _distinct(titles: Mapping[str, str]) -> dict[str, str]:
    """Titles of corpora by their names, each with its name where another has the same title."""
    count = Counter(titles.values())
    return {one: title if count[title] == 1 else f"{title} ({one})" for one, title in titles.items()}


def _group(
    label: str,
    labels: Mapping[str, str],
    name: str,
    about: Mapping[str, str] | None = None,
    *,
    disabled: bool = False,
    horizontal: bool = False,
) -> None:
    """Some corpora to choose from; the choice is written into the text field.

    What is said ``about`` them may change while the menu is open. It is no part of the labels: with other
    labels it would be another control, and a click on the one before would be lost.
    """
    names = list(labels)
    key = f"corpus.{label}/{name}/{' / '.join(labels.values())}"  # other labels, another control

    def choose() -> None:
        _go_on_to(str(st.session_state[key]), name)
        _close()

    st.radio(
        label,
        names,
        index=names.index(name) if name in names else None,
        format_func=lambda one: escape(labels[one]),
        key=key,
        on_change=choose,
        disabled=disabled,
        horizontal=horizontal,
        captions=[escape(about.get(one, "")) for one in names] if about else None,
    )


def _take_typed(before: str) -> None:
    """The corpus of the name that was typed; nothing where it was emptied, or the page left meanwhile."""
    if typed := str(st.session_state.get(f"{TYPED}/{before}", "")).strip():
        _go_on_to(typed, before)


def _go_on_to(name: str, before: str) -> None:
    """Choose a corpus (a callback): after one without splits, where all was no choice, its first split."""
    engine = shared_engine()
    with suppress(StrataError):
        if not engine.corpus(choice.shown(engine, before), "all").splits:
            held.hold(splits.SPLIT, splits.offered(engine.corpus(choice.shown(engine, name), "all"))[1])
    held.hold(choice.CORPUS, name)


def _close() -> None:
    held.hold(MENU, False)
