"""The bar, the same on every page: corpus, recipe A and recipe B."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import errors, held, hub_download, later, link, names, state
from components.bar import cells, editor, menu, references, rows, score, style, top
from components.corpus import choice as corpus_choice
from components.ending import end_page
from components.streamlit_inside import this_run, values
from components.text import escape
from core.corpora.corpus import Corpus
from core.errors import StrataError, shorten
from core.pipeline.engine import Engine
from core.recipe import Recipe
from core.storage.hub import DownloadRequiredError

NOTHING: Mapping[str, str] = {}

_SHOWN = "bar.shown"
"""Key of what the latest run found in the bar: its page, what is open, the corpus, and the recipes."""

_CONTROLS = "bar.controls"
"""Key of the page of the latest run, and the identities of the controls that its bar has had."""


def show(
    engine: Engine, *, corpus: bool, unused: Mapping[str, str] = NOTHING, averaged: str = ""
) -> tuple[Corpus | None, Recipe | None, Recipe | None]:
    """The whole bar; what it says: the corpus, recipe A and recipe B.

    ``corpus`` says whether the page uses one. Each is None when it is not used, switched off or cannot be
    read; then the reason stands under the bar. A page that uses one ends here until what its recipes learn
    from is ready. ``unused`` gives the reason for each side (``b``), stage (``weight``) or cell
    (``b.weight``) that the page does not use, and for the ``corpus``. ``averaged`` is a stage whose editor
    offers the reference whatever is chosen there, as the page averages it.
    """
    asked = _asks_something()
    whole, reasons = st.container(key="bar", gap=None), st.container()
    link.warn_here()
    waits, models = st.container(), st.container()  # in every run: what stands below keeps its place
    with whole, _of_the_bar():
        places = {name: st.container(gap=None) for name in ("top", "heads", *state.SIDES, "editor")}
        problems = {}
        recipes = {side: _read(side, menu.text_form(side), problems) for side in state.SIDES}
        state.remember()
        names.remember(recipes)
        chosen = corpus_choice.chosen(engine)
        opened = ".".join(filter(None, editor.opened()))
        style.show(opened)
    first = partial(top.show, engine, chosen, *recipes.values(), unused.get("corpus", ""))
    is_shown = _is_shown(opened, corpus_choice.now(engine), recipes, asked)
    later.note(is_shown)
    if is_shown:
        _draw(places["top"], first)
    else:  # a menu that is new to the browser has the last word on the split
        with places["top"], _of_the_bar():
            chosen = first()
    late = references.not_ready(engine, recipes)
    if corpus and late:
        with waits:
            late = references.left_of(late)
    given = names.of(recipes)
    marks = {side: rows.marks(side, *recipes.values(), unused, opened) for side in recipes}
    why = {side: of_side.unused for side, of_side in marks.items()}
    _draw(places["heads"], rows.heads)
    for side, recipe in recipes.items():
        row = partial(rows.show, side, recipe, given, engine, chosen, marks[side])
        _draw(places[side], partial(row, has_reference=side not in late))
    _draw(places["editor"], lambda: editor.show(recipes, engine, None if late else chosen, why, averaged))
    _draw(whole, lambda: held.tell(held.BAR))
    with reasons:
        _problems(problems)
    with models:
        _models(engine, {side: recipe for side, recipe in recipes.items() if recipe and side not in late})
    if corpus and late:
        end_page()
    score.room()
    return chosen if corpus else None, recipes["a"], recipes["b"]


def _is_shown(opened: str, corpus: str, recipes: Mapping[str, Recipe | None], asked: bool | None) -> bool:
    """Whether the browser shows this bar already, but for what a changed recipe has in its row.

    Where no recipe has changed it does if the visitor ``asked`` for something below the bar (False): a
    click in it is answered at once. After Back or Forward its controls say what the address says once they
    are drawn.
    """
    before, now = st.session_state.get(_SHOWN), (this_run.page(), opened, corpus, recipes)
    st.session_state[_SHOWN] = now
    if before is None or this_run.goes_through_history():
        return False
    return before[:-1] == now[:-1] and (before != now or asked is False)


def _asks_something() -> bool | None:
    """Whether the visitor changed a control of the bar before this run; None where none was changed."""
    page, ours = st.session_state.get(_CONTROLS, ("", ()))
    if page != this_run.page():
        st.session_state[_CONTROLS] = this_run.page(), set()
        return None
    changed = {one for one, key in values.changed().items() if not key.startswith(held.FIELD)}
    return not changed.isdisjoint(ours) if changed else None


@contextmanager
def _of_the_bar() -> Iterator[None]:
    """Note the controls that the block draws as those of the bar."""
    before = values.drawn()
    yield
    st.session_state[_CONTROLS][1].update(values.drawn() - before)


def _draw(place: DeltaGenerator, content: Callable[[], object]) -> None:
    """Draw a part of the bar, now or after the first figures of the page."""

    def noted() -> None:
        with _of_the_bar():
            content()

    later.draw(place, noted)


def all_but(*used: str, why: str, side: str = "") -> dict[str, str]:
    """The stages that a page does not use, of one side or of both, with the reason."""
    return {f"{side}.{name}" if side else name: why for name in cells.SHOWN if name not in used}


def unread(a: Recipe | None, corpus: Corpus | None) -> bool:
    """Whether recipe A or the corpus cannot be read; then the page says which one."""
    if a is not None and corpus is not None:
        return False
    if a is None:
        recipe_unread()
    else:
        corpus_choice.unread()
    return True


def recipe_unread() -> None:
    """Say that recipe A cannot be read."""
    st.info("Recipe A cannot be read: the reason stands under the bar.", icon=":material/arrow_upward:")


def _read(side: str, text: str, problems: dict[str, str]) -> Recipe | None:
    """The recipe that a text form holds; why it cannot be read goes into ``problems``."""
    if problem := state.problem(side):
        problems[side] = problem
    try:
        return state.read(side, text)
    except StrataError as error:
        problems[side] = str(error)
        return None


def _problems(problems: Mapping[str, str]) -> None:
    """What cannot be read, by side, and an editor that a link opens and that is not there."""
    for side, problem in problems.items():
        errors.say(problem, side)
    if text := editor.unread():
        st.warning(
            escape(f"The link opens an editor {shorten(text)} that is not here."),
            icon=":material/link_off:",
        )


def _models(engine: Engine, recipes: Mapping[str, Recipe]) -> None:
    """Why a model or a reference cannot be had, and how to get it."""
    asked: set[object] = set()
    problems: dict[str, list[str]] = {}
    for side, recipe in recipes.items():
        try:
            if recipe.needs_reference():
                engine.references.of(recipe)
            engine.source(recipe)
        except DownloadRequiredError as error:
            problems.setdefault(str(error), [])
            if error.repository not in asked:
                hub_download.show(error, f"model.{len(asked)}")
                asked.add(error.repository)
        except StrataError as error:
            problems.setdefault(str(error), []).append(side)
    errors.tell_on_top(problems)
