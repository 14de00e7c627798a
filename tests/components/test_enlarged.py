"""Figures for the back of the room: larger type, labels as far from their points."""

import plotly.graph_objects as go

from components.figures.enlarged import enlarged
from components.theme import LIGHT


def test_every_type_is_larger_and_the_figure_fills_its_room():
    figure = go.Figure(go.Scatter(x=[0], y=[1], textfont={"size": 13}), layout={"height": 350})
    figure.update_layout(template=LIGHT.template, xaxis={"tickfont": {"size": 10}})
    figure.add_annotation(text="peak", font={"size": 20})
    copy = enlarged(figure)
    assert (copy.layout.height, copy.layout.autosize) == (None, True)
    assert copy.data[0].textfont.size == 18
    assert copy.layout.xaxis.tickfont.size == 14
    assert copy.layout.annotations[0].font.size == 28
    assert copy.layout.template.layout.font.size == 21
    assert copy.layout.template.layout.annotationdefaults.font.size == 21
    assert figure.layout.height == 350, "the page's own stays as it is"


def test_a_label_stands_as_far_from_its_point_as_its_type_is_larger():
    figure = go.Figure(go.Scatter(x=[0], y=[1]))
    figure.add_annotation(x=0, y=1, text="label", ax=10, ay=-20)
    figure.add_annotation(x=0, y=1, text="", ax=3, ay=4, axref="x", ayref="y", xshift=5)
    figure.add_shape(x0=3, x1=20, y0=2, y1=4, xanchor=1, xsizemode="pixel")
    label, arrow = enlarged(figure).layout.annotations
    (line,) = enlarged(figure).layout.shapes
    assert (label.ax, label.ay) == (14, -28)
    assert (arrow.ax, arrow.ay, arrow.xshift) == (3, 4, 7), "a place in the axes is not moved"
    assert (line.x1, line.xanchor, line.y1) == (28, 1, 4)
