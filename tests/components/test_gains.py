"""The figure of gains: a row a method, a marker an encoder, hollow where no difference is shown."""

import numpy as np
import pytest

from components import theme
from components.figures.gains import APART, gains_by_model
from components.methods import two_models
from core.evaluation.difference import Difference
from core.evaluation.gains import Gain


def gain(value: float, low: float, high: float) -> Gain:
    return Gain(60 + value, Difference(value, low, high))


RESULTS = {
    "untuned <mlm>": {
        "whitening": gain(9.0, 6.0, 12.0),
        "idf": gain(2.0, -1.0, 5.0),
        "[CLS]": gain(-8.0, -11.0, -5.0),
        "odd": "it cannot be followed",
    },
    "tuned": {
        "whitening": gain(-3.0, -5.0, -1.0),
        "idf": gain(0.5, -1.0, 2.0),
        "[CLS]": Gain(float("nan"), Difference(float("nan"), float("nan"), float("nan"))),
    },
}


def only_gains(results):
    return {
        model: {name: each for name, each in by_name.items() if isinstance(each, Gain)}
        for model, by_name in results.items()
    }


def test_each_encoder_has_a_marker_with_its_interval_in_each_row():
    names = ["whitening", "idf", "[CLS]"]
    figure = gains_by_model(names, only_gains(RESULTS), theme.LIGHT)
    first, second = figure.data
    assert first.name == "untuned &lt;mlm&gt;"
    assert list(first.x) == [9.0, 2.0, -8.0]
    np.testing.assert_allclose(first.y, np.arange(3) - APART)
    np.testing.assert_allclose(first.error_x.array, [3, 3, 3])
    np.testing.assert_allclose(first.error_x.arrayminus, [3, 3, 3])
    assert list(second.x) == [-3.0, 0.5]
    np.testing.assert_allclose(second.y, np.arange(2) + APART)
    assert list(figure.layout.yaxis.ticktext) == names


def test_a_marker_is_hollow_where_the_interval_holds_0():
    figure = gains_by_model(["whitening", "idf", "[CLS]"], only_gains(RESULTS), theme.LIGHT)
    colors = [list(trace.marker.color) for trace in figure.data]
    paper = theme.LIGHT.paper
    assert [[color == paper for color in each] for each in colors] == [[False, True, False], [False, True]]
    assert colors[0][0] != colors[1][0]


def test_the_best_of_each_encoder_stand_in_one_order_and_a_method_of_one_encoder_alone_too():
    first = {
        "a": gain(3.0, 1, 5),
        "b": gain(2.0, 1, 3),
        "c": gain(1.0, 0, 2),
        "odd": RESULTS["tuned"]["[CLS]"],
    }
    drawn = {"first": first, "second": {"c": gain(5.0, 4, 6), "d": gain(4.0, 3, 5), "a": gain(0.0, -1, 1)}}
    assert two_models.ranked(drawn)[:3] == ["a", "b", "c"]
    assert sorted(two_models.ranked(drawn)) == ["a", "b", "c", "d", "odd"]
    assert two_models.best_of_each(drawn, 1) == ["a", "c"]
    assert two_models.best_of_each(drawn, 2) == ["a", "b", "c", "d"]
    assert two_models.best_of_each(drawn, 9) == two_models.ranked(drawn)
    assert two_models.best_of_each(drawn, 1, 1) == ["a", "c"]
    assert two_models.best_of_each(drawn, 0, 2) == ["a", "b", "c", "d"]
    assert two_models.best_of_each(drawn, 0, 9) == ["a", "b", "c", "d"], "what has no gain is not the last"


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK])
def test_the_line_of_no_gain_is_drawn(look):
    (line,) = gains_by_model(["idf"], only_gains(RESULTS), look).layout.shapes
    assert (line.x0, line.x1, line.line.color) == (0, 0, look.text)


def test_the_finding_counts_gains_and_losses_whose_interval_leaves_0_out():
    assert two_models.finding(RESULTS) == (
        "untuned <mlm>: 1 of 3 methods gains, 1 loses, 1 shows no difference; "
        "tuned: 0 of 2 methods gain, 1 loses, 1 shows no difference "
        "(Spearman × 100 against plain mean of the last layer)"
    )


def test_gains_on_too_few_pairs_have_no_interval():
    few = {"tuned": {"idf": gain(0.5, np.nan, np.nan), "[CLS]": gain(-1.0, np.nan, np.nan)}}
    assert two_models.finding(few).startswith("tuned: 2 methods without an interval (")
    (trace,) = gains_by_model(["idf", "[CLS]"], few, theme.LIGHT).data
    assert list(trace.customdata) == ["no interval"] * 2


def test_the_table_has_a_row_for_each_encoder_and_method():
    table = two_models.numbers(RESULTS)
    assert len(table) == 7
    row = table[(table["encoder"] == "untuned <mlm>") & (table["method"] == "idf")].iloc[0]
    assert (row["gain"], row["low"], row["high"], row["spearman"]) == (2.0, -1.0, 5.0, 62.0)
    assert list(table["problem"].dropna()) == ["it cannot be followed"]
