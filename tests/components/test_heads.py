"""Heads drawn: tiles, one head, diagonals, grids; and what is said of the best of many."""

import json
from types import MethodType, SimpleNamespace

import numpy as np
import plotly.io
import pytest

from components.exports import meanings
from components.figures.heads import STEPS, HeadGrid, diagonals, grids, tiles
from components.figures.one_head import FITS, SHADES, attention_lines, one_head
from components.heads.head_scores import finding
from components.heads.search_plan import SearchPlan
from components.heads.tiles import CELLS, means, neighbours
from components.heads.worth import against_uniform, headline, of_published, worth
from components.theme import DARK, LIGHT
from components.token_strip import strip
from core.analysis.heads.attention import SentenceAttention, coarse
from core.analysis.heads.head_search import HeadEvaluation, HeadScores
from core.corpora.corpus import Corpus
from core.evaluation.difference import Difference
from core.evaluation.sts import Score
from core.recipe import Recipe

NAN = float("nan")


def attention(layers: int, heads: int, tokens: int, seed: int = 0) -> np.ndarray:
    """Rows that sum to 1."""
    logits = 2 * np.random.default_rng(seed).normal(size=(layers, heads, tokens, tokens))
    weights = np.exp(logits)
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def drawn(weights: np.ndarray, chosen=(1, 1), theme=LIGHT):
    layers, heads = weights.shape[:2]
    names = [f"{i + 1}-{j + 1}" for i in range(layers) for j in range(heads)]
    return tiles(weights, names, [f"head {name}" for name in names], chosen, theme)


# -- one head as lines


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_lines_are_as_dark_as_their_weight_and_those_to_itself_coloured(theme):
    weights = attention(1, 1, 5)[0, 0]
    figure = attention_lines(weights, [*"abcd", "<e>"], [0, 3], theme)
    *lines, left, right = figure.data
    seen = np.zeros((5, 5), bool)
    for trace in lines:
        assert trace.line.width == pytest.approx(1 + 3 * trace.opacity)
        for start, end in np.reshape(trace.y, (-1, 3))[:, :2].astype(int):
            assert weights[start, end] == pytest.approx(trace.opacity, abs=0.5 / SHADES + 1e-6)
            assert not seen[start, end]
            seen[start, end] = True
            assert trace.line.color == (theme.a if start == end and start in (0, 3) else theme.text)
        assert np.reshape(trace.x, (-1, 3))[0, :2].tolist() == [0, 1]
    assert (weights[~seen] <= 0.5 / SHADES).all()
    assert left.text[-1] == right.text[-1] == "&lt;e&gt;"


def test_a_weak_line_to_itself_is_weaker_than_a_strong_one_to_another():
    """A head of the token before: its lines to itself are next to nothing, whichever are the heaviest."""
    weights = np.full((4, 4), 0.01)
    weights[[1, 2, 3], [0, 1, 2]] = 0.96
    weights[0, 0] = 0.97
    figure = attention_lines(weights, "abcd", [0, 1], LIGHT)
    assert {trace.line.color for trace in figure.data[:-2]} == {LIGHT.text, LIGHT.a}
    (coloured,) = (trace for trace in figure.data[:-2] if trace.line.color == LIGHT.a)
    assert np.reshape(coloured.y, (-1, 3))[:, :2].astype(int).tolist() == [[0, 0]]


# -- all heads as tiles


def test_every_tile_is_its_head_and_gaps_are_clear():
    weights = attention(2, 3, 4)
    picture = drawn(weights).data[0]
    step = 5
    assert picture.z.shape == (2 * step - 1, 3 * step - 1)
    assert picture.z.dtype == np.uint8
    seen = np.zeros(picture.z.shape, bool)
    for layer in range(2):
        for head in range(3):
            for i in range(4):
                for j in range(4):
                    place = (layer * step + i, head * step + j)
                    seen[place] = True
                    shade = (float(picture.z[place]) - 1) / STEPS
                    assert shade**2 == pytest.approx(weights[layer, head, i, j], abs=0.005)
    assert (picture.z[~seen] == 0).all()
    assert (picture.z[seen] > 0).all()
    assert picture.colorscale[0][1] == picture.colorscale[1][1] == "rgba(0,0,0,0)"
    assert (picture.zmin, picture.zmax) == (0, STEPS + 1)


