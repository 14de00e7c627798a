"""One slide on the page Deck: what it shows, its words, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import bounded, link, plot, state, theme
from components.cached import shared_engine
from components.controls import once
from components.deck import beside, cells, changes, opened, redrawing, today, words
from components.deck.document import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_ROWS,
    Deck,
    DeckError,
    PinnedFigure,
    Slide,
)
from components.exports import pictures
from components.text import escape
from core.errors import counted
from core.storage.keys import key_of

FORMULAS = (
    r"Formulas in LaTeX, as `$\cos(u,v)$`, are set here, in presentations, pages and PDF; "
    "in PowerPoint simple ones are plain text, as cos(u, v), and others stand as they are written"
)
"""What becomes of formulas."""

HIGHEST = 520
"""Pixels that a figure is high on the page at most."""

HALF = plot.Reduced(beside.WIDTH, beside.HEIGHT, beside.LEAST)
"""How each of two figures is drawn: as it stands in its half of a slide."""


def show(deck: Deck, slide: Slide, number: int) -> None:
    """The slide that is looked at, and its words to change."""
    two = slide.kind == "two figures"
    _actions(deck, slide, number)
    _field(deck, slide, "title", "Title", none="none: each figure has its own" if two else "")
    columns = st.columns(max(1, len(slide.figures)))
    for side, (column, figure) in enumerate(zip(columns, deck.figures_of(slide), strict=False)):
        with column:
            if two:
                _field(deck, slide, side, f"Title on the {('left', 'right')[side]}")
            _figure(figure, slide, side)
    if slide.text:
        words.show(slide.text)
    if slide.table is not None:
        cells.show(slide.table, alt=f"Table of slide {number}")
        if len(slide.table.rows) > MOST_ROWS:
            rows = counted(len(slide.table.rows), "row")
            st.caption(f"{rows} are small on a slide; PowerPoint has the first {MOST_ROWS}.")
    with st.container(horizontal=True, gap="medium"):
        _field(deck, slide, "note", "Note for who presents (Markdown)")
        _field(deck, slide, "text", "Text on the slide (Markdown, formulas between $)", help=FORMULAS)
    for figure in deck.figures_of(slide):
        _behind(figure)


def _figure(figure: PinnedFigure, slide: Slide, side: int) -> None:
    still = {part: figure.plotly[part] for part in ("data", "layout")}
    drawn = pictures.in_theme(still, theme.of(state.theme_name()))
    drawn.update_layout(height=min(figure.height, HIGHEST))
    key = f"deck.{slide.id}.{side}.{figure.name}"
    plot.draw(drawn, key=key, alt=figure.alt, reduced=HALF if slide.kind == "two figures" else None)
    st.caption(escape(figure.line))


def _behind(figure: PinnedFigure) -> None:
    """What a figure was drawn with, and the page that draws it with today's models and corpora."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if today.has_page(figure):
            st.page_link(
                f"pages/{figure.page}.py",
                label=f"Draw anew on {figure.page.title()}",
                icon=":material/open_in_new:",
                query_params=link.setting(today.parameters(figure), whole=figure.page),
                help="The page with every control as it was; Pin there adds today's figure to the deck",
            )
        else:
            st.caption(f"There is no page {escape(figure.page)} here that could draw it anew.")
        drawn = figure.made.get("time", "").replace("T", " ")[:16]
        st.caption(
            f"Pinned {escape(drawn)} UTC with Sentence Strata {escape(_version(figure))}. {_now(figure)}"
        )


def _version(figure: PinnedFigure) -> str:
    return figure.made.get("sentence-strata", "of unknown version")


def _now(figure: PinnedFigure) -> str:
    return escape(today.of(shared_engine(), figure).told)


def _actions(deck: Deck, slide: Slide, number: int) -> None:
    """What is done with the slide as a whole."""
    last = number == len(deck.slides)
    following = None if last else deck.slides[number]
    with st.container(key="deck-actions", horizontal=True, gap="xsmall"):
        _button("Up", "arrow_upward", _moved(slide, -1), off=number == 1)
        _button("Down", "arrow_downward", _moved(slide, 1), off=last)
        _button("Duplicate", "content_copy", _once(changes.duplicate, slide))
        if slide.kind == "two figures":
            _button("Exchange", "swap_horiz", _once(changes.exchange, slide))
            _button("Part", "splitscreen", _once(changes.part, slide))
        else:
            _button(
                "Beside the next",
                "view_column_2",
                _once(changes.join, slide),
                off=following is None or (slide.kind, following.kind) != ("figure", "figure"),
                help="Puts the figure of the next slide beside this one",
            )
        _button(
            "Numbers",
            "table",
            _once(changes.tabulate, slide),
            off=not slide.figures or deck.figures[slide.figures[0]].numbers is None,
            help="A slide with the numbers of the figure follows",
        )
        redrawing.of_slide(slide)
        _button("Remove", "delete", _once(changes.remove, slide))


def _once(change: Callable[[Deck, str], Deck], slide: Slide) -> Callable[[], None]:
    """A callback that changes the deck once, however often its button is clicked meanwhile."""
    return once(lambda: opened.change(lambda deck: change(deck, slide.id)))


def _moved(slide: Slide, by: int) -> Callable[[], object]:
    return lambda: opened.change(lambda deck: changes.move(deck, slide.id, by))


def _button(label: str, icon: str, do: Callable[[], object], *, off: bool = False, help: str = "") -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"deck.{label.lower()}",
        on_click=do,
        disabled=off,
        help=help or None,
    )


def _field(
    deck: Deck, slide: Slide, name: str | int, label: str, *, none: str = "", help: str = ""
) -> None:
    """A field for one of the slide's texts, by its name or the side of a title over a figure.

    Another text of the file is another field. ``none`` stands in an empty one.
    """
    before = _text(deck, slide, name)
    key = f"deck.{name}.{slide.id}.{key_of(before)[:8]}"

    def write() -> None:
        if st.session_state[key] == before:
            return  # Streamlit (1.67) calls the fields of a slide that has just gone changed

        def how(deck: Deck) -> Deck:
            new = st.session_state[key]
            try:
                now = _text(deck, deck.slide(slide.id), name)
            except DeckError as error:
                raise DeckError(f"{error} What was written, to copy: “{new}”") from error
            if now not in (before, new):
                what = "title" if isinstance(name, int) else name
                opened.complain(f"Elsewhere the {what} had become “{now[:200]}”. Undo brings it back.")
            if isinstance(name, int):
                return changes.entitle(deck, slide.id, name, new)
            return changes.edit(deck, slide.id, **{name: new})

        opened.change(how)

    if name in ("note", "text"):
        bounded.text_area(
            label,
            before,
            most=LONGEST_TEXT,
            key=key,
            on_change=write,
            height=120,
            help=help or None,
        )
    else:
        shown = none or None
        bounded.text_input(label, before, most=LONGEST_TITLE, key=key, on_change=write, placeholder=shown)


def _text(deck: Deck, slide: Slide, name: str | int) -> str:
    if isinstance(name, str):
        return str(getattr(slide, name))
    titles = deck.titles_of(slide)
    return titles[name] if name < len(titles) else ""
