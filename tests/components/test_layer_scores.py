"""Scores by layer and by pair of layers on the page Layers: their figures, and what their titles say."""

from dataclasses import replace

import numpy as np
import pytest

from components.figures.layer_scores import LayerCurve, scores_by_layer, scores_by_pair
from components.layers.score_curve import finding as layer_finding
from components.layers.score_curve import finding_of_one
from components.layers.score_curve import numbers as layer_numbers
from components.layers.score_grid import finding as pair_finding
from components.layers.score_grid import numbers as pair_numbers
from components.theme import BEST, DARK, LIGHT, MARK
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.evaluation.difference import NO_DIFFERENCE, Difference

NAN = float("nan")
LAYERS = (-1, 0, 1, 2)


def by_layer(spearman=(40.0, 50.0, 60.0, NAN), low=(12.0, 4.0, 0.0, NAN, 1.0)) -> ByLayer:
    """Layers beside first+last at 55; ``low`` is how far each is behind the best at least."""
    values = np.array(spearman)
    best = np.nanmax([*spearman, 55.0])
    behind = best - np.array([*spearman, 55.0])
    differences = tuple(Difference(b, at, 2 * b - at) for b, at in zip(behind.tolist(), low, strict=True))
    around = np.linspace(-5, 5, 101)
    samples = np.append(values, 55.0)[:, None] + around
    return ByLayer(LAYERS, values, values - 5, values + 5, (55.0, 50.0, 61.0), differences, samples)


def alone(found: ByLayer) -> list[LayerCurve]:
    return [LayerCurve("A, mean", LIGHT.a, found)]


def by_pair(best=(0, 3), gain=(20.0, 11.0, 29.0)) -> ByPair:
    values = np.full((4, 4), 50.0)
    values[best] = values[best[::-1]] = 70.0
    return ByPair(LAYERS, values, Difference(*gain))


# -- the curve and the grid


def test_layers_have_intervals_and_first_and_last_its_own_place():
    figure = scores_by_layer(alone(by_layer()), LIGHT)
    layers, both, words = figure.data
    np.testing.assert_array_equal(layers.y, [40, 50, 60, NAN])
    np.testing.assert_array_equal(layers.error_y.array[:3], [5, 5, 5])
    assert (list(both.x), list(both.y)) == ([4], [55])
    assert (both.error_y.array[0], both.error_y.arrayminus[0]) == (6, 5)
    assert list(figure.layout.xaxis.ticktext) == ["static", "0", "1", "2", "first<br>+last"]
    assert list(words.text) == ["40.0", "50.0", "60.0", "", "55.0"]
    assert figure.layout.shapes[0].y0 == 55


def deeper(spearman: float = 62.0) -> ByLayer:
    """A model of two more layers, without static rows, whose layer 3 scores highest."""
    values = np.array([45.0, 55.0, 58.0, spearman, 50.0])
    samples = np.append(values, 57.0)[:, None] + np.linspace(-5, 5, 101)
    differences = (NO_DIFFERENCE,) * 6
    return ByLayer(
        (0, 1, 2, 3, 4), values, values - 4, values + 4, (57.0, 53.0, 61.0), differences, samples
    )


def of_both(a: ByLayer, b: ByLayer) -> list[LayerCurve]:
    return [LayerCurve("A, mean", LIGHT.a, a), LayerCurve("B, <idf>", LIGHT.b, b)]


def test_two_recipes_stand_beside_each_other_at_the_layers_that_each_has():
    figure = scores_by_layer(of_both(by_layer(), deeper()), LIGHT, (2,))
    ticks = ["static", "0", "1", "2", "3", "4", "first<br>+last"]
    assert list(figure.layout.xaxis.ticktext) == ticks
    a, a_both, b, b_both = figure.data[:4]
    np.testing.assert_array_equal(a.y, [40, 50, 60, NAN, NAN, NAN])
    np.testing.assert_array_equal(b.y, [NAN, 45, 55, 58, 62, 50])
    assert (list(a_both.y), list(b_both.y)) == ([55], [57])
    assert (a.x < b.x).all()
    assert np.abs(np.concatenate([a.x, b.x]) - np.round(np.concatenate([a.x, b.x]))).max() < 0.5
    assert list(b.marker.line.width) == [0, 0, 0, 3, 0, 0]
    assert not figure.layout.shapes, "a line across each would cross the other curve"
    assert [a.marker.color, b.marker.color, b_both.marker.color] == [LIGHT.a, LIGHT.b, LIGHT.b]
    key = figure.layout.title.text
    assert "● A, mean" in key
    assert "● B, &lt;idf&gt;" in key


