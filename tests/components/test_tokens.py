"""Maps of points and what is read from them; components against frequency as a picture."""

import json
from dataclasses import replace

import numpy as np
import pytest

from components import chosen_points
from components.figures import label_places
from components.figures.cell_values import light_cells
from components.figures.tokens import (
    DENSE,
    GROUPS,
    MARK,
    ONE,
    Colour,
    MapPanel,
    Mark,
    component_matrix,
    grey,
    maps,
)
from components.theme import DARK, LIGHT, MAGNITUDE
from components.tokens import sentence_group
from components.tokens.controls import places_of
from components.tokens.drawn import TokenMap, TokenModel
from components.tokens.map_figure import finding, where
from components.tokens.reading import absent, lasso, spelled
from components.tokens.sentence_figure import SentenceMaps, colouring
from components.tokens.sentence_neighbours import RANK
from core.analysis.token_maps.frequency_components import correlate
from core.analysis.token_maps.projection import compute_projection
from core.analysis.token_maps.sentence_map import NeighbourChange
from core.analysis.token_maps.vocabulary import Space, Vocabulary
from core.corpora.corpus import Corpus
from core.recipe import Recipe


def panel(points: int = 30, values=None, **more) -> MapPanel:
    generator = np.random.default_rng(0)
    values = np.arange(points, dtype=float) if values is None else np.asarray(values, float)
    texts = [f"t{i}" for i in range(points)]
    return MapPanel("a <b>", generator.normal(size=(points, 2)), texts, values, **more)


def space(surface_forms=("[CLS]", "dog", "##s", "Cat", "."), rows=None) -> Space:
    """Tokens of which every row is given."""
    count = len(surface_forms)
    table = np.random.default_rng(0).normal(size=(count, 4)).astype(np.float32) if rows is None else rows
    words = Vocabulary(
        np.arange(count),
        tuple(surface_forms),
        np.array([text.startswith("[") for text in surface_forms]),
        np.array([text.startswith("##") for text in surface_forms]),
        np.array([text.istitle() for text in surface_forms]),
        np.array([text == "." for text in surface_forms]),
    )
    return Space("m", "r", words, (-1,), None, None, "key", lambda _, ids: table[ids])


def drawn(of: Space, values, places=None, method="pca") -> TokenMap:
    places = np.arange(len(of.vocabulary)) if places is None else np.asarray(places)
    found = compute_projection("pca", (-1,), lambda layer: of.rows(layer, places))
    if method != "pca":
        object.__setattr__(found, "method", method)
    return TokenMap(
        TokenModel("m", Recipe(), of, -1, (-1,)), places, "all 5 tokens", found, np.asarray(values, float)
    )


# -- the figure


def test_every_point_is_in_one_trace_of_its_panel():
    values = np.arange(30.0)
    values[[3, 7]] = np.nan
    panels = [panel(values=values), panel(12)]
    found = maps(panels, Colour("x"), LIGHT)
    assert len(found.figure.data) == len(found.traces)
    for number, one in enumerate(panels):
        held = [at for which, at in found.traces if which == number]
        assert sorted(np.concatenate(held).tolist()) == list(range(len(one.points)))
    for trace, (number, at) in zip(found.figure.data, found.traces, strict=True):
        np.testing.assert_allclose(trace.x, panels[number].points[at, 0], atol=1e-6)
        np.testing.assert_allclose(trace.y, panels[number].points[at, 1], atol=1e-6)
        assert list(trace.hovertext) == [panels[number].texts[i] for i in at]
    unknown, known = found.figure.data[:2]
    assert unknown.marker.color == grey(LIGHT)
    np.testing.assert_allclose(known.marker.color, np.delete(values, [3, 7]))
    assert known.marker.coloraxis == "coloraxis"


def test_two_groups_are_grey_and_one_colour_and_more_have_each_their_own():
    two = maps([panel(4, [0, 1, 1, np.nan])], Colour("sub-word", ("no", "yes"), "special"), LIGHT).figure
    assert [(t.name, t.marker.color, len(t.x)) for t in two.data] == [
        ("special", grey(LIGHT, True), 1),
        ("no", grey(LIGHT), 1),
        ("yes", ONE, 2),
    ]
    three = maps([panel(3, [2, 0, 1])], Colour("part", ("a", "b", "c")), DARK).figure
    assert [(t.name, t.marker.color) for t in three.data] == list(zip("abc", GROUPS, strict=False))


