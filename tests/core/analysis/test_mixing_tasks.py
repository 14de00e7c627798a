"""Shares and layers on any task: every cell is what the task says of its recipe, and is kept."""

import numpy as np
import pytest

from core.analysis import mixing_tasks
from core.analysis.mixing import mixed
from core.analysis.mixing_tasks import gain, is_kept, shares, task_mixture
from core.corpora.corpus import Corpus
from core.evaluation.tasks import TASK
from core.evaluation.tasks.running import difference, run_task
from core.pipeline.engine import Engine
from core.progress import Step
from core.recipe import Recipe
from core.settings import Settings
from tests.core.helpers.texts import many


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory) -> Engine:
    return Engine(Settings(cache=tmp_path_factory.mktemp("mixed")))


@pytest.fixture(scope="module")
def films() -> Corpus:
    texts = many(60)
    split = ["test" if i % 3 == 0 else "train" for i in range(60)]
    return Corpus.of_labelled(
        "films", texts, ["girl" if "girl" in t else "other" for t in texts], split=split
    )


def test_both_best_shares_of_the_paper_are_on_the_coarse_and_the_fine_grid():
    for step, count in zip(mixing_tasks.STEPS, (11, 26, 51), strict=True):
        assert len(shares(step)) == count
        assert (shares(step)[0], shares(step)[-1]) == (-1.0, 1.5)
        assert 0.0 in shares(step)
    assert {-0.25, -0.75} <= set(shares(0.25)) & set(shares(0.05))


@pytest.mark.parametrize("task", ["classification", "clustering(runs=2)"])
def test_every_cell_is_the_task_s_value_of_its_recipe(
    own_engine, bert, films, texts_file, task, monkeypatch
):
    recipe, chosen = Recipe.parse(f'{bert};reference="{texts_file}"'), TASK.parse(task)
    monkeypatch.setattr(mixing_tasks, "shares", lambda step: (-0.25, 0.0, 1.0))
    assert not is_kept(own_engine, recipe, films, chosen, 0.25)
    told: list[Step] = []
    found = task_mixture(own_engine, recipe, films, chosen, 0.25, told.append)
    cells = [step for step in told if step.what == "Scoring shares and layers"]
    assert told[told.index(cells[1]) :] == cells[1:], "the first cell reads, the others are counted"
    assert [step.finished for step in cells] == sorted(step.finished for step in cells)
    assert {step.total for step in cells} == {3 * len(found.layers)}
    assert is_kept(own_engine, recipe, films, chosen, 0.25)
    assert found.scores.shape == (3, len(found.layers))
    for share, layers in ((-0.25, "0"), (0.0, "1"), (1.0, "first+last")):
        one = run_task(own_engine, mixed(recipe, share, layers), films, chosen).result
        assert found.at(share, layers) == one.value
    plain = run_task(own_engine, recipe.replace(layers="1", mix="none"), films, chosen).result
    assert found.at(0.0, "1") == pytest.approx(plain.value)
    monkeypatch.setattr(mixing_tasks, "run_task", None)
    again = task_mixture(own_engine, recipe, films, chosen, 0.25)
    np.testing.assert_array_equal(again.scores, found.scores)
    assert again.metrics == found.metrics == ("accuracy",)


def test_the_gain_is_paired_over_the_mean_of_tasks(own_engine, bert, films, texts_file):
    recipe, chosen = Recipe.parse(f'{bert};reference="{texts_file}"'), TASK.parse("classification")
    cells = (0.5, "1"), (0.0, "0")
    one = gain(own_engine, recipe, [(films, chosen)], *cells)
    results = [run_task(own_engine, mixed(recipe, *cell), films, chosen).result for cell in cells]
    assert one.value == pytest.approx(results[0].value - results[1].value)
    expected = difference(results[1], results[0])
    assert (one.low, one.high) == pytest.approx((expected.low, expected.high))


def test_a_map_can_be_stopped_while_texts_are_read(bert, films, texts_file, tmp_path):
    engine, told = Engine(Settings(cache=tmp_path / "cache", shipped=None)), []

    def stop(step):
        told.append(step.what)
        if step.what.startswith("Reading sentences"):
            raise KeyboardInterrupt

    recipe, chosen = Recipe.parse(f'{bert};reference="{texts_file}"'), TASK.parse("classification")
    with pytest.raises(KeyboardInterrupt):
        task_mixture(engine, recipe, films, chosen, 0.25, stop)
    assert told[0] == "Scoring shares and layers"
