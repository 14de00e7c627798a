"""A figure made of parts is the one that Plotly's own changes make."""

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from components.figures.drawing import Drawing, bars, heatmap, scatter


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


def test_what_plotly_does_not_know_is_refused():
    drawn = Drawing()
    drawn.add_trace(scatter(colour="blue"))
    with pytest.raises(ValueError, match="colour"):
        drawn.made()
