"""Scores that another hand computed on the test set of STS-B: all tokens, cosine, target statistics."""

import numpy as np
import pytest

from core.embed import Road
from core.evaluation.sts import evaluate
from core.recipe import Recipe
from core.settings import Settings

pytestmark = [pytest.mark.data, pytest.mark.slow]

RECIPES = (
    "layers=last",
    "layers=first+last",
    "layers=0+last",
    "layers=0+last;post=zscore",
    "layers=0+last;post=whiten",
    "layers=0+last;weight=idf",
    "layers=0+last;weight=idf;post=zscore",
)
BUNDLED = (82.0, 81.5, 82.4, 81.9, 77.9, 80.2, 79.8)
MASKED = (43.2, 50.9, 53.2, 63.7, 71.0, 70.5, 70.0)
LAYERS = {
    "bundled": (55.6, 56.7, 56.1, 55.9, 59.6, 66.5, 82.0),
    "masked": (54.7, 50.6, 47.6, 45.7, 46.4, 53.5, 43.2),
}
HEADS = {"bundled": ("L1-H9", 80.6, 74.6), "masked": ("L5-H3", 61.1, 42.9)}
"""The best of all heads, its score, and the median of all, on layers 0+last."""

PROMPTED = {"bundled": 42.0, "masked": 32.6}
"""T0, the mask token's state in the last layer."""


@pytest.fixture(scope="module")
def road(tmp_path_factory, data_folder) -> Road:
    return Road(Settings(cache=tmp_path_factory.mktemp("known"), data=data_folder))


@pytest.fixture(scope="module")
def masked(data_folder) -> str:
    folder = data_folder.parent / "models" / "minilm-mlm"
    if not folder.is_dir():
        pytest.skip("there is no folder models/minilm-mlm beside the data folder")
    return str(folder)


def score(road: Road, recipe: str) -> float:
    corpus = road.corpus("STS-B", "test")
    assert len(corpus) == 1379
    similarities, _ = road.similarities(Recipe.parse(recipe), corpus)
    return evaluate(similarities, corpus, intervals=False).spearman


@pytest.mark.parametrize(("recipe", "expected"), [*zip(RECIPES, BUNDLED, strict=True)])
def test_the_bundled_encoder(road, recipe, expected):
    assert score(road, recipe) == pytest.approx(expected, abs=0.15)


@pytest.mark.parametrize(("recipe", "expected"), [*zip(RECIPES, MASKED, strict=True)])
def test_a_model_that_was_not_tuned_on_sentences(road, masked, recipe, expected):
    assert score(road, f"source={masked};{recipe}") == pytest.approx(expected, abs=0.15)


def test_every_layer_by_itself(road, masked):
    for source, expected in zip(("bundled", masked), LAYERS.values(), strict=True):
        found = [score(road, f"source={source};layers={i}") for i in range(7)]
        np.testing.assert_allclose(found, expected, atol=0.15)


def test_the_average_cosine_of_random_pairs(road, masked):
    corpus = road.corpus("STS-B", "test")
    for source, expected in (("bundled", 0.022), (masked, 0.507)):
        vectors = road.embed(Recipe.parse(f"source={source};layers=last"), corpus).vectors.astype(float)
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        n = len(unit)
        assert (np.square(unit.sum(axis=0)).sum() - n) / (n * (n - 1)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("name", HEADS)
def test_the_best_head_and_the_median_of_all(road, masked, name):
    source = masked if name == "masked" else name
    found = {
        f"L{layer}-H{head}": score(
            road, f"source={source};layers=0+last;weight=ditto(layer={layer},head={head})"
        )
        for layer in range(1, 7)
        for head in range(1, 13)
    }
    best, expected, median = HEADS[name]
    assert max(found, key=found.__getitem__) == best
    assert found[best] == pytest.approx(expected, abs=0.15)
    assert np.median([*found.values()]) == pytest.approx(median, abs=0.15)


@pytest.mark.parametrize("name", PROMPTED)
def test_the_mask_token_of_a_template(road, masked, name):
    """The figures are of sentences without their final full stop."""
    recipe = f"source={masked if name == 'masked' else name};layers=last;tokens=mask;template=T0"
    assert score(road, recipe + "(stop=no)") == pytest.approx(PROMPTED[name], abs=0.15)
