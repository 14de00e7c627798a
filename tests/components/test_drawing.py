"""A figure made of parts is the one that Plotly's own changes make."""

import copy
import pickle

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from components.figures.drawing import Drawing, bars, heatmap, scatter
from components.theme import LIGHT
from tests import checked_figures


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (1, 3), (2, 1), (2, 2)])
def test_panels_stand_where_subplots_do(rows, columns):
    drawn = Drawing(columns, rows, between=0.06, below=0.1)
    wanted = make_subplots(rows, columns, horizontal_spacing=0.06, vertical_spacing=0.1)
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            drawn.add_trace(scatter(x=[1], y=[row * column]), row=row, col=column)
            wanted.add_trace(go.Scatter(x=[1], y=[row * column]), row=row, col=column)
    made = drawn.made()
    assert made.data == wanted.data
    for axis in wanted.layout:
        if axis[0] in "xy":
            np.testing.assert_allclose(made.layout[axis].domain, wanted.layout[axis].domain)
            assert made.layout[axis].anchor == wanted.layout[axis].anchor


def test_axes_of_one_panel_and_of_all_are_set():
    drawn = Drawing(2, between=0.1)
    drawn.update_xaxes(dtick=1)
    drawn.update_yaxes(title={"text": "score"}, col=2)
    layout = drawn.made().layout
    assert (layout.xaxis.dtick, layout.xaxis2.dtick) == (1, 1)
    assert (layout.yaxis.title.text, layout.yaxis2.title.text) == (None, "score")


def test_marks_stand_in_their_panel():
    drawn = Drawing(2, between=0.1)
    drawn.add_trace(heatmap(z=[[1, 2]]), col=2)
    drawn.add_trace(bars(x=[1], y=[2]))
    drawn.add_vline(1, line={"width": 2}, col=2)
    drawn.add_hline(3, line={"width": 1})
    drawn.add_annotation(text="here", x=0, y=0, col=2)
    drawn.add_annotation(text="title", x=0, y=1, xref="paper", yref="paper")
    made = drawn.made()
    assert [(trace.type, trace.xaxis) for trace in made.data] == [("heatmap", "x2"), ("bar", "x")]
    assert [(shape.xref, shape.yref) for shape in made.layout.shapes] == [
        ("x2", "y2 domain"),
        ("x domain", "y"),
    ]
    assert [note.xref for note in made.layout.annotations] == ["x2", "paper"]


def test_what_plotly_does_not_know_is_refused_when_something_looks_into_the_figure():
    drawn = Drawing()
    drawn.add_trace(scatter(colour="blue"))
    made = drawn.made()
    with pytest.raises(ValueError, match="colour"):
        _ = made.data


NOTES = np.array([["a", 1], ["b", None]], dtype=object)
SENT = {
    "numbers": scatter(x=np.arange(3), y=np.array([0.5, np.nan, 2]), marker={"color": np.ones(3, "f4")}),
    "large numbers": scatter(x=np.array([2**40, 1]), y=np.array([True, False])),
    "words": scatter(x=np.array(["a", "b"]), y=(1, 2.5), customdata=NOTES, text=["one", "two"]),
    "nothing": scatter(x=np.array([]), y=[]),
    "cells": heatmap(z=np.arange(6.0).reshape(2, 3).T, colorscale="RdBu", text=[["a", "b"]] * 3),
    "shades": heatmap(z=[[1, 2]], colorscale=[[0, "#000000"], [1, "#ffffff"]], zmid=0),
}


@pytest.mark.parametrize("name", SENT)
def test_a_figure_is_sent_as_plotly_would_send_it_and_is_not_checked_for_it(name):
    drawn = Drawing(columns=2, between=0.1)
    drawn.add_trace(SENT[name], col=2)
    drawn.add_annotation(text="note", x=1, y=2)
    drawn.update_layout(template=LIGHT.template, height=300)
    drawn.update_xaxes(tickvals=np.arange(3), range=np.array([0.0, 3.0]), title={"text": "axis"})
    made = drawn.made()
    sent = made.to_dict()
    assert "_data" not in vars(made)
    checked_figures.compare(made, sent)


def test_a_figure_that_was_sent_can_be_changed_copied_and_compared():
    drawn = Drawing()
    drawn.add_trace(scatter(x=np.arange(3), y=[1, 2, 3]))
    drawn.update_layout(template=LIGHT.template)
    made = drawn.made()
    before = made.to_dict()
    for copied in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), go.Figure(made)):
        assert type(copied) is go.Figure
        found, wanted = (checked_figures.plain(each.to_dict()) for each in (copied, made))
        assert list(checked_figures.differences(found, wanted)) == []
    made.update_layout(height=200)
    assert "height" not in before["layout"]
    assert made.to_dict()["layout"]["height"] == 200
    with pytest.raises(AttributeError):
        _ = made.unheard_of
