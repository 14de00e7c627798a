"""From the sentence of a page, and from the words of a map, to Compare."""

from urllib.parse import parse_qs

import pytest

from components import chosen_points, sentence_links
from components.compare.examples import MIXED
from components.tokens.controls import DRAWN
from components.tokens.reading import GROUP
from tests.pages.test_tokens import _space_key


def compared(at, label: str) -> list[list[str]]:
    """The sentences that links of this label set on Compare."""
    links = [link.proto for link in at.get("page_link") if link.proto.label == label]
    said = [parse_qs(link.query_string).get("sentences") for link in links]
    return [texts[0].split("\n") for texts in said if texts]


@pytest.mark.parametrize("page", ["layers", "heads", "masking"])
def test_the_sentence_of_a_page_is_set_over_those_of_compare(visit, small, page):
    at = visit(page, a=small, b="none", sentence="A dog ran.")
    assert compared(at, "Compare") == [["A dog ran.", *MIXED]]
    at = visit(page, a=small, b="none", sentence=MIXED[2])
    assert compared(at, "Compare") == [[MIXED[2], *(one for one in MIXED if one != MIXED[2])]]


def test_a_link_to_compare_holds_as_many_sentences_as_it_can(visit, small):
    long = "word " * 380
    at = visit("masking", a=small, b="none", sentence="A dog ran.")
    at.session_state[sentence_links.COMPARED] = [f"{i} {long}" for i in range(9)]
    at.run()
    ((first, *others),) = compared(at, "Compare")
    assert first == "A dog ran."
    assert len(others) == 3
    assert len("\n".join([first, *others])) <= sentence_links.LONGEST


def test_words_that_are_found_or_drawn_around_are_compared_as_sentences(visit, small):
    at = visit("tokens", a=small, b="none", find="dog")
    ((first, *others),) = [one for label in labels(at) for one in compared(at, label)]
    assert first == "dog"
    assert others
    assert not any(word.startswith("##") for word in others)
    at = visit("tokens", a=small, b="none")
    assert not labels(at)
    group = chosen_points.written(((_space_key(small), "pca", DRAWN[0]),), [range(300)])
    at = visit("tokens", a=small, b="none", **{GROUP: group})
    (words,) = [one for label in labels(at) for one in compared(at, label)]
    assert len(words) > 1


def labels(at) -> set[str]:
    every = {link.proto.label for link in at.get("page_link")}
    return {label for label in every if label.startswith("Compare ")}
