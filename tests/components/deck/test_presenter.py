"""The deck as one HTML file: whole, small, without network, and hostile words are text."""

import re
from html.parser import HTMLParser

import pytest

from components.deck import changes, files, presenter
from components.deck.document import Deck, DeckError, Slide, Table
from components.theme import DARK, LIGHT
from tests.components.deck.test_files import HOSTILE


class Tags(HTMLParser):
    """The tags of a page with their attributes, and the text outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture
def hostile(figure) -> Deck:
    """Hostile words in every place of a deck."""
    bad = figure(HOSTILE, line=HOSTILE, caption=(HOSTILE,), alt=HOSTILE, made={"time": HOSTILE})
    deck = changes.rename(changes.pin(changes.pin(Deck(), bad), figure("good")), HOSTILE)
    deck = changes.edit(deck, deck.slides[0].id, title=HOSTILE, note=HOSTILE, text=HOSTILE)
    return changes.add(
        deck, Slide("ff", HOSTILE, table=Table((HOSTILE, "n"), ((HOSTILE, 1 / 3), ("", None))))
    )


def test_hostile_words_are_text_everywhere(hostile):
    page = presenter.page(hostile, "http://127.0.0.1:8501")
    read = Tags(page)
    assert sum(tag == "script" for tag, _ in read.tags) == 4
    assert not [tag for tag, _ in read.tags if tag in ("img", "iframe", "link", "object", "embed")]
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]
    assert page.count("alert(1)</script>") == 0
    words = "".join(read.texts)
    assert words.count("<script>alert(1)</script>") >= 8


def test_two_figures_have_each_its_title_once(figure):
    deck = changes.pin(changes.pin(Deck(), figure("left")), figure("right"))
    deck = changes.edit(deck, deck.slides[0].id, title="renamed")
    deck = changes.join(deck, deck.slides[0].id)

    def headings(deck: Deck) -> list[tuple[str, str]]:
        return re.findall("<(h[23])[^>]*>([^<]+)</h", presenter.page(deck).partition("<script")[0])

    assert headings(deck) == [("h2", "renamed"), ("h2", "right")]
    deck = changes.edit(deck, deck.slides[0].id, title="Both")
    assert headings(deck) == [("h2", "Both"), ("h3", "renamed"), ("h3", "right")]


def test_a_page_makes_no_request(hostile):
    page = presenter.page(hostile, "http://127.0.0.1:8501")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy
    assert [attributes for _, attributes in Tags(page).tags if "src" in attributes] == []


def test_a_page_opens_again_as_the_deck(hostile):
    page = presenter.page(hostile).encode()
    again = files.read(presenter.deck_of(page))
    assert (again.title, again.slides, again.figures) == (hostile.title, hostile.slides, hostile.figures)
    with pytest.raises(DeckError, match="holds no deck"):
        presenter.deck_of(page[:500])


def test_ten_figures_of_a_thousand_points_are_less_than_8_megabytes(figure):
    deck = Deck()
    for n in range(10):
        deck = changes.pin(deck, figure(str(n), 1000))
    assert len(presenter.page(deck).encode()) < 8_000_000


def test_two_hundred_slides_and_none_are_pages(figure):
    deck = changes.pin(Deck(), figure())
    (slide,) = deck.slides
    for _ in range(199):
        deck = changes.duplicate(deck, slide.id)
    assert presenter.page(deck).count('<section class="slide"') == 200
    assert "The deck is empty" in presenter.page(Deck())


def test_links_lead_to_the_dashboard_and_say_the_recipe(figure):
    deck = changes.pin(Deck(), figure())
    page = presenter.page(deck, "http://127.0.0.1:8501")
    assert '<a href="http://127.0.0.1:8501/scores?a=layers%3Dlast&amp;corpus=demo' in page
    assert ">Draw it anew</a>" not in presenter.page(deck, "javascript:alert(1)//")
    for said in ("A: layers=last", "fingerprint 0f3a", "sentence-strata 0.3.0"):
        assert said in page


def test_numbers_are_written_with_a_few_digits():
    table = Table(("word", "n", "x"), (("a", 1, 1 / 3), ("b", 2, None)))
    page = presenter.page(Deck(slides=(Slide("a", "t", table=table),)))
    assert "<tr><td>a</td><td class=number>1</td><td class=number>0.3333</td></tr>" in page
    assert "<td class=number></td>" in page


def test_every_colour_of_a_light_figure_has_one_on_dark_ground():
    look = presenter._look()
    assert look["dark"][LIGHT.text] == DARK.text
    assert look["dark"][LIGHT.readable(LIGHT.b)] == DARK.readable(DARK.b)
    assert set(look["template"]) == {"light", "dark"}


def test_a_number_that_is_zero_but_for_rounding_reads_0_on_a_slide():
    table = Table(("layer", "deviation"), ((0, 1.025e-16), (1, 0.0963)))
    page = presenter.page(Deck(slides=(Slide("a", "t", table=table),)))
    assert "<td class=number>0</td><td class=number>0</td>" in page
    assert "<td class=number>1</td><td class=number>0.0963</td>" in page