def test_the_number_of_the_higher_of_two_scores_is_above_it_the_other_below():
    *_, of_a, of_b = scores_by_layer(of_both(by_layer(), deeper()), LIGHT).data
    assert list(of_a.text) == ["40.0", "50.0", "60.0", "", "", "", "55.0"]
    assert [of_a.textposition[i].split()[0] for i in (0, 1, 2, 6)] == ["top", "top", "top", "bottom"]
    assert [of_a.y[i] for i in (0, 1, 2, 6)] == [45, 55, 65, 50]
    assert [of_b.textposition[i].split()[0] for i in (1, 2, 4, 6)] == ["bottom", "bottom", "top", "top"]
    assert [of_b.y[i] for i in (1, 2, 4, 6)] == [41, 51, 66, 61]
    *_, of_a, of_b = scores_by_layer(of_both(by_layer(), by_layer()), LIGHT).data
    ends = zip(of_a.textposition, of_b.textposition, strict=True)
    assert all(a != b for a, b in list(ends)[:3]), "two equal scores have a number on either side"


def test_numbers_keep_away_from_points_without_an_interval_and_stay_as_they_are_when_one_is_chosen():
    bare = replace(by_layer(), low=np.full(4, NAN), high=np.full(4, NAN), first_last=(55.0, NAN, NAN))
    *_, of_a, of_b = scores_by_layer(of_both(bare, bare), LIGHT).data
    np.testing.assert_allclose(of_a.y[:3], [40.6, 50.6, 60.6])
    np.testing.assert_allclose(of_b.y[:3], [39.4, 49.4, 59.4])
    assert of_a.selected.textfont.color, "Plotly fades what is not selected where it is told no colour"


def test_of_many_layers_the_highest_alone_has_its_number():
    values = np.linspace(20, 60, 26)
    samples = np.append(values, 45.0)[:, None] + np.zeros(3)
    found = ByLayer(
        tuple(range(-1, 25)), values, values - 2, values + 2, (45, 43, 47), (NO_DIFFERENCE,) * 27, samples
    )
    figure = scores_by_layer(alone(found), LIGHT)
    names = list(figure.layout.xaxis.ticktext)
    assert names == ["static", *map(str, range(1, 24, 2)), "first<br>+last"]
    assert list(figure.layout.xaxis.tickvals) == list(range(0, 27, 2))
    assert figure.data[0].customdata[2][0] == "layer 1"
    words = figure.data[-1]
    assert [text for text in words.text if text] == ["60.0"]
    assert words.text[25] == "60.0"


def test_two_recipes_are_said_by_their_best_layers_and_the_paired_difference():
    said = "Highest Spearman × 100 by layer: A 60.0 ± 5.0 (layer 1), B 62.0 ± 4.0 (layer 3)"
    a = by_layer()
    assert layer_finding({"A": a, "B": deeper()}) == f"{said}; B better by 2.0 (95 %: 2.0 to 2.0)"
    b = deeper()
    b.samples[3] = 62 + np.linspace(5, -5, 101)  # where A is high, B is low
    assert layer_finding({"A": a, "B": b}) == f"{said}; no difference shown (+2.0, 95 %: −7.5 to 11.5)"
    same = layer_finding({"A": a, "B": by_layer()})
    assert same.endswith("A 60.0 ± 5.0 (layer 1), B 60.0 ± 5.0 (layer 1); no difference shown")
    alike = by_layer((55.0, 55.0, 55.0, NAN))
    assert "B 55.0 ± 5.0 (all layers); A better by" in layer_finding({"A": a, "B": alike})
    nothing = by_layer((NAN,) * 4)
    nothing = replace(nothing, first_last=(NAN,) * 3, samples=np.full((5, 101), NAN))
    assert layer_finding({"A": a, "B": nothing}).endswith("A 60.0 ± 5.0 (layer 1), B no score")
    few = replace(a, low=np.full(4, NAN), high=np.full(4, NAN), samples=np.full((5, 101), NAN))
    assert layer_finding({"A": few, "B": few}, 3).endswith(
        "A 60.0 (3 pairs) (layer 1), B 60.0 (3 pairs) (layer 1)"
    )


