"""What can be done with a deck: each change gives a new deck that remembers the one before.

Slides are named by their id, not by their number, so that two visitors who change the same deck each change
the slide that they see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from components.deck.beside import crowded
from components.deck.document import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST,
    STEPS_BACK,
    Deck,
    DeckError,
    Earlier,
    PinnedFigure,
    Slide,
    Table,
    left_out,
    new_id,
)
from components.exports.tables import escape_markdown
from core.errors import shorten

SHOWN_ROWS, SHOWN_COLUMNS = 12, 8
"""Rows and columns of a figure's numbers that a table slide takes: more cannot be read in a room."""


def add(
    deck: Deck,
    slide: Slide,
    figures: Sequence[PinnedFigure] = (),
    *,
    after: str = "",
    following: Sequence[Slide] = (),
) -> Deck:
    """Add a slide, at the end or after another one, with the figures that it shows.

    ``following`` come with it, as the other parts of a table.

    Raises DeckError where the deck has a slide of its id.
    """
    if any(one.id == slide.id for one in deck.slides):
        raise DeckError(f"The slide {_named(deck, slide)} is in the deck already.")
    place = _place(deck, after) + 1 if after else len(deck.slides)
    slides = (*deck.slides[:place], *map(_bounded, (slide, *following)), *deck.slides[place:])
    more = {figure.name: figure for figure in figures}
    held = replace(deck, figures={**deck.figures, **more})
    return _changed(held, f"add {_named(held, slide)}", slides=slides)


def pin(deck: Deck, figure: PinnedFigure) -> Deck:
    """Add a slide with one figure, which has the figure's title."""
    return add(deck, Slide(new_id(), figure.title, figures=(figure.name,)), [figure])


def rename(deck: Deck, title: str) -> Deck:
    """Give the deck another title."""
    return _changed(deck, "the title of the deck", title=_line(title))


def edit(deck: Deck, id: str, **fields: str) -> Deck:
    """Give a slide another ``title``, ``text`` or ``note``."""
    slide = deck.slide(id)
    changed = _bounded(replace(slide, **fields))
    what = " and ".join(fields)
    return deck if changed == slide else _with(deck, changed, f"{what} of {_named(deck, slide)}")


def entitle(deck: Deck, id: str, side: int, title: str) -> Deck:
    """Give one of two figures another title on its slide: the first (``side`` 0) or the second (1)."""
    slide = deck.slide(id)
    titles = list(deck.titles_of(slide))
    if side >= len(titles):
        raise DeckError("The slide has no longer two figures. Undo brings them back.")
    titles[side] = title
    changed = _bounded(replace(slide, titles=tuple(titles)))
    return deck if changed == slide else _with(deck, changed, f"title of a figure in {_named(deck, slide)}")


def move(deck: Deck, id: str, by: int) -> Deck:
    """Move a slide up (``by`` < 0) or down; as far as there are slides."""
    place = _place(deck, id)
    to = min(max(0, place + by), len(deck.slides) - 1)
    if to == place:
        return deck
    slides = [slide for slide in deck.slides if slide.id != id]
    slides.insert(to, deck.slides[place])
    return _changed(deck, f"move {_named(deck, deck.slides[place])}", slides=tuple(slides))


def duplicate(deck: Deck, id: str) -> Deck:
    """Add a copy of a slide after it."""
    return add(deck, replace(deck.slide(id), id=new_id()), after=id)


def remove(deck: Deck, id: str) -> Deck:
    """Take a slide out."""
    gone = deck.slide(id)
    slides = tuple(slide for slide in deck.slides if slide.id != id)
    return _changed(deck, f"remove {_named(deck, gone)}", slides=slides)


def join(deck: Deck, id: str) -> Deck:
    """Put the figure of the next slide beside this one's, each under its title; words of both stay.

    Raises DeckError where a slide has not one figure, or a figure that cannot be read in half of a slide.
    """
    place = _place(deck, id)
    both = deck.slides[place : place + 2]
    if [slide.kind for slide in both] != ["figure", "figure"]:
        raise DeckError("Two figures stand beside each other: this slide and the next must have one each.")
    for slide in both:
        if why := crowded(deck.figures[slide.figures[0]]):
            raise DeckError(f"{_named(deck, slide)} has no room beside another: {why}.")
    first, second = both
    note, text = (
        "\n\n".join(filter(None, (getattr(first, name), getattr(second, name))))
        for name in ("note", "text")
    )
    figures, titles = first.figures + second.figures, (first.title, second.title)
    joined = _bounded(replace(first, title="", note=note, text=text, figures=figures, titles=titles))
    slides = (*deck.slides[:place], joined, *deck.slides[place + 2 :])
    return _changed(deck, f"join {_named(deck, first)} and {_named(deck, second)}", slides=slides)


def part(deck: Deck, id: str) -> Deck:
    """Give each of two figures a slide of its own, with the title that it has."""
    slide, place = deck.slide(id), _place(deck, id)
    if slide.kind != "two figures":
        raise DeckError("Only a slide with two figures can be parted.")
    one, other = zip(deck.titles_of(slide), slide.figures, strict=True)
    first = replace(slide, title=one[0], figures=one[1:], titles=())
    second = Slide(new_id(), other[0], figures=other[1:])
    slides = (*deck.slides[:place], first, second, *deck.slides[place + 1 :])
    return _changed(deck, f"part {_named(deck, slide)}", slides=slides)


