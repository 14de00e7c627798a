"""What the page Geometry draws and says, from numbers made by hand."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from components.figures import whitening_walk
from components.figures.animation import moving
from components.figures.geometry import alignment_uniformity, iso_score_against_score
from components.figures.isotropy import by_layer, by_sample_size, components, large_dimensions
from components.figures.named_points import (
    ARROW,
    CHARACTER,
    LINE,
    PLOT,
    ROW,
    Point,
    label_places,
    with_room,
)
from components.figures.ratings import DEPTH, TITLE, RecipeDensities, by_rating, whitening_curve
from components.geometry import alignment, densities, iso_scores, isotropy_findings, page, whitening
from components.geometry.alignment import finding
from components.geometry.page import Measured
from components.theme import DARK, LIGHT, seen
from core.analysis.geometry import of_recipe
from core.analysis.geometry.measures import Isotropy
from core.analysis.geometry.measures import isotropy as measure
from core.analysis.geometry.of_recipe import RecipeGeometry, SampleSizes
from core.analysis.geometry.ratings import DEFINITIONS, Group
from core.analysis.geometry.ratings import densities as estimate
from core.analysis.geometry.whitening_curve import Curve
from core.corpora.corpus import Corpus
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.evaluation.sts import Score
from core.recipe import Recipe, defaults
from tests.arrival_places import PLACES

NAN = float("nan")


def point(label="x", x=0.0, y=0.0, score=50.0, side="") -> Point:
    return Point(label, x, y, score, "hover", side)


def place(aligned=0.2, uniform=-2.0, iso=0.3, score=60.0, recipe="") -> RecipeGeometry:
    both = list(DEFINITIONS)
    return RecipeGeometry(
        Recipe.parse(recipe),
        "model",
        dict.fromkeys(both, aligned),
        dict.fromkeys(both, uniform),
        iso,
        0.5,
        384,
        score,
        score - 5,
        score + 5,
    )


def cloud(points=50, dim=8, shift=0.0) -> Isotropy:
    return measure((np.random.default_rng(0).normal(size=(points, dim)) + shift).astype(np.float32))


def test_a_pin_that_a_visitor_calls_like_a_side_is_not_taken_for_it():
    """Recipe A stood in the place of the pin, and was said to be pinned."""
    pins = tuple(map(Recipe.parse, ("layers=1", "layers=2")))
    wanted, pinned = page.Chosen(pins, suggested=False, called=("A", "mine")).by_label(Recipe())
    assert wanted == {"A (1)": pins[0], "mine": pins[1]}
    assert pinned == {*wanted}


# -- alignment against uniformity


def arrows(figure) -> list[tuple[float, float, float, float]]:
    traces = [trace for trace in figure.data if trace.marker.angleref == "previous"]
    ends = [(*zip(trace.x, trace.y, strict=True),) for trace in traces]
    return [(*of[i], *of[i + 1]) for of in ends for i in range(0, len(of), 3)]


def labels(figure) -> list[str]:
    return [a.text for a in figure.layout.annotations]


def markers(figure) -> list:
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_arrows_go_from_the_base_to_the_variants_alone():
    points = [point("a", 0, 0), point("b", 1, 2), point("c", 3, 1), point("A", 2, 2, side="A")]
    figure = alignment_uniformity(points, LIGHT, "a", ["b", "c"])
    assert arrows(figure) == [(0, 0, 1, 2), (0, 0, 3, 1)]
    assert arrows(alignment_uniformity(points, LIGHT)) == []
    assert sum(len(trace.x) for trace in markers(figure)) == 4


def test_the_line_to_a_name_ends_at_its_near_edge():
    points = [point(name, *spot) for name, spot in PLACES.items()]
    layout = alignment_uniformity(points, LIGHT).layout
    for name, line, label in zip(layout.annotations, layout.shapes, label_places(points), strict=True):
        assert (name.x, name.y) == (line.xanchor, line.yanchor)
        assert (line.x0, line.y0) == (0, 0)
        if label.right:
            assert name.xanchor == ("left" if label.right > 0 else "right")
            assert abs(line.x1) < abs(name.xshift) < abs(label.right)
            assert line.y1 == name.yshift == -label.down
        else:
            assert (name.xanchor, line.x1) == ("center", 0)
            assert 0 <= abs(line.y1) < abs(name.yshift) == abs(label.down)


def test_a_name_of_two_rows_lies_over_no_other_name_where_points_are_close():
    places = {
        "whiten(k=128)": (-3.94, 0.95),
        "zscore": (-3.88, 0.845),
        "abtt": (-3.86, 0.83),
        "idf, zscore": (-3.83, 0.8),
        "centre": (-3.78, 0.775),
        "last layer, Ditto layer=5 head=4, z-score": (-3.71, 0.59),
        "idf": (-2.01, 0.435),
        "last layer, mean": (-1.87, 0.33),
        "plain": (-1.475, 0.3),
        "quantile": (-0.985, 0.205),
    }
    points = [point(name, *place) for name, place in places.items()]
    arrows = [(8, number) for number in range(len(points)) if number != 8]
    spots = np.array([*places.values()])
    least, most = np.array([with_room(points, axis)["range"] for axis in "xy"]).T
    boxes = []
    for number, text, right, down, half in label_places(points, arrows):
        x, y = (spots[number] - least) / (most - least) * PLOT + (right, -down)
        high = LINE * len(text.split("<br>")) / 2
        boxes.append((x - half, x + half, y - high, y + high))
    assert len(boxes) >= len(points) - 2, "what is in one place shares a name"
    for one, other in combinations(boxes, 2):
        across = min(one[1], other[1]) - max(one[0], other[0])
        up = min(one[3], other[3]) - max(one[2], other[2])
        assert max(across, 0) * max(up, 0) < LINE, "less than a letter's place"


def test_a_variant_that_is_recipe_b_has_its_arrow_and_says_so():
    figure = alignment_uniformity([point("a"), point("zscore", 1, 1, side="B")], LIGHT, "a", ["zscore"])
    assert len(arrows(figure)) == 1
    assert "zscore (B)" in labels(figure)
    (trace,) = markers(figure)
    assert trace.marker.line.color == (LIGHT.text, LIGHT.b)
    assert trace.marker.line.width[1] > trace.marker.line.width[0]


def test_long_labels_are_cut_apart_and_keep_the_letter_of_a_recipe():
    start = "source=untuned;layers=first+last;weight=idf"
    points = [point(f"{start};post=zscore", side="A"), point(f"{start};post=abtt", 1, 1), point("c", 2, 0)]
    one, other, _ = labels(alignment_uniformity(points, LIGHT))
    assert one.endswith("zscore (A)")
    assert other.endswith("abtt")
    assert max(len(one), len(other)) < len(start)


def test_names_that_differ_by_their_model_are_whole():
    name = "last layer, idf, z-score · "
    points = [point(f"{name}untuned", side="A"), point(f"{name}bundled", 1, 1, side="B"), point("c", 2, 0)]
    one, other, _ = labels(alignment_uniformity(points, LIGHT))
    assert one == "last layer, idf, z-score<br>· untuned (A)"
    assert other.replace("<br>", " ") == f"{name}bundled (B)"
    assert max(map(len, one.split("<br>"))) <= ROW
    near = [point(f"{name}untuned"), point(f"{name}bundled", 0.001), point("c", 2, 2)]
    assert f"{name}untuned and<br>{name}bundled" in labels(alignment_uniformity(near, LIGHT))


def test_no_arrow_to_where_one_is_already():
    figure = alignment_uniformity(
        [point("a"), point("b", 0.001, 0), point("c", 1, 1)], LIGHT, "a", ["b", "c"]
    )
    assert len(arrows(figure)) == 1
    assert "a and b" in labels(figure)


def test_points_are_coloured_by_score_and_grey_without_one():
    points = [point("a", 0, 0, 40), point("b", 1, 1, 60), point("c", 2, 2, NAN)]
    figure = alignment_uniformity(points, LIGHT)
    colored, grey = figure.data
    assert (colored.marker.color.tolist(), colored.marker.coloraxis) == ([40.0, 60.0], "coloraxis")
    assert (colored.x, colored.y, grey.x, grey.y) == ((0, 1), (0, 1), (2,), (2,))
    assert (grey.marker.color, grey.marker.coloraxis) == (LIGHT.faint, None)
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (40, 60)


def test_points_without_a_place_are_left_out():
    figure = alignment_uniformity([point("a", NAN, 1), point("b", 1, 1)], LIGHT, "a", ["b"])
    assert len(figure.data) == 1
    assert arrows(figure) == []
    assert alignment_uniformity([], DARK).data == ()


def test_labels_are_escaped_and_inside_and_apart():
    generator = np.random.default_rng(0)
    points = [point(f"<b>{i}</b> zscore", *generator.normal(0, 0.4, 2)) for i in range(8)]
    points += [point("far", 3, 3), point("low", -3, 3)]
    found = label_places(points)
    assert all("<b>" not in text for _, text, *_ in found)
    assert sum(text.count(" and") + 1 for _, text, *_ in found) >= len(points) - 1
    figure = iso_score_against_score(points, LIGHT)
    (left, right), (bottom, top) = figure.layout.xaxis.range, figure.layout.yaxis.range
    boxes = []
    for number, text, shift, down, _ in found:
        x = (points[number].x - left) / (right - left) * PLOT[0] + shift
        y = (points[number].y - bottom) / (top - bottom) * PLOT[1] - down
        assert -5 < x < PLOT[0] + 5
        assert -5 < y < PLOT[1] + 5
        boxes.append((x, y, 4 * len(text)))
    for i, (x, y, half) in enumerate(boxes):
        for other_x, other_y, other in boxes[:i]:
            assert abs(y - other_y) > 12 or abs(x - other_x) > (half + other) * 0.4


def in_pixels(points):
    """Where points stand on axes of the size that names are placed for."""
    axes = iso_score_against_score(points, LIGHT).layout
    low, high = np.transpose([axes.xaxis.range, axes.yaxis.range])
    return (np.array([(each.x, each.y) for each in points]) - low) / (high - low) * PLOT


def test_the_line_to_a_name_passes_over_no_other_point():
    """It would seem to be that one's name: "idf, zscore" stood over whiten(k=128) on arrival."""
    points = [point(name, *spot) for name, spot in PLACES.items()]
    spots = in_pixels(points)
    for number, text, right, down, _ in label_places(points):
        way = np.array([right, -down])
        others = np.delete(spots, number, axis=0) - spots[number]
        shares = np.clip(others @ way / (way @ way), 0, 1)
        apart = np.linalg.norm(others - shares[:, None] * way, axis=1)
        beside = np.linalg.norm(others, axis=1) > 18  # markers over each other have lines over them
        assert apart[beside].min() >= 9, text


