"""Figures of the page Masking, and what their titles say."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from components.figures.masking import (
    FITS,
    LOW,
    WIDTH,
    CorrelationLine,
    ImpactPanel,
    Importance,
    by_layer,
    impact_matrices,
    importance,
)
from components.masking.matrices import ABOVE, NARROW, exchange, finding
from components.masking.page import Choices, ModelImpact, unnamed
from components.theme import DARK, LIGHT

WORDS = ("the", "<s>", "the")
ARABIC = SimpleNamespace(units=("الطقس", "جميل", "اليوم"))
CHOICES = Choices("words", 2, "euclidean", "first", False)


def panel(values, title="m", rows=WORDS, own=(0, 1, 2)) -> ImpactPanel:
    return ImpactPanel(np.array(values, float), title, rows, WORDS, np.array(own))


def drawn(*panels, **how):
    return impact_matrices(panels, LIGHT, unit="word", metric="1 − cosine", **how)


FIRST = [[0, 7.3, 1], [2, 0, 3], [4, 5, 0]]


def test_what_is_masked_moves_what_stands_in_the_row():
    (trace,) = drawn(panel(FIRST)).data
    assert trace.z[0][1] == pytest.approx(7.3)
    assert trace.customdata[0][1].tolist() == ["the", "&lt;s&gt;"]
    assert trace.hovertemplate.startswith(
        "masking <b>%{customdata[1]}</b> moves <b>%{customdata[0]}</b> by %{z:.2f}"
    )
    assert "%{z:.3f}" in drawn(panel(FIRST), digits=3).data[0].hovertemplate


def test_a_word_on_itself_is_blank_and_a_zero_elsewhere_is_not():
    values = np.array(FIRST)
    values[0, 2] = 0
    (trace,) = drawn(panel(values)).data
    assert np.isnan(np.diagonal(np.array(trace.z))).all()
    assert np.isnan(trace.z).sum() == 3
    assert trace.z[0][2] == 0
    assert trace.hoverongaps is False, "what is blank does not say NaN"


def test_special_rows_are_drawn_whole():
    values = np.array([[9, 8, 7], *FIRST, [6, 5, 4]], float)
    (trace,) = drawn(panel(values, rows=("[CLS]", *WORDS, "[SEP]"), own=(1, 2, 3))).data
    assert np.isnan(trace.z).sum() == 3
    assert list(trace.z[0]) == [9, 8, 7]
    assert list(trace.z[4]) == [6, 5, 4]


def test_the_chosen_word_s_row_and_column_are_framed_where_they_are():
    values = np.array([[9, 8, 7], *FIRST], float)
    one = ImpactPanel(values, "m", ("[CLS]", *WORDS), WORDS, np.array((1, 2, 3)), 2)
    row, column = drawn(one, panel(FIRST)).layout.shapes
    assert (row.y0, row.y1, row.xref) == (2.5, 3.5, "x")
    assert (column.x0, column.x1, column.y1) == (1.5, 2.5, 3.5)


def test_what_a_word_moves_and_what_moves_it_is_said():
    impact = SimpleNamespace(matrix=lambda *_: np.array(FIRST, float), plan=SimpleNamespace(units="abc"))
    asked = ModelImpact(SimpleNamespace(), impact, 2)
    assert exchange(asked, CHOICES, 1) == (
        "Framed: masking “b” moves “a” most (7.30); what moves it most is “c” (3.00)."
    )


def test_words_from_right_to_left_leave_the_numbers_behind_them():
    impact = SimpleNamespace(matrix=lambda *_: np.array(FIRST, float), plan=ARABIC)
    one = ModelImpact(SimpleNamespace(), impact, 2)
    assert "masking “\u2068جميل\u2069” moves “\u2068الطقس\u2069” most (7.30)" in exchange(one, CHOICES, 1)


def test_what_is_said_of_a_word_is_what_is_drawn():
    impact = SimpleNamespace(matrix=lambda *_: np.array(FIRST, float), plan=SimpleNamespace(units="abc"))
    asked = ModelImpact(SimpleNamespace(), impact, 2)
    relative = replace(CHOICES, relative=True)
    mean = 22.3 / 6
    assert exchange(asked, relative, 1) == (
        f"Framed: masking “b” moves “a” most ({7.3 / mean:.2f}); "
        f"what moves it most is “c” ({3 / mean:.2f})."
    )
    still = SimpleNamespace(matrix=lambda *_: np.zeros((3, 3)), plan=SimpleNamespace(units="abc"))
    assert exchange(ModelImpact(SimpleNamespace(), still, 0), CHOICES, 1) == (
        "Framed: “b”; masking a word moves nothing in layer 0."
    )


def test_models_share_one_scale_from_zero():
    figure = drawn(panel(FIRST), panel(np.array(FIRST) * 2, "n"))
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, pytest.approx(14.6))
    assert {trace.coloraxis for trace in figure.data} == {"coloraxis"}
    assert drawn(panel(np.zeros((3, 3)))).layout.coloraxis.cmax == 1


def test_words_alike_keep_their_places_and_markup_stays_text():
    axis = drawn(panel(FIRST)).layout.xaxis
    assert list(axis.tickvals) == [0, 1, 2]
    assert list(axis.ticktext) == ["the", "&lt;s&gt;", "the"]


@pytest.mark.parametrize("count", [2, 19, 24, 40, 200])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_labels_have_room(count, number):
    words = [f"word {i}" for i in range(count)]
    many = [ImpactPanel(np.ones((count, count)), "m", words, words, np.arange(count))] * number
    figure = impact_matrices(many, LIGHT, unit="word", metric="d")
    cells = min(figure.layout.height - 130, (WIDTH - 130) / number)
    rows = figure.layout.yaxis
    assert len(rows.tickvals) * rows.tickfont.size <= cells
    assert rows.tickfont.size >= 9
    assert len(rows.tickvals) == count or rows.tickfont.size == 9, "smaller type before fewer names"
    assert 250 < figure.layout.height < 900 or number > 1


def narrow(count: int, chosen: int | None = None):
    words = [f"word {i}" for i in range(count)]
    one = ImpactPanel(np.ones((count, count)), "m", words, words, np.arange(count), chosen)
    return impact_matrices([one], LIGHT, unit="word", metric="d", narrow=True)


def test_each_word_of_a_narrow_matrix_has_a_name_where_the_window_is_low_too():
    figure = narrow(FITS)
    assert len(figure.layout.yaxis.tickvals) == FITS
    assert figure.layout.yaxis.tickfont.size <= (LOW - 104) / FITS
    assert 720 - ABOVE >= LOW
    assert figure.layout.xaxis.tickangle == -90, "slanted, the names of columns lie over each other"


@pytest.mark.parametrize("count", [FITS + 1, 23, NARROW])
def test_a_sentence_that_half_of_the_page_has_room_for_has_each_name(count):
    figure = narrow(count)
    assert len(figure.layout.xaxis.tickvals) == len(figure.layout.yaxis.tickvals) == count
    assert 9 <= figure.layout.yaxis.tickfont.size <= 380 / count
    assert unnamed(figure, count, "word") == ""


def test_a_long_sentence_has_rows_of_sixteen_pixels_as_far_as_there_is_room():
    words = [f"word {i}" for i in range(34)]
    one = ImpactPanel(np.ones((34, 34)), "m", words, words, np.arange(34))
    figure = impact_matrices([one], LIGHT, unit="word", metric="d")
    assert figure.layout.height - 130 == 16 * 34
    assert len(figure.layout.yaxis.tickvals) == 34


def test_the_framed_word_keeps_its_name_where_not_all_have_one():
    words = [f"word {i}" for i in range(88)]
    one = ImpactPanel(np.ones((88, 88)), "m", words, words, np.arange(88), 41)
    figure = impact_matrices([one], LIGHT, unit="word", metric="d")
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert "word 41" in axis.ticktext
        assert axis.tickvals[axis.ticktext.index("word 41")] == 41
    assert unnamed(figure, 88, "word").startswith("Every second word has its name")


def shares(*values):
    return np.array(values) / sum(values)


def test_impact_and_idf_are_percent_of_the_sentence():
    one = Importance("<m>", LIGHT.a, WORDS, shares(1, 2, 1), shares(0, 3, 1))
    figure = importance([one], LIGHT)
    bars, dots = figure.data
    assert (bars.type, dots.type) == ("bar", "scatter")
    assert list(bars.y) == [0, 75, 25]
    assert list(dots.y) == [25, 50, 25]
    assert dots.marker.color == LIGHT.a
    assert list(figure.layout.xaxis.ticktext) == ["the", "&lt;s&gt;", "the"]
    assert "&lt;m&gt;" in figure.layout.annotations[0].text


def test_each_model_has_a_row_of_its_own_words():
    two = [
        Importance("a", DARK.a, WORDS, shares(1, 1, 1), shares(1, 1, 1)),
        Importance("b", DARK.b, ("x", "y"), shares(1, 1), shares(1, 1)),
    ]
    figure = importance(two, DARK)
    assert list(figure.layout.xaxis2.ticktext) == ["x", "y"]
    assert figure.layout.height > importance(two[:1], DARK).layout.height + 150


def test_not_every_one_of_two_hundred_words_has_a_label():
    one = Importance("a", LIGHT.a, ["word"] * 200, shares(*[1] * 200), shares(*[1] * 200))
    assert 20 < len(importance([one], LIGHT).layout.xaxis.tickvals) <= 60


def test_the_layer_that_is_shown_has_its_interval():
    line = CorrelationLine("m", LIGHT.a, np.array([np.nan, 10.0, 30.0]), 2, 25.0, 38.0)
    values, chosen = by_layer([line], LIGHT).data
    assert list(values.x) == [0, 1, 2]
    assert list(values.marker.size) == [7, 7, 13]
    assert (list(chosen.x), list(chosen.y)) == ([2], [30])
    assert (chosen.error_y.array[0], chosen.error_y.arrayminus[0]) == (8, 5)
    low, high = by_layer([line], LIGHT).layout.xaxis.range
    assert low < 0
    assert 2 < high < 3


def test_intervals_in_one_layer_do_not_hide_each_other():
    line = CorrelationLine("m", LIGHT.a, np.array([1.0, 2.0]), 1, 1.5, 2.5)
    traces = by_layer([line, line], LIGHT).data
    assert traces[1].x[0] < 1 < traces[3].x[0]


def test_no_correlation_is_drawn_empty():
    nothing = CorrelationLine("<m>", LIGHT.a, np.full(3, np.nan), 0, np.nan, np.nan)
    figure = by_layer([nothing], LIGHT)
    assert len(figure.data) == 1
    assert not figure.layout.annotations
    assert "<m>" not in figure.data[0].hovertemplate


def answer(name, means, units=WORDS, layer=2) -> ModelImpact:
    """A model whose column means are these."""
    impact = SimpleNamespace(
        means=lambda *_: np.array(means, float), plan=SimpleNamespace(units=units), depth=2
    )
    return ModelImpact(SimpleNamespace(name=name), impact, layer)


def test_the_finding_names_the_word_that_moves_most():
    most = "Masked word that moves the sentence's words most, on average (Euclidean distance)"
    assert finding([answer("m", [1, 2.346, 1])], CHOICES) == (
        "Masking “<s>” moves words most: Euclidean distance 2.35 on average"
    )
    both = [answer("m", [1, 2, 1]), answer("n", [0, 0, 9])]
    assert finding(both, CHOICES) == f"{most}: m “<s>”, 2.00; n “the (2)”, 9.00"


def test_the_finding_is_on_the_scale_that_is_drawn():
    relative = replace(CHOICES, relative=True)
    words = finding([answer("m", [1, 2, 1])], relative)  # the matrix of 3 words has the mean (1+2+1)·3/6
    assert words.endswith(": Euclidean distance ÷ its mean 1.00 on average")


def test_nothing_that_moves_is_said():
    assert finding([answer("m", [0, 0, 0], layer=0)], CHOICES) == (
        "In layer 0 no word has seen another: masking one moves nothing"
    )
    assert finding([answer("m", [0, 0, 0])], CHOICES) == "In layer 2 masking a word moves nothing"
    both = [answer("m", [0, 0, 0]), answer("n", [0, 0, 9])]
    assert finding(both, CHOICES).endswith(": m nothing in layer 2; n “the (2)”, 9.00")
