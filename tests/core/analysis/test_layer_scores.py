"""Scores of layers and their pairs, beside the recipes that take these layers."""

from itertools import combinations

import numpy as np
import pytest

from core.analysis import layer_scores
from core.analysis.layer_scores import by_layer, by_pair, cells, is_closed, is_kept, with_layers
from core.corpus import Corpus
from core.embed import Road
from core.errors import CorpusError, RecipeError
from core.evaluation.sts import evaluate
from core.recipe import Recipe
from core.settings import Settings

LAYERS = (-1, 0, 1, 2, 3)
EVERY = [(i,) for i in LAYERS] + list(combinations(LAYERS, 2))
NAMES = ("static", "0", "1", "2", "3")

CLOSED = (
    *("", "layers=wk", "similarity=dot", "similarity=euclidean", "pool=sum", "pool=cls", "tokens=content"),
    *("weight=idf", "weight=sif", "weight=ditto(head=2)", "weight=variance", "template=T0"),
    *("weight=tfidf;tokens=unbiased;similarity=dot", "pool=dct(k=2)"),
)
OPEN = (
    *("similarity=manhattan", "similarity=spearman", "pool=max", "pool=gem", "weight=norm"),
    *("post=centre", "post=zscore+normalize", "layers=wk;post=abtt(d=1)"),
)


def alone(road: Road, recipe: Recipe, corpus: Corpus, cell: tuple[int, ...]) -> np.ndarray:
    """What the recipe that names these layers gives."""
    text = "+".join("static" if i < 0 else str(i) for i in cell)
    return road.similarities(recipe.replace(layers=text), corpus)[0]


@pytest.mark.parametrize("text", CLOSED)
def test_inner_products_are_enough_and_agree_with_the_road(text, bert, shared_road, scored):
    recipe = Recipe.parse(f"{bert};{text}")
    assert is_closed(recipe)
    found = list(layer_scores._by_products(shared_road, recipe, scored, EVERY, lambda step: None))
    assert len(found) == len(EVERY)
    for cell, values in zip(EVERY, found, strict=True):
        expected = alone(shared_road, recipe, scored, cell)
        scale = max(1.0, np.abs(expected).max()) if "dot" in text else 1.0
        np.testing.assert_allclose(values, expected, atol=1e-6 * scale, err_msg=str(cell))


@pytest.mark.parametrize("text", OPEN)
def test_what_inner_products_do_not_tell_walks_the_road(text, bert, shared_road, scored):
    recipe = Recipe.parse(f"{bert};{text}")
    assert not is_closed(recipe)
    grid = by_pair(shared_road, recipe, scored)
    for cell in ((-1,), (0, 3), (-1, 2)):
        score = evaluate(alone(shared_road, recipe, scored, cell), scored, intervals=False).spearman
        i, j = LAYERS.index(cell[0]), LAYERS.index(cell[-1])
        assert grid.spearman[i, j] == grid.spearman[j, i] == pytest.approx(score, abs=1e-9)


def test_mixing_walks_the_road():
    assert not is_closed(Recipe.parse("mix=averaged(w=0.5)"))


def test_layers_have_the_scores_and_intervals_of_their_recipes(bert, shared_road, scored):
    recipe = Recipe.parse(f"{bert};weight=idf")
    found = by_layer(shared_road, recipe, scored)
    assert found.layers == LAYERS
    for i, layer in enumerate(LAYERS):
        score = evaluate(alone(shared_road, recipe, scored, (layer,)), scored)
        assert found.spearman[i] == pytest.approx(score.spearman, abs=0.2)
        assert found.low[i] == pytest.approx(score.low, abs=0.5)
        assert found.high[i] == pytest.approx(score.high, abs=0.5)
    both = evaluate(alone(shared_road, recipe, scored, (1, 3)), scored)
    assert found.first_last == pytest.approx((both.spearman, both.low, both.high), abs=0.5)
    assert found.best == LAYERS[int(np.argmax(found.spearman))]


def test_the_grid_holds_every_pair_once_on_either_side(bert, shared_road, scored):
    recipe = Recipe.parse(bert)
    grid, line = by_pair(shared_road, recipe, scored), by_layer(shared_road, recipe, scored)
    assert np.isfinite(grid.spearman).all()
    np.testing.assert_array_equal(grid.spearman, grid.spearman.T)
    np.testing.assert_allclose(np.diag(grid.spearman), line.spearman, atol=1e-9)
    for i, j in combinations(range(5), 2):
        values = alone(shared_road, recipe, scored, (LAYERS[i], LAYERS[j]))
        assert grid.spearman[i, j] == pytest.approx(
            evaluate(values, scored, intervals=False).spearman, abs=0.05
        )
    i, j = (LAYERS.index(grid.best[k]) for k in (0, -1))
    assert grid.spearman[i, j] == grid.spearman.max()


