"""Tokens tinted by their weight."""

import html
import re
from html.parser import HTMLParser

import pytest

from components.token_strip import DEEPEST, FAINTEST, signed_strip, strip

BLUE = "#0072B2"


class Read(HTMLParser):
    """The elements, titles and text of a piece of HTML, as a browser reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names, self.titles, self.shown = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        if tag == "span":
            self.titles.append(dict(attrs)["title"])
            assert set(dict(attrs)) == {"title", "style"}

    def handle_data(self, data):
        self.shown.append(data)


def tints(text: str) -> list[float]:
    """How deep each token's tint is."""
    return [float(alpha) for alpha in re.findall(r"background:rgba\(0,114,178,([\d.]+)\)", text)]


@pytest.mark.parametrize(
    "token", ["<s>", "</span>", '"', "'", "&lt;", "<script>alert(1)</script>", '" onmouseover="x', "a<b"]
)
def test_a_token_is_shown_as_it_is_written(weights, token):
    found = Read(strip(weights([token], [1.0]), BLUE, 1))
    assert set(found.names) == {"div", "small", "span"}
    assert token in found.shown
    assert found.titles[0].startswith(f"{token}: 100.0 % of the weight")


def test_a_larger_share_is_a_deeper_tint(weights):
    low, middle, high = tints(strip(weights("abc", [0.1, 0.3, 0.6]), BLUE, 1))
    assert low < middle < high


def test_equal_shares_are_equal_tints(weights):
    assert len(set(tints(strip(weights("abcd", [0.25] * 4), BLUE, 1)))) == 1


def test_a_share_beyond_three_equal_ones_is_no_deeper(weights):
    most = tints(strip(weights("abcdefgh", [1.0, *[0.0] * 7]), BLUE, 1))
    assert most[0] == pytest.approx(DEEPEST)
    assert most[1] == pytest.approx(FAINTEST)


def test_words_differ_beside_a_special_token_that_has_almost_all(weights):
    found = weights(["[CLS]", "bank", "of", "river"], [0.94, 0.03, 0.01, 0.02], (-1, 0, 1, 2))
    special, *words = tints(strip(found, BLUE, 1))
    assert special == pytest.approx(DEEPEST)
    assert words == pytest.approx(
        [FAINTEST + (DEEPEST - FAINTEST) * of / 3 for of in (1.5, 0.5, 1)], abs=1e-3
    )
    alone = weights(["[CLS]", "bank"], [1.0, 0.0], (-1, 0))
    assert tints(strip(alone, BLUE, 1)) == pytest.approx(
        [DEEPEST * 2 / 3 + FAINTEST / 3, FAINTEST], abs=1e-3
    )


def test_the_hover_says_share_frequency_and_pieces(weights):
    found = Read(
        strip(weights(["un", "##like", "it"], [0.5, 0.25, 0.25], (0, 0, 1), (3, 1200, 7)), BLUE, 1)
    )
    assert found.titles == [
        "un: 50.0 % of the weight; in 3 texts, one of 2 pieces of a word",
        "##like: 25.0 % of the weight; in 1,200 texts, one of 2 pieces of a word",
        "it: 25.0 % of the weight; in 7 texts",
    ]


def test_marks_of_a_word_start_are_left_out(weights):
    assert Read(strip(weights(["Ġthe", "▁cat", "▁"], [0.3, 0.3, 0.4]), BLUE, 1)).shown[2:] == [
        "the",
        "cat",
        "▁",
    ]


def test_a_cut_sentence_says_so(weights):
    assert "cut here" in strip(weights("a", [1.0], truncated=True), BLUE, 1)
    assert "cut here" not in strip(weights("a", [1.0]), BLUE, 1)


def test_a_sentence_without_tokens_is_its_number(weights):
    assert html.unescape(re.sub("<[^>]*>", "", strip(weights([], []), BLUE, 7))).strip() == "7"


def test_numbers_of_either_sign_have_two_colours_and_one_scale():
    found = signed_strip(("<s>", "a", "b"), {1: 0.2, 2: -0.1}, 0.2, "light", 3, "of the cosine")
    assert "&lt;s&gt;: takes no part" in found
    assert "a: +0.200 of the cosine" in found
    assert "b: −0.100 of the cosine" in found
    assert "rgba(33,102,172,0.500)" in found
    assert "rgba(178,24,43,0.270)" in found


def test_weights_that_are_not_used_are_not_shown(weights):
    shown = strip(weights(["a", "b"], [0.9, 0.1]), BLUE, 1, weighted=False)
    assert set(tints(shown)) == {FAINTEST}
    assert all("no weight is used" in title for title in Read(shown).titles)
    assert "in 1 text" in strip(weights(["a"], [1.0]), BLUE, 1)
