"""A deck drawn anew, without a browser: the pages are run on the links that the figures keep.

A page is run as a visitor opens it, its work is waited for, and the figure is pinned. So every figure of
every page can be drawn anew, by the same code that draws it on the page, and its numbers are the page's.

What runs the pages is Streamlit's own ``AppTest``, which is made for tests. It is used here on purpose:
Streamlit has no other way to run a page without a server, and a second path from links to figures would
drift from the pages. What it forgets between runs is mended in :mod:`components.streamlit_inside.pages`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from streamlit.testing.v1 import AppTest

from components import state
from components.cached import shared_engine, shared_queue
from components.deck import changes, opened, today
from components.deck.document import Deck, DeckError, PinnedFigure
from components.deck.store import new_address
from components.link import origins
from components.link.arriving import FIRST
from components.serving import APP
from components.state import NO_RECIPE
from components.streamlit_inside import pages
from components.text import plain
from core.errors import StrataError, shorten
from core.recipe import Recipe
from core.recipe.options import Choice

RUNS = 60
"""Runs of a page until its work is done: each question is answered, each job waited for."""

SECONDS = 24 * 3600.0
"""How long one page may work."""

_OFFERED = re.compile(r"(export|every|model)\.|.*\.download\.|find\.proxies\.")
"""Keys of buttons for work that no figure needs."""

_RECIPES = ("a", "b", "pins")
"""Parameters of a link that are recipes."""


@dataclass(frozen=True)
class Drawn:
    """A deck drawn anew, and for each figure that could not be, why; it stays as it was pinned."""

    deck: Deck
    problems: tuple[str, ...]


def redrawn(deck: Deck, source: str = "", corpus: str = "", tell: Callable[[str], None] = print) -> Drawn:
    """The deck with today's figures.

    ``source`` is a model for all recipes, ``corpus`` a corpus for all figures that are of one; each stays
    as the figure has it where it is empty. A slide's title is the new figure's where it was the old one's.
    ``tell`` is told what is done.

    Raises RecipeError where ``source`` is none, and CorpusError where there is no such corpus.
    """
    _model(source)
    if corpus:
        _is_here(corpus)
    new: dict[str, PinnedFigure] = {}
    problems: list[str] = []
    shown = list(dict.fromkeys(name for slide in deck.slides for name in slide.figures))
    for place, name in enumerate(shown, 1):
        figure = deck.figures[name]
        tell(f"{place} of {len(shown)}: {figure.title or figure.key}, on {figure.page}")
        try:
            new[name] = draw(figure, source, corpus)
        except StrataError as error:
            problems.append(f"{figure.title or figure.key}: {error}")
            tell(f"  not drawn anew: {error}")
    slides = tuple(changes.with_figures(deck, slide, new) for slide in deck.slides)
    figures = deck.figures | {figure.name: figure for figure in new.values()}
    drawn = Deck(deck.title, slides, figures, count=deck.count + 1).pruned()
    return Drawn(drawn, tuple(problems))


def draw(figure: PinnedFigure, source: str = "", corpus: str = "") -> PinnedFigure:
    """One figure as its page draws it today.

    Raises DeckError, with the page's words, where it does not, RecipeError for a recipe of the figure that
    cannot be read, and CorpusError where its corpus is not here.
    """
    if not today.has_page(figure):
        raise DeckError(
            f"There is no page {shorten(figure.page)} here that could draw it; it stays as it is."
        )
    said = parameters(figure, source, corpus)
    if isinstance(named := said.get("corpus"), str):
        _is_here(named)
    with pages.folder_left_alone():
        page = AppTest.from_file(str(APP), default_timeout=SECONDS)
        for name, value in said.items():
            page.query_params[name] = value
        page.query_params[opened.KEY] = address = new_address()
        if figure.page != FIRST:
            page.switch_page(f"pages/{figure.page}.py")
        page.run()
        _until(page, figure, lambda: _pin(page, figure) is not None and not _lacks_work(page, figure))
        _pin(page, figure).click().run()
        try:
            _until(page, figure, lambda: opened.store().get(address) is not None)
            made = opened.store().get(address)
            if made is None:
                raise DeckError(_why(page))
            return made.figures_of(made.slides[-1])[0]
        finally:
            opened.store().drop(address)


def parameters(figure: PinnedFigure, source: str = "", corpus: str = "") -> dict[str, str | list[str]]:
    """What the link of a figure says, with another model or another corpus where they are given.

    Raises RecipeError for a recipe that cannot be read, where it is to have another model.
    """
    said = today.parameters(figure)
    said.pop(origins.PARAMETER, None)
    if source:
        said |= {name: _of_model(said[name], source) for name in _RECIPES if name in said}
    if corpus and "corpus" in said:
        said["corpus"] = corpus
        said.pop("split", None)
    return said


def _is_here(corpus: str) -> None:
    """Raise CorpusError for a corpus that is not here: a page would show another one in its place."""
    engine = shared_engine()
    if not engine.catalogue.holds(corpus):
        engine.corpus(corpus)
        raise DeckError(f"The corpus {shorten(corpus)} may not be opened from here.")


def _of_model(written: str | list[str], source: str) -> str | list[str]:
    """Recipes with another model; none stays none."""
    if isinstance(written, list):
        return [str(_of_model(one, source)) for one in written]
    if written.strip() in ("", NO_RECIPE):
        return written
    return state.text_of(replace(Recipe.parse(written), source=_model(source)))


def _model(source: str) -> Choice:
    """The choice of a model by its name; the default one of an empty name. Raises RecipeError for none."""
    return Recipe.parse(f"source={source}" if source else "").source


def _until(page: AppTest, figure: PinnedFigure, done: Callable[[], bool]) -> None:
    """Run a page until something is there; questions before the figure's work are answered with yes."""
    end = time.monotonic() + SECONDS
    for _ in range(RUNS):
        if done():
            return
        if _waits(page):
            for job in shared_queue().active():
                job.wait(max(0.0, end - time.monotonic()))
            page.run()
        elif asks := _questions(page, figure):
            asks[0].click().run()
        else:
            break
    raise DeckError(_why(page))


