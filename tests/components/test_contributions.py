"""What pairs of tokens contribute, as matrices and in words."""

import html

import numpy as np
import pytest
from plotly.colors import get_colorscale

from components.compare.why import numbers
from components.compare.why_in_words import caption, finding, of_tints
from components.figures.contributions import (
    ABOVE,
    ContributionPanel,
    contribution_panels,
    rows_are_second,
)
from components.theme import DARK, LIGHT
from core.analysis.close_pairs import Pair
from core.analysis.why.contributions import Contributions, TokenPlaces, change
from core.analysis.why.left_out import LeftOut


def contributions(rows=3, columns=4, seed=0, size=0.1) -> Contributions:
    values = np.random.default_rng(seed).uniform(-size, size, (rows, columns))
    return named([f"r{i}" for i in range(rows)], [f"c{i}" for i in range(columns)], values)


def named(first, second, values, **layers) -> Contributions:
    one, other = (TokenPlaces((*forms,), tuple(range(len(forms)))) for forms in (first, second))
    return Contributions(one, other, np.array(values), **layers)


def panel(found, title="A", similarity="Cosine") -> ContributionPanel:
    return ContributionPanel(found, title, LIGHT.a, similarity)


def test_panels_of_one_similarity_share_a_scale_around_0():
    a, b = contributions(), contributions(seed=1, size=0.3)
    figure = contribution_panels([panel(a), panel(b, "B")], LIGHT)
    reach = max(np.abs(a.values).max(), np.abs(b.values).max())
    for trace in figure.data:
        assert (trace.zmin, trace.zmid, trace.zmax) == pytest.approx((-reach, 0, reach))
    assert [trace.showscale for trace in figure.data] == [False, True]


def test_colours_go_with_the_root_so_that_small_cells_are_seen_beside_a_large_one():
    scale = contribution_panels([panel(contributions())], LIGHT).data[0].colorscale
    plain = get_colorscale("RdBu")
    assert [color for _, color in scale] == [color for _, color in plain]
    for (at, _), (share, _) in zip(scale, plain, strict=True):
        assert np.sign(2 * at - 1) * np.sqrt(abs(2 * at - 1)) == pytest.approx(2 * share - 1)


def test_panels_of_unlike_similarities_have_a_scale_each():
    dot = contributions(seed=1, size=30)
    figure = contribution_panels([panel(contributions()), panel(dot, "B", "Inner product")], DARK)
    assert figure.data[0].zmax < 1 < figure.data[1].zmax
    assert all(trace.showscale for trace in figure.data)


def test_nothing_is_drawn_as_nothing():
    (trace,) = contribution_panels([panel(contributions(size=0))], LIGHT).data
    assert trace.zmin < trace.zmax


def test_repeated_tokens_and_markup_keep_a_row_each():
    found = named(("the", "<s>", "the"), ("<b>", "x" * 300), np.eye(3, 2))
    figure = contribution_panels([panel(found)], LIGHT)
    assert list(figure.layout.yaxis.tickvals) == [1, 2, 3]
    assert [html.unescape(label) for label in figure.layout.yaxis.ticktext] == ["the", "<s>", "the"]
    assert "<" not in "".join(figure.layout.xaxis.ticktext)
    assert len(figure.layout.xaxis.ticktext[1]) < 20
    assert figure.data[0].customdata[1, 0].tolist() == ["&lt;s&gt;", "&lt;b&gt;"]


@pytest.mark.parametrize(("count", "labels"), [(1, 1), (40, 40), (92, 92), (128, 128), (256, 128)])
def test_rows_are_high_enough_for_their_names(count, labels):
    figure = contribution_panels([panel(contributions(count, count))], LIGHT)
    rows, high = figure.layout.yaxis, figure.layout.height - ABOVE
    assert len(rows.ticktext) == pytest.approx(labels, abs=1)
    assert 300 <= figure.layout.height <= 1540
    assert count > 128 or high / count >= 11
    assert 9 <= rows.tickfont.size <= 13
    assert len(rows.ticktext) * rows.tickfont.size <= high
    assert (figure.data[0].customdata is None) is (count > 80)


@pytest.mark.parametrize("count", [10, 16, 40, 92])
@pytest.mark.parametrize("panels", [1, 2, 3])
def test_names_of_columns_do_not_lie_over_each_other(count, panels):
    figure = contribution_panels([panel(contributions(count, count))] * panels, LIGHT)
    for axis in (figure.layout.xaxis, figure.layout[f"xaxis{panels if panels > 1 else ''}"]):
        apart = min(np.diff(axis.tickvals)) * 1060 * (1 - 0.09 * (panels - 1)) / panels / count
        assert apart * (np.sqrt(0.5) if axis.tickangle == -45 else 1) >= axis.tickfont.size


def test_rows_are_the_longer_sentence_and_cells_say_the_tokens_in_the_order_of_sentences():
    found = contributions(3, 90)
    figure = contribution_panels([panel(found), panel(found, "B")], LIGHT)
    assert figure.layout.yaxis.ticktext == tuple(f"c{i}" for i in range(90))
    assert figure.layout.xaxis2.ticktext == ("r0", "r1", "r2")
    trace = figure.data[0]
    assert np.array_equal(trace.z, found.values.T.astype(np.float32))
    assert trace.customdata[7, 2].tolist() == ["r2", "c7"]
    (few,) = contribution_panels([panel(contributions(4, 3))], LIGHT).data
    assert few.z.shape == (4, 3)
    assert few.customdata[3, 2].tolist() == ["r3", "c2"]