def test_a_head_without_attention_is_no_gap():
    weights = np.zeros((1, 2, 3, 3), np.float32)
    weights[0, 0, 0, 0] = 1
    picture = drawn(weights).data[0]
    assert picture.z[0, 0] == STEPS + 1
    assert picture.z[1, 1] == 1
    assert picture.colorscale[2][0] < 1 / (STEPS + 1)


def test_a_click_on_a_tile_gives_its_head():
    figure = drawn(attention(2, 3, 4), chosen=(2, 3))
    targets = figure.data[1]
    assert targets.marker.opacity == targets.selected.marker.opacity == 0
    assert targets.unselected.marker.opacity == 0
    at = dict(zip(targets.customdata, zip(targets.x, targets.y, strict=True), strict=True))
    assert at["1-1"] == (1.5, 1.5)
    assert at["2-3"] == (11.5, 6.5)
    assert targets.text[5] == "head 2-3"
    (frame,) = figure.layout.shapes
    assert frame.x0 < at["2-3"][0] < frame.x1
    assert frame.y0 < at["2-3"][1] < frame.y1
    assert frame.x1 - frame.x0 < 6
    assert list(figure.layout.yaxis.tickvals) == [1.5, 6.5]
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "3"]
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.hoverdistance == -1


@pytest.mark.parametrize(("layers", "heads", "tokens"), [(12, 12, 64), (12, 12, 512), (24, 16, 128)])
def test_the_picture_of_all_heads_stays_small(layers, heads, tokens):
    weights = np.full((layers, heads, tokens, tokens), 1 / tokens, np.float32)
    reduced, size = coarse(weights, int((CELLS / (layers * heads)) ** 0.5))
    assert (size == 1) == (tokens <= 64)
    assert reduced.size <= CELLS
    spec = plotly.io.to_json(drawn(reduced))
    assert len(spec.encode()) < 2_000_000


# -- one head


def test_one_head_names_every_token_and_frames_the_heaviest():
    weights = attention(1, 1, 3)[0, 0]
    figure = one_head(weights, ["<s>", "the", "the (2)"], [0, 2], DARK)
    np.testing.assert_allclose(figure.data[0].z, weights)
    assert list(figure.layout.xaxis.ticktext) == ["&lt;s&gt;", "the", "the (2)"]
    assert [(shape.x0, shape.y1) for shape in figure.layout.shapes] == [(-0.5, 0.5), (1.5, 2.5)]
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 1)
    assert figure.layout.yaxis.scaleanchor == "x"
    assert "looks at" in figure.data[0].hovertemplate


def test_the_row_of_the_chosen_token_is_framed_across():
    shapes = one_head(attention(1, 1, 3)[0, 0], ["a", "b", "c"], [0], LIGHT, 2).layout.shapes
    assert (shapes[0].x0, shapes[0].x1, shapes[0].y0, shapes[0].y1) == (-0.5, 2.5, 1.5, 2.5)
    assert len(shapes) == 2


def test_labels_of_a_long_sentence_do_not_overlap():
    figure = one_head(attention(1, 1, 90)[0, 0], [f"w{i}" for i in range(90)], [], LIGHT, 41)
    rows = figure.layout.yaxis
    assert len(figure.layout.xaxis.tickvals) * figure.layout.xaxis.tickfont.size <= 380
    assert rows.ticktext[1] == f"w{rows.tickvals[1]}"
    assert "w41" in rows.ticktext, "the framed row keeps its name"


@pytest.mark.parametrize("count", [FITS, FITS + 1, 29])
def test_each_token_of_a_sentence_of_ordinary_length_has_its_name(count):
    figure = one_head(attention(1, 1, count)[0, 0], [f"w{i}" for i in range(count)], [], LIGHT)
    assert len(figure.layout.xaxis.tickvals) == len(figure.layout.yaxis.tickvals) == count
    cells = 262 if count <= FITS else 380
    assert 9 <= figure.layout.yaxis.tickfont.size <= cells / count


# -- diagonals


def test_diagonals_have_a_row_per_head_and_layers_stand_apart():
    values = attention(2, 3, 4).diagonal(axis1=2, axis2=3)
    figure = diagonals(values, ["<b>", "b", "c", "d"], (2, 1), LIGHT)
    rows = figure.data[0].z
    assert rows.shape == (7, 4)
    np.testing.assert_allclose(rows[:3], values[0])
    assert np.isnan(rows[3]).all()
    np.testing.assert_allclose(rows[4:], values[1])
    assert figure.data[0].customdata[5][0] == "L2-H2, &lt;b&gt;"
    (frame,) = figure.layout.shapes
    assert frame.y0 < 4 < frame.y1 < 5
    assert frame.x1 > 3


