"""Scores of layers and their pairs, beside the recipes that take these layers."""

from dataclasses import astuple, replace
from itertools import combinations

import numpy as np
import pytest

from core.analysis import inner_products
from core.analysis.layers.layer_scores import best_of_each, by_layer, by_pair, cells, difference_at, is_kept
from core.analysis.layers.layer_similarities import similarities, with_layers
from core.corpora.corpus import Corpus
from core.errors import CorpusError, RecipeError
from core.evaluation.sts import compare, evaluate
from core.pipeline import token_stages
from core.pipeline.engine import Engine
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


def alone(engine: Engine, recipe: Recipe, corpus: Corpus, cell: tuple[int, ...]) -> np.ndarray:
    """What the recipe that names these layers gives."""
    text = "+".join("static" if i < 0 else str(i) for i in cell)
    return engine.similarities(recipe.replace(layers=text), corpus)[0]


@pytest.mark.parametrize("text", CLOSED)
def test_inner_products_suffice_and_agree_with_the_engine(text, bert, shared_engine, scored):
    recipe = Recipe.parse(f"{bert};{text}")
    assert inner_products.suffice_for(recipe)
    expected = [alone(shared_engine, recipe, scored, cell) for cell in EVERY]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "similarities", None)
        rows = list(similarities(shared_engine, recipe, scored, EVERY))
    for cell, values, of_recipe in zip(EVERY, rows, expected, strict=True):
        scale = max(1.0, np.abs(of_recipe).max()) if "dot" in text else 1.0
        np.testing.assert_allclose(values, of_recipe, atol=1e-6 * scale, err_msg=str(cell))


@pytest.mark.parametrize("text", OPEN)
def test_the_engine_runs_what_inner_products_do_not_determine(text, bert, shared_engine, scored):
    recipe = Recipe.parse(f"{bert};{text}")
    assert not inner_products.suffice_for(recipe)
    grid = by_pair(shared_engine, recipe, scored)
    for cell in ((-1,), (0, 3), (-1, 2)):
        score = evaluate(alone(shared_engine, recipe, scored, cell), scored, intervals=False).spearman
        i, j = LAYERS.index(cell[0]), LAYERS.index(cell[-1])
        assert grid.spearman[i, j] == grid.spearman[j, i] == pytest.approx(score, abs=1e-9)


def test_inner_products_do_not_suffice_for_a_mix():
    assert not inner_products.suffice_for(Recipe.parse("mix=averaged(w=0.5)"))


def test_layers_have_the_scores_and_intervals_of_their_recipes(bert, shared_engine, scored):
    recipe = Recipe.parse(f"{bert};weight=idf")
    found = by_layer(shared_engine, recipe, scored)
    assert found.layers == LAYERS
    for i, layer in enumerate(LAYERS):
        score = evaluate(alone(shared_engine, recipe, scored, (layer,)), scored)
        assert found.spearman[i] == pytest.approx(score.spearman, abs=0.2)
        assert found.low[i] == pytest.approx(score.low, abs=0.5)
        assert found.high[i] == pytest.approx(score.high, abs=0.5)
    both = evaluate(alone(shared_engine, recipe, scored, (1, 3)), scored)
    assert found.first_last == pytest.approx((both.spearman, both.low, both.high), abs=0.5)
    assert found.best == LAYERS[int(np.argmax(found.spearman))]


def test_the_grid_holds_every_pair_once_on_either_side(bert, shared_engine, scored):
    recipe = Recipe.parse(bert)
    grid, line = by_pair(shared_engine, recipe, scored), by_layer(shared_engine, recipe, scored)
    np.testing.assert_array_equal(grid.spearman, grid.spearman.T)
    np.testing.assert_allclose(np.diag(grid.spearman), line.spearman, atol=1e-9)
    for i, j in combinations(range(5), 2):
        values = alone(shared_engine, recipe, scored, (LAYERS[i], LAYERS[j]))
        assert grid.spearman[i, j] == pytest.approx(
            evaluate(values, scored, intervals=False).spearman, abs=0.05
        )
    i, j = (LAYERS.index(grid.best[k]) for k in (0, -1))
    assert grid.spearman[i, j] == grid.spearman.max()


