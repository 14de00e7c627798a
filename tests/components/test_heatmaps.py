"""Similarity heatmaps: one scale, safe labels, small payloads."""

import html

import numpy as np
import orjson
import plotly.io as pio
import pytest
from plotly.colors import sample_colorscale

from components.figures.heatmaps import SimilarityPanel, similarity_panels
from components.figures.similarities import in_cell
from components.theme import DARK, LIGHT

COUNTS = (2, 30, 31, 60, 61, 200)


def texts(count: int) -> list[str]:
    """Different sentences of an ordinary length."""
    return [f"This is sentence number {i}, of a quite ordinary length as they go." for i in range(count)]


def three(sentences, a, b, **settings):
    """A, B and their difference."""
    panels = [
        SimilarityPanel(a, "A", LIGHT.a),
        SimilarityPanel(b, "B", LIGHT.b),
        SimilarityPanel(b - a, "B − A", LIGHT.text, signed=True),
    ]
    return similarity_panels(sentences, panels, LIGHT, **settings)


def heatmaps(figure) -> list:
    """The heatmaps of a figure; values in light cells, and what takes the clicks, lie over them."""
    return [trace for trace in figure.data if trace.type == "heatmap" and trace.opacity is None]


def overlays(figure) -> list:
    """What writes the values into light cells."""
    return [trace for trace in figure.data if trace.opacity == 0]


def targets(figure) -> list:
    """What takes the clicks."""
    return [trace for trace in figure.data if trace.type != "heatmap"]


def sent(figure) -> bytes:
    """The figure as it travels to the browser."""
    return pio.to_json(figure, engine="orjson", validate=False).encode()


@pytest.mark.parametrize("count", COUNTS)
def test_one_heatmap_a_panel(matrix, count):
    figure = three(texts(count), matrix(count), matrix(count, seed=1))
    assert len(heatmaps(figure)) == 3
    assert all(np.shape(trace.z) == (count, count) for trace in heatmaps(figure))


@pytest.mark.parametrize("count", COUNTS)
def test_values_travel_as_small_numbers(matrix, count):
    figure = three(texts(count), matrix(count), matrix(count, seed=1))
    assert all(trace.z.dtype == np.float32 for trace in heatmaps(figure))
    assert len(sent(figure)) < 2_000_000


@pytest.mark.parametrize("count", COUNTS)
def test_a_figure_is_valid_json_even_so(matrix, count):
    assert orjson.loads(sent(three(texts(count), matrix(count), matrix(count, seed=1))))["layout"]


# -- colours


def test_cosines_are_on_one_scale_from_0_to_1(matrix):
    figure = three(texts(4), matrix(4, 0.2, 0.4), matrix(4, 0.6, 0.8, seed=1))
    assert [(trace.zmin, trace.zmax) for trace in heatmaps(figure)[:2]] == [(0, 1), (0, 1)]
    assert heatmaps(figure)[0].colorscale == heatmaps(figure)[1].colorscale


def test_the_scale_of_cosines_goes_down_to_the_lowest_of_both(matrix):
    a, b = matrix(4, -0.2, 0.4), matrix(4, -0.6, 0.8, seed=1)
    low = min(a.min(), b.min())
    assert low < 0
    for trace in heatmaps(three(texts(4), a, b))[:2]:
        assert (trace.zmin, trace.zmax) == pytest.approx((low, 1))


def test_two_sentences_that_are_not_alike_do_not_look_alike(matrix):
    """0.27 and 0.21 once had the two ends of the scale, and −0.06 the deepest red."""
    a, b = (np.array([[1, value], [value, 1]]) for value in (0.27, 0.21))
    figure = three(texts(2), a, b)
    assert all((trace.zmin, trace.zmax) == (0, 1) for trace in heatmaps(figure)[:2])
    assert heatmaps(figure)[2].zmax == pytest.approx(0.1)


def test_unlike_similarities_have_a_scale_each(matrix):
    panels = [
        SimilarityPanel(matrix(4, 0.2, 0.4), "A", LIGHT.a, "cosine"),
        SimilarityPanel(-matrix(4, 6, 8, seed=1), "B", LIGHT.b, "euclidean"),
    ]
    first, second = heatmaps(similarity_panels(texts(4), panels, LIGHT))
    assert (first.zmin, first.zmax) == (0, 1)
    assert second.zmin < -6
    assert second.zmax == 0
    assert first.showscale
    assert second.showscale


def test_each_scale_has_one_colour_bar(matrix):
    figure = three(texts(4), matrix(4), matrix(4, seed=1))
    assert [trace.showscale for trace in heatmaps(figure)] == [True, False, True]


