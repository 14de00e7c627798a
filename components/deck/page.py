"""The page Deck: the slides in their order, one of them to look at, and the deck as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import bounded, errors, held, present, state
from components.controls import once
from components.deck import (
    again,
    bring,
    changes,
    looking,
    offer,
    opened,
    pasted,
    presenter,
    redrawing,
    slide,
)
from components.deck.document import LONGEST_TITLE, Deck, DeckError, Slide, new_id
from components.explain import heading
from components.text import escape
from core.storage.keys import key_of

ADDING = "deck.adding"
"""Key of the menu of slides that show no figure; it closes once one is added."""

PASTED = "deck.pasted"
"""Key of the table that a visitor pastes."""

WORDS = "Write **here**, in Markdown."
"""The text of a new text slide."""

_WITHOUT_RECIPES = """<style>
  .st-key-bar :is(.st-key-row-a, .st-key-row-b, .st-key-heads) { display: none; }
  .st-key-deck-list button { justify-content: flex-start; text-align: left; width: 100%; min-height: 0;
    padding: .25rem .5rem; }
  .st-key-deck-list button > * { width: 100%; }
  .st-key-deck-list button > *, .st-key-deck-list button > * > * { justify-content: flex-start; }
  .st-key-deck-list button [data-testid="stMarkdownContainer"] { min-width: 0; }
  .st-key-deck-words table { border-collapse: collapse; }
  .st-key-deck-words :is(th, td) { text-align: left; padding: .25em .8em;
    border-bottom: 1px solid currentColor; }
  .st-key-deck-list button p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
</style>"""

_WHOLE_WINDOW = """<style>
  .st-key-deck-presented iframe { position: fixed; inset: 0; z-index: 1000000; border: 0;
    width: 100vw !important; height: 100vh !important; }
  .st-key-deck-leaving { display: none; }
</style>"""

ICONS = {"figure": "bar_chart", "two figures": "view_column_2", "table": "table", "text": "notes"}
"""Icons of slides by their kind."""


def head() -> None:
    """Title, and how to use the page."""
    st.html(_WITHOUT_RECIPES)
    heading(
        "Deck",
        "Which figures do you show, in which order, and with which words?",
        "Every figure has *Pin* under it, and the key P pins the one under the pointer. The deck keeps it "
        "as it was drawn, with its numbers, recipes and fingerprints, and the link that draws it anew. It "
        "stays on this installation under the address in the link (`?deck=…`): whoever has the address can "
        "open and change it, so decks are in no list, and a deck is found again by its link or its file.",
    )


def show() -> None:
    """The deck that is open; in the whole window where the visitor presents."""
    try:
        deck = opened.deck()
    except DeckError as error:
        errors.tell(error)
        _tell_latest()
        bring.show(None)
        return
    if deck and deck.slides and st.session_state.get(present.KEY):
        present.by_page()
        _present(deck)
        return
    with st.container():  # always there, so that what a visitor writes below it stays
        _tell_latest()
        redrawing.show()
    deck = opened.deck()
    if deck and deck.mended:
        st.info(deck.mended, icon=":material/build:")
    _whole(deck or Deck())
    again.show(deck)
    if not (deck and deck.slides):
        st.info(_missing() if deck is None and opened.address() else _EMPTY, icon=":material/keep:")
        offer.cards()
        return
    left, right = st.columns([1, 3], gap="medium")
    with left:
        number = _list(deck)
    with right:
        slide.show(deck, deck.slides[number - 1], number)


def _tell_latest() -> None:
    """What came of the latest change, beside the deck itself."""
    if note := opened.note():
        st.caption(escape(note))
    if problem := opened.problem():
        st.warning(escape(problem), icon=":material/sync_problem:")


_EMPTY = "The deck is empty. Every figure has *Pin* under it; the key P pins the one under the pointer."


def _present(deck: Deck) -> None:
    """The deck over everything else of the page."""
    st.html(_WHOLE_WINDOW)
    with st.container(key="deck-presented"):
        st.iframe(
            presenter.page(
                deck, opened.dashboard(), theme=state.theme_name() or "", start=looking.number(deck)
            ),
            height=600,
        )
    with st.container(key="deck-leaving"):  # the presentation presses that of the slide it leaves at
        for one in deck.slides:
            st.button("Leave", key=f"deck.leave.{one.id}", on_click=_leave_at, args=(one.id,))


def _leave_at(id: str) -> None:
    """End the presentation, and look at its slide (a callback)."""
    st.session_state[present.KEY] = False
    _look_at(id)


def _missing() -> str:
    return (
        f"There is no deck {opened.address()} on this installation yet. A figure that is pinned begins it; "
        "a file opens as a new one."
    )


def _whole(deck: Deck) -> None:
    """The deck's title, and what is done with it as a whole."""
    with st.container(key="deck-whole", horizontal=True, vertical_alignment="bottom", gap="small"):
        key = f"deck.name.{key_of(deck.title)[:8]}"
        bounded.text_input(
            "Title of the deck",
            deck.title,
            most=LONGEST_TITLE,
            key=key,
            placeholder="its own title",
            on_change=lambda: opened.change(lambda one: changes.rename(one, st.session_state[key])),
            width=360,
        )
        with st.popover("Add", icon=":material/add:", type="tertiary", key=ADDING, on_change="rerun"):
            _adding(deck)
        last = deck.history[-1].change if deck.history else ""
        st.button(
            "Undo",
            key="deck.undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=once(lambda: _undo(deck)),
            disabled=not last,
            help=f"Takes back: {escape(last)}" if last else None,
        )
        if deck.slides:
            st.button(
                "Present the deck",
                key="deck.present",
                icon=":material/slideshow:",
                type="primary",
                on_click=_start,
                help="In the whole window; ? shows the keys, Esc leaves",
            )
        redrawing.of_deck(deck)
        bring.show(deck)
        if deck.slides:
            offer.show()


