"""Similarity heatmaps: one scale, safe labels, small payloads."""

import numpy as np
import orjson
import plotly.io as pio
import pytest

from components.figures.heatmaps import Panel, similarity_panels
from components.theme import DARK, LIGHT

COUNTS = (2, 30, 31, 60, 61, 200)


def texts(count: int) -> list[str]:
    """Different sentences of an ordinary length."""
    return [f"This is sentence number {i}, of a quite ordinary length as they go." for i in range(count)]


def three(sentences, a, b, **settings):
    """A, B and their difference."""
    panels = [
        Panel(a, "A", LIGHT.a),
        Panel(b, "B", LIGHT.b),
        Panel(b - a, "B − A", LIGHT.text, signed=True),
    ]
    return similarity_panels(sentences, panels, LIGHT, **({"shared": True} | settings))


def sent(figure) -> bytes:
    """The figure as it travels to the browser."""
    return pio.to_json(figure, engine="orjson", validate=False).encode()


@pytest.mark.parametrize("count", COUNTS)
def test_one_heatmap_a_panel(matrix, count):
    figure = three(texts(count), matrix(count), matrix(count, seed=1))
    assert [trace.type for trace in figure.data] == ["heatmap"] * 3
    assert all(np.shape(trace.z) == (count, count) for trace in figure.data)


@pytest.mark.parametrize("count", COUNTS)
def test_values_travel_as_small_numbers(matrix, count):
    figure = three(texts(count), matrix(count), matrix(count, seed=1))
    assert all(trace.z.dtype == np.float32 for trace in figure.data)
    assert len(sent(figure)) < 2_000_000


@pytest.mark.parametrize("count", COUNTS)
def test_a_figure_is_valid_json_even_so(matrix, count):
    assert orjson.loads(sent(three(texts(count), matrix(count), matrix(count, seed=1))))["layout"]


def test_a_and_b_share_the_range_of_both_off_the_diagonal(matrix):
    a, b = matrix(4, 0.2, 0.4), matrix(4, 0.6, 0.8, seed=1)
    figure = three(texts(4), a, b)
    off = ~np.eye(4, dtype=bool)
    low, high = min(a[off].min(), b[off].min()), max(a[off].max(), b[off].max())
    for trace in figure.data[:2]:
        assert (trace.zmin, trace.zmax) == pytest.approx((low, high))
    assert figure.data[0].colorscale == figure.data[1].colorscale


def test_unlike_similarities_have_a_range_each(matrix):
    figure = three(texts(4), matrix(4, 0.2, 0.4), matrix(4, 6, 8, seed=1), shared=False)
    assert figure.data[0].zmax < 1 < figure.data[1].zmin


def test_the_difference_is_symmetric_around_0(matrix):
    figure = three(texts(4), matrix(4), matrix(4, seed=1))
    signed = figure.data[2]
    assert signed.zmid == 0
    assert signed.zmin == -signed.zmax < 0
    assert signed.zmax == pytest.approx(np.abs(signed.z).max(), rel=1e-6)


def test_no_difference_at_all_is_drawn(matrix):
    signed = three(texts(4), matrix(4), matrix(4)).data[2]
    assert signed.zmin < 0 < signed.zmax


@pytest.mark.parametrize("value", [0.0, 1.0, -1.0])
def test_similarities_that_are_all_equal_are_drawn(value):
    figure = similarity_panels(texts(3), [Panel(np.full((3, 3), value), "A", LIGHT.a)], LIGHT, shared=True)
    assert figure.data[0].zmin < figure.data[0].zmax


def test_two_sentences_have_one_similarity(matrix):
    figure = three(texts(2), matrix(2), matrix(2, seed=1))
    assert all(trace.zmin < trace.zmax for trace in figure.data)


@pytest.mark.parametrize("text", ["<s>", "</s>", "<b>", "a & b", "<br>", "&lt;"])
def test_a_label_stays_what_it_is(matrix, text):
    import html

    figure = three([text, "other"], matrix(2), matrix(2, seed=1))
    label = figure.layout.yaxis.ticktext[0]
    assert html.unescape(label) == f"\u2068{text}\u2069  1"
    assert "<" not in label
    hover = figure.data[0].customdata[0, 0, 0]
    assert html.unescape(hover) == text
    assert "<" not in hover


def test_repeated_sentences_keep_a_row_each(matrix):
    figure = three(["same", "same", "same"], matrix(3), matrix(3, seed=1))
    for trace in figure.data:
        assert list(trace.x) == list(trace.y) == [0, 1, 2]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert len(set(figure.layout.yaxis.ticktext)) == 3


def test_text_from_right_to_left_leaves_the_number_where_it_is(matrix):
    label = three(["שלום עולם", "hello"], matrix(2), matrix(2, seed=1)).layout.yaxis.ticktext[0]
    assert label == "\u2068שלום עולם\u2069  1"


@pytest.mark.parametrize(("count", "labelled"), [(2, True), (30, True), (31, False), (200, False)])
def test_labels_up_to_thirty_sentences_numbers_beyond(matrix, count, labelled):
    axis = three(texts(count), matrix(count), matrix(count, seed=1)).layout.yaxis
    assert ("This is" in axis.ticktext[0]) is labelled
    assert len(axis.ticktext) == len(axis.tickvals) <= 31


def test_long_sentences_do_not_take_the_place_of_the_figure(matrix):
    labels = three(["word " * 2000, "x" * 5000], matrix(2), matrix(2, seed=1)).layout.yaxis.ticktext
    assert all(len(label) < 40 for label in labels)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_cells_are_square(matrix, columns):
    panels = [Panel(matrix(4, seed=i), "A", LIGHT.a) for i in range(columns)]
    figure = similarity_panels(texts(4), panels, DARK, shared=True)
    for number in range(1, columns + 1):
        suffix = "" if number == 1 else str(number)
        assert figure.layout[f"yaxis{suffix}"].scaleanchor == f"x{suffix}"


def test_the_pair_that_changes_most_is_boxed_in_every_panel(matrix):
    figure = three(texts(4), matrix(4), matrix(4, seed=1), mark=(0, 2))
    assert len(figure.layout.shapes) == 6
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].y0) == (-0.5, 1.5)
    assert (figure.layout.shapes[1].x0, figure.layout.shapes[1].y0) == (1.5, -0.5)