def test_names_keep_off_arrows():
    points = [point("plain", *PLACES["plain"])]
    points += [point(name, *spot) for name, spot in PLACES.items() if name not in ("plain", "normalize")]
    spots = in_pixels(points)
    arrows = [(0, end) for end in range(1, len(points) - 2)]
    for number, text, right, down, _ in label_places(points, arrows):
        middle, half = spots[number] + (right, -down), np.array([CHARACTER * len(text), LINE]) / 2
        for begin, end in arrows:
            along = spots[begin] + np.linspace(0, 1, 500)[:, None] * (spots[end] - spots[begin])
            assert not (np.abs(along - middle) < half - ARROW).all(axis=1).any(), text


# -- what is said of them


def shown(found, sides=None, base="plain", suggested=True) -> Measured:
    revisions = {name: f"{place.model} (its files)" for name, place in found.items()}
    return Measured(found, sides or {}, base, {}, suggested, revisions=revisions)


def test_the_finding_counts_variants():
    found = {
        "plain": place(0.2, -2),
        "traded": place(0.3, -3),
        "both": place(0.1, -3),
        "neither": place(0.3, -1),
        "A": place(0.1, -4),
    }
    words = finding(shown(found, {"A": "A"}), "normalised", "plain")
    assert words == (
        "Against plain, 1 of 3 variants lowers uniformity and raises alignment, 1 lowers both (lower is "
        "better)"
    )
    pinned = finding(shown(found, {"A": "A"}, suggested=False), "normalised", "plain")
    assert "1 of 3 pinned variants lower" in pinned
    assert "none lowers both" in finding(
        shown({k: found[k] for k in ("plain", "traded", "neither")}), "normalised", "plain"
    )
    one = finding(shown({k: found[k] for k in ("plain", "traded")}), "normalised", "plain")
    assert one == (
        "Against plain, one variant: alignment is higher and uniformity is lower (lower is better)"
    )
    assert finding(shown(found), "normalised", None) == "Alignment and uniformity by recipe"
    assert finding(shown({"plain": place(NAN)}), "normalised", "plain").startswith("Alignment")


