"""A control gives an option that is offered, whatever a link or an earlier page left behind."""

import json

import pytest
from streamlit.testing.v1 import AppTest


def drawn(control: str, kept: str | None):
    """A control of two options, one session after ``kept`` was chosen."""

    def script(control, kept):
        import streamlit as st

        from components import controls

        if kept is not None and "first" not in st.session_state:
            st.session_state["first"] = True
            st.session_state["choice"] = kept
        if control == "menu":
            st.text(controls.menu("Fruit", ("apple", "pear"), "choice"))
        else:
            st.text(controls.segments("Fruit", ("apple", "pear"), "choice", default="pear"))

    at = AppTest.from_function(script, kwargs={"control": control, "kept": kept}, default_timeout=60).run()
    assert not at.exception
    return at.text[0].value


@pytest.mark.parametrize(("control", "start"), [("menu", "apple"), ("segments", "pear")])
def test_the_start(control, start):
    assert drawn(control, None) == start


@pytest.mark.parametrize("control", ["menu", "segments"])
def test_a_choice_is_kept(control):
    assert drawn(control, "apple") == "apple"
    assert drawn(control, "pear") == "pear"


@pytest.mark.parametrize(("control", "start"), [("menu", "apple"), ("segments", "pear")])
def test_a_choice_that_is_not_offered_gives_the_start(control, start):
    assert drawn(control, "melon") == start


@pytest.mark.parametrize(("chosen", "pairs"), [(r"\(all\)", None), ("all", (0, 1)), (r"\*new\*", (2,))])
def test_a_subset_of_any_name_is_chosen_apart_from_all(chosen, pairs):
    def script():
        import streamlit as st

        from components.scores.error_words import _group
        from core.corpora.corpus import Corpus

        gold = [0.0, 1.0, 4.0, 5.0]
        subset = ["all", "all", "*new*", "old"]
        st.json({"pairs": _group(Corpus.of_pairs("p", list("abcd"), list("efgh"), gold, subset=subset))})

    at = AppTest.from_function(script, default_timeout=60)
    at.query_params["errors.subset"] = chosen
    at.run()
    assert not at.exception
    assert at.button_group[0].options == [r"\(all\)", "all", r"\*new\*", "old"]
    assert json.loads(at.json[0].value)["pairs"] == (pairs and list(pairs))


def test_a_choice_made_for_another_corpus_is_taken_back():
    def script():
        import streamlit as st

        from components import controls

        size = st.session_state.setdefault("size", 9)
        controls.renew("least", size, size // 3)
        st.text(st.number_input("Least", 1, size, size // 3, key="least", bind="query-params"))

    at = AppTest.from_function(script, default_timeout=60)
    at.query_params["least"] = "8"
    at.run()
    assert at.text[0].value == "8", "a link's choice holds"
    at.session_state["size"] = 6
    at.run()
    assert not at.exception
    assert at.text[0].value == "2"
