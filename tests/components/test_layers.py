"""Figures of the page Layers, and what their titles say."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from components.figures.animation import moving
from components.figures.layer_scores import LayerCurve, scores_by_layer, scores_by_pair
from components.figures.layer_walk import Walked, walk
from components.figures.layers import (
    GROUP_COLORS,
    Curve,
    curves,
    words_by_variance,
)
from components.figures.matrices import Matrix, side_by_side
from components.layers import evolution_map, hop_curves
from components.layers.evolutions import ModelEvolution, adjacent, of_each, subject
from components.layers.score_curve import finding as layer_finding
from components.layers.score_curve import finding_of_one
from components.layers.score_curve import numbers as layer_numbers
from components.layers.score_grid import finding as pair_finding
from components.layers.score_grid import numbers as pair_numbers
from components.layers.word_groups import finding, groups_html, same_words
from components.theme import BEST, DARK, LIGHT, MARK
from core.analysis.layers.layer_scores import ByLayer, ByPair
from core.analysis.layers.trajectories import Evolution
from core.analysis.layers.word_groups import IdfCorrelation
from core.evaluation.difference import NO_DIFFERENCE, Difference

NAN = float("nan")
LAYERS = (-1, 0, 1, 2)


def evolution(layers=LAYERS) -> Evolution:
    """Cosines of 0.9, 0.8, 0.5 from each layer to the next, 0.1 elsewhere."""
    values = np.full((4, 4), 0.1) + np.diag([0.9] * 4)
    for i, value in enumerate((0.9, 0.8, 0.5)):
        values[i, i + 1] = values[i + 1, i] = value
    return Evolution(layers, 7, values, np.full((4, 4), 0.2), np.array([0.7, 0.3]), np.array([0.1, 0.2]))


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


def table(words=("the", "<b>dog</b>", "cat")) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "word": words,
            "variance": [0.3, 0.2, 0.1],
            "group": ["high", "middle", "low"],
            "times": [9, 5, 7],
            "texts": [9, 5, 7],
            "idf": [1.0, 2.0, 3.0],
            "function word": [True, False, False],
        }
    )


# -- curves


def line_figure(lines, ticks=("1", "2", "3")):
    return curves(lines, ticks, LIGHT, x_title="x", y_title="y", bounds=(0.0, 1.0))


def test_a_curve_has_its_band_within_the_axis():
    figure = line_figure([Curve("a", LIGHT.a, np.array([0.9, 0.5, 0.05]), np.full(3, 0.2))])
    band, line = figure.data
    np.testing.assert_allclose(band.y, [1, 0.7, 0.25, 0, 0.3, 0.7], atol=1e-6)
    np.testing.assert_allclose(line.y, [0.9, 0.5, 0.05], atol=1e-6)
    assert band.mode == "lines"
    low, high = figure.layout.yaxis.range
    assert low < 0
    assert high > 1


def test_labels_at_the_ends_do_not_cover_each_other():
    lines = [Curve(name, LIGHT.a, np.array([0.1, 0.5])) for name in "abc"]
    places = sorted(a.y for a in line_figure(lines).layout.annotations)
    assert len(places) == 3
    assert min(np.diff(places)) > 0.05
    assert places[-1] == 0.5


def test_a_shorter_curve_ends_where_its_layers_do_and_names_stay_text():
    lines = [Curve("<s>", LIGHT.a, np.array([0.1, 0.5])), Curve("b", LIGHT.b, np.array([0.1, 0.2, 0.3]))]
    figure = line_figure(lines)
    assert [a.x for a in figure.layout.annotations] == [1, 2]
    assert figure.layout.annotations[0].text == "&lt;s&gt;"
    assert "<s>" not in figure.data[0].hovertemplate


def test_one_curve_alone_needs_no_label():
    assert not line_figure([Curve("", LIGHT.a, np.array([0.1, 0.5]))]).layout.annotations


# -- scores


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
    (key,) = (note.text for note in figure.layout.annotations)
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


def test_of_many_layers_the_highest_alone_has_its_number():
    values = np.linspace(20, 60, 26)
    samples = np.append(values, 45.0)[:, None] + np.zeros(3)
    found = ByLayer(
        tuple(range(-1, 25)), values, values - 2, values + 2, (45, 43, 47), (NO_DIFFERENCE,) * 27, samples
    )
    words = scores_by_layer(alone(found), LIGHT).data[-1]
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


# -- words


def test_words_stand_at_their_idf_and_variance_by_group():
    figure = words_by_variance(table(), LIGHT)
    assert [trace.marker.color for trace in figure.data] == list(GROUP_COLORS.values())
    low, middle, high = figure.data
    assert (list(low.x), list(low.text)) == ([3], ["cat"])
    assert middle.text[0] == "&lt;b&gt;dog&lt;/b&gt;"
    assert (middle.marker.symbol, high.marker.symbol) == ("circle", "circle-open")


def test_groups_are_written_out_with_function_words_underlined():
    made = groups_html(table())
    assert "<u>the</u>" in made
    assert "<u>cat" not in made
    assert "<b>" not in made
    assert "1 word, 100 % function words" in made


def test_long_groups_say_how_many_more():
    many = pd.concat([table(("a", "b", "c"))] * 30)
    assert "… 6 more" in groups_html(many)
    assert "nan" not in groups_html(table().head(1))


# -- findings


def test_names_of_rows_keep_away_from_their_cells():
    figure = side_by_side([Matrix(np.eye(3), "m", "012", "012", "")], LIGHT, bar="cosine")
    assert figure.layout.yaxis.ticklabelstandoff >= 4


def test_texts_lie_over_cells_whose_panels_keep_their_numbers():
    values = np.array([[1.0, 0.8, 0.1], [0.8, 1.0, 0.2], [0.1, 0.2, 1.0]])
    texts = np.array([["", "80", "10"], ["80", "", "20"], ["10", "20", ""]])
    plain, written = (Matrix(values, "m", "012", "012", "", each) for each in (None, texts))
    figure = side_by_side([written, plain, written], LIGHT, bar="cosine", bounds=(0, 1))
    cells, over = figure.data[:3], figure.data[3:]
    assert [trace.xaxis or "x" for trace in figure.data] == ["x", "x2", "x3", "x", "x3"]
    assert {trace.coloraxis for trace in cells} == {"coloraxis"}
    assert {trace.zmin for trace in cells} == {None}, "all have the scale of the bar"
    assert cells[1].text is None
    for below, above in ((cells[0], over[0]), (cells[2], over[1])):
        both = np.char.add(*(np.array(trace.text, str) for trace in (below, above)))
        assert (np.char.strip(both) == texts).all()
        assert above.text[0, 1].strip() == "80", "in black, on yellow"
        assert below.text[0, 2].strip() == "10", "in white, on blue"
    assert side_by_side([plain], LIGHT, bar="cosine").data[0].text is None


def test_titles_stand_under_their_cells_also_where_these_leave_room_below():
    wide = Matrix(np.ones((2, 9)), "m", "01", "012345678", "")
    figure = side_by_side([wide, wide], LIGHT, bar="cosine")
    assert figure.layout.yaxis.constraintoward == "top", "room that is left is below"
    places = [(title.xref, title.yref) for title in figure.layout.annotations]
    assert places == [("x domain", "y domain"), ("x2 domain", "y2 domain")]


def test_the_map_says_where_states_change_most():
    assert evolution_map.finding(evolution(), "Words change") == (
        "Words change most from layer 1 to 2: cosine 0.50"
    )
    values, spread = adjacent(evolution((0, 1, 2, 3)))
    np.testing.assert_allclose(values, [0.9, 0.8, 0.5])
    np.testing.assert_allclose(spread, 0.2)
    np.testing.assert_allclose(adjacent(evolution())[0], [0.8, 0.5])


def test_the_deviation_of_a_layer_s_cosine_with_itself_is_0():
    found = replace(evolution(), spread=np.full((4, 4), 0.2) - np.diag([0.2 - 1.025e-16] * 4))
    numbers = evolution_map.numbers(ModelEvolution(SimpleNamespace(name="bert"), found))
    same = numbers["layer"] == numbers["other layer"]
    assert numbers["deviation"][same].tolist() == [0.0] * 4
    assert set(numbers["deviation"][~same]) == {0.2}


def test_hops_are_said_in_words():
    assert hop_curves.finding(evolution(), along=False) == (
        "Mean cosine of a token's states: 0.70 at one layer apart, 0.30 at 2 layers apart"
    )
    assert hop_curves.finding(evolution(), along=True) == (
        "Mean cosine of adjacent layers: 0.50 (layers 1 and 2) to 0.80 (0 and 1)"
    )


def test_each_distance_is_a_diagonal_of_the_map():
    found = evolution()
    depth = found.layers[-1]
    for apart in range(1, depth + 1):
        first = found.layers.index(0)
        by_hand = [found.cosines[first + i, first + i + apart] for i in range(depth + 1 - apart)]
        np.testing.assert_array_equal(hop_curves.at_offset(found, apart), by_hand)
    model = SimpleNamespace(name="bert", color="#0072B2")
    one = ModelEvolution(model, found)
    assert [line.label for line in hop_curves.offset_curves(one, several=False)] == ["1 apart", "2 apart"]
    assert hop_curves.offset_curves(one, several=True)[1].label == "bert, 2 apart"
    assert hop_curves.offset_finding(found) == (
        "Mean cosine along the layers: 0.50 to 0.80 at 1 apart, 0.10 to 0.10 at 2 apart"
    )
    assert len(hop_curves.offset_numbers(one)) == 3
    np.testing.assert_array_equal(hop_curves.adjacent_numbers(one)["cosine"], adjacent(found)[0])
    assert hop_curves.adjacent_numbers(one)["next layer"].tolist() == [1, 2]


def test_models_side_by_side_have_the_same_words_in_thirds_of_their_own():
    one, two = table(("a", "b", "c")), table(("c", "a", "d"))
    apart = same_words({"x": one, "y": two})
    assert [list(found["word"]) for found in apart.values()] == [["a", "c"], ["c", "a"]]
    assert [list(found["group"]) for found in apart.values()] == [["middle", "low"]] * 2
    assert same_words({"x": one})["x"] is one


def test_every_model_that_is_drawn_is_in_the_finding():
    model = SimpleNamespace(name="bert")
    one, two = (ModelEvolution(model, evolution()) for _ in range(2))
    words = of_each([one, two], lambda each: evolution_map.finding(each, "Words change"))
    assert words == "; ".join(["bert: words change most from layer 1 to 2: cosine 0.50"] * 2)
    assert of_each([one], lambda each: "Said") == "Said"


@pytest.mark.parametrize(
    ("view", "tokens", "words"),
    [
        ("sentence", 1, "The sentence's one token changes"),
        ("sentence", 2, "The sentence's words change"),
        ("token", 1, "“rain” changes"),
        ("corpus", 1, "Words change"),
    ],
)
def test_what_changes_is_said_of_as_many_as_there_are(view, tokens, words):
    assert subject(view, "rain", tokens) == words


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


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            (0.4, 0.2, 0.6),
            "Rarer words move more unevenly: Spearman of variance with idf +0.40 (95 %: 0.20 to 0.60)",
        ),
        ((-0.4, -0.6, -0.2), "More frequent words"),
        ((0.1, -0.1, 0.3), "No correlation shown"),
        ((1.0, NAN, NAN), "No correlation shown of how unevenly words move with how rare they are: "),
        ((1.0, NAN, NAN), "Spearman of variance with idf +1.00 (no interval)"),
        ((NAN, NAN, NAN), "no correlation exists"),
    ],
)
def test_variance_and_idf_are_said_in_words(values, says):
    assert says in finding(IdfCorrelation(0.0, *values, 20))


def test_a_walk_through_the_layers_has_each_model_s_cosines_with_the_framed_layer():
    deep, flat = evolution(), evolution((0, 1, 2, 3))
    models = [
        Walked(name, LIGHT.a, one.layers, one.cosines, one.spread)
        for name, one in (("deep", deep), ("flat", flat))
    ]
    maps = side_by_side(
        [Matrix(one.cosines, "m", "0123", "0123", "") for one in models], LIGHT, bar="cosine"
    )
    played = moving(maps, walk(maps, models, 0, LIGHT))
    assert [frame.name for frame in played.frames] == ["static", "0", "1", "2", "3"]
    assert played.layout.meta == {"frame": "0"}
    for frame in played.frames:
        curves = [
            trace
            for place, trace in zip(frame.traces, frame.data, strict=True)
            if played.data[place].mode == "lines+markers"
        ]
        for curve, one in zip(curves, models, strict=True):
            layer = -1 if frame.name == "static" else int(frame.name)
            row = one.layers.index(layer) if layer in one.layers else None
            wanted = np.full(4, np.nan) if row is None else one.cosines[row]
            np.testing.assert_array_equal(curve.y, np.float32(wanted))
    first = played.frames[1].data[0]
    assert (min(first.y), max(first.y)) == (0.5, 1.5), "layer 0 is the second row of the first map"
    names = [(note.x, note.xref, note.y, note.yref) for note in played.layout.annotations]
    assert names == [(0.5, "x domain", -0.01, "y domain"), (0.5, "x2 domain", -0.01, "y2 domain")], (
        "under both"
    )
    one = side_by_side([Matrix(deep.cosines, "m", "0123", "0123", "")], LIGHT, bar="cosine")
    played = moving(one, walk(one, models[:1], 0, LIGHT))
    assert len(played.frames) == 4
    assert [note.x for note in played.layout.annotations] == [0.5], "of the axis, which is narrower here"
    assert played.layout.coloraxis.colorbar.title.text == "cosine"