def test_a_name_at_the_edge_of_a_map_stands_inside_it():
    named = panel(30, names=[f"sentence {i}" for i in range(30)])
    drawn = maps([named], Colour("length"), LIGHT).figure.data[0]
    beside = dict(zip(drawn.x, drawn.textposition, strict=True))
    assert beside[min(beside)].endswith(" right")
    assert beside[max(beside)].endswith(" left")
    assert {one.partition(" ")[0] for one in beside.values()} >= {"top", "bottom"}
    assert drawn.cliponaxis is False, "what does not is not cut there"


def test_maps_side_by_side_have_whole_titles_over_some_lines():
    """They were cut at 40 characters."""
    names = ["A, 0+1+2+last, Ditto layer=3 head=5, ABTT d=3, whitening k=128", "B, last"]
    beside = [replace(panel(), title=name) for name in names]
    figure = maps(beside, Colour("idf"), LIGHT).figure
    titles = [one.text for one in figure.layout.annotations]
    assert [title.replace("<br>", " ") for title in titles] == [f"<b>{name}</b>" for name in names]
    one_line = maps(beside[1:], Colour("idf"), LIGHT).figure.layout.margin.t
    assert figure.layout.margin.t == one_line + 20 * titles[0].count("<br>") > one_line


def test_a_legend_names_each_group_once():
    figure = maps([panel(4, [0, 1, 1, 0])] * 2, Colour("x", ("no", "yes")), LIGHT).figure
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]


def test_many_points_are_drawn_with_webgl_and_their_rings_too():
    marks = (Mark(0, 0, "near"), Mark(1, 1, "<s>", chief=True))
    for points, kind in ((DENSE, "scatter"), (DENSE + 1, "scattergl")):
        found = maps([panel(points, marks=marks)], Colour("x"), LIGHT)
        assert {trace.type for trace in found.figure.data} == {kind}
        rings = found.figure.data[-1]
        assert rings.marker.color == MARK
        assert list(rings.text) == ["near", "&lt;s&gt;"]
        assert len(found.traces[-1][1]) == 0
        assert [note.text for note in found.figure.layout.annotations] == [
            "<b>&lt;s&gt;</b>",
            "<b>a &lt;b&gt;</b>",
        ]


def test_axes_are_as_long_as_the_frame_and_equally_scaled():
    frame = np.array([[-10.0, -1], [10, 4]])
    layout = maps([panel(frame=frame)], Colour("x"), LIGHT).figure.layout
    assert layout.xaxis.range == pytest.approx((-10.8, 10.8))
    assert layout.yaxis.range == pytest.approx((-1.2, 4.2))
    assert layout.yaxis.scaleanchor == "x"
    assert layout.dragmode == "lasso"


def test_a_map_of_the_whole_vocabulary_is_small_on_the_wire():
    figure = maps([panel(30_522)], Colour("x"), LIGHT).figure
    assert len(figure.to_json()) < 2_000_000
    assert figure.data[0].x.dtype == np.float32


# -- reading it


def test_the_lasso_holds_tokens_by_trace_and_place():
    traces = [(0, np.array([2, 0])), (0, np.array([1])), (0, np.zeros(0, int)), (1, np.array([0, 1]))]
    places = [np.array([10, 20, 30]), np.array([5, 6])]
    points = [
        {"curve_number": 0, "point_index": 0},
        {"curve_number": 1, "point_index": 0},
        {"curve_number": 3, "point_index": 1},
        {"curve_number": 2, "point_index": 0},
        {"curve_number": 9, "point_index": 0},
        {"curve_number": 0, "point_index": 7},
        {},
    ]
    assert lasso(points, traces, places) == [[20, 30], [6]]
    assert lasso([], traces, places) == [[], []]


def test_a_token_that_is_not_drawn_has_a_place_under_pca_alone():
    of = space()
    one = drawn(of, np.arange(5), places=[0, 1, 2])
    np.testing.assert_allclose(where(one, 1), one.points[1], atol=1e-6)
    np.testing.assert_allclose(where(one, 4), one.map.transform(of.rows(-1, np.array([4])), -1)[0])
    assert where(drawn(of, np.arange(5), [0, 1, 2], "umap"), 4) is None


