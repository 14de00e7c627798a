"""Pinning figures of pages, and the page Deck: another visitor finds them, and changes are kept."""

import json
import re
import sys
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from components.deck import anew, changes, files, today
from components.deck.store import DeckStore
from core.versions import __version__
from tests.components.deck.figures import pinned
from tests.components.deck.test_anew import SCRIPT
from tests.pages.conftest import TUNED
from tests.pages.reading import captions, figures, headings, pairs_of, plain, press, press_twice, told

RECIPES = TUNED


@pytest.fixture
def dogs(corpora) -> str:
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    return "dogs"


@pytest.fixture
def decks(passes) -> DeckStore:
    """The decks of the installation that tests visit."""
    return DeckStore(passes / "decks")


def pin(at, key: str):
    return at.button(key=f"{key}.pin").click().run()


def test_figures_of_two_pages_are_pinned_and_another_visitor_finds_them(visit, dogs, small, decks):
    at = visit("scores", corpus=dogs, a=small, b=f"{small};weight=idf", aggregate="mean")
    drawn, title = figures(at), headings(at)
    keys = [str(button.key) for button in at.button if str(button.key).endswith(".pin")]
    assert len(keys) == len(drawn)
    pin(at, keys[0].removesuffix(".pin"))
    assert "Pinned as slide 1." in captions(at)
    assert not at.toast, "a message over the page would cover scores"
    address = at.query_params["deck"]
    (counter,) = (one.proto for one in at.get("page_link") if "Deck" in one.label)
    assert (counter.label, counter.icon) == (":primary[Deck 1]", ""), "no icon: it takes room"
    at.run()
    assert "Pinned" not in captions(at)
    assert [one.label for one in at.get("page_link") if "Deck" in one.label] == ["Deck 1"]
    pin(at.switch_page("pages/geometry.py").run(), "layers")

    deck = decks.get(address)
    assert len(deck.slides) == 2
    figure = deck.figures_of(deck.slides[0])[0]
    assert deck.slides[0].title in title
    assert figure.recipes == {"A": small, "B": f"{small};weight=idf"}
    query = parse_qs(figure.link.partition("?")[2])
    assert (query["corpus"], query["aggregate"], query["split"]) == (["dogs"], ["mean"], ["all"])
    assert "deck" not in query
    assert query["v"]
    y = [trace["y"] for trace in json.loads(drawn[0])["data"]]
    assert [trace["y"] for trace in figure.plotly["data"]] == y, "the figure as it was drawn"
    assert figure.numbers.rows

    other = visit("deck", deck=address)
    assert deck.slides[0].title in [box.value for box in other.text_input]
    assert len(figures(other)) == 1
    assert "the ones that it was drawn with" in captions(other)
    assert not other.warning


@pytest.fixture
def talk(decks) -> str:
    """The address of a deck with three figures."""
    for title in ("one", "two", "<b>three</b>"):
        decks.change("0123456789", lambda deck, title=title: changes.pin(deck, pinned(title)))
    yield "0123456789"
    decks._path("0123456789").unlink()


def titles(decks: DeckStore, address: str) -> list[str]:
    return [slide.title for slide in decks.get(address).slides]


def test_slides_are_ordered_named_joined_removed_and_undone(visit, talk, decks):
    at = visit("deck", deck=talk, slide="2")
    press(at, "Up")
    assert titles(decks, talk) == ["two", "one", "<b>three</b>"]
    assert at.number_input(key="slide").value == 1, "the slide that was moved is looked at"
    next(box for box in at.text_area if box.label.startswith("Note")).set_value("*say* <i>").run()
    assert decks.get(talk).slides[0].note == "*say* <i>"
    press(at, "Beside the next")
    assert len(figures(at)) == 2
    assert next(
        plain(button.label) for button in at.button if str(button.key).startswith("deck.open.")
    ) == ("1  two · one")
    next(box for box in at.text_input if box.label == "Title on the right").set_value("uno").run()
    assert decks.get(talk).slides[0].titles == ("two", "uno")
    press(at, "Part")
    assert titles(decks, talk) == ["two", "uno", "<b>three</b>"]
    next(box for box in at.text_input if box.label == "Title").set_value("**new** </script>").run()
    press(at, "Duplicate")
    press(at, "Numbers")
    assert len(titles(decks, talk)) == 5
    press(at, "Remove")
    press(at, "Undo")
    press(at, "Text slide")
    assert decks.get(talk).slides[1].kind == "text"
    next(box for box in at.text_area if box.label.startswith("Table")).set_value("a,b\n1,2").run()
    press(at, "Table slide")
    assert decks.get(talk).slides[2].table.rows == (("1", "2"),)
    press(at, "Table slide")
    assert "at least one line below it" in told(at)
    next(box for box in at.text_area if box.label.startswith("Table")).set_value("a,a\n1,x").run()
    press(at, "Table slide")
    assert list(at.dataframe[0].value.columns) == ["1 a", "2 a"]
    press(at, "Undo")
    listed = [plain(button.label) for button in at.button if str(button.key).startswith("deck.open.")]
    assert listed[0] == "1  **new** </script>", "shown as it is written"


