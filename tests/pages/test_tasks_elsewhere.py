"""Tasks on Layers, Mixing and Geometry: curves, maps and correlations beside those of similarity."""

import json
import re

import pytest

from core.analysis import mixing_tasks
from core.recipe import Recipe
from tests.pages.reading import captions, charts, click_point, errors, headings, plain, told

TASKS = ["dogs: sts", "films: classification", "films: clustering(runs=2)"]


def test_layers_shows_every_task_by_layer_for_several_recipes(visit, small, data):
    at = visit(
        "layers", corpus="dogs", a=small, b=f"{small};pool=max", tasks=TASKS, **{"layers.tasks": "true"}
    )
    assert errors(at) == []
    best = (
        r"Highest main values × 100 of A, .*: sts [−\d.]+ at (layer \d|first\+last).*"
        r"classification [−\d.]+ at"
    )
    assert any(re.match(best, line) for line in headings(at)), headings(at)
    told = captions(at)
    assert "films: classification: accuracy × 100 of 20 rows" in told
    assert "B, max" in told.replace("max pooling", "max") or "pool=max" in told
    closed = visit("layers", corpus="dogs", a=small, b="none", tasks=TASKS)
    assert "films: classification" not in captions(closed)


def task_map(at):
    return next(chart for chart in charts(at) if chart.key == "mixing.tasks")


def test_mixing_maps_a_task_and_offers_the_cell_that_is_clicked(visit, small, data, monkeypatch):
    monkeypatch.setattr(mixing_tasks, "shares", lambda step: (-0.25, 0.0))
    asked = {"mixed.tasks": "true", "mixed.task": TASKS[1], "mixed.step": "0.05"}
    at = visit("mixing", corpus="dogs", a=small, tasks=TASKS[:2], **asked)
    assert errors(at) == []
    assert at.session_state["mixed.step"] == "0.05"
    assert "films: classification: accuracy × 100 of 20 rows · " in captions(at)
    (found,) = (line for line in headings(at) if "films: classification" in line)
    at_best = r"accuracy × 100 = [\d.]+ at w = (0, the highest|−0\.25, the lowest) tried, .*films: classif"
    assert re.search(at_best, found)
    assert json.loads(task_map(at).spec)["data"][0]["colorbar"]["title"]["text"] == "accuracy × 100"
    row, share = (0, "-0.25") if at.session_state["mixed.w"] == "0" else (1, "0")
    click_point(at, "mixing.tasks", x=2, y=row)
    assert errors(at) == []
    assert (at.query_params["mixed.w"], at.query_params["mixed.layers"]) == (share, "2")
    frame = json.loads(task_map(at).spec)["layout"]["shapes"][0]
    assert (frame["x0"], frame["y0"]) == (1.5, row - 0.5)
    button = next(button for button in at.button if button.key == "mixed.take.b")
    assert plain(button.label) == f"Take as recipe B: w = {share.replace('-', '−')}, layer 2"
    button.click().run()
    taken = Recipe.parse(at.session_state["b"]).spelled()
    assert taken["layers"] == "2"
    assert taken["mix"].startswith(f"averaged(w={share}")
    at.selectbox(key="mixed.task").select("mean of 2 tasks").run()
    assert errors(at) == []
    (found,) = (line for line in headings(at) if "mean of 2 tasks" in line)
    assert "mean of Spearman and accuracy × 100 = " in found
    best = at.session_state["mixed.w"].replace("-", "−")
    assert f" at w = {best}, the " in found, "another map begins with its best cell"


def test_geometry_sets_isoscore_against_the_mean_of_each_kind(visit, small, data):
    asked = {"isotropy.tasks": "true", "tasks": TASKS[:2]}
    at = visit("geometry", corpus="dogs", a=small, b="none", **asked)
    assert errors(at) == []
    found = [line for line in headings(at) if "IsoScore" in line]
    assert any("dogs: sts" in line for line in found)
    assert any("films: classification" in line for line in found)
    assert "films: classification: accuracy × 100 of 20 rows" in captions(at)


@pytest.mark.parametrize(
    ("page", "section", "started"),
    [
        ("layers", "layers.tasks", "layers.tasks.work.start"),
        ("geometry", "isotropy.tasks", "isotropy.tasks.work.start"),
        ("mixing", "mixed.tasks", "mixed.tasks.work.start"),
    ],
)
def test_every_section_asks_before_work_of_ten_seconds(
    visit, small, data, monkeypatch, page, section, started
):
    monkeypatch.setattr(mixing_tasks, "shares", lambda step: (-0.25, 0.0))
    seconds = 1.0 if page == "mixing" else 3.0  # for each of about a dozen, or of half a dozen recipes
    monkeypatch.setattr("components.works.learning_seconds", lambda task, corpus, columns: seconds)
    at = visit(
        page,
        corpus="dogs",
        a=small,
        b="none",
        tasks=["films: classification(folds=6)"],
        **{section: "true"},
    )
    assert errors(at) == []
    assert re.search(r" take \d0 to \d0 seconds", told(at))
    assert started in [button.key for button in at.button]
    assert "films: classification(folds=6): accuracy" not in captions(at)
