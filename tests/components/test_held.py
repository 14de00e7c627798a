"""A browser that has not heard undoes nothing that code set; what the visitor says then is theirs."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from components import held
from components.streamlit_inside import this_run


@pytest.fixture
def moment(monkeypatch):
    """The clock, to be set."""
    clock = [100.0]
    monkeypatch.setattr(held.time, "monotonic", lambda: clock[0])
    return clock


@pytest.fixture
def page():
    """A field that buttons write into, and what the page makes of it."""

    def script():
        import streamlit as st

        from components import held

        def add(text: str, heard: float) -> None:
            held.hold("field", held.now("field") + text, heard)

        def note() -> None:
            if not held.is_echo("field"):
                st.session_state["noted"] = st.session_state["field"]

        held.hear()
        st.text_input("Field", value="start", key="field", on_change=note)
        st.button("One", on_click=add, args=(" one", held.HEARD))
        st.button("Two", on_click=add, args=(" two", held.HEARD))
        st.button("Three", on_click=add, args=(" three", held.SOON))
        st.button("Start", on_click=held.hold, args=("field", "start"))
        st.button("Open", on_click=held.hold, args=(held.parameter("edit"), "a.layers"))
        st.button("Close", on_click=held.hold, args=(held.parameter("edit"), ""))
        st.button("Nothing")
        st.caption(st.session_state["field"])
        st.caption(held.now(held.parameter("edit")) or "nothing")

    return AppTest.from_function(script, default_timeout=60).run()


def press(page: AppTest, name: str, said: str | None = None) -> str:
    """What the page shows after a click, with which the browser says of the field what it was ``said``."""
    if said is not None:
        page.text_input[0].set_value(said)
    next(button for button in page.button if button.label == name).click().run()
    assert not page.exception
    return page.caption[0].value


def test_a_browser_that_has_not_heard_undoes_nothing(page, moment):
    assert press(page, "One") == "start one"
    assert press(page, "Nothing", said="start") == "start one"
    assert press(page, "Two", said="start") == "start one two"
    assert press(page, "Nothing", said="start") == "start one two"
    assert press(page, "Nothing", said="start one") == "start one two"


def test_an_echo_is_no_change(page, moment):
    press(page, "One")
    press(page, "Nothing", said="start")
    assert "noted" not in page.session_state
    press(page, "Nothing", said="other")
    assert page.session_state["noted"] == "other"


def test_a_control_that_the_browser_never_had_makes_no_choice():
    """Quick clicks kept it from there: the browser says of one that needs a choice that it has none."""

    def script():
        import streamlit as st

        from components import held

        def note() -> None:
            if not held.is_echo("fit"):
                st.session_state["noted"] = st.session_state["fit"]

        held.hear()
        st.pills("Fit", ["target", "reference"], required=True, key="fit", on_change=note)
        held.tell()

    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["fit"] = "target"
    page.run()
    page.pills[0].set_value("reference").run()
    assert page.session_state["noted"] == "reference"
    page.pills[0].set_value(None).run()
    assert page.session_state["noted"] == "reference"


def test_the_field_shows_it_again(page, moment):
    press(page, "One")
    press(page, "Nothing", said="start")
    assert page.text_input[0].value == "start one"


def test_what_the_visitor_writes_is_theirs(page, moment):
    press(page, "One")
    assert press(page, "Nothing", said="other") == "other"
    assert press(page, "Nothing", said="start") == "start"
    assert press(page, "Two", said="mine") == "mine two"


@pytest.mark.parametrize(("name", "heard"), [("One", held.HEARD), ("Three", held.SOON)])
def test_after_a_while_the_text_before_is_the_visitors_too(page, moment, name, heard):
    set_to = press(page, name)
    moment[0] += heard - 0.1
    assert press(page, "Nothing", said="start") == set_to
    moment[0] += 0.2
    assert press(page, "Nothing", said="start") == "start"


def test_code_may_set_what_was_there_before(page, moment):
    press(page, "One")
    assert press(page, "Start") == "start"
    assert press(page, "Nothing", said="start one") == "start", "of that the browser has not heard either"


def test_a_browser_that_has_not_heard_undoes_nothing_in_the_address(page, moment):
    def opened(name: str, said: dict[str, str]) -> str:
        page.query_params = said
        press(page, name)
        return page.caption[1].value

    assert opened("Open", {}) == "a.layers"
    assert opened("Nothing", {}) == "a.layers"
    assert page.query_params == {"edit": "a.layers"}
    assert opened("Close", {"edit": "a.layers"}) == "nothing"
    assert opened("Nothing", {"edit": "a.layers"}) == "nothing"
    assert page.query_params == {}
    assert opened("Nothing", {"edit": "b.pool"}) == "b.pool", "of that it has not heard from here"
    assert opened("Nothing", {"edit": "a.layers"}) == "a.layers"


def test_nothing_is_kept_of_what_was_heard(page, moment):
    press(page, "One")
    moment[0] += held.HEARD + 1
    press(page, "Nothing")
    assert page.session_state["held"] == {}


def test_back_says_what_the_visitor_wants(page, moment, monkeypatch):
    press(page, "One")
    monkeypatch.setattr(this_run, "goes_through_history", lambda: True)
    assert press(page, "Nothing", said="start") == "start"


@pytest.mark.parametrize("is_ended", [True, False])
def test_an_element_that_another_click_kept_from_the_browser_is_set_again(monkeypatch, moment, is_ended):
    """Of a run that is ended, or followed at once, the browser says nothing of the element in the next."""

    def script():
        import streamlit as st

        from components import held, state

        held.hear()
        state.follow("fit", "target")
        st.segmented_control("Fit", ["target", "reference"], required=True, key="fit")
        if st.session_state.pop("ends", False):
            st.stop()
        held.tell()

    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["ends"] = is_ended
    page.run()
    moment[0] += 10 if is_ended else held.SENT / 2
    with monkeypatch.context() as lost:
        lost.setattr(ElementTree, "get_widget_states", lambda tree: WidgetStates())
        page.run()
    (fit,) = page.button_group
    assert fit.proto.set_value
    assert list(fit.proto.raw_values) == ["target"]
    moment[0] += 10
    (fit,) = page.run().button_group
    assert not fit.proto.set_value, "once: the browser would take it for newer than clicks on their way"
