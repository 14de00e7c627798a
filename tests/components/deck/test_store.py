"""Decks on the installation: two tabs lose nothing, and a damaged file is told and left as it is."""

import os
import threading
from dataclasses import replace

import pytest

from components.deck import changes, files
from components.deck.document import Deck, DeckError, Slide
from components.deck.store import DeckStore, is_address, new_address


def test_a_deck_is_there_for_another_process(figure, tmp_path):
    address = new_address()
    made = DeckStore(tmp_path).change(address, lambda deck: changes.pin(deck, figure()))
    assert DeckStore(tmp_path).get(address) == made
    assert DeckStore(tmp_path).get(new_address()) is None
    assert is_address(address)


def test_tabs_that_change_a_deck_at_once_lose_nothing(figure, tmp_path):
    address = new_address()

    def tab(name: str) -> None:
        store = DeckStore(tmp_path)
        for n in range(5):
            store.change(address, lambda deck, n=n: changes.pin(deck, figure(f"{name}{n}")))

    tabs = [threading.Thread(target=tab, args=(name,)) for name in "abc"]
    for one in tabs:
        one.start()
    for one in tabs:
        one.join()
    deck = DeckStore(tmp_path).get(address)
    assert sorted(slide.title for slide in deck.slides) == sorted(
        f"{name}{n}" for name in "abc" for n in range(5)
    )
    assert deck.count == 15


def test_what_another_tab_writes_within_a_tick_of_the_clock_is_read(tmp_path):
    address, here, there = new_address(), DeckStore(tmp_path), DeckStore(tmp_path)
    here.change(address, lambda deck: changes.rename(deck, "Monday"))
    path = tmp_path / f"{address}.json"
    moment, title = path.stat().st_mtime_ns, here.get(address).title
    there.change(address, lambda deck: replace(deck, title="Friday"))
    os.utime(path, ns=(moment, moment))
    assert (title, here.get(address).title) == ("Monday", "Friday")


def test_two_tabs_that_saw_the_same_deck_each_change_their_slide(figure, tmp_path):
    store, address = DeckStore(tmp_path), new_address()
    for title in "ab":
        store.change(address, lambda deck, title=title: changes.pin(deck, figure(title)))
    first, second = store.get(address).slides
    store.change(address, lambda deck: changes.remove(deck, first.id))
    store.change(address, lambda deck: changes.edit(deck, second.id, note="kept"))
    with pytest.raises(DeckError, match="removed elsewhere"):
        store.change(address, lambda deck: changes.edit(deck, first.id, note="lost?"))
    assert [slide.note for slide in store.get(address).slides] == ["kept"]


@pytest.mark.parametrize("address", ["../../etc/x", "a/b", "", "0F3A9C21D4", "0f3a9c21d4x", ".", "deck"])
def test_an_address_is_no_path(address, tmp_path):
    assert not is_address(address)
    with pytest.raises(DeckError, match="no address of a deck"):
        DeckStore(tmp_path).get(address)


def test_a_damaged_file_is_told_and_left_as_it_is(figure, tmp_path):
    store, address = DeckStore(tmp_path), new_address()
    whole = files.write(store.change(address, lambda deck: changes.pin(deck, figure())))
    path = tmp_path / f"{address}.json"
    for content, why in (
        (whole[:-40], "it is cut"),
        (whole.replace(b'"version":1', b'"version":9'), "version 9"),
    ):
        path.write_bytes(content)
        os.utime(path, ns=(1, len(content)))
        with pytest.raises(DeckError, match=why):
            store.get(address)
        with pytest.raises(DeckError, match=why):
            store.change(address, lambda deck: changes.pin(deck, figure("other")))
        assert path.read_bytes() == content


def test_a_deck_that_could_not_be_read_again_is_not_written(figure, tmp_path):
    store, address = DeckStore(tmp_path), new_address()
    kept = store.change(address, lambda deck: changes.pin(deck, figure()))
    slide = kept.slides[0]
    for change, why in (
        (lambda deck: replace(deck, slides=(slide, slide)), "the same id"),
        (lambda deck: changes.pin(deck, figure(height=20_000)), "20000' pixels high"),
    ):
        with pytest.raises(DeckError, match=f"The deck stays as it was.*{why}"):
            store.change(address, change)
        assert DeckStore(tmp_path).get(address) == kept


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with pytest.raises(DeckError, match="cannot be kept: ") as raised:
        DeckStore(blocked).change(new_address(), lambda deck: Deck("x"))
    assert str(tmp_path) not in str(raised.value)


