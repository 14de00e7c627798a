"""The decks that come along: whole, small, drawn again by their own rules, and opened as copies."""

import pytest

from components.deck import demonstrations, files
from components.deck.demonstrations import DEMONSTRATIONS, Demonstration
from components.deck.document import PinnedFigure
from components.deck.store import DeckStore
from core.literature.tables.papers import PAPERS
from tests.pages.reading import captions, figures, heard, markdown, plain, press, say_heard, told


def test_there_is_one_for_each_paper():
    assert [one.number for one in DEMONSTRATIONS] == [paper.number for paper in PAPERS]
    assert sum(one.path.stat().st_size for one in DEMONSTRATIONS) < 2_500_000


@pytest.mark.parametrize("one", DEMONSTRATIONS, ids=lambda one: one.number)
def test_it_says_what_the_paper_claims_and_shows_what_its_rules_name(one):
    deck = files.read(one.path.read_bytes())
    assert deck.title == one.title
    first, *rest = deck.slides
    assert one.claims in first.text
    assert 6 <= len(deck.slides) <= 10
    shown = [(deck.figures_of(slide)[0].page, deck.figures_of(slide)[0].key, slide.note) for slide in rest]
    assert shown == [(shown.page, shown.key, shown.note) for shown in one.shown]
    assert all(slide.title == deck.figures_of(slide)[0].title for slide in rest)
    assert all("v=" in figure.link and figure.recipes for figure in deck.figures.values())


@pytest.mark.parametrize("one", [*DEMONSTRATIONS[:3], DEMONSTRATIONS[4]], ids=lambda one: one.number)
def test_its_last_figure_is_drawn_anew(one):
    drawn_anew(one)


def test_a_figure_of_several_tasks_is_drawn_once_all_of_them_are_there(few_topics, new_engine):
    assert DEMONSTRATIONS[3].shown[-1].page == "tasks"
    assert " over 3 tasks" in drawn_anew(DEMONSTRATIONS[3]).title


def drawn_anew(one: Demonstration) -> PinnedFigure:
    """The last figure of a deck as it is drawn now, of the same recipes and form as the one kept."""
    drawn = demonstrations.figure(one.shown[-1])
    kept = one.deck().figures_of(one.deck().slides[-1])[0]
    assert (drawn.page, drawn.key, drawn.recipes) == (kept.page, kept.key, kept.recipes)
    assert [trace["type"] for trace in drawn.plotly["data"]] == [t["type"] for t in kept.plotly["data"]]
    assert drawn.title
    return drawn


@pytest.mark.parametrize(
    ("menu", "button"), [("deck.papers", "deck.papers.001"), ("deck.adding", "deck.add.text")]
)
def test_a_menu_stays_closed_where_the_browser_has_not_heard_of_it(visit, menu, button):
    """It was seen open above the deck that was chosen in it."""
    at = press(visit("deck"), "Text slide")
    at.session_state[menu] = True
    at.run()
    before = heard(at)
    at.button(key=button).click().run()
    assert not at.session_state[menu]
    at.session_state[menu] = True  # a request that the browser had sent before
    say_heard(at, before)
    at.run()
    assert not at.session_state[menu]


def test_an_empty_deck_shows_what_each_paper_claims_and_opens_one(visit, passes):
    at = visit("deck")
    page = plain(markdown(at))
    for one in DEMONSTRATIONS:
        assert one.title in page
        assert one.claims.splitlines()[0].removeprefix("* ") in page
    at.button(key="deck.papers.003").click().run()
    assert DeckStore(passes / "decks").get(at.query_params["deck"]).title.startswith("Wang et al. 2020")
    assert not [one for one in at.button if str(one.label).startswith("Open the deck of")], "it has slides"


def test_a_visitor_opens_a_copy(visit, passes):
    at = press(visit("deck"), "Text slide")
    own = at.query_params["deck"]
    at.button(key="deck.papers.001").click().run()
    address = at.query_params["deck"]
    assert address != own
    assert f"The deck that was open stays at ?deck={own}." in captions(at)
    assert told(at) == "", "nothing is wrong"
    assert "stays at" not in captions(at.run()), "it is told once"
    assert DeckStore(passes / "decks").get(address).title.startswith("Wang & Kuo")
    assert len(figures(at)) == 0
    at.number_input(key="slide").set_value(2).run()
    assert len(figures(at)) == 1
    assert markdown(at)


def test_they_are_offered_where_one_arrives_and_the_chosen_one_opens(visit, passes):
    at = visit("compare")
    box = at.text_area(key="sentences").value
    at.button(key="deck.papers.004").click().run()
    address = at.query_params["deck"]
    assert DeckStore(passes / "decks").get(address).title.startswith("Lu 2023")
    assert [button for button in at.button if str(button.key).startswith("deck.open.")], "the page Deck"
    assert at.switch_page("pages/compare.py").run().text_area(key="sentences").value == box
