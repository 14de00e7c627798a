"""The pairs that go most wrong on the page Scores: a row that is chosen opens on other pages."""

import re
from urllib.parse import parse_qs

import pytest

from components.scores.worst_pairs import gold_format
from tests.pages.reading import captions, errors, pairs_of, shown


def opened(at) -> list[list[str]]:
    """The pair that each table opens on Compare."""
    links = [link.proto for link in at.get("page_link") if link.proto.label == "Both on Compare"]
    return [parse_qs(link.query_string)["sentences"][0].split("\n") for link in links]


def leads_to(at, page: str) -> list[str]:
    """The sentences that links open on a page."""
    links = [link.proto for link in at.get("page_link") if link.proto.label == page]
    return [parse_qs(link.query_string)["sentence"][0] for link in links if link.query_string]


@pytest.mark.parametrize(
    ("scores", "form"),
    [([2.0, 1.5, 2.1], "%.1f"), ([5.0, 4.9], "%.1f"), ([5.0, 0.0], "%.0f"), ([3.4567, 2.25], "%.3f")],
)
def test_gold_scores_have_as_many_decimals(scores, form):
    assert gold_format(scores) == form


def first_rows(at) -> list[list[str]]:
    tables = [frame.value for frame in at.dataframe if "gold" in frame.value.columns]
    return [[str(table[name][0]) for name in ("sentence 1", "sentence 2")] for table in tables]


def test_the_chosen_row_is_forgotten_with_its_pairs(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=small, b="none")
    tables = [frame for frame in at.dataframe if "gold" in frame.value.columns]
    assert opened(at) == first_rows(at)
    assert captions(at).count("places, % of pairs: rank by similarity less rank by gold score, in %") == 1
    for page in ("Layers", "Heads", "Masking"):
        assert leads_to(at, page) == [sentence for pair in first_rows(at) for sentence in pair]
    assert re.fullmatch("−[0-9]+", shown(tables[0])["places"][0]), "a minus, as in the text"
    key = tables[0].proto.id.split("-", 2)[-1]
    at.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(3, "gold")]}}
    at.run()
    assert opened(at)[0] == [str(tables[0].value[name][3]) for name in ("sentence 1", "sentence 2")]
    at.text_input(key="a").set_value(f"{small};pool=max").run()
    assert errors(at) == []
    assert opened(at) == first_rows(at)


def test_a_link_leaves_behind_what_is_of_its_page_alone(visit, corpora, small):
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    at = visit("scores", corpus="dogs", a=small, b="none", errors="true", **{"errors.pairs": "20"})
    links = [
        link.proto for link in at.get("page_link") if link.proto.label in ("Both on Compare", "Layers")
    ]
    said = [set(parse_qs(link.query_string)) for link in links if link.query_string]
    assert said
    for names in said:
        assert not {"errors", "errors.pairs"} & names
        assert {"a", "b", "corpus"} <= names
