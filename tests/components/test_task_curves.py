"""Curves of tasks over layers, and IsoScore against means: what is drawn and said of known values."""

import numpy as np
import pytest

from components.figures.task_curves import TaskCurve, task_curves
from components.geometry import iso_over_tasks
from components.geometry.iso_scores import correlation
from components.layers import task_curves as section
from components.tasks.choice import ChosenTask
from components.tasks.families import families, mean, spread
from components.tasks.page import Results
from components.theme import LIGHT
from core.evaluation.tasks.running import TaskScored
from core.evaluation.tasks.task import TaskResult
from core.recipe import Recipe
from core.recipe.options import Choice

PLAIN = Recipe()
TASKS = [
    ChosenTask("one: clustering", "one", Choice("clustering")),
    ChosenTask("two: clustering(runs=3)", "two", Choice("clustering", (("runs", 3),))),
    ChosenTask("dogs: sts", "dogs", Choice("sts")),
]


def scored(value: float, task: ChosenTask) -> TaskScored:
    samples = value + np.linspace(-1, 1, 101)
    result = TaskResult("accuracy", value, lambda: samples, "so", (), 10)
    return TaskScored(PLAIN, task.task, {"model": "m", "revision": "r", "fingerprint": "f"}, result, 0, 0)


def found(values: dict[tuple[str, str], float]) -> Results:
    of = {task.text: task for task in TASKS}
    return Results({}, TASKS, {}, {key: scored(v, of[key[1]]) for key, v in values.items()}, {})


def by_layer() -> section.TasksByLayer:
    """Recipe A on layers 0 to 2 and first+last: clustering on two sets, similarity where it is there."""
    one, two, dogs = (task.text for task in TASKS)
    values = {("A 0", one): 40, ("A 0", two): 60, ("A 1", one): 30, ("A 1", two): 40, ("A 2", one): 90}
    values |= {("A +", one): 50, ("A +", two): 52, ("A 0", dogs): 10, ("A 2", dogs): 20}
    places = ["0", "1", "2", "first+last"]
    names = {("A, plain", place): f"A {mark}" for place, mark in zip(places, "012+", strict=True)}
    return section.TasksByLayer(found(values), places, names)


def test_a_name_is_shown_as_it_is_written():
    curve = TaskCurve("R&D <b>", "#000000", np.array([1.0, 2.0]), np.array([np.nan] * 2), ["", ""])
    line, *_ = (one for one in task_curves({"t": [curve]}, ["0", "1"], LIGHT).data if one.name)
    assert line.name == "R&amp;D &lt;b&gt;"
    assert line.hovertemplate.startswith("R&amp;D &lt;b&gt;, ")


def test_tasks_are_grouped_by_their_kind_whatever_their_arguments():
    kinds = families(TASKS)
    assert [(kind.name, kind.title) for kind in kinds] == [
        ("clustering", "clustering, mean of 2"),
        ("sts", "dogs: sts"),
    ]


def test_a_mean_is_there_where_every_task_has_a_value():
    results = by_layer().found
    clustering, sts = families(TASKS)
    assert mean(results, "A 0", clustering.tasks).value == 50
    assert mean(results, "A 2", clustering.tasks) is None
    assert spread(results, "A 0", clustering.tasks) == pytest.approx(np.std([40, 60], ddof=1))
    assert np.isnan(spread(results, "A 0", sts.tasks))


def test_values_and_spreads_stand_at_their_layers():
    curves = by_layer()
    clustering, sts = families(TASKS)
    np.testing.assert_array_equal(curves.values("A, plain", clustering.tasks), [50, 35, np.nan, 51])
    np.testing.assert_allclose(
        curves.spreads("A, plain", clustering.tasks), [14.142, 7.071, np.nan, 1.414], atol=1e-3
    )
    assert np.isnan(curves.spreads("A, plain", sts.tasks)).all()
    assert curves.interval("A, plain", "2", sts.tasks).startswith("95 %: 19.")
    assert curves.interval("A, plain", "1", sts.tasks) == ""


def test_the_finding_says_where_each_kind_is_best():
    curves = by_layer()
    assert section.finding(curves, families(TASKS)) == (
        "Highest main values × 100 of A, plain: clustering 51.0 at first+last and sts 20.0 at layer 2"
    )
    table = section.numbers(curves, families(TASKS))
    assert table["layers"].tolist() == ["0", "1", "first+last", "0", "2"]
    assert table["mean"].tolist() == [50, 35, 51, 10, 20]


def test_no_line_leads_to_first_and_last_and_bands_are_one_deviation():
    values, spreads = np.array([1.0, 2, 3, 9]), np.array([0.5, 0.5, 0.5, 0.5])
    curve = TaskCurve("A <b>", LIGHT.a, values, spreads, ["x"] * 4)
    alone = TaskCurve("B", LIGHT.b, values, np.full(4, np.nan), [""] * 4)
    figure = task_curves({"one": [curve, alone], "two": [curve]}, ["0", "1", "2", "first+last"], LIGHT)
    drawn = [trace for trace in figure.data if trace.fill is None]
    assert [len(trace.x) for trace in drawn] == [3, 1] * 3
    assert [trace.showlegend for trace in drawn] == [True, False, True, False, False, False]
    bands = [trace for trace in figure.data if trace.fill]
    assert len(bands) == 2, "none without a spread, none at a single place"
    np.testing.assert_allclose(bands[0].y, [1.5, 2.5, 3.5, 2.5, 1.5, 0.5])
    assert drawn[0].name == "A &lt;b&gt;"
    assert drawn[0].customdata[1] == "1: 2.0 ± 0.5 over tasks, x"
    assert drawn[2].customdata[1] == "1: 2.0"
    assert list(figure.layout.xaxis.ticktext)[-1] == "first<br>+last"


def test_iso_score_is_correlated_with_the_mean_over_tasks():
    few = correlation(["m"] * 5, [0.1, 0.2, 0.3, 0.4, 0.5], [1, 2, 3, 5, 4], "clustering, mean of 2")
    assert few.startswith(
        "No correlation shown of IsoScore with clustering, mean of 2: Pearson +0.90 (95 %: 0.09 to 0.99), "
        "Spearman +0.90 (95 %: −0.17 to 1.00) over 5"
    )
    scores, more = [1, 2, 3, 5, 4, 6, 7, 8], [i / 10 for i in range(1, 9)]
    said = correlation(["m"] * 8, more, scores, "clustering, mean of 2")
    assert said.startswith("IsoScore rises with clustering, mean of 2: Pearson +0.98 (95 %: ")
    (kind, _) = families(TASKS)

    class Place:
        def __init__(self, iso_score):
            self.iso_score, self.model, self.recipe = iso_score, "m", PLAIN

    results = by_layer().found
    means = {name: mean(results, name, kind.tasks) for name in ("A 0", "A 1", "A +")}
    places = {name: Place(i) for i, name in enumerate(means)}
    assert "too few recipes" in iso_over_tasks.finding(kind, places, means)
    table = iso_over_tasks.numbers(kind, places, means, results)
    assert table["mean"].tolist() == [50, 35, 51]
    assert table["one: clustering"].tolist() == [40, 30, 50]