def test_numbers_of_two_recipes_hold_what_b_gains_at_the_layers_of_both():
    table = layer_numbers({"A": by_layer(), "B": deeper()})
    assert list(table["recipe"]) == ["A"] * 5 + ["B"] * 6
    gains = table[table["recipe"] == "B"].set_index("layer")
    column = "spearman, difference from A"
    assert gains.loc[["0", "1", "first+last"], column].tolist() == [-5.0, -5.0, 2.0]
    assert gains.loc[["0", "1", "first+last"], f"{column}, low"].tolist() == pytest.approx([-5, -5, 2])
    assert gains.loc[["2", "3", "4"], column].isna().all(), "A has no score there"
    assert table.loc[table["recipe"] == "A", column].isna().all()


def test_no_number_stands_on_the_line_of_first_and_last():
    *_, words = scores_by_layer(alone(by_layer((49.5, 40.0, 60.0, NAN))), LIGHT).data
    assert list(words.y[:3]) == [44.5, 45.0, 65.0], "first + last is at 55, right above the first interval"
    assert list(words.textposition) == ["bottom center", *["top center"] * 4]


def test_the_chosen_layer_is_ringed():
    figure = scores_by_layer(alone(by_layer()), LIGHT, (1,))
    assert list(figure.data[0].marker.line.width) == [0, 0, 3, 0]
    figure = scores_by_layer(alone(by_layer()), LIGHT, (1, 2))
    assert list(figure.data[1].marker.line.width) == [3]


def test_every_cell_with_a_score_can_be_clicked_and_boxes_mark_the_best():
    found = by_pair()
    found.spearman[0, 1] = found.spearman[1, 0] = NAN
    figure = scores_by_pair(found, DARK, (1,))
    cells, _, markers = figure.data  # between them values in black
    assert cells.type == "heatmap"
    assert cells.hoverinfo == "skip"
    assert len(markers.x) == 14
    assert markers.marker.opacity == markers.unselected.marker.opacity == 0
    said = {(x, y): data for x, y, data in zip(markers.x, markers.y, markers.customdata, strict=True)}
    assert said[3, 0] == ["static+2", 70.0]
    assert said[2, 2][0] == "1"
    written = np.char.strip(np.char.add(*(np.array(one.text, str) for one in figure.data[:2])))
    scores = found.spearman
    assert (written == np.where(np.isnan(scores), "", np.char.mod("%.1f", scores))).all()
    boxes = {(s.line.color, round(s.x0 + 0.46), round(s.y0 + 0.46)) for s in figure.layout.shapes}
    assert boxes == {
        ("white", 3, 2),
        ("white", 2, 3),
        (BEST, 3, 0),
        (BEST, 0, 3),
        (MARK, 2, 2),
    }


@pytest.mark.parametrize("count", [2, 8, 26])
def test_cells_are_square_and_markers_fit_them(count):
    layers = tuple(range(-1, count - 1))
    values = np.random.default_rng(0).uniform(size=(count, count))
    figure = scores_by_pair(ByPair(layers, values, NO_DIFFERENCE), LIGHT)
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.data[-1].marker.size * count <= 260
    assert len(figure.layout.xaxis.ticktext) == count


def test_numbers_hold_each_layer_and_each_pair_once():
    layers = layer_numbers({"A": by_layer()})
    assert list(layers["layer"]) == ["static", "0", "1", "2", "first+last"]
    assert list(layers["low"])[-1] == 50
    pairs = pair_numbers(by_pair())
    assert len(pairs) == 10
    assert pairs.loc[(pairs["layer"] == "static") & (pairs["other layer"] == "2"), "spearman"].item() == 70


# -- their titles


