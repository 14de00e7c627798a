"""The corpus menu, the same on every page: which corpus, which split, what is read of it.

A text field holds what a link names the corpus by, and is the one source of truth: the menu writes into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import parse_qs

import streamlit as st

from components import bring_pairs, held, hub_download, link, provenance
from components.cached import shared_engine
from components.controls import segments, take_out
from components.streamlit_inside import this_run
from components.text import escape, option
from core.corpora.built_in import DEMO
from core.corpora.corpus import Corpus
from core.corpora.uploads import is_brought
from core.errors import StrataError, counted, shorten
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.hub import DownloadRequiredError, out_of_reach

CORPUS, SPLIT = "corpus", "split"
"""Keys of the corpus and its split, and their query parameters."""

MENU = "corpus.menu"
"""Key of the menu: whether it is open."""

BOUND = "corpus.bound"
"""Key of the hidden place of the name: in a closed menu the browser would go on sending the one before."""

TYPED = "corpus.typed"
"""Beginning of the key of the box in which a name is typed."""

GROUPS = "corpus.groups"
"""Key of the part of the menu that holds the corpora."""

_WAITING = "corpus.waiting"
"""Key of a corpus that is not here, and the split that is said of it."""

LARGE = 5_000_000
"""Bytes of a file from which on its pairs are not counted for the menu."""


def chosen(engine: Engine) -> Corpus | None:
    """Draw the hidden field that names the corpus; the corpus, or None where it cannot be read.

    :func:`unread` says why there is none.
    """
    _let_split_wait(engine, _named())
    with st.container(key=BOUND):
        name = st.text_input("Corpus", value=DEMO, key=CORPUS, bind="query-params", persist_state="session")
    return _corpus(engine, str(name), _asked_split())


def show(
    engine: Engine, corpus: Corpus | None, recipe: Recipe | None = None, *, unused: str = ""
) -> Corpus | None:
    """The menu behind one button that says the :func:`chosen` ``corpus`` and how many pairs it has.

    ``recipe`` says by which model a corpus is read, ``unused`` why the page does not use it. Gives the
    corpus as the control of its split says; None where it cannot be read.
    """
    name = _named()
    menu = st.popover(
        _label(corpus, _shown(engine, name), is_used=not unused),
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
            _groups(engine, recipe, _shown(engine, name), described=bool(menu.open))
        st.text_input(
            "By name, as a link says it",
            value=name,
            key=f"{TYPED}/{name}",
            on_change=_take_typed,
            args=(name,),
            help="Built in, of the data folder, of the hub, or brought by a visitor.",
        )
        with first:
            corpus = _corpus(engine, name, _split(engine, _shown(engine, name)))
            bring_pairs.button(engine, on_click=_close)
    if not _is_known(engine, name):
        link.explain(CORPUS, _why_not_here(engine, name))
        link.explain(SPLIT)
    return corpus


def now(engine: Engine) -> str:
    """The name of the corpus that is chosen, before the menu is drawn."""
    return _shown(engine, _named())


def unread() -> None:
    """Why there is no corpus, in the page: a question before a download, or the reason and what to do."""
    engine = shared_engine()
    name = _shown(engine, str(st.session_state.get(CORPUS, DEMO)))
    try:
        engine.corpus(name, "all")
    except DownloadRequiredError as error:
        hub_download.show(error, "corpus")
    except StrataError as error:
        st.info(
            f"**{escape(name)} cannot be read.** {escape(str(error))} The corpus menu has others, and "
            "takes pairs of yours (Bring pairs).",
            icon=":material/database_off:",
        )


def _named() -> str:
    """What a link names the corpus by; pairs that were just brought are it from now on."""
    if brought := st.session_state.pop(bring_pairs.KEPT.chosen, None):
        held.hold(CORPUS, brought)
    return str(st.session_state.get(CORPUS, st.query_params.get(CORPUS, DEMO)))


def _why_not_here(engine: Engine, name: str) -> str:
    """What is shown in the place of a corpus, and how it comes here."""
    why = f"The link names a corpus {shorten(name)} that is not here; showing {DEMO}."
    if not is_brought(name) or engine.uploads.closed:
        return why
    return (
        f"{why} It is a table that somebody brought: bring the same file, with the same name, columns and "
        "scale (Bring pairs), and the link works here too."
    )


def _let_split_wait(engine: Engine, name: str) -> None:
    """Keep a split that is said of a corpus that is not here until it is; what is shown has its own."""
    waiting, known = st.session_state.get(_WAITING), _is_known(engine, name)
    if waiting is not None and known:
        del st.session_state[_WAITING]
        if waiting[0] == name and waiting[1]:
            held.hold(SPLIT, waiting[1])
    elif not known and (waiting is None or waiting[0] != name):
        st.session_state[_WAITING] = name, st.session_state.get(SPLIT, st.query_params.get(SPLIT))
        take_out(SPLIT)
        if SPLIT in st.session_state:
            held.hold(SPLIT, _splits(engine.corpus(DEMO, "all"))[1])


def _is_known(engine: Engine, name: str) -> bool:
    """Whether a link may name the corpus."""
    return engine.catalogue.holds(name)


def _shown(engine: Engine, name: str) -> str:
    """The corpus that is shown for a name."""
    return name if _is_known(engine, name) else DEMO


def _asked_split() -> str | None:
    """The split that the control says, or else the address; that where the visitor went back or forward."""
    if this_run.goes_through_history():
        return parse_qs(this_run.query_string()).get(SPLIT, [None])[-1]
    return st.session_state.get(SPLIT, st.query_params.get(SPLIT))


def _corpus(engine: Engine, name: str, split: str | None) -> Corpus | None:
    """A split of a corpus, the one shown first where there is none of that name; None if unreadable.

    An address says a split as the control shows it.
    """
    try:
        splits, start = _splits(engine.corpus(_shown(engine, name), "all"))
        found = next((one for one in splits if split in (one, option(one))), start)
        return engine.corpus(_shown(engine, name), found)
    except StrataError:
        return None


def _splits(whole: Corpus) -> tuple[list[str], str]:
    """The splits that are offered, and the one that is shown first."""
    splits = [*whole.splits, "all"] if whole.splits else ["all"]
    return splits, "test" if "test" in splits else splits[0]


def _split(engine: Engine, name: str) -> str | None:
    """The control for the split of a corpus."""
    try:
        splits, start = _splits(engine.corpus(name, "all"))
    except StrataError:
        return None
    return segments("Split", splits, SPLIT, start, persist_state="session", format_func=option)


def _groups(engine: Engine, recipe: Recipe | None, name: str, *, described: bool) -> None:
    """The corpora that are here, and those that need the network; ``described`` counts their pairs.

    The groups stand in a closed menu too: without them the name below would lose its place, and its value.
    """
    offered = [entry for entry in engine.catalogue.offered() if entry.kind == "pairs"]
    hub = {entry.name for entry in offered if entry.from_hub and not engine.catalogue.is_here(entry.name)}
    brought = [one for one in st.session_state.get(bring_pairs.KEPT.brought, []) if _is_known(engine, one)]
    titles = {entry.name: entry.name for entry in offered if entry.name not in hub}
    titles |= {one: engine.catalogue.title(one) for one in (*brought, name) if one not in {*titles, *hub}}
    about = {one: _about(engine, recipe, one) for one in titles} if described else {}
    _group("Here", _distinct(titles), name, about)
    if hub:
        away = out_of_reach()
        label = "From the hub, which is out of reach" if away else "From the hub (needs network)"
        _group(label, {one: one for one in sorted(hub)}, name, disabled=away, horizontal=True)


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
        if not engine.corpus(_shown(engine, before), "all").splits:
            held.hold(SPLIT, _splits(engine.corpus(_shown(engine, name), "all"))[1])
    held.hold(CORPUS, name)


def _close() -> None:
    held.hold(MENU, False)


def _label(corpus: Corpus | None, asked: str, *, is_used: bool) -> str:
    """``STS-B test · 1,379 pairs``, or what is asked for where it cannot be read.

    The pairs, in grey, are left out of a bar without room for them. The name is struck through where the
    page does not use the corpus, as the bar's cells are.
    """
    name = escape(provenance.split(corpus) if corpus else asked)
    pairs = f" :gray[{escape(f'· {_pairs(corpus)}')}]" if corpus else ""
    return (name if is_used else f"~~{name}~~") + pairs


def _about(engine: Engine, recipe: Recipe | None, name: str) -> str:
    """What the menu says of a corpus that is here."""
    try:
        if (size := engine.catalogue.bytes_of(name)) > LARGE:
            return f"{size / 1e6:,.0f} MB"
        return _extent(engine, recipe, engine.corpus(name))
    except StrataError as error:
        return f"cannot be read: {shorten(error, 80)}"


def _extent(engine: Engine, recipe: Recipe | None, corpus: Corpus) -> str:
    """``1,379 pairs · read``."""
    read = recipe is not None and _is_read(engine, recipe, corpus)
    return f"{_pairs(corpus)}{' · read' if read else ''}"


def _pairs(corpus: Corpus) -> str:
    return counted(len(corpus), "pair")


def _is_read(engine: Engine, recipe: Recipe, corpus: Corpus) -> bool:
    try:
        return engine.is_read(recipe, corpus)
    except StrataError:
        return False