def test_a_recipe_on_another_model_is_no_variant():
    found = {"plain": place(0.2, -2), "traded": place(0.3, -3), "both": place(0.1, -3)}
    found["elsewhere"] = replace(place(0.3, -3), model="other")
    found["A"] = place(0.1, -4)
    assert shown(found, {"A": "A", "both": "B"}).variants("plain") == ["traded", "both"]
    assert shown(found, {"A": "A"}).variants("elsewhere") == []
    assert shown(found).variants(None) == []
    del found["A"]
    assert finding(shown(found), "normalised", "plain").startswith(
        "Against plain, 1 of 2 variants on its model lower"
    )
    del found["both"]
    assert "one variant on its model: al" in finding(shown(found), "normalised", "plain")
    del found["traded"]
    assert finding(shown(found), "normalised", "plain") == "Alignment and uniformity by recipe"


def test_what_a_point_says_has_a_minus():
    said = alignment.hover("zscore", place(uniform=-3.7), next(iter(DEFINITIONS)))
    assert "uniformity −3.700" in said
    assert "-" not in said


def test_captions_are_of_what_is_drawn_alone():
    corpus = Corpus.of_pairs("c", ["a", "b", "a"], ["b", "c", "d"], [5.0, 4.5, 0.0])
    found = {page.PLAIN: place(recipe="source=untuned"), "zscore": place(), "far": place()}
    found["far"] = replace(found["far"], model="other", dim=768)
    every = shown(found, {"far": "B"})
    said = " ".join(page.recipe_lines(every))
    assert said == (
        "Suggested: first+last mean · zscore · far first+last mean: first+last layers, all tokens, mean, "
        "cosine; "
        f"source=untuned B: {Recipe().label()}"
    )
    drawn = every.only([page.PLAIN, "zscore"])
    assert "far" not in " ".join(page.recipe_lines(drawn))
    assert page.provenance_line(corpus, drawn).startswith("model (its files) · c")
    sides = shown(found, {"zscore": "A", "far": "B"})
    assert page.provenance_line(corpus, sides).startswith("A: model (its files) · B: other (its files) · c")
    line = page.summary(corpus, drawn).line
    assert "other" not in line
    assert " · 2 recipes · " in line
    assert " · 1 recipe · " in page.summary(corpus, every.only(["far"])).line
    assert iso_scores.isotropic(corpus, drawn).endswith(" in 384 dimensions")
    assert re.search(r"0\.\d\d in 384 dimensions and 0\.\d\d in 768", iso_scores.isotropic(corpus, every))