def test_the_diagonal_is_blank(matrix):
    for trace in heatmaps(three(texts(4), matrix(4), matrix(4, seed=1))):
        assert np.isnan(np.diag(trace.z)).all()
        assert np.isfinite(trace.z[~np.eye(4, dtype=bool)]).all()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_is_blank_is_grey(matrix, theme):
    figure = similarity_panels(texts(3), [SimilarityPanel(matrix(3), "A", theme.a)], theme)
    assert figure.layout.plot_bgcolor == theme.grid


def test_the_difference_is_symmetric_around_0(matrix):
    a, b = matrix(4), matrix(4, seed=1)
    signed = heatmaps(three(texts(4), a, b))[2]
    assert signed.zmid == 0
    assert signed.zmin == -signed.zmax < 0
    assert signed.zmax == pytest.approx(np.abs(b - a).max())


def test_no_difference_at_all_is_drawn(matrix):
    signed = heatmaps(three(texts(4), matrix(4), matrix(4)))[2]
    assert (signed.zmin, signed.zmax) == pytest.approx((-0.1, 0.1))


@pytest.mark.parametrize("similarity", ["cosine", "dot", "euclidean"])
@pytest.mark.parametrize("value", [0.0, 1.0, -1.0])
def test_similarities_that_are_all_equal_are_drawn(value, similarity):
    panel = SimilarityPanel(np.full((3, 3), value), "A", LIGHT.a, similarity)
    (trace,) = heatmaps(similarity_panels(texts(3), [panel], LIGHT))
    assert trace.zmin < trace.zmax


# -- values in cells


@pytest.mark.parametrize(("count", "printed"), [(2, True), (15, True), (16, False), (200, False)])
def test_cells_have_their_values_up_to_fifteen_sentences(matrix, count, printed):
    for trace in heatmaps(three(texts(count), matrix(count), matrix(count, seed=1))):
        assert (trace.text is not None) is printed


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_value_is_read_on_its_cell(matrix, theme):
    """White on dark cells and black on light ones have a contrast of 4.5 or more, by WCAG 2."""
    a, b = matrix(12, -0.3, 1), matrix(12, -0.3, 1, seed=1)
    figure = three(texts(12), a, b)
    for below, above in zip(heatmaps(figure), overlays(figure), strict=True):
        assert above.opacity == 0
        for trace, ink in ((below, 1.0), (above, 0.0)):
            for i, j in zip(*np.nonzero(~np.eye(12, dtype=bool)), strict=True):
                if not trace.text[i, j].strip("\u2007"):
                    continue
                share = (below.z[i, j] - below.zmin) / (below.zmax - below.zmin)
                (rgb,) = sample_colorscale(
                    [list(c) for c in below.colorscale], [float(share)], colortype="tuple"
                )
                light = sum(
                    part * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
                    for part, c in zip((0.2126, 0.7152, 0.0722), rgb, strict=True)
                )
                assert (max(light, ink) + 0.05) / (min(light, ink) + 0.05) >= 4.5


def test_a_cell_has_the_value_times_100_once_and_the_diagonal_none(matrix):
    values = np.array([[1, -0.034, 0.9], [-0.034, 1, 0.2], [0.9, 0.2, 1]])
    figure = similarity_panels(texts(3), [SimilarityPanel(values, "A", LIGHT.a)], LIGHT)
    (below,), (above,) = heatmaps(figure), overlays(figure)
    spaces = "\u2007\u2007"  # on the diagonal: beside a value they would push it from its middle
    assert below.text.tolist() == [[spaces, "−3", ""], ["−3", "", "20"], ["", "20", ""]]
    assert above.text.tolist() == [[spaces, "", "90"], ["", "", ""], ["90", "", ""]]


@pytest.mark.parametrize(
    ("similarity", "count", "unit"),
    [
        ("cosine", 5, "Cosine<br>× 100"),
        ("cosine", 40, "Cosine"),
        ("spearman", 5, "Spearman correlation<br>of dimensions<br>× 100"),
        ("euclidean", 5, "Negated Euclidean<br>distance"),
    ],
)
def test_the_quantity_stands_over_the_labels_with_what_it_is_multiplied_by(matrix, similarity, count, unit):
    values = matrix(count)
    panels = [SimilarityPanel(values, "A", LIGHT.a, similarity)]
    (corner,) = similarity_panels(texts(count), panels, LIGHT).layout.annotations
    assert (corner.text, corner.x, corner.xanchor) == (unit, 0, "right")
    assert not similarity_panels(["cat"] * count, panels, LIGHT).layout.annotations, "there is no room"
    panels.append(SimilarityPanel(values, "B", LIGHT.b, "dot"))
    assert not similarity_panels(texts(count), panels, LIGHT).layout.annotations


