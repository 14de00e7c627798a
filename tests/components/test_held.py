"""A browser that has not heard undoes nothing that code set; what the visitor says is theirs."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from components import held
from components.streamlit_inside import address, this_run


@pytest.fixture
def page():
    """A field that buttons write into, and what the page makes of it."""

    def script():
        import streamlit as st

        from components import held

        def add(text: str) -> None:
            held.hold("field", held.now("field") + text)

        def note() -> None:
            if not held.is_echo("field"):
                st.session_state["noted"] = st.session_state["field"]

        if st.session_state.get("begun", True):
            held.hear()
        with held.told():
            st.text_input("Field", value="start", key="field", on_change=note)
            st.button("One", on_click=add, args=(" one",))
            st.button("Two", on_click=add, args=(" two",))
            st.button("Start", on_click=held.hold, args=("field", "start"))
            st.button("Open", on_click=held.hold, args=(held.parameter("edit"), "a.layers"))
            st.button("Close", on_click=held.hold, args=(held.parameter("edit"), ""))
            st.button("Nothing")
            st.caption(st.session_state["field"])
            st.caption(held.now(held.parameter("edit")) or "nothing")

    return AppTest.from_function(script, default_timeout=60).run()


def heard(page: AppTest) -> str:
    """What a browser says that has heard of all until now."""
    return page.text_input(key=held.PAGE).value


def press(page: AppTest, name: str, said: str | None = None, until: str | None = None) -> str:
    """What the page shows after a click, with which the browser says of the field that it was ``said``.

    It has heard of all ``until`` a moment, or to the end.
    """
    if said is not None:
        page.text_input(key="field").set_value(said)
    if until is not None:
        page.text_input(key=held.PAGE).set_value(until)
    next(button for button in page.button if button.label == name).click().run()
    assert not page.exception
    return page.caption[0].value


def test_a_browser_that_has_not_heard_undoes_nothing(page):
    before = heard(page)
    assert press(page, "One") == "start one"
    first = heard(page)
    assert press(page, "Nothing", "start", before) == "start one"
    assert press(page, "Two", "start", before) == "start one two"
    assert press(page, "Nothing", "start", before) == "start one two"
    assert press(page, "Nothing", "start one", first) == "start one two"


def test_what_a_browser_says_that_has_heard_is_the_visitors(page):
    """At once, and what was there before too: a choice can be taken back at the next click."""
    press(page, "One")
    assert press(page, "Nothing", "start") == "start"
    press(page, "One")
    assert press(page, "Nothing", "other") == "other"
    assert press(page, "Two", "mine") == "mine two"


def test_a_browser_of_another_visit_has_heard_nothing(page):
    """One that came back to a server that was started anew meanwhile."""
    press(page, "One")
    for until in ("01234567 1000", "", heard(page) + "9" * 5000, f"{heard(page).split()[0]} ²"):
        assert press(page, "Nothing", "start", until) == "start one"


def test_an_echo_is_no_change(page):
    before = heard(page)
    press(page, "One")
    press(page, "Nothing", "start", before)
    assert "noted" not in page.session_state
    press(page, "Nothing", "start one")
    assert "noted" not in page.session_state, "in the request before it said another value"
    press(page, "Nothing", "other")
    assert page.session_state["noted"] == "other"


def test_a_choice_can_be_taken_back_before_a_run_has_begun(page):
    """The callbacks of two requests follow each other where the second comes at once."""
    before = heard(page)
    press(page, "One")
    for until in (None, before):
        page.session_state["begun"] = False
        press(page, "Nothing", "other", until)
        assert page.session_state["noted"] == "other"
        press(page, "Nothing", "start one", until)
        assert page.session_state["noted"] == "start one"
        page.session_state["begun"] = True
        press(page, "Nothing")


def test_a_control_that_the_browser_never_had_makes_no_choice():
    """Quick clicks kept it from there: the browser says of one that needs a choice that it has none."""

    def script():
        import streamlit as st

        from components import held

        def note() -> None:
            if not held.is_echo("fit"):
                st.session_state["noted"] = st.session_state["fit"]

        held.hear()
        with held.told():
            st.pills("Fit", ["target", "reference"], required=True, key="fit", on_change=note)

    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["fit"] = "target"
    page.run()
    page.pills[0].set_value("reference").run()
    assert page.session_state["noted"] == "reference"
    page.pills[0].set_value(None).run()
    assert page.session_state["noted"] == "reference"


def test_the_field_shows_it_again_until_the_browser_has_heard(page):
    before = heard(page)
    press(page, "One")
    press(page, "Nothing", "start", before)
    assert page.text_input(key="field").value == "start one"
    assert page.text_input(key="field").proto.set_value
    press(page, "Nothing")
    assert page.session_state["held"] == {}
    assert not page.text_input(key="field").proto.set_value


def test_what_the_visitor_wrote_meanwhile_is_not_undone_by_what_was_on_its_way(page):
    before = heard(page)
    press(page, "One")
    first = heard(page)
    assert press(page, "Nothing", "other", before) == "other"
    assert page.text_input(key="field").proto.set_value, "after what code had set it to"
    assert press(page, "Nothing", "start one", first) == "other", "which arrived after it was written"
    assert press(page, "Nothing", "start one") == "start one", "written again"


def test_code_may_set_what_was_there_before(page):
    before = heard(page)
    press(page, "One")
    first = heard(page)
    assert press(page, "Start", "start", before) == "start"
    assert press(page, "Nothing", "start", before) == "start"
    assert press(page, "Nothing", "start one", first) == "start", "then it has heard of the first alone"


def test_what_was_there_before_is_set_again_while_another_value_is_on_its_way(page):
    """The run that set it again may have been ended: the browser would say the other one at last."""
    before = heard(page)
    press(page, "One")
    assert press(page, "Start", "start", before) == "start"
    assert press(page, "Nothing", "start", before) == "start"
    assert page.text_input(key="field").proto.set_value
    press(page, "Nothing", "start")
    press(page, "Nothing", "start")
    assert not page.text_input(key="field").proto.set_value, "until it has heard"


def test_what_the_visitor_had_before_can_be_chosen_again_at_once(page):
    """A browser that says the visitor's choice has left what it said before; what was sent can come yet."""
    before = heard(page)
    press(page, "One")
    assert press(page, "Nothing", "other", before) == "other"
    assert press(page, "Nothing", "start one", before) == "other", "on its way"
    assert press(page, "Nothing", "start", before) == "start"


