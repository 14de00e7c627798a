"""Figures drawn anew in a process of its own: its steps, problems and end, and what the deck becomes."""

import sys
from dataclasses import replace

import pytest

from components.deck import anew, changes, files
from components.deck.document import Deck, Slide
from components.deck.store import DeckStore
from core.errors import StrataError

SCRIPT = """
import json, sys, time
deck = json.load(open(sys.argv[1]))
print("Thread 'MainThread': missing ScriptRunContext!", file=sys.stderr)
shown = [name for slide in deck["slides"] for name in slide.get("figures", [])]
for place, name in enumerate(shown):
    title = deck["figures"][name]["title"]
    print(f"{place + 1} of {len(shown)}: {title}, on scores", file=sys.stderr, flush=True)
    if title == "slow":
        time.sleep(60)
    if title == "gone":
        print("  not drawn anew: no such model", file=sys.stderr)
        continue
    figure = deck["figures"][name] | {"title": "new " + title}
    deck["figures"]["n" + name] = figure
    for slide in deck["slides"]:
        slide["figures"] = ["n" + name if one == name else one for one in slide.get("figures", [])]
if "broken" in [deck["figures"][name]["title"] for name in shown]:
    sys.exit("it broke")
json.dump(deck, open(sys.argv[3], "w"))
"""


@pytest.fixture
def store(tmp_path, monkeypatch) -> DeckStore:
    """Decks of a folder, with a program that gives every figure another title."""
    (tmp_path / "draw.py").write_text(SCRIPT)
    monkeypatch.setattr(anew, "COMMAND", (sys.executable, str(tmp_path / "draw.py")))
    return DeckStore(tmp_path / "decks")


def deck_of(store, figure, *titles: str) -> Deck:
    deck = Deck()
    for title in titles:
        deck = changes.pin(deck, figure(title))
    deck = changes.add(deck, Slide("ff", "words"))
    return store.change("0123456789", lambda _: deck)


def test_new_figures_come_into_the_deck_as_it_is_by_then(store, figure):
    deck = deck_of(store, figure, "one", "gone", "two")
    steps = []

    def changed_meanwhile(step):
        if not steps:
            store.change("0123456789", lambda now: changes.edit(now, now.slides[0].id, note="mine"))
        steps.append(str(step))

    work = anew.work(store, "0123456789", deck.slides, "a")
    assert work.what == "Drawing 3 figures anew"
    assert work.compute(changed_meanwhile) == ("gone, on scores: no such model",)
    after = store.get("0123456789")
    assert [slide.title for slide in after.slides] == ["new one", "gone", "new two", "words"]
    assert after.slides[0].note == "mine"
    assert "two, on scores: 2 of 3" in steps
    undone = changes.undo(after, after.count)
    assert [slide.title for slide in undone.slides] == ["one", "gone", "two", "words"]


def test_one_slide_alone_and_a_slide_that_is_gone_by_then(store, figure):
    deck = deck_of(store, figure, "one", "two")
    first, second, _ = deck.slides
    anew.work(store, "0123456789", [second], "a").compute(lambda step: None)
    assert [slide.title for slide in store.get("0123456789").slides] == ["one", "new two", "words"]
    count = store.change("0123456789", lambda now: changes.remove(now, first.id)).count
    anew.work(store, "0123456789", [first], "b").compute(lambda step: None)
    assert store.get("0123456789").count == count, "nothing to change"


def test_it_ends_when_it_is_stopped_and_says_what_broke(store, figure):
    def stop(step):
        if step.what.startswith("slow"):
            raise InterruptedError

    deck = deck_of(store, figure, "slow")
    with pytest.raises(InterruptedError):
        anew.work(store, "0123456789", deck.slides, "a").compute(stop)
    deck = deck_of(store, figure, "broken")
    with pytest.raises(StrataError, match="could not be drawn anew: it broke"):
        anew.work(store, "0123456789", deck.slides, "b").compute(lambda step: None)
    with pytest.raises(StrataError, match="no deck ffffffffff any more"):
        anew.work(store, "ffffffffff", deck.slides, "c").compute(lambda step: None)
    assert files.read(files.write(store.get("0123456789"))).slides == deck.slides


def test_the_command_itself_is_run_and_says_why_nothing_is_drawn(tmp_path, figure, monkeypatch):
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path))
    deck = changes.pin(Deck(), figure("one", page="nowhere"))
    new, problems = anew.drawn(deck, deck.slides, lambda step: None)
    assert new == {}
    assert problems == (
        "one, on nowhere: There is no page 'nowhere' here that could draw it; it stays as it is.",
    )


def test_a_title_of_ones_own_stays(figure):
    deck = changes.pin(Deck(), figure("old finding"))
    (slide,) = deck.slides
    new = {slide.figures[0]: replace(figure("new finding"), key="other")}
    own = changes.redraw(changes.edit(deck, slide.id, title="My words"), new)
    assert [one.title for one in own.slides] == ["My words"]
    assert own.figures_of(own.slides[0])[0].title == "new finding"
    assert changes.redraw(deck, {"nobody": figure()}) is deck


def test_what_draws_anew_gets_no_figures_but_those_of_the_slides(store, figure, monkeypatch):
    deck = deck_of(store, figure, "one", "two")
    written = []
    write = files.write
    monkeypatch.setattr(files, "write", lambda part: [write(part), written.append(part)][0])
    new, problems = anew.drawn(deck, deck.slides[:1], lambda step: None)
    assert (problems, [one.title for one in new.values()]) == ((), ["new one"])
    assert [one.title for one in written[0].figures.values()] == ["one"]


def test_titles_of_two_figures_are_exchanged_each_by_itself(figure):
    first, second = figure("Scores"), figure("Scores by layer")
    deck = changes.join(both := changes.pin(changes.pin(Deck(), first), second), both.slides[0].id)
    new = {first.name: figure("Spearman by task"), second.name: figure("New by layer")}
    assert changes.redraw(deck, new).slides[0].titles == ("Spearman by task", "New by layer")
    own = changes.entitle(deck, deck.slides[0].id, 1, "Mine")
    own = changes.edit(own, deck.slides[0].id, title="Scores · Scores by layer")  # as an earlier program
    redrawn = changes.redraw(own, new).slides[0]
    assert redrawn.titles == ("Spearman by task", "Mine")
    assert redrawn.title == "Spearman by task · New by layer"
