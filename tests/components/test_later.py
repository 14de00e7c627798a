"""What of a page waits for its first figures: it is drawn after them, in its order, and never forgotten."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import StopException

from components import later
from components.job import waiting


class Place:
    """A place of a page that notes what is drawn into it."""

    def __init__(self, name: str, drawn: list[str]) -> None:
        self.name, self.drawn = name, drawn

    def __enter__(self) -> None:
        self.drawn.append(f"into {self.name}")

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""


@pytest.fixture
def drawn() -> list[str]:
    """What was drawn, in its order."""
    return []


@pytest.fixture
def draw(drawn):
    """Draws words into a place of their name."""

    def into(words: str) -> None:
        later.draw(Place(words, drawn), lambda: drawn.append(words))

    return into


def test_what_can_wait_is_drawn_after_the_first_screen_in_its_order(drawn, draw):
    with later.drawn():
        later.note(True)
        draw("top")
        draw("cells")
        drawn.append("figure")
        later.first_screen()
        drawn.append("table")
    assert drawn == ["figure", "into top", "top", "into cells", "cells", "table"]


def test_on_a_new_page_nothing_waits(drawn, draw):
    with later.drawn():
        draw("top")
        later.note(False)
        draw("editor")
        drawn.append("figure")
    assert drawn == ["into top", "top", "into editor", "editor", "figure"]


def test_a_page_without_a_first_screen_has_it_at_its_end(drawn, draw):
    with later.drawn():
        later.note(True)
        draw("cells")
        drawn.append("figure")
    assert drawn == ["figure", "into cells", "cells"]


def test_it_stands_below_a_page_that_ends_with_an_error(drawn, draw):
    with pytest.raises(ValueError), later.drawn():
        later.note(True)
        draw("cells")
        raise ValueError
    assert drawn == ["into cells", "cells"]


def test_a_run_that_another_one_follows_draws_nothing_more_and_leaves_nothing(drawn, draw):
    with pytest.raises(StopException), later.drawn():
        later.note(True)
        draw("cells")
        raise StopException
    with later.drawn():
        later.note(True)
        drawn.append("the next run")
    assert drawn == ["the next run"]


def test_a_page_by_itself_draws_at_once(drawn, draw):
    later.note(True)
    draw("cells")
    assert drawn == ["into cells", "cells"]


@pytest.mark.parametrize(
    ("seconds", "order"), [(5 * later.WAIT, ["into cells", "cells", "result"]), (0, [])]
)
def test_a_run_that_waits_for_long_draws_meanwhile(drawn, draw, monkeypatch, seconds, order):
    clock = [0.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(waiting, "st", SimpleNamespace(session_state={}))

    def wait(upto: float) -> bool:
        clock[0] += upto
        return clock[0] >= seconds

    with later.drawn():
        later.note(True)
        draw("cells")
        waiting.patient([SimpleNamespace(wait=wait)])
        drawn.append("result")
        assert drawn == (order or ["result"])
