"""What a figure that plays waits for when it is pinned: progress, Stop, and reasons why it stays still."""

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components import cached
from components.deck import steps
from components.figure_frame import Framed
from components.figures.animation import Animation
from components.job import waiting
from core.errors import StrataError
from core.work import Work
from tests.components.test_job import WORK, Held
from tests.pages.reading import plain

SCRIPT = """
import streamlit as st
from components import job
from components.deck import steps
from tests.components.deck.test_steps import framed

with job.asked_for():
    found = steps.of(framed(), st.container())
    if found is not None:
        st.markdown(found.why or ", ".join(found.animation.names))
        steps.forget()
"""


def framed() -> Framed:
    figure = go.Figure(go.Scatter(x=[1, 2]))
    return Framed(
        "small", "A finding", figure, (), "alt", lambda: None, steps=WORK["steps"], animation=animated
    )


def animated(result: str) -> Animation:
    return Animation("layer", (result, "1"), (go.Figure(), go.Figure()), "1")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 0.1)
    st.cache_resource.clear()
    WORK.clear()
    yield
    for one in cached.shared_queue().active():
        cached.shared_queue().stop(one.key)
    st.cache_resource.clear()


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_string(SCRIPT, default_timeout=30)


def said(at: AppTest) -> list[str]:
    assert not at.exception, at.exception[0].message
    return [plain(box.value) for box in at.markdown]


def test_a_pin_waits_for_its_steps_and_has_them(page):
    held = Held("steps")
    assert said(page.run()) == []
    assert [one.label for one in page.button] == ["Stop"]
    held.go.set()
    for one in cached.shared_queue().active():
        one.wait(10)
    assert said(page.run()) == ["made, 1"]
    assert held.calls == 1


def test_who_stops_the_work_has_the_figure_as_it_stands_and_can_ask_again(page):
    held = Held("steps")
    page.run().button[0].click().run()
    assert said(page) == ["that was stopped"]
    held.go.set()
    while cached.shared_queue().active():
        cached.shared_queue().active()[0].wait(0.05)
    assert said(page.run()) == ["made, 1"]


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (Work("long", "", lambda progress: "made", 400.0), "that would take 3 to 13 minutes"),
        (Work("unread", "", lambda progress: "made", 20.0, asks=True), "that would take 10 to 40 seconds"),
    ],
    ids=["long", "unread"],
)
def test_what_takes_long_is_not_begun(page, work, why):
    WORK["steps"] = work
    assert said(page.run()) == [why]
    assert cached.shared_queue().find(work.key) is None


def test_steps_that_cannot_be_made_say_why(page):
    held = Held("steps", error=StrataError("All vectors are equal."))
    held.go.set()
    assert said(page.run()) == ["All vectors are equal."]


def test_a_figure_without_steps_is_asked_at_once():
    still = Framed("small", "A finding", go.Figure(), (), "alt", lambda: None)
    found = steps.of(still, None)
    assert (found.animation, found.why) == (None, "")