def test_what_the_visitor_says_counts_though_it_was_sent_once_more(page):
    """A browser that has heard of the first time says what the visitor chose after it."""
    before = heard(page)
    press(page, "One")
    first = heard(page)
    assert press(page, "Nothing", "start", before) == "start one"
    assert press(page, "Nothing", "start", first) == "start"
    assert page.text_input(key="field").proto.set_value, "the second time arrives there after it"
    assert press(page, "Nothing", "start one", first) == "start"


def test_a_browser_that_says_the_value_has_it_where_no_other_is_on_its_way(page):
    """Of a run that was ended the number may be missing."""
    before = heard(page)
    press(page, "One")
    assert press(page, "Nothing", "start one", before) == "start one"
    assert press(page, "Nothing", "start", before) == "start"


def test_a_browser_that_has_not_heard_undoes_nothing_in_the_address(page):
    def opened(name: str, said: dict[str, str], until: str | None = None) -> str:
        page.query_params = said
        press(page, name, until=until)
        return page.caption[1].value

    before = heard(page)
    assert opened("Open", {}) == "a.layers"
    assert opened("Nothing", {}, before) == "a.layers"
    assert page.query_params == {"edit": "a.layers"}
    first = heard(page)
    assert opened("Close", {"edit": "a.layers"}) == "nothing"
    assert opened("Nothing", {"edit": "a.layers"}, first) == "nothing"
    assert page.query_params == {}
    assert opened("Nothing", {"edit": "a.layers"}) == "a.layers", "by an address that was opened"


def test_an_address_that_is_right_is_sent_all_the_same(page, monkeypatch):
    """Another one may be on its way to the browser, of the click before."""
    sent: list[str] = []
    monkeypatch.setattr(address, "send_as_asked", lambda: sent.append("sent"))
    before = heard(page)
    press(page, "Open", until=before)
    page.query_params = {}
    press(page, "Close", until=before)
    assert page.caption[1].value == "nothing"
    assert sent


