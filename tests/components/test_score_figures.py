"""Gold against similarity, and scores by subset."""

import html

import numpy as np
import plotly.io as pio
import pytest

from components.figures.scores import (
    DENSE,
    RecipeSimilarities,
    gold_against_similarity,
    stepwise,
    subset_bars,
)
from components.theme import LIGHT
from core.evaluation.sts import Score

NAN = float("nan")


def sides(count: int, units=("cosine", "cosine")) -> list[RecipeSimilarities]:
    """Two recipes' similarities."""
    values = np.random.default_rng(0).uniform(0, 1, (2, count))
    names = zip(("A", "B"), (LIGHT.a, LIGHT.b), values, units, strict=True)
    return [RecipeSimilarities(label, color, row, unit) for label, color, row, unit in names]


def drawn(count: int, units=("cosine", "cosine"), pairs=None):
    """The figure of ``count`` pairs."""
    gold = np.random.default_rng(1).uniform(0, 5, count)
    pairs = pairs or [(f"one {i}", f"two {i}") for i in range(count)]
    return gold_against_similarity(gold, sides(count, units), pairs, LIGHT)


def test_the_axis_of_a_long_name_is_whole_where_the_window_is_low():
    name = "B, layers 2+5, Ditto layer=5 head=4, z-score"
    side = RecipeSimilarities(name, LIGHT.b, np.linspace(0, 1, 3), "cosine")
    figure = gold_against_similarity(np.arange(3.0), [side], [("x", "y")] * 3, LIGHT)
    lines = figure.layout.yaxis.title.text.split("<br>")
    assert " ".join(lines) == f"cosine under {name}"
    assert max(map(len, lines)) * 0.54 * 18 <= 320, (
        "letters of an axis title are about 0.54 of 18 pixels wide"
    )


@pytest.mark.parametrize(("units", "numbers"), [(("cosine",) * 2, 0), (("cosine", "manhattan"), 50)])
def test_the_axis_of_b_has_room_between_the_panels_however_long_its_name(units, numbers):
    names = ("A", "B, SBERT-WK window=5 start=1 omega=0.2 form=released, infrequent tokens, [CLS], + Avg.")
    values = np.linspace(0, 1, 3)
    given = [
        RecipeSimilarities(name, LIGHT.b, values, unit) for name, unit in zip(names, units, strict=True)
    ]
    layout = gold_against_similarity(np.arange(3.0), given, [("x", "y")] * 3, LIGHT).layout
    lines = layout.yaxis2.title.text.count("<br>") + 1
    room = (layout.xaxis2.domain[0] - layout.xaxis.domain[1]) * 640
    assert 24 * lines + numbers <= room, "a line takes 24 pixels, numbers of any size about 50"


@pytest.mark.parametrize(("levels", "drawn"), [((1, 1), 0), ((5, 9, 4), 2), ((5, 9, 6), 3)])
def test_medians_are_of_levels_with_enough_pairs_and_two_of_them_make_no_line(levels, drawn):
    gold = np.repeat(np.arange(len(levels), dtype=float), levels)
    side = RecipeSimilarities("A", LIGHT.a, np.linspace(0, 1, len(gold)), "cosine")
    _, medians = gold_against_similarity(gold, [side], [("x", "y")] * len(gold), LIGHT).data
    assert len(medians.x) == drawn
    assert medians.mode == ("lines+markers" if drawn > 2 else "markers")


def score(value: float, pairs: int = 20) -> Score:
    """A score five points wide on either side."""
    return Score(value, value, value - 5, value + 5, pairs, "all", {})


def test_points_and_quartiles_of_each_recipe():
    figure = drawn(50)
    assert [trace.mode for trace in figure.data] == ["markers", "lines+markers"] * 2
    assert [trace.marker.color for trace in figure.data[::2]] == [LIGHT.a, LIGHT.b]
    assert all(len(trace.x) == 50 for trace in figure.data[::2])


def test_a_point_hides_no_other_but_its_gold_is_said_exactly():
    figure = drawn(50)
    assert np.abs(np.array(figure.data[0].x) - figure.data[0].customdata).max() < 0.07