def test_what_plain_is_is_what_it_does():
    plain, _ = of_recipe.suggested(Recipe.parse("source=untuned;layers=last;post=abtt"))
    assert plain == Recipe.parse("source=untuned")
    assert (
        Recipe().label()
        == f"default: {defaults()}"
        == "default: first+last layers, all tokens, mean, cosine"
    )


def test_the_correlation_is_pearsons():
    found = [place(iso=i, score=s) for i, s in ((0.1, 50.0), (0.2, 55.0), (0.4, 52.0), (0.5, 70.0))]
    wanted = np.corrcoef([0.1, 0.2, 0.4, 0.5], [50, 55, 52, 70])[0, 1]
    assert f"Pearson {wanted:+.2f} (95 %: −" in iso_scores.finding(found)
    assert "Spearman +0.80 over 4 recipes" in iso_scores.finding(found)
    assert "too few" in iso_scores.finding(found[:2])
    assert "too few" in iso_scores.finding([place(), place(), place()])
    assert place(recipe="post=zscore+whiten").whitened
    assert not place(recipe="post=whiten+zscore").whitened
    assert not place(recipe="post=whiten(gamma=0.5)").whitened  # 0.66 on the demo corpus
    assert not place(recipe="post=whiten(fit=reference)").whitened


def test_captions_say_definition_threshold_and_numbers():
    corpus = Corpus.of_pairs("c", ["a", "b", "a"], ["b", "c", "d"], [5.0, 4.5, 0.0])
    lines = alignment.caption(corpus, shown({"plain": place()}), DEFINITIONS["normalised"])
    assert "unit vectors; alignment over 2 positive pairs (gold > 4 on a scale of 0 to 5)" in lines[0]
    assert "all 6 sentences of all pairs; pairs of one sentence twice among them: 2" in lines[0]
    assert lines[1].startswith("In the table, as they are: Stankevičius & Lukoševičius 2025: vectors as")
    assert "alignment over 1 positive pair (gold = 5 on a scale of 0 to 5)" in lines[1]
    assert corpus.fingerprint in lines[-1]


