"""Figures of the page Layers, and what their titles say."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from components.figures.animation import moving
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
from components.layers.word_groups import finding, groups_html, same_words
from components.theme import LIGHT
from core.analysis.layers.trajectories import Evolution
from core.analysis.layers.word_groups import IdfCorrelation

NAN = float("nan")
LAYERS = (-1, 0, 1, 2)


def evolution(layers=LAYERS) -> Evolution:
    """Cosines of 0.9, 0.8, 0.5 from each layer to the next, 0.1 elsewhere."""
    values = np.full((4, 4), 0.1) + np.diag([0.9] * 4)
    for i, value in enumerate((0.9, 0.8, 0.5)):
        values[i, i + 1] = values[i + 1, i] = value
    return Evolution(layers, 7, values, np.full((4, 4), 0.2), np.array([0.7, 0.3]), np.array([0.1, 0.2]))


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