def _pin(page: AppTest, figure: PinnedFigure):  # noqa: ANN202  (AppTest names no type for its buttons)
    """The button under the figure that pins it; None where it is not drawn yet."""
    return next((button for button in page.button if button.key == f"{figure.key}.pin"), None)


def _waits(page: AppTest) -> bool:
    """Whether some of the page's work goes on."""
    return any(str(button.key).endswith(".stop") for button in page.button)


def _lacks_work(page: AppTest, figure: PinnedFigure) -> bool:
    """Whether work goes on, or is asked for, that the figure may show."""
    return _waits(page) or any(_is_own(button, figure) for button in _questions(page, figure))


def _questions(page: AppTest, figure: PinnedFigure):  # noqa: ANN202  (AppTest names no type for its buttons)
    """The buttons that begin work, the figure's own before others; no downloads and exports."""
    asks = [
        button
        for button in page.button
        if str(button.key).endswith(".start") and not _OFFERED.match(str(button.key))
    ]
    return sorted(asks, key=lambda button: not _is_own(button, figure))


def _is_own(button, figure: PinnedFigure) -> bool:  # noqa: ANN001  (likewise)
    """Whether a button's work is called as the figure is: ``tasks.work`` and ``tasks.map``."""
    return str(button.key).partition(".")[0] == figure.key.partition(".")[0]


def _why(page: AppTest) -> str:
    """What the page says instead of the figure."""
    said = [plain(box.value) for box in (*page.error, *page.warning, *page.info)]
    said += [str(one.message) for one in page.exception]
    return " ".join(said)[:600] or "The page shows no such figure today."