def test_scores_are_said_in_words():
    highest = "Layer 1 scores highest: Spearman × 100 = 60.0 ± 5.0"
    assert finding_of_one(by_layer()) == highest
    alike = by_layer(low=(-1.0, -2.0, 0.0, NAN, -3.0))
    assert finding_of_one(alike) == f"{highest}; no difference shown to layers static, 0 and first+last"
    one = by_layer(low=(12.0, 3.0, 0.0, NAN, 0.0))
    assert finding_of_one(one) == f"{highest}; no difference shown to first+last"
    both = by_layer((40.0, 50.0, 51.0, NAN))
    assert finding_of_one(both).startswith("First+last scores highest: Spearman × 100 = 55.0 ± 5.5")
    assert finding_of_one(by_layer((NAN,) * 4)).startswith("No layer has a score")
    ties = by_layer((60.0, 50.0, 60.0, NAN), low=(0.0, 4.0, 0.0, NAN, 1.0))
    assert finding_of_one(ties).startswith("Layers static and 1 score highest: Spearman × 100 = 60.0")
    assert finding_of_one(by_layer((55, 55, 55, NAN))) == "All layers score alike: Spearman × 100 = 55.0"


def test_what_the_best_layer_gains_over_the_last_one_is_said():
    behind = by_layer((40.0, 60.0, 50.0, 45.0), low=(12.0, 0.0, -1.0, 11.0, 1.0))
    said = "Layer 0 scores highest: Spearman × 100 = 60.0 ± 5.0"
    last = "the last layer 45.0 (+15.0, 95 %: 11.0 to 19.0)"
    assert finding_of_one(behind) == f"{said}; {last}; no difference shown to layer 1"
    alike = by_layer((40.0, 60.0, 50.0, 45.0), low=(12.0, 0.0, 1.0, -1.0, 1.0))
    assert finding_of_one(alike) == f"{said}; no difference shown to layer 2"


def test_few_pairs_are_said_where_there_is_no_interval():
    found = replace(by_layer(), low=np.full(4, NAN), high=np.full(4, NAN))
    assert finding_of_one(found, 3) == "Layer 1 scores highest: Spearman × 100 = 60.0 (3 pairs)"
    assert finding_of_one(by_layer(), 30).endswith("60.0 ± 5.0")
    few = by_pair(gain=(20.0, NAN, NAN))
    assert pair_finding(few, 3).startswith(
        "Best pair: layers static and 2, Spearman × 100 = 70.0 (3 pairs); layer static alone 50.0; no"
    )
    assert "70.0 (3 pairs)" in pair_finding(by_pair((2, 2), (-20.0, NAN, NAN)), 3)
    assert "pairs)" not in pair_finding(by_pair(), 30)


def test_beside_another_recipe_the_best_pair_says_whose_it_is():
    assert pair_finding(by_pair(), of="A").startswith("Best pair under A: layers ")
    nothing = ByPair(LAYERS, np.full((4, 4), NAN), Difference(NAN, NAN, NAN))
    assert pair_finding(nothing, of="A") == "No pair of layers has a score under A"


def test_pairs_are_said_beside_the_best_layer_alone():
    assert pair_finding(by_pair()) == (
        "Best pair: layers static and 2, Spearman × 100 = 70.0; layer static alone 50.0 (+20.0, 95 %: 11.0 "
        "to 29.0)"
    )
    assert pair_finding(by_pair(gain=(20.0, -1.0, 41.0))).endswith(
        "; no difference shown (+20.0, 95 %: −1.0 to 41.0)"
    )
    assert pair_finding(by_pair((2, 2), (-20.0, -29.0, -11.0))) == (
        "No pair scores above layer 1 alone: Spearman × 100 = 70.0; best pair layers static and 0, 50.0 "
        "(−20.0, 95 %: −29.0 to −11.0)"
    )
    tied = np.full((4, 4), 50.0)
    assert ByPair(LAYERS, tied, NO_DIFFERENCE).best == (-1,), "the plainest of equals"
    nothing = ByPair(LAYERS, np.full((4, 4), NAN), NO_DIFFERENCE)
    assert pair_finding(nothing) == "No pair of layers has a score"
