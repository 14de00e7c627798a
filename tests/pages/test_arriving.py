"""Links from one page to another: what they say stands there, whatever stood there before."""

import pytest
from streamlit.testing.v1 import AppTest

from components import link
from tests.pages.reading import table_of, told

SENTENCES = "one cat\ntwo dogs\nthree birds"


@pytest.fixture
def dogs(corpora) -> str:
    """A corpus of two pairs, by its name."""
    corpora(dogs=table_of([("A dog runs.", "The dog ran.", 4), ("Old cats sleep.", "It rains.", 0)]))
    return "dogs"


def follow(at: AppTest, page: str, *, whole: str = "", **settings: str) -> AppTest:
    """Follow a link as a browser does: it asks for the page with the address before, then the link's.

    An empty ``page`` is the one that the visitor is on.
    """
    before = {name: value for name, value in at.query_params.items() if name not in settings}
    at.query_params.clear()
    for name, value in (before | link.setting(settings, whole=whole)).items():
        at.query_params[name] = value
    if page:
        at.switch_page(f"pages/{page}.py")
    return at.run()


def test_another_recipe_has_not_the_name_of_the_one_before(visit, small, dogs):
    at = visit("scores", corpus=dogs, a=small, an="mine", b="none")
    at = follow(at, "compare", a=f"{small};pool=max", sentences=SENTENCES)
    assert at.text_input(key="a").value == f"{small};pool=max"
    assert at.text_input(key="an").value == ""
    assert "an" not in at.query_params


def test_what_an_earlier_link_says_is_not_held_against_the_page(visit, small, dogs):
    at = visit("scores", corpus=dogs, a=small, b="none", sentences="one cat\ntwo dogs", pair="1,2")
    at = follow(at, "compare", sentences=SENTENCES, pair="")
    assert not at.warning
    assert at.text_input(key="pair").value == ""


def test_what_the_address_says_of_another_page_stands_there_once_one_goes_on(visit, small, dogs):
    at = visit("scores", corpus=dogs, a=small, b="none", sentences=SENTENCES, pair="1,2")
    for name in ("sentences", "pair"):
        del at.query_params[name]  # the browser lets go of them on the way
    at.switch_page("pages/compare.py").run()
    assert at.text_area(key="sentences").value == SENTENCES
    assert at.text_input(key="pair").value == at.query_params["pair"] == "1,2"
    assert not at.warning


def test_what_a_followed_link_says_in_vain_is_told_and_its_fingerprints_leave_the_address(
    visit, small, dogs
):
    at = visit("compare", corpus=dogs, a=small, b="none", sentences=SENTENCES)
    at = follow(at, "scores", corpus=dogs, a=small, b="none", aggregate="banana", v="A000000")
    assert "The link says aggregate = 'banana', which this page cannot follow; it shows all." in told(at)
    assert "The model of recipe A is not the one this link was made with" in told(at)
    assert "v" not in at.query_params


def test_a_link_of_a_whole_page_has_its_other_controls_at_their_defaults(visit, small, dogs):
    at = visit("compare", corpus=dogs, a=small, b="none", sentences=SENTENCES, pair="1,2")
    made_of = {"corpus": dogs, "a": small, "b": "none"}
    for whole, pair in (("", "1,2"), ("compare", "")):
        at = follow(at, "scores", **made_of)
        at = follow(at, "compare", whole=whole, sentences="one cow\ntwo horses", **made_of)
        assert at.text_input(key="pair").value == pair


def test_a_link_to_the_page_that_one_is_on_has_the_browser_show_what_it_says(visit, small, dogs):
    at = visit("compare", corpus=dogs, a=small, b="none", sentences=SENTENCES, pair="1,2", shown="map")
    at.patient = False
    at = follow(at, "", shown="matrices", pair="", sentences="one cow\ntwo horses")
    shown, pair = at.button_group(key="shown"), at.text_input(key="pair")
    assert (shown.proto.set_value, pair.proto.set_value) == (True, True), "it had them, and shows the old"
    assert (shown.value, pair.value) == ("matrices", "")
    at.run()
    assert at.text_area(key="sentences").value == "one cow\ntwo horses"
    assert not {"shown", "pair"} & {*at.query_params}