# -- grids of scores


def test_grids_share_one_scale_and_give_their_head_to_a_click():
    a, b = np.array([[1.0, 2.0], [3.0, NAN]]), np.array([[5.0, 6.0], [7.0, 8.0]])
    panels = [HeadGrid(a, "dev", 1, {(2, 1): "★"}), HeadGrid(b, "test", 1, {})]
    figure = grids(panels, (1, 2), "Spearman × 100", LIGHT)
    heatmaps, targets = figure.data[:2], figure.data[2:]
    assert {trace.coloraxis for trace in heatmaps} == {"coloraxis"}
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (1, 8)
    assert [trace.xaxis for trace in targets] == ["x", "x2"]
    assert list(targets[0].customdata) == ["1-1", "1-2", "2-1", "2-2"]
    assert list(targets[0].text) == ["L1-H1: 1.0", "L1-H2: 2.0", "L2-H1: 3.0", "L2-H2: no score"]
    assert [(shape.x0, shape.y0) for shape in figure.layout.shapes] == [(0.5, -0.5)] * 2
    (star,) = (note for note in figure.layout.annotations if note.text == "★")
    assert (star.x, star.y, star.xref) == (0, 1, "x")


def test_correlations_are_centred_on_zero():
    figure = grids([HeadGrid(np.array([[-0.2, 0.6]]), "", 2, {})], (1, 1), "r", LIGHT, signed=True)
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (-0.6, 0.6)
    assert figure.data[1].text[0] == "L1-H1: −0.20"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_figure_can_be_sent_and_has_type_that_can_be_read(theme):
    weights = attention(3, 2, 5)
    labels = ["<s>", "a", "b", "c", "</s>"]
    for figure in (
        drawn(weights, theme=theme),
        one_head(weights[0, 0], labels, [1], theme),
        diagonals(weights.diagonal(axis1=2, axis2=3), labels, (1, 1), theme),
        grids([HeadGrid(np.eye(3, 2), "x", 1, {})], (1, 1), "r", theme),
    ):
        json.loads(plotly.io.to_json(figure))
        assert figure.layout.template.layout.font.size >= 14


# -- the heaviest over the text


def test_marked_tokens_have_a_frame(weights):
    made = strip(weights(["a", "b", "c"], [0.2, 0.5, 0.3]), "#0072B2", "L1-H1", marked=[1])
    spans = made.split("<span")[1:]
    assert ["outline" in span for span in spans] == [False, True, False]
    assert "outline" not in strip(weights(["a"], [1.0]), "#0072B2", 1)


# -- the best of many, in words


def corpus(split: str, seed: int = 0) -> Corpus:
    rows = range(4 + seed)
    gold = [float(i) for i in rows]
    return Corpus.of_pairs(
        "c", [f"a{i}" for i in rows], [f"b{i}" for i in rows], gold, split=[split] * len(gold)
    )


def planned(choose_on: Corpus, show_on: Corpus) -> SearchPlan:
    return SearchPlan(Recipe(), "last", choose_on, show_on, ("dev", "test") if show_on.splits else ())


def judged(value: float, low: float, high: float) -> HeadEvaluation:
    score = Score(40.0, 40.0, 38.0, 42.0, 5, "all", {})
    return HeadEvaluation(score, Difference(value, low, high))


DEV = HeadScores("last", np.array([[50.0, 44.0], [42.0, 40.0]]), 45.0)
TEST = HeadScores("last", np.array([[40.0, 43.0], [39.0, 41.0]]), 44.0)


def test_a_published_head_has_its_rank_or_no_score():
    """One without a score had the score nan, and a negative one a hyphen."""
    plan, said = planned(corpus("dev"), corpus("test", 1)), "Published for this model: L2-H2, "
    below = HeadScores("last", np.array([[1.0, 2.0], [3.0, -41.0]]), 44.0)
    assert of_published(plan, below, (2, 2)) == f"{said}here rank 4 of 4 on test: −41.0."
    none = HeadScores("last", np.array([[1.0, 2.0], [3.0, np.nan]]), 44.0)
    assert of_published(plan, none, (2, 2)) == f"{said}which has no score on test."


