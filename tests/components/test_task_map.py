"""The map of recipes against tasks: colours by column, ranks, the headline, and frames."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from components.exports import meanings
from components.figures.tasks import TaskTable, shares, task_map
from components.tasks.choice import ChosenTask
from components.tasks.page import FEW_ROWS, Results, few, protocols
from components.tasks.sets import different
from components.tasks.task_map import COLOURS, finding, hint, lead, numbers
from components.theme import LIGHT
from core.corpora.corpus import Corpus
from core.evaluation.ranks import mean_ranks
from core.evaluation.tasks.running import TaskScored
from core.evaluation.tasks.task import TaskResult, no_samples
from core.recipe import Recipe
from core.recipe.options import Choice

NAN = float("nan")
VALUES = np.array([[50.0, 80.0, NAN], [60.0, 80.0, 20.0], [70.0, 70.0, NAN]])


def test_each_column_has_its_own_scale():
    expected = np.array([[0, 1, NAN], [0.5, 1, 0.5], [1, 0, NAN]])
    assert shares(VALUES, np.zeros(3)) == pytest.approx(expected, nan_ok=True)


def test_colours_make_no_more_of_a_difference_than_its_interval():
    values = np.array([[70.8, 46.0, 50.0], [71.7, 49.4, 50.0]])
    found = shares(values, np.array([3.6, 2.0, 4.0]))
    assert np.isnan(shares(np.full((2, 1), NAN), np.zeros(1))).all(), "nothing is there yet"
    assert found == pytest.approx(np.array([[0.375, 0.0, 0.5], [0.625, 1.0, 0.5]]))


def test_ranks_are_over_the_tasks_that_all_recipes_have():
    assert mean_ranks(VALUES).tolist() == [2.25, 1.75, 2.0]
    assert np.isnan(mean_ranks(VALUES[:, 2:])).all()


def test_the_headline_names_the_best_mean_rank_or_that_it_is_shared():
    names = ["one", "two", "three"]
    assert finding(names, VALUES) == "two has the best mean rank of 3 recipes over 2 of 3 tasks: 1.75"
    assert finding(names[:2], np.array([[1.0, 2.0], [2.0, 1.0]])) == (
        "2 of 2 recipes share the best mean rank over 2 tasks: 1.5"
    )
    assert finding(names[:1], VALUES[:1]).startswith("Main values × 100 of 1 recipe,")


def results(*tasks):
    """What two recipes have on tasks: a value of each, and how far resamples of the second one reach."""
    chosen = [SimpleNamespace(text=f"task {i}") for i in range(len(tasks))]
    cells = {}
    for task, (one, two, reach) in zip(chosen, tasks, strict=True):
        cells["one", task.text] = scored(Recipe(), one, one, one)
        cells["two", task.text] = scored(Recipe(), two, two - reach, two + reach)
    found = SimpleNamespace(recipes={"one": Recipe(), "two": Recipe()}, tasks=chosen, scored=cells)
    return found, np.array([each[:2] for each in tasks]).T


def test_a_lead_counts_the_tasks_whose_paired_interval_leaves_0_out():
    assert lead(*results((50.0, 53.0, 2.0), (50.0, 51.0, 2.0), (50.0, 49.0, 0.5))) == (
        "; shown above the next one, one on 1 and below it on 1 of 3 tasks"
    )
    assert lead(*results((50.0, 53.0, 2.0), (50.0, 51.0, 2.0))) == (
        "; shown above the next one, one on 1 of 2 tasks"
    )
    apart = (50.0, 50.2, 2.0), (50.0, 50.2, 2.0), (69.0, 60.0, 0.5)
    assert lead(*results(*apart)) == "; shown below the next one, one on 1 of 3 tasks", (
        "which is a difference"
    )
    assert lead(*results((50.0, 51.0, 2.0))) == "; no difference from the next one, one shown"
    assert lead(*results((50.0, 51.0, 0.1), (50.0, 49.0, 0.1))) == "", "they share the best rank"


def framed(figure) -> set[tuple[int, int]]:
    return {(round((s.x0 + s.x1) / 2), round((s.y0 + s.y1) / 2)) for s in figure.layout.shapes}


def test_the_best_of_a_column_with_several_values_has_a_frame():
    hovers = marks = [[""] * 3] * 3
    values = np.where(VALUES == 50, -0.5, VALUES)
    names, tasks = ["<b>", "two", "three"], ["a: sts", "b", "c"]
    figure = task_map(TaskTable(names, tasks, values, values, np.zeros(3), hovers, marks), LIGHT)
    assert framed(figure) == {(0, 2), (1, 0), (1, 1)}
    ranked = np.where([True, False, True], values, np.nan)
    without = task_map(TaskTable(names, tasks, values, ranked, np.zeros(3), hovers, marks), LIGHT)
    assert framed(without) == {(0, 2)}, "of b a higher value is no better one"
    notes = [note.text for note in figure.layout.annotations]
    assert notes.count("20.0") == 1
    assert "−0.5" in notes, "a correlation may be below 0"
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;"


def test_a_column_that_spans_less_than_the_colours_is_said_to():
    values = np.array([[70.8], [71.7]])
    figure = task_map(
        TaskTable(["one", "two"], ["a"], values, values, np.array([3.6]), [[""]] * 2, [[""]] * 2), LIGHT
    )
    assert figure.data[0].colorbar.ticktext == ("lower", "higher"), "neither is low nor high"
    assert COLOURS in hint(None)


def test_long_names_take_two_lines_and_stay_apart():
    start = "first+last, template “This sentence means”, idf, "
    table = TaskTable(
        [f"{start}z-score", f"{start}whitening k=128", "plain"],
        ["one"],
        np.arange(3.0)[:, None],
        np.arange(3.0)[:, None],
        np.zeros(1),
        [[""]] * 3,
        [[""]] * 3,
    )
    one, other, plain = task_map(table, LIGHT).layout.yaxis.ticktext
    assert one.endswith("idf, z-score")
    assert other != one
    assert [text.count("<br>") for text in (one, other, plain)] == [1, 1, 0]


def scored(recipe, value, low, high):
    """A result whose resamples lie evenly between two ends."""
    about = {"model": "m", "revision": "r", "fingerprint": "f"}
    result = TaskResult("accuracy", value, lambda: np.linspace(low, high, 1001), "", (), 20)
    return TaskScored(recipe, Choice("classification"), about, result, 0.0, 0.0)


def test_the_table_has_the_differences_that_are_drawn_with_their_intervals_and_says_what_they_are():
    recipes = {"A, plain": Recipe(), "B, max": Recipe.parse("pool=max"), "sum": Recipe.parse("pool=sum")}
    cells = {
        ("A, plain", "films: classification"): scored(recipes["A, plain"], 70.0, 60.0, 80.0),
        ("B, max", "films: classification"): scored(recipes["B, max"], 73.4, 64.0, 84.0),
    }
    task = ChosenTask("films: classification", "films", Choice("classification"))
    found = Results(recipes, [task], {}, cells, {})
    values = np.array([[70.0], [73.4], [NAN]])
    table = numbers(found, values, "A, plain")
    column = "films: classification, difference from A, plain"
    assert table.columns[-4:].tolist() == [column, f"{column}, low", f"{column}, high", "text"]
    assert table.loc[1, column : f"{column}, high"].tolist() == [3.4, 4.0, 4.0]
    assert table.loc[[0, 2], column : f"{column}, high"].isna().all(axis=None), (
        "the base itself, and no value"
    )
    (told,) = meanings.lines("tasks.map", list(table.columns))
    assert told.startswith("difference from A, plain: the recipe's value less that of A, plain on the same")
    plain = numbers(found, values, None)
    assert not [name for name in plain.columns if "difference" in name]
    assert meanings.lines("tasks.map", list(plain.columns)) == []


def test_protocols_that_differ_are_said_by_their_recipes():
    trained = "trained on train; C from 0.25 to 8 chosen on dev: "
    assert protocols({"A": f"{trained}8", "B": f"{trained}8"}) == f"{trained}8"
    assert protocols({"A": f"{trained}8; CCR learnt", "B": f"{trained}2", "plain": f"{trained}2"}) == (
        "trained on train; C from 0.25 to 8 chosen on dev: 8; CCR learnt (A); "
        "C from 0.25 to 8 chosen on dev: 2 (B and plain)"
    )
    assert protocols({"A": "untrained; CCR learnt", "B": "untrained"}) == "untrained; CCR learnt (A)"


def test_few_rows_are_told_with_how_wide_an_interval_is():
    recipes = {"A": Recipe(), "B": Recipe.parse("pool=max")}
    task = ChosenTask("films: classification", "films", Choice("classification"))
    cells = {("A", task.text): scored(Recipe(), 70.0, 60.0, 80.0)}
    cells["B", task.text] = scored(recipes["B"], 70.0, 40.0, 80.0)
    (told,) = few(Results(recipes, [task], {}, cells, {}))
    assert told == (
        "films: classification: 20 rows are few, an interval is up to 38.0 wide; in the mean rank the task "
        "counts as the others do."
    )
    (alone,) = few(Results({"A": Recipe()}, [task], {}, cells, {}))
    assert "mean rank" not in alone
    many = {cell: replace(one, result=replace(one.result, n=FEW_ROWS)) for cell, one in cells.items()}
    assert few(Results(recipes, [task], {}, many, {})) == []


@pytest.mark.parametrize("n", [20, 200])
def test_a_value_that_never_has_an_interval_is_not_told_to_be_of_few_rows(n):
    task = ChosenTask("films: isotropy(metric=isoscore)", "films", Choice("isotropy"))
    one = scored(Recipe(), 70.0, 60.0, 80.0)
    one = replace(one, result=replace(one.result, resample=no_samples, n=n))
    assert few(Results({"A": Recipe()}, [task], {}, {("A", task.text): one}, {})) == []


def test_the_same_texts_with_other_labels_are_a_set_of_their_own():
    """One of the two had no rows in the table of sets."""
    texts = [f"text {i}" for i in range(4)]
    first, second = (Corpus.of_labelled("texts", texts, labels) for labels in ("aabb", "abab"))
    assert different([first, second, first]) == [first, second]