def test_a_pasted_table_is_shown_as_it_is_written(visit, talk):
    """Arrow took no column of numbers and texts, and 46.0 stood as 46."""
    at = visit("deck", deck=talk)
    pasted = 'method,demo,"STS-B, test"\nmean,46.0,40.1\nDitto + z-score,49.4,'
    next(box for box in at.text_area if box.label.startswith("Table")).set_value(pasted).run()
    press(at, "Table slide")
    shown = at.dataframe[0]
    assert shown.value.values.tolist() == [["mean", "46.0", "40.1"], ["Ditto + z-score", "49.4", ""]]
    looks = json.loads(shown.proto.columns)
    assert {name: look["alignment"] for name, look in looks.items() if "alignment" in look} == {
        "demo": "right",
        "STS-B, test": "right",
    }


def test_a_double_click_is_one_click(visit, talk, decks):
    at = press_twice(visit("deck", deck=talk, slide="3"), "Text slide")
    assert titles(decks, talk) == ["one", "two", "<b>three</b>", "A text slide"]
    next(box for box in at.text_area if box.label.startswith("Table")).set_value("a,b\n1,2").run()
    press_twice(at, "Table slide")
    press_twice(at, "Duplicate")
    assert titles(decks, talk)[3:] == ["A text slide", "A table", "A table"]
    assert at.number_input(key="slide").value == 5
    press_twice(at, "Undo")
    press_twice(at, "Remove")
    assert titles(decks, talk) == ["one", "two", "<b>three</b>", "A text slide"]
    assert not told(at)


def test_a_slide_that_is_moved_twice_is_looked_at_where_it_came_to_stand(visit, talk, decks):
    at = press_twice(visit("deck", deck=talk, slide="3"), "Up")
    assert titles(decks, talk) == ["<b>three</b>", "one", "two"]
    assert at.number_input(key="slide").value == 1


def shown(at) -> str:
    """The title of the slide that is looked at."""
    return next(box.value for box in at.text_input if box.label == "Title")


def test_a_visitor_looks_at_the_same_slide_when_another_removes_one(visit, talk, decks):
    at = visit("deck", deck=talk, slide="3")
    decks.change(talk, lambda deck: changes.remove(deck, deck.slides[0].id))
    next(button for button in at.button if plain(button.label) == "2  two").click().run()
    assert shown(at) == "two"
    assert at.number_input(key="slide").value == 1
    decks.change(talk, lambda deck: changes.move(deck, deck.slides[0].id, 1))
    assert shown(at.run()) == "two"
    decks.change(talk, lambda deck: changes.remove(deck, deck.slides[0].id))
    next(button for button in at.button if plain(button.label) == "1  <b>three</b>").click().run()
    assert "it was removed elsewhere. Undo brings it back" in told(at)
    assert shown(at) == "two"


def test_a_slide_and_its_copy_stand_beside_each_other(visit, talk, decks):
    at = press(press(visit("deck", deck=talk), "Duplicate"), "Beside the next")
    assert not told(at)
    assert len(figures(at)) == 2


def test_a_deck_that_cannot_be_read_is_left_for_another(visit, talk, decks):
    decks._path(talk).write_bytes(b"{")
    at = visit("deck", deck=talk)
    assert "no whole deck: it is cut" in told(at)
    at.text_input(key="deck.address").set_value("nowhere").run()
    assert "nowhere' is no address of a deck" in told(at)
    at.text_input(key="deck.address").set_value("http://[?deck=1").run()
    assert "1' is no address of a deck" in told(at)
    press(at, "Begin another deck")
    assert "The deck is empty" in told(at)
    press(at, "Text slide")
    assert at.query_params["deck"] != talk


