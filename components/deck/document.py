"""What a deck is: slides in an order, the figures they show, and the states before the latest changes.

Everything is frozen; :mod:`components.deck.changes` makes new decks of old ones. Figures stand in a deck
once, by their content: slides, duplicates and earlier states name them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pandas as pd

from components.exports.tables import as_read, hold_numbers
from core.errors import StrataError, counted
from core.storage.keys import key_of

MOST = 200
"""Slides that a deck may have."""

STEPS_BACK = 30
"""Changes of a deck that can be undone."""

LONGEST_TITLE, LONGEST_TEXT = 300, 20_000
"""Characters of a title, and of a note or text."""

MOST_ROWS = 18
"""Rows of a table that can be read on a slide."""

LARGEST_TABLE = 20_000
"""Cells of a table, and of a figure's numbers that a deck keeps."""

LOWEST, HIGHEST = 50, 10_000
"""Pixels that a figure is high on its page."""

LARGEST_WHOLE = 2**63
"""Whole numbers of tables are below it."""

Cell = str | float | int | bool | None

Plotly = Mapping[str, Any]
"""A figure as Plotly's JSON: ``data`` and ``layout``."""


class DeckError(StrataError):
    """A deck that cannot be read, kept or changed as asked."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns, as many as each row has; DeckError for too many cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise DeckError("A table has rows of another length than its columns.")
        if (cells := len(self.rows) * len(self.columns)) > LARGEST_TABLE:
            raise DeckError(f"A table has at most {LARGEST_TABLE:,} cells; this one has {cells:,}.")

    def frame(self) -> pd.DataFrame:
        """The table as a data frame; whole numbers stay whole where others of their column are missing."""
        columns = [[row[place] for row in self.rows] for place in range(len(self.columns))]
        series = {place: pd.Series(cells, dtype=_kind(cells)) for place, cells in enumerate(columns)}
        return pd.DataFrame(series, index=range(len(self.rows))).set_axis(
            list(self.columns), axis="columns"
        )

    def as_read(self) -> list[tuple[str, ...]]:
        """The cells of each row as they are read; see :func:`components.exports.tables.as_read`."""
        columns = as_read(self.columns, [[row[i] for row in self.rows] for i in range(len(self.columns))])
        return list(zip(*columns, strict=True)) or [()] * len(self.rows)

    def on_right(self) -> list[bool]:
        """Which columns stand on the right: those of numbers."""
        return hold_numbers(self.frame())


@dataclass(frozen=True)
class PinnedFigure:
    """A figure as it was drawn, in light colours, and what draws it again.

    ``line`` is the one line under it and ``caption`` the whole caption. ``link`` is the page with every
    control and with fingerprints (``scores?a=…&v=…``). ``recipes`` are by side, ``made`` says with which
    versions and when, ``height`` how many pixels high it is on its page. ``numbers`` are what is drawn;
    None where they are more than :data:`LARGEST_TABLE` cells.
    """

    page: str
    key: str
    title: str
    line: str
    caption: tuple[str, ...]
    alt: str
    link: str
    recipes: Mapping[str, str]
    made: Mapping[str, str]
    height: int
    plotly: Plotly
    numbers: Table | None = None

    @property
    def name(self) -> str:
        """The name under which a deck holds it, by its content."""
        return key_of(asdict(self))[:16]


@dataclass(frozen=True)
class Slide:
    """One slide: one or two figures, a table, or text.

    ``text`` is Markdown that is shown, ``note`` Markdown for who presents. ``figures`` are names.
    ``titles`` stand over each of two figures; where there are none, those of the figures do.
    """

    id: str
    title: str
    note: str = ""
    text: str = ""
    figures: tuple[str, ...] = ()
    table: Table | None = None
    titles: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """``figure``, ``two figures``, ``table`` or ``text``."""
        if self.figures:
            return "figure" if len(self.figures) == 1 else "two figures"
        return "text" if self.table is None else "table"


@dataclass(frozen=True)
class Earlier:
    """A deck as it was before a change; ``change`` says which one, as in "Undo: remove …"."""

    change: str
    title: str
    slides: tuple[Slide, ...]


@dataclass(frozen=True)
class Deck:
    """Slides under a title. ``count`` is the number of changes since it began, also those undone.

    ``mended`` says what of its file was mended when it was read; empty for nothing.
    """

    title: str = ""
    slides: tuple[Slide, ...] = ()
    figures: Mapping[str, PinnedFigure] = field(default_factory=dict)
    history: tuple[Earlier, ...] = ()
    count: int = 0
    mended: str = field(default="", compare=False)

    def slide(self, id: str) -> Slide:
        """The slide with this id; an error where it is gone."""
        for slide in self.slides:
            if slide.id == id:
                return slide
        raise DeckError(
            "The slide is no longer in the deck: it was removed elsewhere. Undo brings it back."
        )

    def figures_of(self, slide: Slide) -> list[PinnedFigure]:
        """The figures that a slide shows."""
        return [self.figures[name] for name in slide.figures]

    def titles_of(self, slide: Slide) -> tuple[str, ...]:
        """The titles over its figures where there are two; none where the slide's title is over one."""
        if slide.kind != "two figures":
            return ()
        return slide.titles or tuple(figure.title for figure in self.figures_of(slide))

    def words_of(self, slide: Slide) -> list[str]:
        """What the slide calls each of its figures: by the title over it, else by the figure's own."""
        titles = self.titles_of(slide) or (slide.title,)
        return [said or figure.title for said, figure in zip(titles, self.figures_of(slide), strict=False)]

    def called(self, slide: Slide) -> str:
        """What a slide is called in one line: its title, else those over its figures, else its kind."""
        return slide.title or " · ".join(filter(None, self.titles_of(slide))) or slide.kind

    def pruned(self) -> Deck:
        """The deck without the figures that no slide and no earlier state shows."""
        states = [self.slides, *(state.slides for state in self.history)]
        shown = {name for slides in states for slide in slides for name in slide.figures}
        return replace(self, figures={name: one for name, one in self.figures.items() if name in shown})


def _kind(cells: Sequence[Cell]) -> str | None:
    """The type of a column that pandas would not find itself."""
    held = [cell for cell in cells if cell is not None]
    whole = all(type(cell) is int and abs(cell) < LARGEST_WHOLE for cell in held)
    return "Int64" if whole and 0 < len(held) < len(cells) else None


def left_out(rows: int, columns: int) -> tuple[str, str]:
    """``"2 more rows and 1 more column", "are"``; empty where a table leaves out nothing."""
    counts = {"row": max(0, rows), "column": max(0, columns)}
    more = [counted(count, f"more {what}") for what, count in counts.items() if count]
    return " and ".join(more), "is" if sum(counts.values()) == 1 else "are"


def new_id() -> str:
    """The id of a new slide."""
    return secrets.token_hex(4)