@pytest.mark.parametrize("shape", [(300, 90), (90, 300)])
def test_the_tokens_that_a_headline_names_have_their_names(shape):
    values = np.zeros(shape)
    values[61, 47] = -0.4
    found = named([f"r{i}" for i in range(shape[0])], [f"c{i}" for i in range(shape[1])], values)
    figure = contribution_panels([panel(found)] * 3, LIGHT)
    both = {*figure.layout.xaxis3.ticktext, *figure.layout.yaxis3.ticktext}
    assert {"r61", "c47"} <= both
    assert "“r61” ↔ “c47”" in finding({"A": found}, {"A": "cosine"})


def test_the_caption_says_of_which_sentence_the_rows_are():
    pair = Pair(1, 2, ("short", "a long one"), 0.0, 0.5, 1)
    found = {"A": contributions(3, 9)}
    panels = list(found.values())
    told = caption(
        found, pair, {"A": "cosine"}, None, {"A": "x"}, "m", rows_are_second=rows_are_second(panels)
    )
    assert "Rows: “a long one” · columns: “short” · " in told[-1]
    told = caption(found, pair, {"A": "cosine"}, None, {"A": "x"}, "m")
    assert "Rows: “short” · columns: “a long one” · " in told[-1]


def test_a_headline_names_no_pair_of_tokens_that_is_next_to_nothing():
    even = named(("he", "."), [f"c{i}" for i in range(32)], np.full((2, 32), 0.01))
    assert finding({"A": even}, {"A": "cosine"}) == (
        "Of the cosine 0.64 under A, no pair of tokens stands out (largest 0.01: “he” ↔ “c0”)"
    )
    other = named(even.first, even.second, np.full((2, 32), 0.005))
    both = finding({"A": even, "B": other}, {"A": "cosine", "B": "cosine"}, change(even, other))
    assert both.endswith("; from A to B no pair changes by much (most “he” ↔ “c0”, by −0.01)")
    stands = named(even.first, even.second, even.values + (0.06 * np.eye(2, 32)))
    assert "comes from “he” ↔ “c0”" in finding({"A": stands}, {"A": "cosine"})


@pytest.mark.parametrize("seed", range(6))
def test_a_headline_names_a_pair_where_it_is_a_twentieth_of_the_whole_or_more(seed):
    generator = np.random.default_rng(seed)
    values = generator.uniform(0, 1, (seed + 1, 4 * seed + 2)) ** 2
    found = named([f"r{i}" for i in range(len(values))], [f"c{i}" for i in range(values.shape[1])], values)
    headline = finding({"A": found}, {"A": "cosine"})
    assert ("no pair of tokens stands out" in headline) == (values.max() < 0.05 * values.sum())


def test_the_headline_says_how_much_of_what_comes_from_which_tokens():
    found = named(("peanuts", "he"), ("peanuts",), [[0.25], [0.47]])
    assert (
        finding({"A": found}, {"A": "cosine"})
        == "Of the cosine 0.72 under A, 0.47 comes from “he” ↔ “peanuts”"
    )
    negative = named(("a",), ("b", "c"), [[0.1, -0.3]])
    assert finding({"A": found, "B": negative}, {"A": "cosine", "B": "dot"}).endswith(
        "; the largest part of the inner product −0.2 under B is −0.3, “a” ↔ “c”"
    )


def test_the_table_holds_every_pair_of_tokens():
    a, b = contributions(), contributions(2, 2)
    table = numbers({"A": a, "B": b})
    assert len(table) == 12 + 4
    assert table.groupby("recipe")["contribution"].sum().to_dict() == pytest.approx(
        {"A": a.similarity, "B": b.similarity}
    )
    row = table[(table["recipe"] == "A") & (table["token 1"] == "r2") & (table["token 2"] == "c1")]
    assert row["contribution"].item() == a.values[2, 1]


def test_the_headline_says_where_most_changes_from_a_to_b():
    a, b = named("ab", "c", [[0.25], [0.47]]), named("ab", "c", [[0.25], [0.17]])
    units = {"A": "cosine", "B": "cosine"}
    assert finding({"A": a, "B": b}, units, change(a, b)).endswith(
        "; from A to B “b” ↔ “c” changes most, by −0.30"
    )
    assert "changes" not in finding({"A": a, "B": a}, units, change(a, a))


def test_the_line_over_tinted_tokens_says_what_the_tint_is_and_what_layers_bring():
    layers = {"layers": (-1, 6), "by_layer": np.array([[0.4, -0.02], [0.12, 0.22]])}
    line = of_tints(named("ab", "c", [[0.25], [0.47]], **layers), "cosine")
    assert line == (
        "what each token brings to the cosine 0.72; of layers with themselves: static 0.4, layer 6 0.22; "
        "between layers 0.1"
    )
    places = TokenPlaces(("a",), (0,))
    left_out = LeftOut("pool=max", 0.8, places, places, np.ones(1), np.ones(1))
    assert of_tints(left_out, "cosine").startswith(
        "Under pool=max the similarity of two sentences is no sum"
    )