def test_a_caption_counts_no_repeats_of_sentences_that_a_sample_leaves_out(monkeypatch):
    monkeypatch.setattr(alignment, "EXACT", 3)
    corpus = Corpus.of_pairs("c", ["a", "b", "a"], ["b", "c", "d"], [5.0, 4.5, 0.0])
    told = alignment.caption(corpus, shown({"plain": place()}), DEFINITIONS["normalised"])[0]
    assert told.endswith("uniformity over all pairs of 3 sentences drawn from 4 (seed 0), repeats counted")


# -- isotropy


def test_names_at_the_ends_of_lines_do_not_cover_each_other():
    def anchors(a: float, b: float) -> list[str]:
        ends = {"A": a, "B": b}
        sides = {
            side: {1: replace(cloud(), average_cosine=end, iso_score=0.5)} for side, end in ends.items()
        }
        drawn = by_layer(sides, LIGHT).layout.annotations
        return [name.yanchor for side in "AB" for name in drawn if name.text == side and name.yref == "y"]

    assert anchors(0.8, 0.1) == ["middle", "middle"]
    assert anchors(0.5, 0.45) == ["bottom", "top"]
    assert anchors(0.45, 0.5) == ["top", "bottom"]
    assert anchors(0.5, 0.5) == ["bottom", "top"]


def test_layers_are_drawn_for_both_sides_with_what_is_isotropic():
    layers = {-1: cloud(shift=1), 0: cloud(), 2: cloud(dim=5)}
    figure = by_layer({"A": layers, "B": layers}, LIGHT)
    cosine, iso = figure.data[:2]
    assert list(cosine.x) == [-1, 0, 2]
    np.testing.assert_allclose(cosine.y, [one.average_cosine for one in layers.values()], rtol=1e-5)
    np.testing.assert_allclose(iso.y, [one.iso_score for one in layers.values()], rtol=1e-5)
    assert figure.data[2].line.color == LIGHT.b
    assert list(figure.data[-1].y) == [one.isotropic for one in layers.values()]
    assert list(figure.layout.xaxis2.ticktext) == ["static", "0", "2"]
    assert {"A", "B", "isotropic cloud"} <= {a.text for a in figure.layout.annotations}


def test_each_number_of_dimensions_has_its_own_isotropic_cloud_in_every_layer():
    narrow, wide = ({i: cloud(dim=dim) for i in range(2)} for dim in (5, 40))
    figure = by_layer({"A": narrow, "B": wide}, LIGHT)
    dashed = {
        line.hovertemplate.partition(", ")[2][:4]: list(line.y)
        for line in figure.data
        if line.line.dash == "dash"
    }
    assert dashed == {
        "as A": [one.isotropic for one in narrow.values()],
        "as B": [one.isotropic for one in wide.values()],
    }
    said = {a.text for a in figure.layout.annotations}
    assert {"isotropic cloud, as A", "isotropic cloud, as B"} <= said