def test_an_absent_token_is_told_with_what_is_written_alike():
    assert "m has no token “dogg”" in absent(space(), "dogg")
    assert absent(space(), "dogg").endswith("Written alike: dog.")
    assert "Written alike" not in absent(space(), "zzz")
    assert len(absent(space(), "word " * 200_000)) < 200, "not the whole text that was pasted"


def test_values_in_tables_have_no_nan():
    assert spelled(np.array([0.126, np.nan]), "idf in the corpus") == [0.13, None]
    assert spelled(np.array([1.0, 0.0, np.nan]), "sub-word") == [True, False, None]


def test_the_finding_says_how_much_a_plane_tells_or_that_there_is_nothing():
    of = space(("[CLS]", "dog", "##s", "Cat", ".", "a"))
    x = drawn(of, np.zeros(6)).points[:, 0]
    r_squared = finding([drawn(of, 2 * x + 1)], "frequency in English")
    assert r_squared == "R² of frequency in English with the place on the map: 100 %"
    none = drawn(of, np.full(6, np.nan))
    assert (
        finding([none], "idf in the corpus")
        == "The idf in the corpus of these tokens is not known, or the same for all"
    )
    assert finding([drawn(of, np.ones(6))], "upper case") == "All of the tokens drawn: upper case"
    assert finding([drawn(of, np.zeros(6))], "upper case") == "None of the tokens drawn: upper case"
    both = finding([drawn(of, 2 * x + 1), none], "frequency in English")
    assert both == "R² of frequency in English with the place on the map: m 100 %, m not known"


def test_which_tokens_are_drawn_is_said():
    few = space()
    assert places_of("4,000 at random", few)[1] == "all 5 tokens"
    many = space(tuple(f"word{i}" for i in range(5000)))
    places, said = places_of("4,000 at random", many)
    assert (len(places), said) == (4000, "4,000 of 5,000 tokens, drawn at random with a fixed seed")
    words = space(("the", "guitar", *(f"xqz{i}" for i in range(1500))))
    places, said = places_of("1,000 most frequent", words)
    assert said == "the 1,000 of 1,502 tokens that are most frequent in English (Zipf)"
    assert {0, 1} <= set(places.tolist())


# -- sentences


def test_sentences_are_coloured_by_the_largest_parts_of_their_corpus():
    sentences = [f"s{i}" for i in range(40)]
    subset = [f"part {i % 10}" if i < 30 else "part 3" for i in range(40)]
    corpus = Corpus.of_pairs("c", sentences, sentences, [1.0] * 40, subset=subset)
    colour, values = colouring(corpus, "label")
    assert len(colour.groups) == 8
    assert colour.groups[0] == "part 3"
    for i, part in enumerate(subset):
        assert np.isnan(values[i]) if part not in colour.groups else colour.groups[int(values[i])] == part


# -- components


def test_components_are_rows_of_steps_with_blanks_where_there_is_none():
    generator = np.random.default_rng(0)
    x = generator.normal(size=(100, 3)).astype(np.float32)
    found = correlate(x, generator.normal(size=100))
    figure = component_matrix([("m", found), ("<n>", found)], "Pearson", LIGHT)
    z = figure.data[0].z
    assert z.shape == (8, 10)
    np.testing.assert_allclose(z[1, :3], found.steps[1].pearson, rtol=1e-6)
    assert np.isnan(z[:, 3:]).all()
    labels = figure.layout.yaxis.ticktext
    assert labels[0].startswith("m: as they are  ")
    assert labels[4].startswith("&lt;n&gt;: as they are")
    alone = component_matrix([("m", found)], "Spearman", LIGHT)
    np.testing.assert_allclose(alone.data[0].z[0, :3], found.steps[0].spearman, rtol=1e-6)
    assert alone.layout.yaxis.ticktext[0].startswith("as they are")
    written = {(note.y, note.x): note for note in alone.layout.annotations if note.font.size == 14}
    assert set(written) == {tuple(cell) for cell in np.argwhere(np.isfinite(alone.data[0].z))}
    light = light_cells(alone.data[0].z, MAGNITUDE, 0.0, 1.0)
    colors = {cell: "#000000" if light[cell] else "#ffffff" for cell in written}
    assert {cell: note.font.color for cell, note in written.items()} == colors
    json.loads(alone.to_json())