def test_differences_are_paired_with_the_best(bert, shared_engine, scored):
    recipe = Recipe.parse(bert)
    line, grid = by_layer(shared_engine, recipe, scored), by_pair(shared_engine, recipe, scored)
    cells_ = [(i,) for i in LAYERS] + [(1, 3)]
    rows = [alone(shared_engine, recipe, scored, cell) for cell in cells_]
    scores = [*line.spearman, line.first_last[0]]
    best = rows[int(np.argmax(scores))]
    for row, difference in zip(rows, line.differences, strict=True):
        assert astuple(difference) == pytest.approx(astuple(compare(row, best, scored)), abs=0.5)
    pair, single = (
        alone(shared_engine, recipe, scored, cell) for cell in (grid.best_pair, (grid.best_alone,))
    )
    assert astuple(grid.gain) == pytest.approx(astuple(compare(single, pair, scored)), abs=0.5)
    assert grid.gain.value == pytest.approx(grid.at(grid.best_pair) - grid.at((grid.best_alone,)))
    assert grid.at(grid.best) == grid.spearman.max()
    assert len(grid.best_pair) == 2


def test_two_recipes_are_compared_on_the_same_resamples(bert, shared_engine, scored):
    a, b = Recipe.parse(bert), Recipe.parse(f"{bert};weight=idf;similarity=euclidean")
    of_a, of_b = (by_layer(shared_engine, recipe, scored) for recipe in (a, b))
    rows_a, rows_b = (
        [alone(shared_engine, recipe, scored, cell) for cell in of_a.places] for recipe in (a, b)
    )
    for i, (x, y) in enumerate(zip(rows_a, rows_b, strict=True)):
        found = difference_at(of_a, i, of_b, i)
        assert astuple(found) == pytest.approx(astuple(compare(x, y, scored)), abs=0.5)
    i, j = np.argmax(of_a.scores), np.argmax(of_b.scores)
    expected = compare(rows_a[i], rows_b[j], scored)
    assert astuple(best_of_each(of_a, of_b)) == pytest.approx(astuple(expected), abs=0.5)
    opposite = best_of_each(of_b, of_a)
    assert opposite.value == -best_of_each(of_a, of_b).value


def test_a_side_without_scores_has_no_difference(bert, shared_engine, scored):
    found = by_layer(shared_engine, Recipe.parse(bert), scored)
    nothing = replace(found, spearman=np.full(5, np.nan), first_last=(np.nan,) * 3)
    assert not best_of_each(found, nothing).known
    assert not best_of_each(nothing, found).known


def test_the_aggregate_is_heeded(bert, shared_engine, scored):
    recipe = Recipe.parse(bert)
    grids = [by_pair(shared_engine, recipe, scored, aggregate).spearman for aggregate in ("all", "mean")]
    assert not np.allclose(*grids)
    expected = evaluate(alone(shared_engine, recipe, scored, (2,)), scored, "mean", intervals=False)
    assert grids[1][3, 3] == pytest.approx(expected.spearman, abs=0.05)


def test_the_gain_of_a_mean_is_over_the_subsets_that_both_have(bert, settings, scored, monkeypatch):
    """The best layer alone has no correlation in a subset, in which the best pair has its worst."""
    random = np.random.default_rng(0)
    poor = np.array(scored.subset) == scored.subset[0]
    alone, together = (scored.gold + random.normal(size=len(scored)) for _ in range(2))
    alone[poor], together[poor] = 0.5, -scored.gold[poor]

    def crafted(engine, recipe, corpus, cells, progress):
        return [alone if len(cell) == 1 else together for cell in cells]

    monkeypatch.setattr("core.analysis.layers.layer_scores.similarities", crafted)
    gain = by_pair(Engine(settings), Recipe.parse(bert), scored, "mean").gain
    assert gain == compare(alone, together, scored, "mean")
    assert abs(gain.value) < 30


@pytest.mark.parametrize("text", ["", "pool=max", "post=centre"])
def test_static_rows_of_another_width_stand_alone(text, model, shared_engine, scored):
    recipe = Recipe.parse(f"source={model('electra')};{text}")
    grid = by_pair(shared_engine, recipe, scored).spearman
    assert np.isnan(grid[0, 1:]).all()
    for i in range(1, len(grid)):
        expected = evaluate(
            alone(shared_engine, recipe, scored, (i - 1,)), scored, intervals=False
        ).spearman
        assert grid[i, i] == pytest.approx(expected, abs=0.05)
    both = evaluate(alone(shared_engine, recipe, scored, (0, 2)), scored, intervals=False).spearman
    assert grid[1, 3] == pytest.approx(both, abs=0.05)
    assert np.isfinite(grid[1:, 1:]).all()
    expected = evaluate(alone(shared_engine, recipe, scored, (-1,)), scored, intervals=False).spearman
    assert grid[0, 0] == pytest.approx(expected, abs=0.05)
    assert by_layer(shared_engine, recipe, scored).spearman[0] == pytest.approx(expected, abs=0.05)


