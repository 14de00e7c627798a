"""A deck as JSON: written plainly, and read with every part checked, since anybody can write a file."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from components.deck.document import (
    HIGHEST,
    LONGEST_TEXT,
    LOWEST,
    MOST,
    Cell,
    Deck,
    DeckError,
    Earlier,
    PinnedFigure,
    Slide,
    Table,
)
from components.deck.drawable import refuse_undrawn
from core.errors import first_line, shorten
from core.storage.keys import key_of

FORMAT = "sentence-strata deck"

VERSION = 1
"""Version of the file: a later program reads older versions, this one refuses newer ones."""

LARGEST = 64_000_000
"""Bytes of a file that is read."""

MENDED = "Slides of this deck had the same id. Each has its own now; nothing else is changed."


def write(deck: Deck) -> bytes:
    """The deck as a file."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "title": deck.title,
        "count": deck.count,
        "slides": [_slide_out(slide) for slide in deck.slides],
        "figures": {name: _figure_out(figure) for name, figure in deck.figures.items()},
        "history": [
            {
                "change": one.change,
                "title": one.title,
                "slides": [_slide_out(slide) for slide in one.slides],
            }
            for one in deck.history
        ],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def read(content: bytes, *, checked: bool = True, mend: bool = True) -> Deck:
    """The deck of a file.

    ``checked`` has Plotly look at every figure, which a file that this installation wrote does not need.
    ``mend`` gives slides that have the same id others, as files of an earlier program need; then the deck
    says so in ``mended``. Else such a deck is refused.

    Raises
    ------
    DeckError
        The file is cut, damaged, newer, too large, or no deck.
    """
    try:
        return _read(content, checked, mend)
    except RecursionError as error:
        raise DeckError(
            "The file is no deck: its brackets stand in each other deeper than a deck's."
        ) from error


def _read(content: bytes, checked: bool, mend: bool) -> Deck:
    whole = _whole(content)
    if checked:
        _writable(whole)
    _check_version(whole)
    try:
        deck = _deck(whole, checked)
    except DeckError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DeckError(f"The deck cannot be read: {_reason(error)}") from error
    states = (deck.slides, *(one.slides for one in deck.history))
    if not any(map(_same, states)):
        return deck
    if not mend:
        raise DeckError("Two slides of the deck have the same id; give each its own.")
    history = tuple(replace(one, slides=_renumbered(one.slides)) for one in deck.history)
    return replace(deck, slides=_renumbered(deck.slides), history=history, mended=MENDED)


def _whole(content: bytes) -> Any:
    """What is written in a file; refuses one that is too large or no JSON."""
    if len(content) > LARGEST:
        raise DeckError(f"The file has {len(content):,} bytes; a deck has at most {LARGEST:,}.")
    try:
        return json.loads(content)
    except ValueError as error:
        raise DeckError(
            f"The file is no whole deck: it is cut, or not JSON ({first_line(error)}). "
            "Download the deck again."
        ) from error


def _check_version(whole: Any) -> None:
    """Refuse what is no deck, and a deck of a version that cannot be read."""
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise DeckError(f'The file is no deck: it does not say "format": "{FORMAT}".')
    version = whole.get("version")
    if not isinstance(version, int) or version < 1:
        raise DeckError(f"The deck says version {shorten(version)}; allowed are 1 to {VERSION}.")
    if version > VERSION:
        raise DeckError(
            f"The deck is of version {version}; this program reads up to {VERSION}. A newer one opens it."
        )