def test_names_of_points_stand_apart_where_there_is_room():
    generator = np.random.default_rng(0)
    names = ["The bakery opens at…"] * 10
    apart = np.array([(x, y) for x in (0, 5) for y in range(5)], float) + generator.normal(0, 0.01, (10, 2))
    chosen = label_places.positions(apart, names)
    assert set(chosen) <= {
        f"{up} {side}" for up in ("top", "bottom", "middle") for side in ("left", "center", "right")
    }
    assert all("left" not in way for way, (x, _) in zip(chosen, apart, strict=True) if x < 0.5), (
        "inside the map"
    )
    pair = label_places.positions(np.array([[0.0, 0.0], [0.02, 0.0], [1.0, 1.0], [0.0, 1.0]]), names[:4])
    assert pair[0] != pair[1]
    assert label_places.positions(np.zeros((1, 2)), ["alone"])


def test_names_are_cut_until_none_lies_over_another_and_left_out_where_that_is_not_enough():
    """Both axes have the same scale, so that a flat cloud has less room than its panel."""
    texts = [f"The {animal} of the house sleeps all day" for animal in ("cat", "dog", "cow", "hen", "pig")]
    flat = np.array([(x, 0.05 * (x % 2)) for x in range(5)], float)
    names, ways = label_places.named(flat, texts)
    assert all(names), "shorter names have room"
    assert min(map(len, names)) < max(map(len, names)) <= 24
    assert len(ways) == 5
    crowd = np.concatenate([np.full((20, 2), 0.5), [[0.0, 0.0], [1.0, 1.0]]])
    names, ways = label_places.named(crowd, [f"Sentence number {i} of many" for i in range(22)])
    assert 0 < names.count("") < 20
    assert all(ways)


def map_of(values):
    points = np.arange(2.0 * len(values)).reshape(-1, 2)
    return maps(
        [MapPanel("m", points, [""] * len(points), np.array(values))], Colour("words"), LIGHT
    ).figure


def test_counts_have_no_ticks_between_them():
    counts, shares = map_of([2.0, 3.0, np.nan]), map_of([2.0, 2.5, 3.0])
    assert counts.layout.coloraxis.colorbar.dtick == 1
    assert counts.data[-1].hovertemplate == "%{hovertext}<br>words %{marker.color:.0f}<extra></extra>"
    assert shares.layout.coloraxis.colorbar.dtick is None
    assert shares.data[-1].hovertemplate == "%{hovertext}<br>words %{marker.color:.2f}<extra></extra>"


def test_one_nearest_sentence_is_the_same_or_another():
    changed = NeighbourChange(
        1, np.zeros((3, 1), int), np.zeros((3, 1), int), np.array([1.0, 0, 1]), np.array([1, 0, 2])
    )
    drawn = SentenceMaps(
        [], Corpus.of_texts("t", ["a dog", "a cat", "a hen"]), np.arange(3), "length", changed, 0
    )
    assert drawn.finding() == "A and B have the same nearest sentence for 2 of 3 sentences"


@pytest.mark.parametrize("clicked", [[1], [0, 2], []])
def test_a_click_on_a_map_of_sentences_chooses_one_and_a_lasso_a_group(clicked, monkeypatch):
    state = {}
    monkeypatch.setattr(sentence_group.st, "session_state", state)
    monkeypatch.setattr(chosen_points.held, "hold", state.__setitem__)
    corpus = Corpus.of_texts("t", ["a dog sat", "a cat ran", "it rained all day", "a bird sang"])
    places = np.array([1, 2, 3])
    change = NeighbourChange(
        1, np.zeros((3, 1), int), np.zeros((3, 1), int), np.zeros(3), np.array([2, 0, 1])
    )
    points = [{"curve_number": 1, "point_index": i} for i in clicked]
    traces = ((0, np.arange(3)), (1, np.arange(3)))
    state[sentence_group.GROUP] = "before"
    sentence_group.take(points, traces, places, corpus, change)
    if len(clicked) == 1:
        assert state[RANK] == 3  # the second of the places, which stands third in the order
    elif clicked:
        assert chosen_points.of(sentence_group.GROUP, corpus.fingerprint) == [[1, 3]]
    else:
        assert state[sentence_group.GROUP] == ""
