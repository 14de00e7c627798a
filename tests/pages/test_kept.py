"""Recipes kept by name on the page Scores: for every visitor, with their scores, to take as A or B."""

import pytest
import streamlit as st

from tests.pages.conftest import TUNED
from tests.pages.reading import errors, pairs_of, press, press_twice

RECIPES = TUNED


@pytest.fixture
def dogs(corpora, monkeypatch, tmp_path) -> str:
    """A corpus of twenty pairs, by its name, and an installation of its own."""
    monkeypatch.setenv("STRATA_CACHE", str(tmp_path / "cache"))
    corpora(dogs=pairs_of([f"the dog {i} ran by the cat {i * i % 7}" for i in range(40)]))
    return "dogs"


def kept(at):
    """The table of kept recipes."""
    return next(frame for frame in at.dataframe if "kept" in frame.value.columns)


def test_a_recipe_is_kept_by_name_for_the_next_visitor(visit, dogs, small, new_engine):
    at = visit("scores", corpus=dogs, a=small, b=f"{small};weight=idf")
    assert not any("kept" in frame.value.columns for frame in at.dataframe)
    at.text_input(key="kept.name").set_value("our baseline").run()
    press(at, "Keep A")
    press(at, "Keep B")
    assert errors(at) == []
    st.cache_resource.clear()
    other = visit("scores", corpus=dogs, a=f"{small};pool=max", b="none")
    table = kept(other).value
    assert list(table["name"])[1] == "our baseline"
    assert "idf" in table["name"][0], "without a name it has its own"
    assert list(table["recipe"]) == [f"{small};weight=idf", small]
    assert table["Spearman × 100"].notna().all()
    assert list(table["scored on"]) == ["dogs all"] * 2


def test_a_recipe_that_is_kept_again_keeps_its_name(visit, dogs, small, new_engine):
    at = visit("scores", corpus=dogs, a=small, b="none")
    at.text_input(key="kept.name").set_value("our baseline").run()
    press_twice(at, "Keep A")
    assert list(kept(at).value["name"]) == ["our baseline"]
    at.session_state["history.table/1"] = {
        "selection": {"rows": [], "columns": [], "cells": [(0, "recipe")]}
    }
    at.run()
    at.button(key="history.keep").click().run()
    assert list(kept(at).value["name"]) == ["our baseline"]


def test_a_kept_recipe_gets_its_scores_on_other_corpora_too(visit, dogs, small):
    at = press(visit("scores", corpus=dogs, a=small, b="none"), "Keep A")
    assert kept(at).value["scored on"][0] == "dogs all"
    at.text_input(key="corpus").set_value("demo").run()
    assert errors(at) == []
    assert kept(at).value["scored on"][0] == "demo train+dev+test, dogs all"
    on_demo = kept(at).value["Spearman × 100"][0]
    at.text_input(key="corpus").set_value(dogs).run()
    assert kept(at).value["Spearman × 100"][0] != on_demo


def test_a_row_is_taken_as_b_named_anew_and_removed(visit, dogs, small):
    at = press(visit("scores", corpus=dogs, a=small, b="none"), "Keep A")
    at.session_state["kept.table/1"] = {"selection": {"rows": [], "columns": [], "cells": [(0, "recipe")]}}
    at.run()
    at.button(key="kept.take.b").click().run()
    assert at.text_input(key="b").value == small
    assert at.button(key="kept.rename").disabled
    at.text_input(key="kept.name").set_value("**ours**").run()
    at.button(key="kept.rename").click().run()
    assert list(kept(at).value["name"]) == ["**ours**"]
    at.button(key="kept.remove").click().run()
    assert errors(at) == []
    assert not any("kept" in frame.value.columns for frame in at.dataframe)


def test_a_recipe_that_was_tried_is_taken_as_b_and_kept(visit, dogs, small):
    at = visit("scores", corpus=dogs, a=small, b=f"{small};pool=max")
    tried = next(frame for frame in at.dataframe if "seconds" in frame.value.columns).value
    row = list(tried["recipe"]).index(small)
    at.session_state["history.table/2"] = {
        "selection": {"rows": [], "columns": [], "cells": [(row, "recipe")]}
    }
    at.run()
    at.button(key="history.keep").click().run()
    assert list(kept(at).value["recipe"]) == [small]
    at.button(key="history.take.b").click().run()
    assert at.text_input(key="b").value == small
    assert errors(at) == []


def test_a_folder_that_cannot_be_written_is_said(visit, dogs, small, tmp_path):
    at = visit("scores", corpus=dogs, a=small, b="none")
    (tmp_path / "cache" / "recipes").write_text("")
    press(at, "Keep A")
    assert any(
        "cannot be kept: File exists" in error and str(tmp_path) not in error for error in errors(at)
    )
