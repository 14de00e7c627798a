"""A rerun that interrupts a page ends it without an error, wherever it comes."""

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from tests.pages.conftest import TUNED

RECIPES = TUNED


@pytest.mark.parametrize("command", ["columns", "empty", "container", "expander", "metric"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_interruption_passes_through(visit, small, monkeypatch, command, number):
    called, draw = [], getattr(st, command)

    def interrupted(*arguments, **named):
        called.append(command)
        if len(called) == number:
            raise StopException
        return draw(*arguments, **named)

    monkeypatch.setattr(st, command, interrupted)
    at = visit("scores", a=small, b="none")
    assert not at.exception
