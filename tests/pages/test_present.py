"""The present view: one figure of the page large, and a way to turn over and to leave."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import TUNED
from tests.pages.reading import errors, figures

RECIPES = TUNED


def pager(at):
    return [m.value for m in at.markdown if " / " in m.value and m.value[0].isdigit()]


def press(at, label):
    return next(button for button in at.button if button.label == label).click().run()


def two_figures():
    """A page of two figures in present view, as the door draws it."""
    import pandas as pd
    import plotly.graph_objects as go
    import streamlit as st

    from components import figure_frame, present

    st.session_state.setdefault(present.KEY, True)
    with figure_frame.collected() as frames:
        for name in ("first", "second")[: st.session_state.get("computed", 2)]:
            figure = go.Figure(go.Scatter(x=[0, 1], y=[1, 0]))
            figure_frame.show(figure_frame.Framed(name, f"The {name}", figure, (name,), name, pd.DataFrame))
        present.show(frames.drawn)


def test_the_pager_turns_over_and_leaves():
    at = AppTest.from_function(two_figures, default_timeout=60).run()
    assert pager(at) == ["1 / 2"]
    press(at, "Next")
    assert pager(at) == ["2 / 2"]
    assert "## The second" in [m.value for m in at.markdown]
    assert next(b for b in at.button if b.label == "Next").disabled
    press(at, "Leave")
    assert pager(at) == []


def test_a_figure_of_the_link_that_is_computed_later_is_shown_when_it_is_there():
    at = AppTest.from_function(two_figures, default_timeout=60)
    at.query_params["figure"] = "2"
    at.session_state["computed"] = 1
    at.run()
    assert pager(at) == ["1 / 1"]
    at.session_state["computed"] = 2
    at.run()
    assert pager(at) == ["2 / 2"]
    press(at, "Previous")
    assert pager(at.run()) == ["1 / 2"]


def test_the_number_of_the_figure_is_in_the_link_and_starts_anew_on_another_page(visit):
    at = visit("scores", present="true", figure="2")
    assert pager(at)[0].startswith("2 / ")
    press(at, "Page up")
    assert pager(at)[0].startswith("1 / ")
    press(at, "Page down")
    assert pager(at)[0].startswith("2 / ")
    at.switch_page("pages/geometry.py").run()
    at.session_state["present"] = True
    at.run()
    assert pager(at)[0].startswith("1 / ")
    assert pager(visit("scores", present="true", figure="99"))
    assert pager(visit("scores", present="true", figure="nonsense"))[0].startswith("1 / ")


def test_a_link_opens_the_page_in_present_view(visit):
    at = visit(present="true")
    assert errors(at) == []
    assert pager(at) == ["1 / 1"]
    assert pager(visit()) == []


def test_a_page_without_a_figure_says_once_what_is_waited_for(visit):
    at = visit("find", present="true")
    assert pager(at) == []
    assert ["No figure here yet" in one.value for one in at.toast] == [True]
    at.run()
    assert [*at.toast] == []
    assert [*visit("find").toast] == []


def test_a_page_that_ends_early_is_not_hidden(visit):
    at = visit(present="true", a="pool=nonsense")
    assert pager(at) == []
    assert errors(at)


def test_the_ladder_is_drawn_when_it_is_opened(visit):
    closed = figures(visit("scores"))
    opened = figures(visit("scores", steps="true"))
    assert len(opened) == len(closed) + 1


def test_the_map_of_pasted_sentences_is_presented_too(visit):
    at = visit("compare", shown="map", present="true")
    assert errors(at) == []
    assert pager(at)[0].startswith("1 / 1")
    press(at, "Leave")
    assert pager(at) == []