def _writable(whole: object) -> None:
    """Refuse what Python reads and a browser does not: numbers that are none, and halves of characters."""
    try:
        json.dumps(whole, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise DeckError(f"The deck holds half of a character: {first_line(error)}") from error
    except ValueError as error:
        raise DeckError(
            "The deck holds NaN or an infinite number; allowed are numbers and null."
        ) from error


def _deck(whole: Mapping[str, Any], checked: bool) -> Deck:
    figures = {}
    for name, one in _mapping(whole, "figures").items():
        figures[name] = figure = _figure_in(one)
        if checked:
            refuse_undrawn(figure)
    slides = _slides(whole, figures)
    history = tuple(
        Earlier(_text(one, "change"), _text(one, "title"), _slides(one, figures))
        for one in _list(whole, "history")
    )
    count = whole.get("count", 0)
    if not isinstance(count, int):
        raise DeckError(f"count: got {shorten(count)}; allowed is a whole number.")
    return Deck(_text(whole, "title"), slides, figures, history, count)


def _slide_out(slide: Slide) -> dict[str, Any]:
    out: dict[str, Any] = {"id": slide.id, "title": slide.title}
    out |= {name: value for name in ("note", "text") if (value := getattr(slide, name))}
    if slide.figures:
        out["figures"] = list(slide.figures)
    if slide.titles:
        out["titles"] = list(slide.titles)
    if slide.table is not None:
        out["table"] = _table_out(slide.table)
    return out


def _slides(whole: Mapping[str, Any], figures: Mapping[str, PinnedFigure]) -> tuple[Slide, ...]:
    listed = _list(whole, "slides")
    if len(listed) > MOST:
        raise DeckError(f"The deck has {len(listed)} slides; at most {MOST} are allowed.")
    slides = tuple(_slide_in(one) for one in listed)
    for slide in slides:
        if lost := [name for name in slide.figures if name not in figures]:
            raise DeckError(
                f"The slide {shorten(slide.title, 40)} shows a figure {lost[0]} that is not there."
            )
    return slides


def _same(slides: Sequence[Slide]) -> bool:
    """Whether two slides have the same id."""
    return len({slide.id for slide in slides}) != len(slides)


def _renumbered(slides: Sequence[Slide]) -> tuple[Slide, ...]:
    """The slides with an id each: one that repeats an earlier one gets another, every time the same.

    Ids say which slide a change is of, and nothing else; an earlier program wrote such decks.
    """
    taken, told = {slide.id for slide in slides}, set[str]()
    renumbered = []
    for place, slide in enumerate(slides):
        id = slide.id
        for attempt in itertools.count():
            if id not in told:
                break
            if (another := key_of(slide.id, place, attempt)[:8]) not in taken:
                id = another
        taken.add(id)
        told.add(id)
        renumbered.append(slide if id == slide.id else replace(slide, id=id))
    return tuple(renumbered)


def _slide_in(one: Mapping[str, Any]) -> Slide:
    figures = tuple(map(str, one.get("figures", ())))
    if len(figures) > 2:
        raise DeckError(f"A slide shows {len(figures)} figures; at most two are allowed.")
    id = _text(one, "id")
    if not re.fullmatch("[0-9a-f]{1,16}", id):
        raise DeckError(f"A slide has the id {shorten(id)}; allowed are up to 16 hexadecimal digits.")
    table = _table_in(one["table"]) if one.get("table") is not None else None
    title, note, text = _text(one, "title"), _text(one, "note", ""), _text(one, "text", "")
    titles = tuple(map(str, one.get("titles", ())))
    if titles and (len(titles), len(figures)) != (2, 2):
        raise DeckError(
            f"A slide has {len(titles)} titles over {len(figures)} figures; allowed is two over two."
        )
    for name, words in (("note", note), ("text", text), *(("title", each) for each in (title, *titles))):
        if len(words) > LONGEST_TEXT:
            most = f"at most {LONGEST_TEXT:,} are allowed"
            raise DeckError(f"The {name} of a slide has {len(words):,} characters; {most}.")
    return Slide(id, title, note, text, figures, table, titles)


def _figure_out(figure: PinnedFigure) -> dict[str, Any]:
    names = ("page", "key", "title", "line", "alt", "link", "height")
    return {name: getattr(figure, name) for name in names} | {
        "caption": list(figure.caption),
        "recipes": dict(figure.recipes),
        "made": dict(figure.made),
        "plotly": figure.plotly,
        "numbers": _table_out(figure.numbers) if figure.numbers else None,
    }


def _figure_in(one: Mapping[str, Any]) -> PinnedFigure:
    height = one["height"]
    if not isinstance(height, int) or not LOWEST <= height <= HIGHEST:
        raise DeckError(f"A figure is {shorten(height)} pixels high; allowed are {LOWEST} to {HIGHEST:,}.")
    if not re.fullmatch(r"[a-z]{0,20}", _text(one, "page")):
        raise DeckError(f"A figure is of the page {shorten(one['page'])}, which is no name of a page.")
    texts = {name: _text(one, name) for name in ("page", "key", "title", "line", "alt", "link")}
    return PinnedFigure(
        **texts,
        caption=tuple(map(str, _list(one, "caption"))),
        recipes=_texts(one, "recipes"),
        made=_texts(one, "made"),
        height=height,
        plotly=_mapping(one, "plotly"),
        numbers=_table_in(one["numbers"]) if one.get("numbers") else None,
    )


def _table_out(table: Table) -> dict[str, Any]:
    return {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}


def _table_in(one: Mapping[str, Any]) -> Table:
    columns = tuple(map(str, _list(one, "columns")))
    rows = tuple(tuple(map(_cell, row)) for row in _list(one, "rows"))
    return Table(columns, rows)


def _cell(value: object) -> Cell:
    return value if isinstance(value, str | float | int | bool) or value is None else str(value)


def _text(one: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = one[name] if default is None else one.get(name, default)
    if not isinstance(value, str):
        raise DeckError(f"{name}: got {shorten(value)}; allowed is text.")
    return value


def _texts(one: Mapping[str, Any], name: str) -> dict[str, str]:
    return {str(key): str(value) for key, value in _mapping(one, name).items()}


def _mapping(one: Mapping[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(value := one[name], dict):
        raise DeckError(f"{name}: got {shorten(value)}; allowed is a JSON object.")
    return value


def _list(one: Mapping[str, Any], name: str) -> Sequence[Any]:
    if not isinstance(value := one[name], list):
        raise DeckError(f"{name}: got {shorten(value)}; allowed is a JSON list.")
    return value


def _reason(error: Exception) -> str:
    return f"it has no {error}." if isinstance(error, KeyError) else first_line(error)