def test_isotropic_clouds_that_lie_on_each_other_have_one_name():
    """With B whitened, "isotropic cloud, as A" and "as B" stood in one place."""
    one, other = ({i: cloud(dim=dim) for i in range(2)} for dim in (39, 40))
    figure = by_layer({"A": one, "B": other}, LIGHT)
    assert sum(line.line.dash == "dash" for line in figure.data) == 2
    assert [a.text for a in figure.layout.annotations if "isotropic" in a.text] == ["isotropic cloud"]


def test_layers_without_variance_are_drawn_as_far_as_they_go():
    flat = measure(np.ones((9, 4), np.float32))
    figure = by_layer({"A": {0: flat, 1: cloud(9, 4)}}, LIGHT)
    assert np.isnan(figure.data[1].y[0])
    assert figure.data[1].y[1] == pytest.approx(cloud(9, 4).iso_score)
    assert by_layer({}, LIGHT).data == ()


def test_each_number_of_dimensions_has_one_isotropic_curve():
    def sizes(dim):
        return SampleSizes(dim, np.array([10, 100]), np.array([0.1, 0.3]), np.array([0.2, 0.9]))

    figure = by_sample_size({"A": sizes(384), "B": sizes(384)}, LIGHT)
    assert len(figure.data) == 3
    assert len(by_sample_size({"A": sizes(384), "B": sizes(128)}, LIGHT).data) == 4
    assert {a.text.strip() for a in figure.layout.annotations} == {"A", "B", "isotropic, 384 dimensions"}


def test_the_recipes_names_stand_over_the_figures_of_isotropy():
    found = {"A": {0: cloud(), 1: cloud()}, "B": {0: cloud(), 1: cloud()}}
    called = {"A": "A, last layer", "B": "B, <b>idf</b>"}
    bare, named = by_layer(found, LIGHT), by_layer(found, LIGHT, called)
    assert not bare.layout.title.text
    first, second = named.layout.title.text.split("<br>")
    assert "A, last layer" in first
    assert LIGHT.readable(LIGHT.a) in first
    assert "B, &lt;b&gt;idf&lt;/b&gt;" in second
    assert LIGHT.readable(LIGHT.b) in second
    room = named.layout.height - named.layout.margin.t
    assert room == bare.layout.height - bare.layout.margin.t, "the axes keep their height"
    assert large_dimensions({"A": cloud()}, LIGHT, {"A": "A, mine"}).layout.title.text.endswith(
        "A, mine</span>"
    )


def test_components_and_dimensions_are_what_was_measured():
    x = np.random.default_rng(0).normal(size=(60, 40)).astype(np.float32)
    x[:, 7] += 20
    found = measure(x)
    np.testing.assert_allclose(components({"A": found}, LIGHT).data[0].y, 100 * found.explained)
    figure = large_dimensions({"A": found, "B": cloud()}, LIGHT)
    np.testing.assert_array_equal(figure.data[0].x, found.size)
    assert figure.layout.yaxis.ticktext[0] == "7*"
    assert "*" not in "".join(figure.layout.yaxis2.ticktext)
    assert isotropy_findings.dimensions("A", found).startswith("A: 1 outlier dimension")
    assert isotropy_findings.dimensions("B", cloud()) == "B: no outlier dimension"