def test_levels_of_gold_are_those_of_its_scale():
    """On a scale of 1 to 100 in fifths the lowest stood at 0, where no pair can be."""
    gold, texts = np.repeat([1.0, 20.8, 40.6, 60.4, 80.2, 100.0], 5), [("a", "b")] * 30
    medians = gold_against_similarity(gold, sides(30), texts, LIGHT, step=19.8, low=1.0).data[1]
    assert medians.x == pytest.approx([1.0, 20.8, 40.6, 60.4, 80.2, 100.0])


@pytest.mark.parametrize(("count", "kind"), [(DENSE, "scatter"), (DENSE + 1, "scattergl")])
def test_many_points_are_drawn_by_the_graphics_card(count, kind):
    assert drawn(count).data[0].type == kind


def test_many_points_travel_in_few_bytes():
    assert len(pio.to_json(drawn(8000), engine="orjson", validate=False)) < 4_000_000


def test_recipes_of_one_similarity_share_their_axis():
    assert drawn(20).layout.yaxis2.matches == "y"
    assert drawn(20, ("cosine", "dot")).layout.yaxis2.matches is None


@pytest.mark.parametrize(("subsets", "height"), [(0, 400), (1, 400), (6, 502), (9, 560), (30, 560)])
def test_pairs_are_as_high_as_the_subsets_beside_them_and_no_higher_than_a_window(subsets, height):
    panels = gold_against_similarity(np.arange(5.0), sides(5), [("x", "y")] * 5, LIGHT, beside=subsets)
    assert panels.layout.height == height


def test_markup_in_a_sentence_stays_text():
    text = drawn(2, pairs=[("<b>x</b>", "</s>"), ("a", "b")]).data[0].text[0]
    assert "<b>x" not in text
    assert html.unescape(text.split("<br>")[0]) == "<b>x</b>"


@pytest.mark.parametrize("count", [2, 4])
def test_too_few_pairs_for_quartiles_are_drawn_all_the_same(count):
    assert len(drawn(count).data[1].x) == 0


def test_a_dot_and_its_number_for_each_recipe():
    figure = subset_bars(
        {"A": {"x": score(50), "y": score(60)}, "B": {"x": score(55), "y": score(NAN)}},
        {"A": LIGHT.a, "B": LIGHT.b},
        LIGHT,
    )
    a, b = figure.data
    assert list(a.text) == ["50.0", "60.0"]
    assert list(b.text) == ["55.0", ""]
    assert (a.y < b.y).all(), "A stands above, on an axis that goes down"
    assert (a.textposition, b.textposition) == ("top center", "bottom center")
    assert list(figure.layout.yaxis.ticktext) == ["x (20)", "y (20)"]


def test_a_subset_keeps_its_row_whatever_its_name():
    names = ["<b>", "same", "long " * 20]
    figure = subset_bars(
        {"A": {name: score(10.0 * i) for i, name in enumerate(names)}}, {"A": LIGHT.a}, LIGHT
    )
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt; (20)"
    assert len(figure.layout.yaxis.ticktext[2]) < 40


@pytest.mark.parametrize("count", [1, 2, 26])
def test_subsets_have_room(count):
    figure = subset_bars({"A": {str(i): score(50) for i in range(count)}}, {"A": LIGHT.a}, LIGHT)
    assert figure.layout.height >= 70 * count


def test_every_step_has_its_name_and_number():
    steps = [("layers=0", score(50)), ("pool=<b>", score(NAN)), ("post=zscore", score(61.26))]
    figure = stepwise(steps, LIGHT.b, LIGHT)
    assert list(figure.data[1].text) == ["50.0", "no score", "61.3"]
    assert list(figure.layout.yaxis.ticktext) == ["layers=0", "+ pool=&lt;b&gt;", "+ post=zscore"]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "top to bottom"


def test_the_recipes_names_stand_over_the_subsets():
    subsets = {side: {"x": score(50), "y": score(60)} for side in "AB"}
    called = {"A": "A, last layer", "B": "B, <b>idf</b>"}
    figure = subset_bars(subsets, {"A": LIGHT.a, "B": LIGHT.b}, LIGHT, called)
    first, second = figure.layout.title.text.split("<br>")
    assert "A, last layer" in first
    assert LIGHT.a in first
    assert "B, &lt;b&gt;idf&lt;/b&gt;" in second
    assert LIGHT.readable(LIGHT.b) in second
    assert not subset_bars(subsets, {"A": LIGHT.a, "B": LIGHT.b}, LIGHT).layout.title.text