def test_values_of_all_panels_are_of_one_size(matrix):
    """One has a value of three characters, the other none; each is still what it is."""
    long, short = matrix(8, 0.1, 0.9), matrix(8, 0.1, 0.9, seed=1)
    long[1, 2] = long[2, 1] = 0.996
    figure = three(texts(8), long, short)
    layers = [layer for both in zip(heatmaps(figure), overlays(figure), strict=True) for layer in both]
    assert {max(map(len, layer.text.ravel())) for layer in layers} == {3}
    for below, above, values in zip(heatmaps(figure), overlays(figure), (long, short), strict=False):
        written = np.char.strip(np.char.add(*(np.array(one.text, str) for one in (below, above))), "\u2007")
        assert written[1, 2] == in_cell(float(values[1, 2]), "cosine")
        assert (np.char.str_len(written)[~np.eye(8, dtype=bool)] > 0).all()
        shown = [text for layer in (below, above) for text in layer.text.ravel() if text.strip("\u2007")]
        assert all(text == text.strip("\u2007") for text in shown), "each is in the middle of its cell"


@pytest.mark.parametrize(("count", "printed"), [(6, True), (7, False)])
def test_values_of_any_size_are_written_where_they_have_room(matrix, count, printed):
    panel = SimilarityPanel(matrix(count, 100, 900), "A", LIGHT.a, "dot")
    (trace,) = heatmaps(similarity_panels(texts(count), [panel], LIGHT))
    assert (trace.text is not None) is printed


# -- labels


@pytest.mark.parametrize("text", ["<s>", "</s>", "<b>", "a & b", "<br>", "&lt;"])
def test_a_label_stays_what_it_is(matrix, text):
    figure = three([text, "other"], matrix(2), matrix(2, seed=1))
    label = figure.layout.yaxis.ticktext[0]
    assert html.unescape(label) == f"\u2068{text}\u2069  1"
    assert "<" not in label
    hover = targets(figure)[0].customdata[0][3]
    assert html.unescape(hover) == text
    assert "<" not in hover


def test_repeated_sentences_keep_a_row_each(matrix):
    figure = three(["same", "same", "same"], matrix(3), matrix(3, seed=1))
    for trace in heatmaps(figure):
        assert list(trace.x) == list(trace.y) == [0, 1, 2]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert len(set(figure.layout.yaxis.ticktext)) == 3


def test_text_from_right_to_left_leaves_the_number_where_it_is(matrix):
    label = three(["שלום עולם", "hello"], matrix(2), matrix(2, seed=1)).layout.yaxis.ticktext[0]
    assert label == "\u2068שלום עולם\u2069  1"


@pytest.mark.parametrize("count", COUNTS)
def test_labels_stand_in_one_column_at_the_left(matrix, count):
    figure = three(texts(count), matrix(count), matrix(count, seed=1))
    first, *others = (figure.layout[name] for name in ("yaxis", "yaxis2", "yaxis3"))
    assert all("This is" in label for label in first.ticktext)
    assert not any(axis.showticklabels for axis in others)
    room = (figure.layout.height - 84) / count * (first.tickvals[1] - first.tickvals[0])
    assert room >= 15, "labels have a line each"


@pytest.mark.parametrize(("count", "step"), [(2, 1), (12, 1), (20, 2), (30, 5), (60, 5), (200, 20)])
def test_column_numbers_do_not_touch(matrix, count, step):
    axis = three(texts(count), matrix(count), matrix(count, seed=1)).layout.xaxis
    assert list(axis.tickvals) == list(range(0, count, step))
    assert list(axis.ticktext) == [str(i + 1) for i in range(0, count, step)]


def test_long_sentences_do_not_take_the_place_of_the_figure(matrix):
    labels = three(["word " * 2000, "x" * 5000], matrix(2), matrix(2, seed=1)).layout.yaxis.ticktext
    assert all(len(label) < 60 for label in labels)


def test_sentences_that_begin_alike_have_different_labels(matrix):
    start = "She poured the milk that was left over from this morning's breakfast into "
    figure = three([start + "a cup", start + "a bowl"], matrix(2), matrix(2, seed=1))
    first, second = (label.rsplit("  ", 1)[0] for label in figure.layout.yaxis.ticktext)
    assert first != second
    assert "cup" in first
    assert "bowl" in second


def test_a_long_title_stays_over_its_panel_and_is_text(matrix):
    panels = [SimilarityPanel(matrix(3), f"A · <b>{'name ' * 30}", LIGHT.a) for _ in range(3)]
    for axis in ("xaxis", "xaxis2", "xaxis3"):
        title = similarity_panels(texts(3), panels, LIGHT).layout[axis].title.text
        assert title.startswith("A · &lt;b&gt;name")
        lines = title.split("<br>")
        assert len(lines) == 2
        assert all(len(html.unescape(line)) <= 28 for line in lines)


