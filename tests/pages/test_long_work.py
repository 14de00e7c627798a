"""Work that takes long asks first, can be stopped, and goes on where it was."""

import pytest

from core.embed import Road
from tests.pages.reading import errors, figures, told

PAGES = ("compare", "scores")


@pytest.fixture
def slow(monkeypatch) -> list[str]:
    """Every recipe seems to need two minutes of reading; the recipes that were walked all the same."""
    walked: list[str] = []
    embed = Road.embed

    def noted(self, recipe, *rest):
        walked.append(str(recipe))
        return embed(self, recipe, *rest)

    monkeypatch.setattr(Road, "pending_seconds", lambda *_: 120.0)
    monkeypatch.setattr(Road, "embed", noted)
    return walked


def button(at, label: str):
    """The buttons with this label."""
    return [one for one in at.button if one.label == label]


@pytest.mark.parametrize("page", PAGES)
def test_long_work_is_said_beforehand_and_waits_for_a_click(visit, slow, page):
    at = visit(page)
    assert "takes about 2 minutes, once" in told(at)
    assert len(button(at, "Start")) == 1
    assert slow == []
    assert figures(at) == []


@pytest.mark.parametrize("page", PAGES)
def test_long_work_runs_after_the_click(visit, slow, page):
    at = visit(page)
    button(at, "Start")[0].click().run()
    assert errors(at) == []
    assert slow
    assert figures(at)
    assert not button(at, "Start")


@pytest.mark.parametrize("page", PAGES)
def test_long_work_can_be_stopped_while_it_runs(visit, slow, page, monkeypatch):
    at = visit(page)
    monkeypatch.setattr(Road, "embed", _stuck)
    button(at, "Start")[0].click().run()
    assert not at.exception
    button(at, "Stop")[0].click().run()
    assert len(button(at, "Start")) == 1
    assert not button(at, "Stop")


@pytest.mark.parametrize("page", PAGES)
def test_other_work_asks_again(visit, slow, page):
    at = visit(page, a="layers=last", b="none")
    button(at, "Start")[0].click().run()
    del slow[:]
    at.text_input(key="a").set_value("source=random").run()
    assert len(button(at, "Start")) == 1
    assert slow == []


@pytest.mark.parametrize("page", PAGES)
def test_short_work_does_not_ask(visit, page, monkeypatch):
    monkeypatch.setattr(Road, "pending_seconds", lambda *_: 2.0)
    at = visit(page)
    assert not button(at, "Start")
    assert figures(at)


def _stuck(*_):
    """Stands for a pass that is still running when the visitor looks: the page ends here."""
    import streamlit as st

    st.stop()
