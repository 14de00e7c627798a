"""A deck as a file: what is written is read again, and what cannot be read is told in words."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from components import figures as figure_modules
from components.deck import changes, drawable, files
from components.deck.document import Deck, DeckError, Earlier, Slide, Table

HOSTILE = '</script><script>alert(1)</script> <img src=x onerror=alert(1)> \\input{x} $x$ {{"a": 1}}'


@pytest.fixture
def deck(figure) -> Deck:
    deck = changes.rename(changes.pin(changes.pin(Deck(), figure("one")), figure(HOSTILE, 3)), HOSTILE)
    deck = changes.edit(deck, deck.slides[0].id, note=HOSTILE)
    return changes.add(deck, Slide("ff", "numbers", table=Table(("x", HOSTILE), ((1, None), (0.5, "b")))))


def test_what_is_written_is_read_again(deck):
    assert files.read(files.write(deck)) == deck
    assert files.read(files.write(Deck())) == Deck()


def test_a_long_link_is_read_whole(figure):
    deck = changes.pin(Deck(), figure(link="compare?sentences=" + "so+on+" * 6000))
    assert files.read(files.write(deck)) == deck


def test_a_file_that_is_cut_anywhere_is_told(deck):
    content = files.write(deck)
    for end in (0, 1, len(content) // 3, len(content) - 1):
        with pytest.raises(DeckError, match="no whole deck: it is cut"):
            files.read(content[:end])


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"slides":' * 100_000])
def test_a_file_of_brackets_in_each_other_is_no_deck(content):
    with pytest.raises(DeckError, match="^The file is no deck: its brackets stand in each other") as caught:
        files.read(content)
    assert "recursion" not in str(caught.value)


def test_a_deck_nested_too_deep_for_what_reads_it_is_no_deck(deck, monkeypatch):
    def too_deep(*_: object) -> None:
        raise RecursionError

    for part in ("_writable", "_deck"):
        with monkeypatch.context() as patched, pytest.raises(DeckError, match="is no deck: its brackets"):
            patched.setattr(files, part, too_deep)
            files.read(files.write(deck))


def test_a_file_of_a_newer_version_is_told(deck):
    newer = json.loads(files.write(deck)) | {"version": 2, "slides": "other"}
    with pytest.raises(DeckError, match="version 2; this program reads up to 1"):
        files.read(json.dumps(newer).encode())


def broken(deck: Deck, **fields: object) -> bytes:
    return json.dumps(json.loads(files.write(deck)) | fields).encode()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"format": "something"}, "is no deck"),
        ({"version": "one"}, "allowed are 1 to 1"),
        ({"title": 3}, "title: got '3'; allowed is text"),
        ({"slides": [{"title": "no id"}]}, "it has no 'id'"),
        ({"slides": [{"id": "../x", "title": ""}]}, "hexadecimal digits"),
        (
            {"slides": [{"id": "a", "title": "lost", "figures": ["zz"]}]},
            "shows a figure zz that is not there",
        ),
        ({"slides": [{"id": "a", "title": "", "note": "n" * 20_001}]}, "note of a slide has 20,001 char"),
        (
            {"slides": [{"id": "a", "title": "", "titles": ["b", "c"], "table": None}]},
            "2 titles over 0 figures; allowed is two over two",
        ),
        ({"slides": [{"id": f"{n:x}", "title": ""} for n in range(201)]}, "201 slides; at most 200"),
        (
            {"slides": [{"id": "a", "title": "", "table": {"columns": ["x"], "rows": [[1, 2]]}}]},
            "another length",
        ),
        ({"figures": {"a": {"height": 1e9}}}, "pixels high"),
        ({"figures": []}, "allowed is a JSON object"),
        ({"history": [None]}, "cannot be read"),
    ],
)
def test_a_file_with_other_parts_is_told(deck, fields, why):
    with pytest.raises(DeckError, match=why):
        files.read(broken(deck, **fields))
    assert files.read(broken(deck))


@pytest.mark.parametrize(
    ("written", "why"),
    [("NaN", "NaN or an infinite"), ("1e999", "NaN or an"), ('"\\ud800"', "half of a char")],
)
def test_what_no_browser_reads_is_told(figure, written, why):
    content = files.write(changes.pin(Deck(), figure())).replace(b"[1,0.5]", f"[1,{written}]".encode())
    assert written.encode() in content
    with pytest.raises(DeckError, match=why):
        files.read(content)


@pytest.mark.parametrize(
    ("plotly", "why"),
    [
        ({"data": [{"type": "choropleth"}], "layout": {}}, "trace of kind 'choropleth'"),
        ({"data": [{"type": "scater"}], "layout": {}}, "Did you mean 'scatter'"),
        ({"data": [], "layout": {"images": [{"source": "http://example.org/x.png"}]}}, "not drawn"),
        ({"data": [], "layout": {"template": {"layout": {"mapbox2": {}}}}}, "'mapbox2' in its layout"),
        ({"data": [{"type": "bar", "nonsense": 1}], "layout": {}}, "cannot be drawn"),
        ({"data": [3], "layout": {}}, "trace of kind '3'"),
        ({"data": {}}, "no data or no layout"),
    ],
)
def test_a_figure_that_loads_or_runs_something_is_refused(figure, plotly, why):
    deck = changes.pin(Deck(), replace(figure(), plotly=plotly))
    with pytest.raises(DeckError, match=why):
        files.read(files.write(deck))
    assert files.read(files.write(deck), checked=False)


def test_every_kind_of_trace_that_is_drawn_can_be_read():
    drawn = set()
    for path in Path(figure_modules.__file__).parent.rglob("*.py"):
        drawn |= set(re.findall(r"\bgo\.([A-Z]\w+)\(", path.read_text("utf-8"))) - {"Figure", "Frame"}
    assert {"Scatter", "Parcoords"} <= drawn
    assert {kind.lower() for kind in drawn} <= set(drawable.TRACES)


def test_slides_of_one_id_get_others_the_same_every_time(figure):
    """An earlier program wrote such decks; a change must find its slide at the next reading."""
    deck = changes.pin(changes.pin(Deck(), figure("first")), figure("second"))
    same = tuple(replace(slide, id="ff") for slide in (*deck.slides, *deck.slides))
    state = Earlier("add", "", same[:2])
    content = files.write(replace(deck, slides=same, history=(state,)))
    read = files.read(content)
    assert read.mended == files.MENDED
    assert [slide.title for slide in read.slides] == ["first", "second", "first", "second"]
    ids = [slide.id for slide in read.slides]
    assert ids[0] == "ff"
    assert len(set(ids)) == 4
    assert len({slide.id for slide in read.history[0].slides}) == 2
    assert files.read(content) == read
    again = files.read(files.write(read))
    assert (again, again.mended) == (read, "")
    with pytest.raises(DeckError, match="the same id"):
        files.read(content, mend=False)


def test_no_id_is_given_that_another_slide_has():
    first = files.read(_of_ids("ff", "ff")).slides[1].id
    assert len({slide.id for slide in files.read(_of_ids("ff", "ff", first)).slides}) == 3


def _of_ids(*ids: str) -> bytes:
    return files.write(Deck(slides=tuple(Slide(id, "t") for id in ids)))
