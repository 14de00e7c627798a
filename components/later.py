"""What a run draws after the first figures of its page: what the browser shows already.

A click in the bar changes one of its cells and the figures of the page, one in the page often a figure
alone. Drawn in the order in which they stand, some sixty elements of the bar would come before the first
figure, on the server and in the browser. So the bar says whether the browser shows the page already
(:func:`note`), and what can wait then is given to :func:`draw`: it is drawn once the page has drawn its
first screen (:func:`first_screen`), waits for a result, or ends.

``benchmarks.toggles`` measures it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from streamlit.delta_generator import DeltaGenerator

from components.streamlit_inside import sending, this_run

WAIT = 0.1
"""Seconds that a run waits for a result before it draws what could wait."""


@dataclass(frozen=True)
class _Left:
    """What is left to draw, where, and the script whose controls it holds."""

    place: DeltaGenerator
    content: Callable[[], object]
    script: str = field(default_factory=this_run.script)


@dataclass
class _Run:
    """One run of a page: whether the browser shows the page, and what is left to draw where it does."""

    is_shown: bool = False
    left: list[_Left] = field(default_factory=list)


_RUN: ContextVar[_Run] = ContextVar("what is drawn later in this run")


def note(is_shown: bool) -> None:
    """Note whether the browser shows the page already; a page that runs past app.py is always new."""
    if (run := _RUN.get(None)) is not None:
        run.is_shown = is_shown


def draw(place: DeltaGenerator, content: Callable[[], object]) -> None:
    """Draw into a place that is there: at once on a page that is new, else after the first figures."""
    run = _RUN.get(None)
    if run is not None and run.is_shown:
        run.left.append(_Left(place, content))
        return
    with place:
        content()


def catch_up() -> None:
    """Draw what waits, in the order in which it was given."""
    run = _RUN.get(None)
    while run is not None and run.left:
        left = run.left.pop(0)
        with this_run.drawn_by(left.script), left.place:
            left.content()


def first_screen() -> None:
    """Have the browser draw what the page has drawn so far before it is sent the rest, and draw that."""
    sending.first_screen()
    catch_up()


@contextmanager
def drawn() -> Iterator[None]:
    """Run a page; what waits is drawn at its end too, and below a page that ends with an error."""
    token = _RUN.set(_Run())
    try:
        try:
            yield
        except Exception:
            catch_up()
            raise
        catch_up()
    finally:
        _RUN.reset(token)
