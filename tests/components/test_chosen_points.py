"""Points that are chosen in a figure, as the text that a link holds."""

import zlib
from base64 import urlsafe_b64encode
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import chosen_points

KEY, FIGURE = "group", ("map", "pca", 4000)


@pytest.fixture
def visit(monkeypatch):
    """A visit whose field says what a test lets it say; ``told`` is what is said of its link."""
    visit = SimpleNamespace(session_state={}, query_params={}, told=[])
    monkeypatch.setattr(chosen_points, "st", visit)
    monkeypatch.setattr(chosen_points.held, "hold", visit.session_state.__setitem__)
    monkeypatch.setattr(chosen_points.link, "explain", lambda key, why: visit.told.append((key, why)))
    return visit


@given(st.lists(st.sets(st.integers(0, 40_000), max_size=300).map(sorted), min_size=1, max_size=3))
def test_what_is_written_is_read(panels):
    _, *parts = chosen_points.written(FIGURE, panels).split(".")
    assert [chosen_points._read(part) for part in parts] == (panels if any(panels) else [])


def test_points_are_those_of_one_figure_and_are_taken_back(visit):
    chosen_points.take(KEY, FIGURE, [[3, 1], []])
    assert chosen_points.of(KEY, FIGURE) == [[1, 3], []]
    assert chosen_points.of(KEY, "another") == []
    assert chosen_points.is_of_another(KEY, "another")
    assert not chosen_points.is_of_another(KEY, FIGURE)
    chosen_points.clear(KEY)
    assert chosen_points.of(KEY, FIGURE) == []
    assert visit.told == []


def test_the_link_says_them_before_the_field_is_drawn(visit):
    visit.query_params[KEY] = chosen_points.written(FIGURE, [[7]])
    assert chosen_points.of(KEY, FIGURE) == [[7]]


def test_half_of_a_vocabulary_has_room_in_a_link():
    assert len(chosen_points.written(FIGURE, [range(0, 30_000, 2)])) < 200
    spread = [place * place % 30_011 for place in range(1, 2_001)]
    assert len(chosen_points.written(FIGURE, [sorted({*spread})])) < 4_000


def packed(words: bytes) -> str:
    mark = chosen_points.written(FIGURE, [[1]]).partition(".")[0]
    return f"{mark}.{urlsafe_b64encode(zlib.compress(words)).decode().rstrip('=')}"


@pytest.mark.parametrize(
    "text",
    [
        "banana",
        "0f3a9c21",
        "0f3a9c21.*",
        packed(b"")[:8] + ".AAAA",
        packed(b"1 two"),
        packed(b"5 -1"),
        packed(b"5 0 1"),
        packed(b"99999999999999999999"),
        packed("١ ٢".encode()),
        packed(b"1 " * 5_000_000),
    ],
    ids=["word", "mark", "sign", "unpacked", "letters", "back", "twice", "far", "other digits", "bomb"],
)
def test_nonsense_chooses_nothing_and_is_told(visit, text):
    visit.session_state[KEY] = text
    assert chosen_points.of(KEY, FIGURE) == []
    assert [key for key, _ in visit.told] == [KEY]
