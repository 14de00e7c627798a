"""Maps of sentences at each layer: each that of its layer, all in the place of the map that is shown."""

import numpy as np
import pytest

from core.analysis.token_maps.projection import compute_projection
from core.analysis.token_maps.sentence_map import aligned
from core.analysis.token_maps.sentence_walk import laid_on, layer_maps, layers_of, steps
from core.errors import StrataError
from core.recipe import Recipe


def cloud(seed: int, number: int = 12) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(number, 2)).astype(np.float32)


def distances(points: np.ndarray) -> np.ndarray:
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    return apart / apart.max()


def turned(points: np.ndarray, angle: float) -> np.ndarray:
    cos, sin = np.cos(angle), np.sin(angle)
    return (points * [1, -1]) @ np.array([[cos, -sin], [sin, cos]])


def test_each_layer_has_the_map_of_the_recipe_with_that_layer(shared_engine, bert, scored):
    recipe = Recipe.parse(f"{bert};layers=first+last;weight=idf")
    places = np.arange(0, 60, 2)
    found = layer_maps(shared_engine, recipe, scored, places)
    assert tuple(found) == layers_of(shared_engine, recipe, scored) == (0, 1, 2, 3)
    for layer, points in found.items():
        vectors = shared_engine.embed(recipe.replace(layers=str(layer)), scored).vectors[places]
        wanted = compute_projection("pca", (0,), lambda _, rows=vectors: rows).at(0)
        np.testing.assert_array_equal(points, wanted)


def test_a_layer_of_equal_vectors_is_left_out_and_other_sources_have_none(shared_engine, bert, scored):
    assert set(layer_maps(shared_engine, Recipe.parse(f"{bert};pool=cls"), scored, np.arange(60))) == {
        1,
        2,
        3,
    }
    random = Recipe.parse("source=random(dim=8)")
    assert layers_of(shared_engine, random, scored) == ()
    assert layer_maps(shared_engine, random, scored, np.arange(60)) == {}


def test_a_map_that_was_turned_mirrored_scaled_and_moved_comes_back():
    shown = cloud(0)
    (back,) = laid_on([3 * turned(shown, 0.7) + 5], shown)
    np.testing.assert_allclose(back, shown, atol=1e-5)


def test_two_maps_are_laid_over_each_other_and_turned_as_one():
    a, b, shown = cloud(1), cloud(2), cloud(0)
    first, second = laid_on([a, b], shown)
    wanted = np.concatenate(aligned(a, b)[:2])
    np.testing.assert_allclose(distances(np.concatenate([first, second])), distances(wanted), atol=1e-5)
    assert np.linalg.norm(first - first.mean(axis=0)) == pytest.approx(
        np.linalg.norm(shown - shown.mean(axis=0)), rel=1e-5
    ), "the size of the map that is shown"
    with pytest.raises(StrataError, match="All points of map B are one"):
        laid_on([a, np.zeros_like(b)], shown)


def test_sides_share_their_layers_and_one_without_any_stays():
    a, shown = {0: cloud(1), 1: cloud(2), 2: cloud(3)}, [cloud(0), cloud(4)]
    both = steps([a, {1: cloud(5), 2: np.zeros_like(shown[0])}], shown)
    assert set(both) == {1}, "layer 0 is not B's, and in layer 2 all points of B are one"
    np.testing.assert_array_equal(both[1][0], laid_on([a[1], cloud(5)], shown[0])[0])
    assert set(steps([a, {}], shown)) == {0, 1, 2}
    assert steps([{}, {}], shown) == {}