def exchange(deck: Deck, id: str) -> Deck:
    """Exchange left and right of a slide with two figures."""
    slide = deck.slide(id)
    exchanged = replace(slide, figures=slide.figures[::-1], titles=slide.titles[::-1])
    return _with(deck, exchanged, f"exchange in {_named(deck, slide)}")


def tabulate(deck: Deck, id: str) -> Deck:
    """Add a slide after this one with the numbers of its first figure, as many as can be read."""
    slide = deck.slide(id)
    figure = deck.figures[slide.figures[0]] if slide.figures else None
    if figure is None or figure.numbers is None:
        raise DeckError("The slide has no numbers: it shows no figure, or one with too many of them.")
    table, text = _readable(figure.numbers, figure.line)
    return add(deck, Slide(new_id(), slide.title, table=table, text=text), after=id)


def _readable(numbers: Table, line: str) -> tuple[Table, str]:
    """As much of a figure's numbers as can be read on a slide; the line under it, and what is left out."""
    rows = tuple(row[:SHOWN_COLUMNS] for row in numbers.rows[:SHOWN_ROWS])
    table = Table(numbers.columns[:SHOWN_COLUMNS], rows)
    more, are = left_out(len(numbers.rows) - len(table.rows), len(numbers.columns) - len(table.columns))
    left = f"{more} {are} with the figure." if more else ""
    return table, "  \n".join(filter(None, [escape_markdown(line), left]))


def redraw(deck: Deck, new: Mapping[str, PinnedFigure]) -> Deck:
    """Put new figures in the place of others, which are named; those that no slide shows any more are left.

    A slide's title becomes the new figure's where it was the old one's.
    """
    slides = tuple(with_figures(deck, slide, new) for slide in deck.slides)
    count = sum(one != other for one, other in zip(slides, deck.slides, strict=True))
    if not count:
        return deck
    figures = {**deck.figures, **{figure.name: figure for figure in new.values()}}
    what = f"draw {count} slides anew" if count > 1 else "draw a slide anew"
    return _changed(replace(deck, figures=figures), what, slides=slides)


def with_figures(deck: Deck, slide: Slide, new: Mapping[str, PinnedFigure]) -> Slide:
    """A slide with new figures in the place of those that are named, or with the numbers of one of them."""
    if slide.table is not None:
        return _with_numbers(deck, slide, new)
    names = tuple(new[name].name if name in new else name for name in slide.figures)
    named = zip(slide.figures, deck.figures_of(slide), strict=True)
    anew = {figure.title: new[name].title for name, figure in named if name in new and figure.title}
    longest_first = "|".join(re.escape(title) for title in sorted(anew, key=len, reverse=True))
    title = re.sub(longest_first, lambda found: anew[found[0]], slide.title) if anew else slide.title
    titles = tuple(anew.get(one, one) for one in slide.titles)
    return replace(slide, title=title, figures=names, titles=titles)


def _with_numbers(deck: Deck, slide: Slide, new: Mapping[str, PinnedFigure]) -> Slide:
    """A slide of the numbers of a figure with those of its new one; any other table as it is."""
    for name, figure in new.items():
        before = deck.figures.get(name)
        if before is None or before.numbers is None or figure.numbers is None:
            continue
        table, text = _readable(before.numbers, before.line)
        if table == slide.table:
            anew, said = _readable(figure.numbers, figure.line)
            title = figure.title if slide.title == before.title else slide.title
            return replace(slide, title=title, table=anew, text=said if slide.text == text else slide.text)
    return slide


def undo(deck: Deck, seen: int) -> Deck:
    """Take the latest change back; ``seen`` is the deck's count as the visitor saw it."""
    if not deck.history:
        raise DeckError("There is nothing to undo.")
    if deck.count != seen:
        raise DeckError(
            f"The deck was changed elsewhere meanwhile ({deck.history[-1].change}). "
            "Nothing is undone; press Undo again to take that back."
        )
    *history, last = deck.history
    return replace(deck, title=last.title, slides=last.slides, history=tuple(history), count=deck.count + 1)


def _with(deck: Deck, slide: Slide, what: str) -> Deck:
    slides = tuple(slide if one.id == slide.id else one for one in deck.slides)
    return _changed(deck, what, slides=slides)


def forget(deck: Deck, states: int) -> Deck:
    """Let the oldest earlier states go, and the figures that they alone show."""
    return replace(deck, history=deck.history[states:]).pruned()


def _changed(deck: Deck, what: str, **fields: object) -> Deck:
    """The deck with other fields; raises DeckError where it gets too many slides."""
    history = (*deck.history, Earlier(what, deck.title, deck.slides))[-STEPS_BACK:]
    changed = replace(deck, **fields, history=history, count=deck.count + 1)  # type: ignore[arg-type]
    if len(changed.slides) > max(MOST, len(deck.slides)):
        raise DeckError(
            f"A deck has at most {MOST} slides; this one is full. Remove some, or begin another."
        )
    return changed.pruned()


def _place(deck: Deck, id: str) -> int:
    return deck.slides.index(deck.slide(id))


def _named(deck: Deck, slide: Slide) -> str:
    called = deck.called(slide)
    return f"a slide of {slide.kind}" if called == slide.kind else shorten(called, 40)


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TITLE]


def _bounded(slide: Slide) -> Slide:
    return replace(
        slide,
        title=_line(slide.title),
        text=slide.text[:LONGEST_TEXT],
        note=slide.note[:LONGEST_TEXT],
        titles=tuple(map(_line, slide.titles)),
    )
