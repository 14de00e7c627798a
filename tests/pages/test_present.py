"""The present view: one figure of the page large, and a way to turn over and to leave."""

from streamlit.testing.v1 import AppTest

from tests.pages.reading import errors, figures


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

    st.session_state[figure_frame.FRAMES] = []
    st.session_state.setdefault(present.KEY, True)
    for name in ("first", "second"):
        figure = go.Figure(go.Scatter(x=[0, 1], y=[1, 0]))
        figure_frame.show(figure_frame.Framed(name, f"The {name}", figure, (name,), name, pd.DataFrame()))
    present.show()


def test_the_pager_turns_over_and_leaves():
    at = AppTest.from_function(two_figures, default_timeout=60).run()
    assert pager(at) == ["1 / 2"]
    press(at, "Next")
    assert pager(at) == ["2 / 2"]
    assert "## The second" in [m.value for m in at.markdown]
    assert next(b for b in at.button if b.label == "Next").disabled
    press(at, "Leave")
    assert pager(at) == []


def test_a_link_opens_the_page_in_present_view(visit):
    at = visit(present="true")
    assert errors(at) == []
    assert pager(at) == ["1 / 1"]
    assert pager(visit()) == []


def test_a_page_that_ends_early_is_not_hidden(visit):
    at = visit(present="true", a="pool=nonsense")
    assert pager(at) == []
    assert errors(at)


def test_the_ladder_is_drawn_when_it_is_opened(visit):
    closed = figures(visit("scores"))
    opened = figures(visit("scores", steps="true"))
    assert len(opened) == len(closed) + 1