def test_a_number_of_a_bar_that_is_gone_holds_nothing_for_good():
    """On a page without a bar the end of the run tells of all that is held."""

    def script():
        import streamlit as st

        from components import held

        held.hear()
        with held.told():
            if st.session_state.get("bar", True):
                held.tell(held.BAR)
            st.button("Open", on_click=held.hold, args=(held.parameter("edit"), "a.layers"))
            st.caption(held.now(held.parameter("edit")) or "nothing")

    page = AppTest.from_function(script, default_timeout=60).run()
    before = page.text_input(key=held.BAR).value
    page.button[0].click().run()
    page.session_state["bar"] = False
    page.text_input(key=held.BAR).set_value(before)
    page.run()
    page.run()
    page.query_params = {}
    assert page.run().caption[0].value == "nothing", "by an address that was opened"


def test_back_says_what_the_visitor_wants(page, monkeypatch):
    before = heard(page)
    press(page, "One")
    monkeypatch.setattr(this_run, "goes_through_history", lambda: True)
    assert press(page, "Nothing", "start", before) == "start"


def test_an_element_that_another_click_kept_from_the_browser_is_set_again(monkeypatch):
    """Of a run that is ended, or followed at once, the browser says nothing of the element in the next."""

    def script():
        import streamlit as st

        from components import held, state

        held.hear()
        with held.told():
            state.follow("fit", "target")
            st.segmented_control("Fit", ["target", "reference"], required=True, key="fit")

    page = AppTest.from_function(script, default_timeout=60).run()
    for _ in range(3):
        with monkeypatch.context() as lost:
            lost.setattr(ElementTree, "get_widget_states", lambda tree: WidgetStates())
            page.run()
        (fit,) = page.button_group
        assert fit.proto.set_value
        assert list(fit.proto.raw_values) == ["target"]
    (fit,) = page.run().button_group
    assert not fit.proto.set_value, "once: the browser would take it for newer than clicks on their way"


@pytest.mark.parametrize("field", [held.BAR, held.PAGE])
def test_a_number_is_drawn_behind_the_controls_that_it_counts(field):
    """What the page draws below the bar is not heard of with the bar, nor what an ended run left out."""

    def script():
        import streamlit as st

        from components import held

        held.hear()
        with held.told():
            for place in (held.BAR, held.PAGE):
                st.text_input(place, key=f"of {place}")
                if place == held.BAR:
                    held.tell(place)
                elif st.session_state.pop("fails", False):
                    raise ValueError("in the middle of the page")
            for place in (held.BAR, held.PAGE):
                st.button(place, on_click=held.hold, args=(f"of {place}", "set"))

    page = AppTest.from_function(script, default_timeout=60).run()
    before = {name: page.text_input(key=name).value for name in (held.BAR, held.PAGE)}
    next(button for button in page.button if button.label == field).click().run()
    after = {name: page.text_input(key=name).value for name in before}
    assert {name for name in before if before[name] != after[name]} == {field}
    page.text_input(key=f"of {field}").set_value("")
    page.text_input(key=held.PAGE).set_value(before[held.PAGE])
    page.run()
    is_heard = field == held.BAR
    assert page.text_input(key=f"of {field}").value == ("" if is_heard else "set")
    page.session_state["fails"] = True
    assert page.run().exception
    assert page.text_input(key=held.PAGE).value >= after[held.PAGE], "a page with an error tells it too"


def test_what_is_no_longer_drawn_is_let_go():
    def script():
        import streamlit as st

        from components import held

        held.hear()
        with held.told():
            st.button("Set", on_click=held.hold, args=("field", "set"))
            if st.checkbox("Field is there", value=True, key="is there"):
                st.text_input("Field", key="field")

    page = AppTest.from_function(script, default_timeout=60).run()
    before = heard(page)
    page.checkbox[0].uncheck()
    page.button[0].click().run()
    assert page.session_state["held"] == {}
    page.text_input(key=held.PAGE).set_value(before)
    page.checkbox[0].check().run()
    assert not page.exception


def test_what_a_figure_chose_can_be_taken_back_while_the_page_is_being_drawn():
    """What follows a control of the page may take a second: it has a number of its own."""

    def script():
        import streamlit as st

        from components import held, selection

        held.hear()
        with held.told():
            layer, head = selection.head(12, 12, (1, 10))
            st.button("A tile", on_click=selection.take, args=("head", "4-2"))
            st.caption(f"{layer}-{head}")

    page = AppTest.from_function(script, default_timeout=60).run()
    before = heard(page)
    page.button[0].click().run()
    assert page.caption[0].value == "4-2"
    page.text_input(key=held.PAGE).set_value(before)
    page.selectbox(key="head").set_value("1-10").run()
    assert page.caption[0].value == "1-10"