def test_the_aggregate_is_heeded(bert, shared_road, scored):
    recipe = Recipe.parse(bert)
    grids = [by_pair(shared_road, recipe, scored, aggregate).spearman for aggregate in ("all", "mean")]
    assert not np.allclose(*grids)
    expected = evaluate(alone(shared_road, recipe, scored, (2,)), scored, "mean", intervals=False)
    assert grids[1][3, 3] == pytest.approx(expected.spearman, abs=0.05)


@pytest.mark.parametrize("text", ["", "pool=max", "post=centre"])
def test_static_rows_of_another_width_stand_alone(text, model, shared_road, scored):
    recipe = Recipe.parse(f"source={model('electra')};{text}")
    grid = by_pair(shared_road, recipe, scored).spearman
    assert np.isfinite(grid[0, 0])
    assert np.isnan(grid[0, 1:]).all()
    assert np.isfinite(grid[1:, 1:]).all()
    expected = evaluate(alone(shared_road, recipe, scored, (-1,)), scored, intervals=False).spearman
    assert grid[0, 0] == pytest.approx(expected, abs=0.05)
    assert by_layer(shared_road, recipe, scored).spearman[0] == pytest.approx(expected, abs=0.05)


def test_cls_of_layer_0_is_constant_and_has_no_score(bert, shared_road, scored):
    recipe = Recipe.parse(f"{bert};pool=cls")
    line, grid = by_layer(shared_road, recipe, scored), by_pair(shared_road, recipe, scored)
    assert np.isnan(line.spearman[:2]).all()
    assert np.isnan(grid.spearman[:2, :2]).all()
    assert np.isfinite(grid.spearman[2:, 2:]).all()
    assert line.best in (1, 2, 3)


def test_one_reading_serves_all_layers(bert, settings, scored, monkeypatch):
    road = Road(settings)
    read = []
    monkeypatch.setattr(
        layer_scores, "is_closed", lambda recipe, known=is_closed: read.append(1) or known(recipe)
    )
    from core.reading import Reading

    pool = Reading.pool
    monkeypatch.setattr(Reading, "pool", lambda *args: read.append(args[2]) or pool(*args))
    by_layer(road, Recipe.parse(bert), scored)
    by_pair(road, Recipe.parse(bert), scored)
    assert [groups for groups in read if groups != 1] == [[(0,), (1,), (2,), (3,)], [(-1,)]]


def test_a_pass_that_is_not_kept_gives_the_same(bert, shared_road, scored, tmp_path):
    road = Road(Settings(cache=tmp_path, budget_bytes=0))
    found = by_pair(road, Recipe.parse(bert), scored)
    np.testing.assert_allclose(
        found.spearman, by_pair(shared_road, Recipe.parse(bert), scored).spearman, atol=0.05
    )


def test_scores_are_kept_for_what_they_depend_on(bert, settings, scored, monkeypatch):
    recipe = Recipe.parse(bert)
    road = Road(settings)
    assert not is_kept(road, recipe, scored)
    first = by_layer(road, recipe, scored)
    assert not is_kept(road, recipe, scored)
    by_pair(road, recipe, scored)
    again = Road(settings)
    assert is_kept(again, recipe, scored)
    assert is_kept(again, recipe.replace(layers="2"), scored), "the recipe's own layers do not matter"
    assert not is_kept(again, recipe.replace(weight="idf"), scored)
    assert not is_kept(again, recipe.replace(template="T0"), scored)
    assert not is_kept(again, recipe, scored, "mean")
    monkeypatch.setattr(again.passes, "get", None)
    np.testing.assert_array_equal(by_layer(again, recipe, scored).low, first.low)


def test_layers_are_written_as_recipes_write_them():
    recipe = Recipe.parse("layers=wk(start=0);pool=sum")
    for cell, text in (((-1,), "static"), ((3, 1), "1+3"), ((2, 2), "2"), ((0, -1), "static+0")):
        assert with_layers(recipe, cell) == recipe.replace(layers=text)
    assert cells(3) == 6


@pytest.mark.parametrize("score", [by_layer, by_pair])
def test_what_cannot_be_scored_says_so(score, bert, shared_road, scored):
    with pytest.raises(CorpusError, match="no scored pairs"):
        score(shared_road, Recipe.parse(bert), Corpus.of_texts("t", ["a", "b"]))
    with pytest.raises(RecipeError, match="no layers to compare"):
        score(shared_road, Recipe.parse("source=random"), scored)
    with pytest.raises(RecipeError, match="head"):
        score(shared_road, Recipe.parse(f"{bert};weight=ditto(head=99)"), scored)