def test_cls_of_layer_0_is_constant_and_has_no_score(bert, shared_engine, scored):
    recipe = Recipe.parse(f"{bert};pool=cls")
    line, grid = by_layer(shared_engine, recipe, scored), by_pair(shared_engine, recipe, scored)
    assert np.isnan(line.spearman[:2]).all()
    assert np.isnan(grid.spearman[:2, :2]).all()
    expected = [
        evaluate(alone(shared_engine, recipe, scored, (i,)), scored, intervals=False).spearman
        for i in (1, 2, 3)
    ]
    np.testing.assert_allclose(line.spearman[2:], expected, atol=0.05)
    np.testing.assert_allclose(np.diagonal(grid.spearman)[2:], expected, atol=0.05)
    assert np.isfinite(grid.spearman[2:, 2:]).all()
    assert line.best in (1, 2, 3)


def test_one_reading_serves_all_layers(bert, settings, scored, monkeypatch):
    engine = Engine(settings)
    pooled = []
    pool = token_stages.pool_groups
    monkeypatch.setattr(token_stages, "pool_groups", lambda *args: pooled.append(args[2]) or pool(*args))
    by_layer(engine, Recipe.parse(bert), scored)
    by_pair(engine, Recipe.parse(bert), scored)
    assert pooled == [[(-1,), (0,), (1,), (2,), (3,)]]


def test_a_pass_that_is_not_kept_gives_the_same(bert, shared_engine, scored, tmp_path):
    engine = Engine(Settings(cache=tmp_path, budget_bytes=0))
    found = by_pair(engine, Recipe.parse(bert), scored)
    np.testing.assert_allclose(
        found.spearman, by_pair(shared_engine, Recipe.parse(bert), scored).spearman, atol=0.05
    )


def test_scores_are_kept_for_what_they_depend_on(bert, settings, scored, monkeypatch):
    recipe = Recipe.parse(bert)
    engine = Engine(settings)
    assert not is_kept(engine, recipe, scored)
    first = by_layer(engine, recipe, scored)
    assert not is_kept(engine, recipe, scored)
    assert is_kept(engine, recipe, scored, pairs=False)
    by_pair(engine, recipe, scored)
    again = Engine(settings)
    assert is_kept(again, recipe, scored)
    assert is_kept(again, recipe.replace(layers="2"), scored), "the recipe's own layers do not matter"
    assert not is_kept(again, recipe.replace(weight="idf"), scored)
    assert not is_kept(again, recipe.replace(template="T0"), scored)
    assert not is_kept(again, recipe, scored, "mean")
    monkeypatch.setattr(again.passes, "get", None)
    np.testing.assert_array_equal(by_layer(again, recipe, scored).low, first.low)
    np.testing.assert_array_equal(by_layer(again, recipe, scored).samples, first.samples)


def test_layers_have_the_text_of_recipes():
    recipe = Recipe.parse("layers=wk(start=0);pool=sum")
    for cell, text in (((-1,), "static"), ((3, 1), "1+3"), ((2, 2), "2"), ((0, -1), "static+0")):
        assert with_layers(recipe, cell) == recipe.replace(layers=text)
    assert cells(3) == 6


@pytest.mark.parametrize("score", [by_layer, by_pair])
def test_what_cannot_be_scored_says_so(score, bert, shared_engine, scored):
    with pytest.raises(CorpusError, match="no scored pairs"):
        score(shared_engine, Recipe.parse(bert), Corpus.of_texts("t", ["a", "b"]))
    with pytest.raises(RecipeError, match="no layers to compare"):
        score(shared_engine, Recipe.parse("source=random"), scored)
    with pytest.raises(RecipeError, match="head"):
        score(shared_engine, Recipe.parse(f"{bert};weight=ditto(head=99)"), scored)