def test_a_second_line_of_titles_takes_no_room_from_the_cells(matrix):
    short, long = (
        similarity_panels(texts(3), [SimilarityPanel(matrix(3), title, LIGHT.a)] * 3, LIGHT).layout
        for title in ("A", "B · last layer, Ditto layer=5 head=4, z-score")
    )
    cells = [layout.height - layout.margin.t - layout.margin.b for layout in (short, long)]
    assert cells[0] == cells[1]
    assert long.xaxis.title.text == "B · last layer, Ditto<br>layer=5 head=4, z-score"


def test_a_long_title_keeps_its_last_step(matrix):
    name = "B · last layer, Ditto layer=5 head=4, max pooling, whitening k=256"
    figure = similarity_panels(texts(3), [SimilarityPanel(matrix(3), name, LIGHT.a)] * 3, LIGHT)
    title = figure.layout.xaxis.title.text.replace("<br>", " ")
    assert title.startswith("B · last layer")
    assert "… " in title
    assert title.endswith("max pooling, whitening k=256")


# -- size and order


@pytest.mark.parametrize(
    ("count", "pixels"), [(2, 350), (14, 350), (20, 450), (30, 630), (45, 900), (200, 900)]
)
def test_the_figure_grows_with_its_sentences(matrix, count, pixels):
    assert three(texts(count), matrix(count), matrix(count, seed=1)).layout.height == pixels


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_panels_fill_their_places_in_a_window_of_any_width(matrix, columns):
    panels = [SimilarityPanel(matrix(4, seed=i), "A", LIGHT.a) for i in range(columns)]
    figure = similarity_panels(texts(4), panels, DARK)
    for number in range(1, columns + 1):
        axis = figure.layout[f"yaxis{number if number > 1 else ''}"]
        assert axis.scaleanchor is None
        assert list(axis.range) == [3.5, -0.5]


@pytest.mark.parametrize(("count", "pixels"), [(2, 321), (12, 765), (15, 765), (16, None)])
def test_panels_stand_one_under_the_other_where_values_would_have_no_room(matrix, count, pixels):
    meta = three(texts(count), matrix(count), matrix(count, seed=1)).layout.meta
    assert (meta["stacks"] if meta else None) == pixels
    assert (
        similarity_panels(texts(2), [SimilarityPanel(matrix(2), "A", LIGHT.a)], LIGHT).layout.meta is None
    )


def test_rows_and_columns_follow_an_order_and_keep_their_numbers(matrix):
    values = matrix(4)
    panel = SimilarityPanel(values, "A", LIGHT.a)
    figure = similarity_panels(texts(4), [panel], LIGHT, order=[2, 0, 3, 1], mark=(0, 1))
    (trace,) = heatmaps(figure)
    assert trace.z[0, 1] == np.float32(values[2, 0])
    assert trace.z[2, 3] == np.float32(values[3, 1])
    assert list(figure.layout.xaxis.ticktext) == ["3", "1", "4", "2"]
    assert figure.layout.yaxis.ticktext[0].endswith("  3")
    box = figure.layout.shapes[0]
    assert (box.x0, box.y0) == (0.5, 2.5)
    (click,) = targets(figure)
    at = next(i for i in range(len(click.x)) if (click.y[i], click.x[i]) == (0, 1))
    assert list(click.customdata[at][:2]) == [3, 1]


# -- the pair that is chosen


def test_a_chosen_pair_is_boxed_in_every_panel(matrix):
    figure = three(texts(4), matrix(4), matrix(4, seed=1), mark=(0, 2))
    assert len(figure.layout.shapes) == 6
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].y0) == (-0.5, 1.5)
    assert (figure.layout.shapes[1].x0, figure.layout.shapes[1].y0) == (1.5, -0.5)


@pytest.mark.parametrize("count", COUNTS)
def test_every_cell_off_the_diagonal_takes_clicks_while_it_is_large_enough(matrix, count):
    a, b = matrix(count), matrix(count, seed=1)
    layers = targets(three(texts(count), a, b))
    if count > 60:
        assert layers == []
        return
    assert len(layers) == 3
    for layer, values in zip(layers, (a, b, b - a), strict=True):
        assert layer.marker.opacity == layer.unselected.marker.opacity == 0
        assert len(layer.customdata) == count * (count - 1)
        for x, y, said in zip(layer.x, layer.y, layer.customdata, strict=True):
            assert (said[0], said[1]) == (y + 1, x + 1)
            assert said[2] == pytest.approx(values[y, x], abs=1e-4)


def test_a_cell_that_is_too_small_to_click_says_its_sentences(matrix):
    trace = heatmaps(three(texts(61), matrix(61), matrix(61, seed=1)))[0]
    assert trace.customdata[3, 7].tolist() == [4, 8]
    assert "customdata[0]" in trace.hovertemplate
