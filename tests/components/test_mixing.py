"""The map of shares and layers, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from components.figures.animation import moving
from components.figures.mixing import best_shares, heatmap
from components.figures.share_walk import sides, walk
from components.mixing import best_shares as best_shares_section
from components.mixing import cells, chosen_cell, held_out, score_map, task_maps
from components.theme import DARK, LIGHT
from core.analysis.mixing import HeldOutScore, Mixture, mean_of
from core.analysis.mixing_gains import MixtureGains
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.sts import Score


def made(*rows, layers=("0", "1", "first+last"), shares=(-0.5, 0.0, 0.5)) -> Mixture:
    return Mixture(shares, layers, 2, np.array(rows, float))


FOUND = made([50, 60, 61], [52, 58, 63], [51, 70, np.nan])
NONE = Difference(0.0, 0.0, 0.0)
GAINS = MixtureGains((NONE, Difference(12.0, 8.0, 16.0), NONE), Difference(7.0, 3.0, 11.0))


def test_the_black_cross_is_on_the_highest_and_the_box_on_the_chosen():
    figure = heatmap(FOUND, LIGHT, (-0.5, "0"))
    cross = figure.data[2]
    assert (cross.x[0], cross.y[0]) == (1, 2)
    assert cross.marker.symbol == "x-thin"
    assert cross.marker.line.color == "#000000", "the best is the lightest cell"
    assert cross.unselected.marker.opacity == 1, "a click on another cell leaves it as it is"
    box = figure.layout.shapes[0]
    assert (box.x0, box.x1, box.y0, box.y1) == (-0.5, 0.5, -0.5, 0.5)
    assert figure.layout.shapes[1].x0 == 1.5  # the line between single layers and sets


def test_every_cell_can_be_clicked_and_says_what_it_is():
    markers = heatmap(FOUND, DARK).data[1]
    assert len(markers.x) == FOUND.scores.size
    i = [(x, y) for x, y in zip(markers.x, markers.y, strict=True)].index((2, 0))
    assert markers.text[i] == "w = −0.5, layers first+last"
    assert markers.customdata[i] == 61
    assert markers.marker.opacity == 0


def test_a_share_that_a_link_says_and_is_not_tried_is_told_with_a_minus(monkeypatch):
    told = []
    monkeypatch.setattr(chosen_cell.st, "text_input", lambda *_, **__: "banana")
    monkeypatch.setattr(chosen_cell.st, "select_slider", lambda *_, **__: None)
    monkeypatch.setattr(chosen_cell.link, "explain", lambda key, text: told.append(text))
    assert chosen_cell.CellControls("w", "mixed")._share(["-1", "0"], "-1") == -1
    assert told == ["The link says w = 'banana', which is not tried: w = −1."]


def test_rows_run_upwards_and_long_names_over_two_lines():
    figure = heatmap(FOUND, LIGHT)
    np.testing.assert_array_equal(figure.data[0].z[0], np.float32([50, 60, 61]))
    assert figure.layout.yaxis.autorange is None
    assert list(figure.layout.xaxis.ticktext) == ["0", "1", "first<br>+last"]
    assert list(figure.layout.yaxis.ticktext) == ["−0.5", "0: model", "0.5"]
    assert list(figure.layout.xaxis.range) == [-0.5, 2.5], "lines across the cells end where they do"


def test_each_column_s_best_share_and_gain():
    points = best_shares(FOUND, GAINS.columns, LIGHT).data[0]
    np.testing.assert_allclose(points.y, [0.0, 0.5, 0.0])
    assert list(points.text) == ["0.0", "+12.0", "0.0"]
    assert list(points.marker.symbol) == ["circle-open", "circle", "circle-open"], "hollow: none shown"
    fine = replace(FOUND, shares=(-0.25, 0.0, 0.85))
    hovers = best_shares(fine, GAINS.columns, LIGHT).data[0].customdata
    assert hovers[1] == "best w = 0.85: +12.0 over w = 0, 95 %: 8.0 to 16.0", "it was rounded to a tenth"
    table = best_shares_section.numbers(FOUND, GAINS)
    assert table["w"].tolist() == [0.0, 0.5, 0.0]
    assert table["gain"].tolist() == [0.0, 12.0, 0.0]
    assert table["low"].tolist() == [0.0, 8.0, 0.0]


def test_the_gains_of_best_shares_are_said_with_their_interval():
    assert best_shares_section.finding(FOUND, GAINS) == (
        "Adding Avg. to 1 of 3 choices of layers raises Spearman × 100 (over the same layers at w = 0); "
        "largest: layer 1 at w = 0.5, the highest tried (+12.0, 95 %: 8.0 to 16.0)"
    )
    away = made([62, 60, 61], [52, 58, 63], [51, 50, 50])
    taken = MixtureGains((Difference(10, 6, 14), Difference(2, -1, 5), NONE), NONE)
    assert best_shares_section.finding(away, taken) == (
        "Taking Avg. away from 1 of 3 choices of layers raises Spearman × 100 (over the same layers at "
        "w = 0); largest: layer 0 at w = −0.5, the lowest tried (+10.0, 95 %: 6.0 to 14.0)"
    )
    unsure = MixtureGains((Difference(10, -6, 14), Difference(2, -1, 5), NONE), NONE)
    assert best_shares_section.finding(away, unsure) == (
        "No gain in Spearman × 100 shown for any of 3 choices of layers (over the same layers at w = 0); "
        "largest: layer 0 at w = −0.5, the lowest tried (+10.0, 95 %: −6.0 to 14.0)"
    )


def test_the_best_cell_is_said_beside_the_best_one_without_avg():
    assert score_map.finding(FOUND, GAINS.best) == (
        "Adding Avg. gains 7.0 Spearman × 100 (95 %: 3.0 to 11.0): 70.0 at w = 0.5, the highest tried, "
        "layer 1, the best cell on these pairs; the best without Avg. 63.0 (layers first+last)"
    )
    away = made([72, 60, 61], [52, 58, 63], [51, 50, 50])
    assert score_map.finding(away, Difference(9, 4, 14)).startswith(
        "Taking Avg. away gains 9.0 Spearman × 100 (95 %"
    )
    assert score_map.finding(away, Difference(9, -1, 19)) == (
        "No difference shown: at most Spearman × 100 = 72.0 at w = −0.5, the lowest tried, layer 0, "
        "the best cell on these pairs; the best without Avg. 63.0 (layers first+last); +9.0, 95 %: −1.0 to "
        "19.0"
    )
    assert score_map.finding(away, NO_DIFFERENCE).startswith("Highest: Spearman × 100 = 72.0 at w = −0.5")
    alone = score_map.finding(made([1, 2, 3], [9, 5, 6], [1, 2, 3]), NONE)
    assert alone.startswith("No share of Avg. scores above the model alone")


def test_nothing_is_said_of_a_map_without_scores():
    nothing = made(*np.full((3, 3), np.nan))
    none = MixtureGains((NO_DIFFERENCE,) * 3, NO_DIFFERENCE)
    assert score_map.finding(nothing, none.best) == "No cell has a score: all similarities are equal"
    assert best_shares_section.finding(nothing, none) == "No choice of layers has a score"
    assert len(heatmap(nothing, LIGHT).data) == 2


def test_a_map_of_a_task_names_its_measure_and_a_mean_those_of_all():
    accuracy = replace(FOUND, metrics=("accuracy",))
    said = "accuracy × 100 = 70.0 at w = 0.5, the highest tried, layer 1, topics: clustering"
    assert task_maps.finding(accuracy, "topics: clustering", NO_DIFFERENCE).startswith(f"Highest: {said}")
    assert heatmap(accuracy, LIGHT).data[0].colorbar.title.text == "accuracy × 100"
    assert list(cells.numbers(accuracy).columns) == ["w", "layers", "accuracy"]
    both = mean_of([FOUND, accuracy, accuracy])
    assert heatmap(both, LIGHT).data[0].colorbar.title.text == "mean of Spearman and accuracy × 100"
    assert list(cells.numbers(both).columns) == ["w", "layers", "value"]


def test_numbers_hold_every_cell():
    table = cells.numbers(FOUND)
    assert len(table) == 9
    row = table[(table["w"] == 0.5) & (table["layers"] == "1")]
    assert row["spearman"].item() == 70


def corpus(split: str) -> Corpus:
    return Corpus.of_pairs("c", ["a", "b"], ["c", "d"], [1.0, 2.0], split=[split, split]).take(split)


@pytest.mark.parametrize(
    ("share", "gain", "said"),
    [
        (0.5, Difference(2.0, 1.0, 3.0), "it gains 2.0 there (95 %: 1.0 to 3.0)"),
        (0.5, Difference(-2.0, -3.0, -1.0), "it loses 2.0 there (95 %: −3.0 to −1.0)"),
        (0.5, Difference(1.0, -1.0, 3.0), "no difference is shown there (+1.0, 95 %: −1.0 to 3.0)"),
        (0.0, Difference(0.0, 0.0, 0.0), "w = 0 was chosen, the model without Avg."),
    ],
)
def test_how_the_choice_fares_is_said_with_its_interval(share, gain, said):
    score = Score(61.0, 60.0, 58.0, 64.0, 2, "all", {})
    found = HeldOutScore(share, "1", 70.0, score, gain, 4)
    dev, test = corpus("dev"), corpus("test")
    words = held_out.verdict(found, dev, test, 312)
    assert said in words
    assert "On c dev (2 pairs) it scored 70.0, the best of 312; on c test (2 pairs) it is number 4" in words
    below = replace(found, chosen_at=-0.04)
    assert "it scored 0.0, the best" in held_out.verdict(below, dev, test, 312), (
        "it was −0.0, with a hyphen"
    )
    title = held_out.finding(found, dev, test)
    end = "; no difference from w = 0 shown" if "no difference is shown" in said else ""
    reaches = "reaches Spearman × 100 = 61.0 ± 3.0 on c test"
    assert title == f"Chosen on c dev, w = {share:g} on layer 1 {reaches}{end}"


def test_as_w_moves_a_curve_has_the_scores_of_its_row_and_a_frame_stands_round_it():
    found = made([50, 60, 61], [52, 58, 63], [51, 70, np.nan], [40, 41, 42], shares=(-0.5, 0.0, 0.5, 1.0))
    played = moving(heatmap(found, LIGHT), walk(found, LIGHT))
    assert [frame.name for frame in played.frames] == ["0.00", "0.50", "1.00"], (
        "the model alone to Avg. alone"
    )
    assert played.layout.meta == {"frame": "0.50"}, "where the highest score is"
    for frame, row in zip(played.frames, (1, 2, 3), strict=True):
        curve, box = frame.data
        np.testing.assert_array_equal(curve.y, found.scores[row].astype(np.float32))
        assert (min(box.y), max(box.y)) == (row - 0.5, row + 0.5)
    assert list(played.frames[1].data[0].text) == ["51.0", "70.0", ""]
    assert list(played.frames[1].data[0].textposition) == ["bottom center", *["top center"] * 2]
    assert list(played.frames[2].data[0].textposition) == ["top center"] * 3
    alone = played.data[-3]
    np.testing.assert_array_equal(alone.y, np.float32([52, 58, 63]))
    low, high = played.layout.yaxis2.range
    assert low < 40
    assert high > 70


def test_a_number_stands_where_fewer_lines_pass():
    """Under a point that the dotted line passes closely above, and under a low one, else over it."""
    values, alone = np.array([40.0, 36.0, 43.0, 42.0]), np.array([41.0, 41.0, 30.0, 30.0])
    found = sides(values, [values, alone], 20.0)
    assert found == ["bottom center", "bottom center", "top center", "top center"]


def test_w_passes_the_chosen_cell_outside_and_nothing_moves_without_a_score():
    steps = walk(replace(FOUND, metrics=("accuracy",)), LIGHT, (-0.5, "0"))
    assert steps.names == ("−0.50", "0.00", "0.50")
    assert steps.at == "−0.50"
    assert steps.figures[0].layout.yaxis2.title.text == "accuracy × 100"
    assert walk(made(*[[np.nan] * 3] * 3), LIGHT) is None
