"""Figures and headlines of Ablation and Sensitivity, from changes that are given."""

from types import SimpleNamespace

import numpy as np
import pytest

from components.figures.variations import ablation_bars, sensitivity_line
from components.tasks import ablation, sensitivity
from components.tasks.page import Results
from components.tasks.variations import Variations
from components.theme import LIGHT
from core.evaluation.difference import NO_DIFFERENCE, Difference
from core.recipe import Recipe
from core.recipe.variations import varied

WORSE, SAME, BETTER = Difference(-3.0, -4.0, -2.0), Difference(0.2, -1.0, 1.4), Difference(2.0, 1.0, 3.0)


def given(changes, means=()):
    told = {"own": "A, idf", "over": "mean over 2 tasks", "tasks": ("a: sts", "b: sts")}
    return SimpleNamespace(**told, change=changes.get, means=dict(means))


def test_bars_have_their_intervals_and_pale_ones_show_no_difference():
    figure = ablation_bars(["weight=idf", "post=<b>"], [WORSE, SAME], "mean over 2 tasks", LIGHT)
    bar = figure.data[0]
    assert bar.x.tolist() == [-3.0, 0.2]
    assert bar.error_x.array == pytest.approx([1.0, 1.2])
    assert bar.error_x.arrayminus == pytest.approx([1.0, 1.2])
    assert bar.marker.opacity == (1.0, 0.35)
    assert figure.layout.yaxis.ticktext[1] == "without post=&lt;b&gt;"
    assert bar.customdata[0] == "without weight=idf: −3.0, 95 %: −4.0 to −2.0"


def test_the_line_has_its_band_and_the_recipes_own_value():
    tasks = {"a: sts": [1.0, 0.0, 2.0], "b: sts": [3.0, 0.0, float("nan")]}
    figure = sensitivity_line(
        [1, 2, 64], [BETTER, SAME, NO_DIFFERENCE], tasks, "k of post", 2, "mean", LIGHT
    )
    thin, _, band, line = figure.data
    assert thin.name == "a: sts"
    assert band.mode == "lines", "without dots along its edge"
    assert band.y == pytest.approx([3.0, 1.4, np.nan, np.nan, -1.0, 1.0], nan_ok=True)
    assert line.y == pytest.approx([2.0, 0.2, np.nan], nan_ok=True)
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.shapes[-1].x0 == 2
    assert not np.any(line.error_y.array), "the band has their intervals"
    lone = sensitivity_line([4], [BETTER], {"a": [2.0]}, "w", 1, "a", LIGHT).data[-1]
    assert (lone.error_y.array[0], lone.error_y.arrayminus[0]) == (1.0, 1.0)
    one = sensitivity_line([0, 1], [SAME, SAME], {"a": [0, 0]}, "w", None, "a", LIGHT)
    assert (len(one.data), one.layout.xaxis.type, len(one.layout.shapes)) == (2, "linear", 1)


def test_the_headline_of_ablation_names_the_step_that_matters_most():
    changes = {"x": WORSE, "y": BETTER, "z": SAME}
    assert ablation.finding(given(changes), ["x", "y", "z"]) == (
        "Without x, A, idf changes most: −3.0, 95 %: −4.0 to −2.0, mean over 2 tasks"
    )
    assert ablation.finding(given(changes), ["z"]) == (
        "No step of A, idf shows a difference when it is left out, mean over 2 tasks"
    )


def test_what_could_not_be_scored_is_counted_by_recipes_and_has_its_reason():
    asked = [SimpleNamespace(text=text) for text in ("a: sts", "b: sts")]
    recipes = dict.fromkeys(["A", "head = 4", "head = 99"], Recipe())
    failed = {("head = 99", "a: sts"): "12 heads.", ("head = 99", "b: sts"): "12 heads."}
    failed |= {("head = 4", "b: sts"): "No."} | {(name, "c: sts"): "No corpus." for name in recipes}
    found = Variations("A", Results(recipes, asked, {}, {}, failed), (), {})
    assert found.failures() == [
        ("head = 99", "12 heads."),
        ("head = 4 on b: sts", "No."),
        ("c: sts", "No corpus."),
    ]


def test_the_whole_recipe_is_without_nothing_in_the_table():
    recipes = {"B, idf": Recipe.parse("weight=idf"), "weight=idf": Recipe()}
    found = Variations("B, idf", Results(recipes, [], {}, {}, {}), (), {})
    table = ablation.numbers(found, ["weight=idf"])
    assert table["without"].tolist() == ["nothing", "weight=idf"]
    assert table["text"][0] == "weight=idf"


def test_the_headline_of_sensitivity_names_the_best_value():
    (d,) = varied(Recipe.parse("post=abtt(d=2)"))
    at = {1: "d = 1", 2: "d = 2", 4: "d = 4"}
    means = {
        name: SimpleNamespace(value=value) for name, value in zip(at.values(), (5.0, 6.0, 8.0), strict=True)
    }
    found = given({"d = 4": BETTER}, means)
    assert sensitivity.finding(found, d, at) == (
        "Best of 3 values is d = 4, mean over 2 tasks: +2.0, 95 %: 1.0 to 3.0 against 2"
    )
    means["d = 1"].value = float("nan")
    assert sensitivity.finding(found, d, at).startswith("Best of 2 values is d = 4, "), "it hid all others"
    lost = {"d = 1": means["d = 1"]}
    assert (
        sensitivity.finding(given({}, lost), d, {1: "d = 1"})
        == "No value of d has a score, mean over 2 tasks"
    )
    means["d = 1"].value, means["d = 2"].value = 5.0, 9.0
    own = "The recipe's own d = 2 is best of 3 values, mean over 2 tasks"
    found = given({"d = 1": WORSE, "d = 4": WORSE}, means)
    assert sensitivity.finding(found, d, at) == own
    means["d = 1"].value = 9.0
    assert sensitivity.finding(found, d, at).startswith("The recipe's own d = 2 is best"), "of equals"
    means["d = 1"].value = 5.0
    found = given({"d = 1": WORSE, "d = 4": SAME}, means)
    assert sensitivity.finding(found, d, at) == f"{own}; no difference from 1 of the others shown"
    means = {"d = 4": SimpleNamespace(value=8.0)}
    found = given({"d = 4": BETTER}, means)
    assert sensitivity.finding(found, d, {4: "d = 4"}) == (
        "d = 4, mean over 2 tasks: +2.0, 95 %: 1.0 to 3.0 against 2"
    )
    found = given({"d = 2": SAME}, {"d = 2": SimpleNamespace(value=6.0)})
    assert sensitivity.finding(found, d, {2: "d = 2"}) == (
        "d = 2, mean over 2 tasks: no other value to compare it with"
    )
    assert sensitivity.drawn(found, 3).endswith("recipe's own value. Thin grey lines: each task by itself.")
    assert sensitivity.drawn(found, 1).startswith("The whisker is")