def test_a_deck_says_how_it_is_found_again_and_lists_those_of_the_visit_alone(visit, talk, decks):
    other = "abcdefabcd"
    decks.change(other, lambda deck: changes.rename(deck, "Somebody's <b>talk</b>"))
    at = visit("deck", deck=talk)
    assert "is found again by this link, or by its file" in captions(at)
    assert [one.value for one in at.code] == [f"/deck?deck={talk}"]
    assert "Other decks" not in captions(at)
    page = str([*at.button, *at.caption, *at.markdown])
    assert other not in page and "Somebody" not in page, "an address is known to those who were given it"
    address = next(box for box in at.text_input if box.label == "Open by link or address")
    address.set_value(f"http://localhost:8501/deck?slide=1&deck={other}").run()
    assert at.query_params["deck"] == other
    assert [one.value for one in at.code] == [f"/deck?deck={other}"]
    assert "Other decks of this visit:" in captions(at)
    (back,) = [one for one in at.button if str(one.key) == f"deck.again.{talk}"]
    assert re.fullmatch(r".+: 3 slides, changed \d+ seconds ago", back.label)
    back.click().run()
    assert at.query_params["deck"] == talk
    (there,) = [one for one in at.button if str(one.key) == f"deck.again.{other}"]
    assert plain(there.label).startswith("Somebody's <b>talk</b>: 0 slides")
    press(at, "Begin another deck")
    assert "is found again" not in captions(at), "there is none yet"
    assert len([one for one in at.button if str(one.key).startswith("deck.again.")]) == 2
    decks.drop(other)


def test_two_tabs_change_a_deck(visit, talk, decks):
    one, other = visit("deck", deck=talk), visit("deck", deck=talk)
    press(one, "Remove")
    next(box for box in other.text_input if box.label == "Title").set_value("too late").run()
    gone = "removed elsewhere. Undo brings it back. What was written, to copy: “too late”"
    assert gone in told(other), "nobody's words are lost"
    press(one, "Undo")
    assert titles(decks, talk) == ["one", "two", "<b>three</b>"]
    next(box for box in one.text_input if box.label == "Title").set_value("first").run()
    other = visit("deck", deck=talk)
    next(box for box in one.text_input if box.label == "Title").set_value("mine").run()
    next(box for box in other.text_input if box.label == "Title").set_value("theirs").run()
    assert "Elsewhere the title had become “mine”. Undo brings it back" in told(other)
    assert titles(decks, talk)[0] == "theirs"


def test_a_file_opens_as_a_new_deck_and_a_bad_one_is_told(visit, talk, decks):
    content = files.write(decks.get(talk))
    at = visit("deck")
    assert "The deck is empty" in told(at)
    at.file_uploader(key="deck.file").set_value(("half.json", content[:300], "application/json")).run()
    assert re.search("half.json.*it is cut", told(at))
    at = visit("deck")
    at.file_uploader(key="deck.file").set_value(("talk.json", content, "application/json")).run()
    address = at.query_params["deck"]
    assert address != talk
    assert titles(decks, address) == titles(decks, talk)


def test_slides_of_one_id_are_told_until_the_deck_is_changed(visit, talk, decks, passes):
    deck = decks.get(talk)
    same = files.write(replace(deck, slides=tuple(replace(slide, id="ff") for slide in deck.slides)))
    at = visit("deck")
    at.file_uploader(key="deck.file").set_value(("old.json", same, "application/json")).run()
    assert "'old.json': Slides of this deck had the same id. Each has its own now" in told(at)
    assert len(decks.get(at.query_params["deck"]).slides) == 3
    (passes / "decks" / f"{talk}.json").write_bytes(same)
    at = visit("deck", deck=talk, slide="2")
    assert "Slides of this deck had the same id" in told(at)
    press(at, "Remove")
    assert "same id" not in told(at)
    assert titles(decks, talk) == ["one", "<b>three</b>"]


def test_every_file_says_what_it_is_and_what_it_is_for(visit, talk):
    at = visit("deck", deck=talk)
    buttons = [one for one in at.main if one.type == "download_button"] or at.get("download_button")
    said = {one.proto.label: one.proto.help for one in buttons}
    said |= {one.label: one.help for one in at.button if str(one.key).startswith("deck.download")}
    endings = {label.rpartition("(")[2].rstrip(")") for label in said if label.startswith("Download")}
    assert endings == {".json", ".html", ".zip", ".pptx"}
    for label, words in said.items():
        assert words.startswith(("To ", "For ")), label