def test_heads_that_share_the_highest_score_are_counted():
    plan = planned(corpus("dev"), corpus("test", 1))
    assert finding(plan, DEV).startswith("L1-H1 scores highest of 4 heads on c dev")
    alike = HeadScores("last", np.array([[50.0, 44.0], [50.0, 50.0]]), 45.0)
    assert finding(plan, alike).startswith("L1-H1 and 2 others score highest of 4 heads on c dev")


def test_a_head_chosen_on_dev_is_reported_on_test_with_its_rank_and_lost_lead():
    plan = planned(corpus("dev"), corpus("test", 1))
    verdict = judged(-4.0, -6.0, -2.0)
    assert headline(plan, [DEV, TEST], (1, 1), verdict) == (
        "Chosen on dev, L1-H1 scores Spearman × 100 = 40.0 ± 2.0 on test: rank 3 of 4 heads"
    )
    lines = worth(plan, [DEV, TEST], (1, 1), verdict)
    assert lines[0] == (
        "Worse than uniform weights by 4.0 (95 %: −6.0 to −2.0); uniform weights score 44.0 there."
    )
    assert "by +7.0 on dev" in lines[1]
    assert "−0.5 on test" in lines[1]
    assert "L1-H2 with 43.0" in lines[2]
    assert len(lines) == 3


def test_a_head_shown_on_the_pairs_it_was_chosen_on_is_said_to_be_flattered():
    one = corpus("test")
    plan = planned(one, one)
    assert plan.same
    assert plan.corpora == [one]
    lines = worth(plan, [DEV], (1, 1), judged(5.0, 1.0, 9.0))
    assert "on the pairs it was chosen on" in headline(plan, [DEV], (1, 1), judged(5.0, 1.0, 9.0))
    assert lines[0].startswith("Better than uniform weights by 5.0")
    assert "The best of 4 heads is chosen on the very pairs it is shown on" in lines[1]
    assert "another split" in lines[1]
    bare = corpus("")
    assert "no other split" in worth(planned(bare, bare), [DEV], (1, 1), judged(0, -1, 1))[1]


def test_pairs_in_common_are_said():
    both = Corpus.of_pairs("c", ["a", "b"], ["c", "d"], [1.0, 2.0], split=["dev", "test"])
    plan = planned(corpus("dev"), both)
    assert plan.overlaps
    assert "pairs in common" in worth(plan, [DEV, TEST], (1, 1), judged(0, -1, 1))[-1]
    assert not planned(corpus("dev"), corpus("test", 1)).overlaps


@pytest.mark.parametrize(
    ("difference", "says"),
    [
        (Difference(0.2, -1.0, 1.5), "No difference from uniform weights shown: +0.2, 95 %: −1.0 to 1.5;"),
        (Difference(2.0, 1.0, 3.0), "Better than uniform weights by 2.0"),
        (Difference(-2.0, -3.0, -1.0), "Worse than uniform weights by 2.0"),
        (Difference(NAN, NAN, NAN), "nothing can be said"),
        (Difference(50.0, NAN, NAN), "No difference from uniform weights shown: too few pairs"),
    ],
)
def test_ditto_is_set_against_uniform_weights(difference, says):
    assert against_uniform(difference, 45.0).startswith(says) or says in against_uniform(difference, 45.0)


def test_a_deck_s_table_of_tiles_has_a_row_for_each_head():
    weights = attention(6, 12, 20)
    found = SimpleNamespace(weights=weights, depth=6, heads=12)
    found.beside = MethodType(SentenceAttention.beside, found)
    table = means(found)
    assert table.shape == (72, 5)
    row = table[(table["layer"] == 3) & (table["head"] == 5)].iloc[0]
    own, before, after = (np.mean(np.diagonal(weights[2, 4], offset)) for offset in (0, -1, 1))
    np.testing.assert_allclose(row[2:], [own, before, after], rtol=1e-6)
    assert len(meanings.lines("heads.tiles", list(table.columns))) == 3


def test_heads_of_the_token_before_and_after_are_named():
    values = {-1: np.array([[0.1, 0.2], [0.9, 0.3]]), 1: np.array([[0.1, 0.56], [0.2, 0.3]])}
    one = SimpleNamespace(beside=values.__getitem__)
    assert neighbours(one) == "Most to the token before: L2-H1, 90 %; to the one after: L1-H2, 56 %."
    assert neighbours(SimpleNamespace(beside=lambda _: np.full((2, 2), np.nan))) == ""