def test_a_deck_that_is_only_read_is_shown_and_others_lie_elsewhere(figure, tmp_path):
    address, mine = new_address(), new_address()
    made = DeckStore(tmp_path / "fixed").change(address, lambda deck: changes.pin(deck, figure()))
    before = (tmp_path / "fixed" / f"{address}.json").read_bytes()
    store = DeckStore(tmp_path / "own", fixed=tmp_path / "fixed")
    assert store.get(address) == made
    with pytest.raises(DeckError, match="read-only"):
        store.change(address, lambda deck: changes.pin(deck, figure("more")))
    store.drop(address)
    store.change(mine, lambda deck: changes.pin(deck, figure()))
    assert store.get(mine) is not None
    assert [path.name for path in (tmp_path / "fixed").glob("*.json")] == [f"{address}.json"]
    assert (tmp_path / "fixed" / f"{address}.json").read_bytes() == before


def test_a_deck_that_grows_too_large_forgets_its_past_before_it_is_refused(figure, tmp_path, monkeypatch):
    store, address = DeckStore(tmp_path), new_address()
    monkeypatch.setattr(files, "LARGEST", 20_000)
    for title in "abcdef":
        store.change(address, lambda deck, title=title: changes.pin(deck, figure(title, points=200)))
        store.change(address, lambda deck: changes.remove(deck, deck.slides[0].id))
    assert (kept := DeckStore(tmp_path).get(address)).slides == ()
    assert 0 < len(kept.history) < 12
    with pytest.raises(DeckError, match=r"The deck would have [\d,]+ bytes; at most 20,000 are allowed"):
        store.change(address, lambda deck: changes.pin(deck, figure("z", points=5000)))
    assert DeckStore(tmp_path).get(address) == kept


def test_decks_take_their_budget_and_no_more(figure, tmp_path):
    """A change that needs no room is made all the same, and the past goes before the change is refused."""
    first, second = new_address(), new_address()
    before = DeckStore(tmp_path).change(first, lambda deck: changes.pin(deck, figure()))
    full = DeckStore(tmp_path, budget_bytes=(tmp_path / f"{first}.json").stat().st_size + 1000)
    for address in (first, second):
        with pytest.raises(
            DeckError, match=r"decks of this installation are full: .* room for [\d,]+\. Remove"
        ):
            full.change(address, lambda deck: changes.pin(deck, figure("more", points=5000)))
    assert full.get(first) == before
    assert full.get(second) is None
    removed = full.change(first, lambda deck: changes.remove(deck, deck.slides[0].id))
    assert (removed.slides, full.get(first)) == ((), removed)
    full.change(second, lambda deck: changes.pin(deck, figure()))


def test_no_change_gives_a_deck_more_slides_than_can_be_read(figure, tmp_path, monkeypatch):
    store, address = DeckStore(tmp_path), new_address()
    for title in "abc":
        store.change(address, lambda deck, title=title: changes.pin(deck, figure(title)))
    joined = store.change(address, lambda deck: changes.join(deck, deck.slides[0].id))
    monkeypatch.setattr(changes, "MOST", 2)
    for change in (changes.part, changes.duplicate):
        with pytest.raises(DeckError, match="at most 2 slides; this one is full"):
            store.change(address, lambda deck, change=change: change(deck, joined.slides[0].id))
    assert store.get(address) == joined


def test_a_deck_whose_slides_have_one_id_opens_and_is_kept_mended(tmp_path):
    store, address = DeckStore(tmp_path), new_address()
    slide = Slide("ff", "one")
    (tmp_path / f"{address}.json").write_bytes(
        files.write(Deck(slides=(slide, replace(slide, title="two"))))
    )
    read = store.get(address)
    assert read.mended
    second = read.slides[1]
    changed = store.change(address, lambda deck: changes.edit(deck, second.id, title="2"))
    assert [one.title for one in changed.slides] == ["one", "2"]
    assert store.get(address).mended == ""