def test_an_empty_deck_has_no_files_and_says_when_it_has(visit, talk):
    for at, idle in ((visit("deck", deck=talk), False), (visit("deck"), True)):
        buttons = [one.proto for one in at.get("download_button")]
        buttons += [one.proto for one in at.button if str(one.key).startswith("deck.download")]
        assert len(buttons) == 4
        for button in buttons:
            assert button.disabled == idle, button.label
            assert button.help.endswith("once the deck has a slide") == idle


@pytest.mark.parametrize("address", ["../../x", "nothing", "ABCDEF0123"])
def test_an_address_that_is_none_is_told(visit, address):
    at = visit("deck", deck=address)
    assert f"The link names a deck '{address}'; an address has ten hexadecimal digits." in told(at)


def test_a_deck_that_is_not_here_is_told(visit):
    nowhere = visit("deck", deck="ffffffffff")
    assert "There is no deck ffffffffff on this installation yet" in told(nowhere)
    assert "is found again" not in captions(nowhere)


def test_what_is_another_today_is_said(engine_on_passes, dogs, small):
    engine = engine_on_passes()
    link = f"scores?corpus=dogs&v=A{'0' * 6}.C{'1' * 6}"
    old = replace(pinned(), recipes={"A": small, "B": "none"}, link=link)
    said = today.of(engine, old)
    assert said.others == ("the model of recipe A", "the corpus")
    assert said.told.startswith("The model of recipe A is another one; the corpus is another one.")
    gone = today.of(engine, replace(old, recipes={"A": "source=no-such-model"}, link="scores?corpus=nope"))
    assert len(gone.gone) == 2
    assert "no-such-model" in gone.told


def test_nothing_is_said_to_be_the_same_without_fingerprints(engine_on_passes):
    table = replace(pinned(), recipes={}, link="papers?papers.table=000.11")
    assert today.of(engine_on_passes(), table).told.startswith("Its link holds no fingerprints")


def test_a_figure_of_another_version_is_said_to_be(engine_on_passes):
    engine = engine_on_passes()
    told = today.of(engine, pinned(made={"sentence-strata": "0.1.0"})).told
    assert told.endswith(f" This is version {__version__}: titles and labels may be other ones too.")
    assert "This is version" not in today.of(engine, pinned(made={"sentence-strata": __version__})).told
    assert "This is version" not in today.of(engine, pinned(made={})).told


def test_a_figure_of_a_page_that_is_not_here_is_shown_without_a_link(visit, decks):
    address = "0123456789"
    decks.change(address, lambda deck: changes.pin(deck, pinned(page="zzz")))
    at = visit("deck", deck=address)
    assert not at.exception
    assert "There is no page zzz here that could draw it anew." in captions(at)


@pytest.mark.parametrize("slide", ["9" * 300, "-1", "x"])
def test_an_address_with_an_impossible_number_shows_the_first_slide(visit, talk, slide):
    at = visit("deck", deck=talk, slide=slide)
    assert not at.exception


def test_figures_are_drawn_anew_on_the_page(visit, talk, decks, tmp_path, monkeypatch):
    (tmp_path / "draw.py").write_text(SCRIPT)
    monkeypatch.setattr(anew, "COMMAND", (sys.executable, str(tmp_path / "draw.py")))
    decks.change(talk, lambda deck: changes.pin(deck, pinned("gone")))
    at = press(visit("deck", deck=talk), "Redraw")
    assert titles(decks, talk) == ["new one", "two", "<b>three</b>", "gone"]
    press(at, "Redraw all")
    assert "gone, on scores: no such model" in told(at)
    assert titles(decks, talk) == ["new new one", "new two", "new <b>three</b>", "gone"]
    assert not next(button for button in at.button if button.label == "Redraw all").disabled
    press(at, "Undo")
    assert titles(decks, talk) == ["new one", "two", "<b>three</b>", "gone"]
    monkeypatch.setattr(anew, "COMMAND", (sys.executable, "-c", "import sys; sys.exit('it broke')"))
    press(at, "Redraw")
    assert "could not be drawn anew: it broke" in told(at)
