"""A control whose choice can be made elsewhere too."""

import pytest
import streamlit as st

from components import chooser


@pytest.fixture(autouse=True)
def session(monkeypatch):
    """A session in which nothing was chosen."""
    monkeypatch.setattr(st, "session_state", {})


def test_a_control_is_another_one_when_its_choice_was_made_elsewhere():
    first = chooser.key("pairs", None)
    assert chooser.makes("pairs", first, (1, 2))
    assert chooser.key("pairs", (1, 2)) == first
    second = chooser.key("pairs", None)
    assert second != first
    assert chooser.key("pairs", None) == second


def test_what_a_control_says_that_is_no_longer_drawn_is_no_choice():
    first = chooser.key("methods", "SIF")
    assert chooser.makes("methods", first, "uSIF")
    second = chooser.key("methods", "GEM")
    assert not chooser.makes("methods", first, "SIF")
    assert not chooser.makes("methods", first, "uSIF")
    assert chooser.key("methods", "GEM") == second
    assert chooser.makes("methods", second, "SIF")


def test_what_a_control_says_again_is_no_choice():
    key = chooser.key("methods", "SIF")
    assert not chooser.makes("methods", key, "SIF"), "what it began with"
    assert chooser.makes("methods", key, "uSIF")
    assert not chooser.makes("methods", key, "uSIF")
    assert chooser.makes("methods", key, "SIF")