def test_why_cosines_are_high_is_said_with_numbers():
    x = np.random.default_rng(0).normal(size=(80, 40)).astype(np.float32)
    x[:, 7] += 9
    high, low = measure(x), cloud()
    words = isotropy_findings.why_high({"A": high, "B": low})
    assert f"cosine of {high.average_cosine:.2f} already" in words
    assert f"holds {100 * high.common:.0f} % of the squared length" in words
    assert "1 of 40 dimensions alone" in words
    beyond = isotropy_findings.why_high({"A": replace(high, outlying=1.2 * high.average_cosine)})
    assert "1 of 40 dimensions alone more than all of the cosine" in beyond
    assert "Under A a high cosine is therefore no sign" in words
    apart = isotropy_findings.why_high({"B": replace(low, average_cosine=-0.12)})
    assert "cosine of −0.12 on average: below 0, as of few vectors" in apart
    assert (
        f"their mean holds {100 * low.common:.0f} % of the squared length" in words.partition("Under B")[2]
    )
    assert "-0.00" not in isotropy_findings.why_high({"B": replace(low, average_cosine=-0.001)})
    assert "lie" in isotropy_findings.why_high({"B": low})
    assert isotropy_findings.why_high({"A": measure(np.ones((1, 3), np.float32))}) == ""


def test_where_sentences_are_closest_is_said():
    layers = {-1: cloud(), 3: cloud(shift=2)}
    words = isotropy_findings.layers({"A": layers})
    assert words.startswith("Average cosine of two random sentences: A highest in layer 3, 0.")
    both = isotropy_findings.layers({"A": layers, "B": {-1: cloud()}})
    assert both.startswith(f"{words}; B layer static, ")
    alike = isotropy_findings.layers({"A": {0: cloud(shift=2), 3: cloud(shift=2)}})
    assert (
        alike
        == f"Average cosine of two random sentences: A {cloud(shift=2).average_cosine:.2f} in every layer"
    )


# -- ratings


def side(label="A", *groups: Group) -> RecipeDensities:
    found = groups or (
        Group(0, 1, np.random.default_rng(0).normal(0.2, 0.1, 30)),
        Group(1, 2, np.random.default_rng(1).normal(0.3, 0.1, 30)),
        Group(4, 5, np.random.default_rng(2).normal(0.8, 0.1, 30)),
    )
    return RecipeDensities(label, found, *estimate(found))


def test_a_rating_has_one_colour_under_a_and_b_and_is_named_once():
    rare = side("B", Group(0, 1, np.array([0.1])), Group(4, 5, np.linspace(0, 1, 20)))
    figure = by_rating([side(), rare], LIGHT)
    assert [trace.name for trace in figure.data] == ["0–1", "1–2", "4–5", "4–5"]
    assert figure.data[2].line.color == figure.data[3].line.color
    assert len({trace.line.color for trace in figure.data}) == 3
    assert [trace.showlegend for trace in figure.data] == [True, True, True, False]
    assert "cosine under B" in figure.layout.xaxis2.title.text
    name = "A, first+last, T2, content tokens, idf, z-score, whitening k=128 · bundled"
    (label, _) = (axis.title.text for axis in by_rating([side(), rare], LIGHT, {"A": name}).select_xaxes())
    assert label.replace("<br>", " ") == f"cosine under {name}"
    assert max(map(len, label.split("<br>"))) <= TITLE // 2 <= 44, "a panel of a window of 800 pixels"


def test_overlaps_are_said():
    words = densities.overlap_words(side())
    assert words.endswith(" % between ratings 0–1 and 4–5")
    assert int(words.split()[1]) < 10
    assert "0–1 / 1–2" in densities.adjacent_words([side()], "A")
    assert densities.adjacent_words([side()], "B") == "no neighbouring ratings"
    assert "one rating alone" in densities.overlap_words(side("A", Group(0, 5, np.linspace(0, 1, 9))))


def test_ratings_without_a_density_are_named():
    one = side("A", Group(0, 1, np.array([0.1])), Group(1, 2, np.full(9, 0.5)), side().groups[2])
    assert densities.left_out(one) == [
        "A, rating 0–1: 1 pair, too few for a density.",
        "A, rating 1–2: the cosines of its 9 pairs are all equal.",
    ]


# -- whitening