def _undo(deck: Deck) -> None:
    opened.change(lambda one: changes.undo(one, deck.count))
    looking.forget()


def _start() -> None:
    st.session_state[present.KEY] = True


def _adding(deck: Deck) -> None:
    """Slides that show no figure."""
    st.button(
        "Text slide",
        key="deck.add.text",
        icon=":material/notes:",
        on_click=once(lambda: _add(deck, [Slide(new_id(), "A text slide", text=WORDS)])),
    )
    st.text_area(
        "Table, with a tab or a comma between cells",
        key=PASTED,
        height=140,
        placeholder="method\tSTS-B\nmean\t43.2",
    )
    st.button(
        "Table slide",
        key="deck.add.table",
        icon=":material/table:",
        on_click=once(lambda: _add_table(deck)),
    )


def _add(deck: Deck, slides: Sequence[Slide]) -> None:
    """Add slides after the one that is looked at, and look at the first of them."""
    held.hold(ADDING, False)
    made, *following = slides
    after = deck.slides[looking.number(deck) - 1].id if deck.slides else ""
    if changed := opened.change(lambda one: changes.add(one, made, after=after, following=following)):
        looking.at(changed, made.id)


def _add_table(deck: Deck) -> None:
    try:
        table = pasted.table(str(st.session_state.get(PASTED) or ""))
    except DeckError as error:
        opened.complain(str(error))
        return
    _add(deck, pasted.slides("A table", table))
    st.session_state[PASTED] = ""


def _list(deck: Deck) -> int:
    """The slides by their titles; the number of the one that is looked at."""
    last = len(deck.slides)
    st.session_state[looking.AT] = looking.number(deck)
    number = int(
        st.number_input(
            f"Slide of {last}", 1, last, key=looking.AT, bind="query-params", persist_state="session"
        )
    )
    looking.is_shown(deck, number)
    with st.container(key="deck-list", height=min(620, 40 * last + 32), border=True, gap=None):
        for place, one in enumerate(deck.slides, 1):
            st.button(
                f"{place}  {escape(deck.called(one))}",
                key=f"deck.open.{one.id}",
                icon=f":material/{ICONS[one.kind]}:",
                type="secondary" if place == number else "tertiary",
                on_click=_look_at,
                args=(one.id,),
                width="stretch",
            )
    return number


def _look_at(id: str) -> None:
    """Look at a slide, wherever it stands by now (a callback)."""
    try:
        looking.at(opened.deck() or Deck(), id)
    except DeckError as error:
        opened.complain(str(error))
