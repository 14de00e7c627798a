"""Tasks: recipes against tasks in one map, what is left out and why, and the link."""

import json

import pytest

from tests.core.helpers.texts import many
from tests.pages.reading import captions, errors, figures, headings, table_of


@pytest.fixture
def data(corpora, tmp_path) -> None:
    """Pairs called dogs, and labelled texts called films, with few rows."""
    texts = many(60)
    corpora(dogs=table_of([(texts[2 * i], texts[2 * i + 1], i % 5) for i in range(12)]))
    folder = tmp_path / "data" / "classification"
    folder.mkdir()
    rows = [
        f"{text}\t{'girl' if 'girl' in text else 'other'}\t{'test' if i % 3 == 0 else 'train'}"
        for i, text in enumerate(texts)
    ]
    (folder / "films.tsv").write_text("\n".join(["text\tlabel\tsplit", *rows]) + "\n", "utf-8")


TASKS = ["dogs: sts", "films: classification", "films: clustering(runs=3)"]


def cells(at):
    figure = json.loads(figures(at)[0])
    return figure["data"][0], [note["text"] for note in figure["layout"]["annotations"]]


def test_the_map_has_a_row_for_each_recipe_and_a_column_for_each_task(visit, small, data):
    at = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS)
    assert errors(at) == []
    heatmap, numbers = cells(at)
    assert len(numbers) == 6
    assert any(
        "mean rank of 2 recipes" in line or "share the best mean rank" in line for line in headings(at)
    )
    told = captions(at)
    assert "films: classification: accuracy × 100 of 20 rows, logistic regression, trained on train" in told
    assert "dogs: sts: spearman × 100 of 12 rows, untrained" in told
    assert heatmap["zmin"] == 0


def test_differences_are_from_the_chosen_recipe(visit, small, data):
    at = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS[:2])
    name = at.selectbox(key="from").options[1]
    at.selectbox(key="from").select(name).run()
    linked = visit("tasks", a=small, b=f"{small};pool=max", tasks=TASKS[:2], **{"from": name})
    for page in (at, linked):
        assert errors(page) == []
        _, numbers = cells(page)
        assert sum("<br>" in number for number in numbers) == 2


def test_pinned_recipes_are_rows_too(visit, small, data):
    at = visit("tasks", a=small, b="none", tasks=TASKS[1:2], pins=f"{small};pool=max")
    assert errors(at) == []
    assert len(cells(at)[1]) == 2


def test_what_cannot_be_scored_is_said_and_the_rest_stands(visit, small, data):
    at = visit(
        "tasks", a=small, b="none", tasks=["dogs: clustering", "dogs: sts", "nowhere: sts", "dogs: sst"]
    )
    assert errors(at) == []
    assert len(cells(at)[1]) == 1
    warned = " ".join(warning.value for warning in at.warning)
    assert "there is no corpus" in warned
    assert "Did you mean" in warned
    assert any("1 could not be scored" in expander.label for expander in at.expander)


def test_a_group_adds_its_tasks(visit, small, data):
    at = visit("tasks", a=small, b="none", tasks=TASKS[:1])
    assert not [button for button in at.button if button.key == "tasks.group.probing"]
    assert "tasks" in at.session_state
    assert at.session_state["tasks"] == TASKS[:1]