def test_as_k_grows_each_pair_keeps_its_gold_and_has_its_cosine(monkeypatch):
    monkeypatch.setattr(whitening_walk, "MOST", 3)
    values, gold = np.array([20.0, 60.0, 70.0, 65.0]), np.arange(5.0)
    made = Curve(Recipe(), 1.0, 1.0, (1, 2, 128, 200), values, score(50), score(70), NO_DIFFERENCE)
    cosines = np.linspace(-1, 1, 15).reshape(3, 5)
    pairs = whitening_walk.drawn_pairs(5)
    played = moving(
        whitening_curve(made, LIGHT), whitening_walk.walk(made, (1, 128, 200), cosines, gold, LIGHT)
    )
    assert played.layout.meta == {"frame": "128"}, "the best k"
    assert list(played.data[-1].x) == gold[pairs].tolist()
    assert "3 of 5 pairs" in played.layout.xaxis2.title.text
    for frame, k, row in zip(played.frames, (1, 128, 200), cosines, strict=True):
        line, points = frame.data
        assert tuple(line.x) == (k, k)
        np.testing.assert_array_equal(points.y, row[pairs].astype(np.float32))


def score(value: float) -> Score:
    return Score(value, value, value - 3, value + 3, 20, "all", {})


def test_the_curve_marks_the_best_the_published_and_no_whitening():
    values = np.array([NAN, 20.0, 60.0, 70.0, 65.0])
    gain = Difference(20.0, 12.0, 28.0)
    made = Curve(Recipe(), 1.0, 1.0, (1, 2, 128, 200, 256), values, score(50), score(70), gain)
    figure = whitening_curve(made, LIGHT)
    assert list(figure.data[0].x) == [1, 2, 128, 200, 256]
    assert list(figure.data[1].x) == [200]
    assert list(figure.data[1].error_y.array) == [3]
    assert {a.text for a in figure.layout.annotations} == {"without whitening 50.0", "128", "256"}
    assert figure.layout.yaxis.range[0] == 70 - DEPTH - 1
    assert whitening.finding(made) == (
        "Whitening gains at most 20.0 Spearman × 100: "
        "70.0 at the best k = 200 of 256, chosen on these pairs, "
        "50.0 without (+20.0, 95 %: 12.0 to 28.0)"
    )


def test_whitening_that_loses_is_not_said_to_score_highest():
    values = np.array([60.0, 81.1, 70.0])

    def says(*gain: float) -> str:
        made = Curve(Recipe(), 1.0, 1.0, (1, 128, 381), values, score(82), score(81.1), Difference(*gain))
        return whitening.finding(made)

    assert says(-0.9, -1.6, -0.2) == (
        "Whitening loses at least 0.9 Spearman × 100: "
        "81.1 at the best k = 128 of 381, chosen on these pairs, "
        "82.0 without (−0.9, 95 %: −1.6 to −0.2)"
    )
    assert says(-0.9, -2.0, 0.3) == (
        "No difference shown: whitening reaches "
        "Spearman × 100 = 81.1 at the best k = 128 of 381, chosen on these pairs, "
        "82.0 without (−0.9, 95 %: −2.0 to 0.3)"
    )


def test_a_curve_without_scores_is_drawn_empty():
    made = Curve(Recipe(), 1.0, 1.0, (1, 2), np.array([NAN, NAN]), score(NAN), None, NO_DIFFERENCE)
    figure = whitening_curve(made, DARK)
    assert len(figure.data) == 1
    assert not figure.layout.annotations
    assert whitening.finding(made) == "Whitening leaves no score"


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_type_can_be_read(look):
    for figure in (
        alignment_uniformity([point()], look),
        iso_score_against_score([point()], look),
        by_layer({"A": {0: cloud()}}, look),
        by_rating([side()], look),
    ):
        assert figure.layout.template.layout.font.size >= 14
        assert figure.layout.height >= 300


@pytest.mark.parametrize("count", range(1, 8))
def test_each_rating_has_a_shade_of_its_own_that_a_page_of_the_other_theme_knows(count):
    grid = np.linspace(0, 1, 9)
    groups = [Group(low, low + 1, grid) for low in range(count)]
    figure = by_rating([RecipeDensities("A", groups, grid, [grid] * count)], LIGHT)
    shades = [trace.line.color for trace in figure.data]
    assert len({*shades}) == count
    assert {*shades} <= {shade for _, shade in seen(LIGHT)}
